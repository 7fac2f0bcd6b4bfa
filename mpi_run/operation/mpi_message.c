/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/mpi_message.h"

#include "core/base/mem.h"
#include "core/base/rare.h"

#include <stdlib.h>

static const struct tmap_mpi_message none = { .buffer = { .made = MPI_DATATYPE_NULL },
					      .request = MPI_REQUEST_NULL };

struct tmap_mpi_message *tmap_mpi_messages_new(size_t count, struct tmap_error *err)
{
	struct tmap_mpi_message *message = tmap_alloc_raw(count, sizeof *message, err);

	for (size_t i = 0; message && i < count; i++)
		message[i] = none;
	return message;
}

static void message_fini(struct tmap_mpi_message *message)
{
	if (message->request != MPI_REQUEST_NULL)
		MPI_Request_free(&message->request);
	tmap_message_buffer_fini(&message->buffer);
}

void tmap_mpi_messages_free(struct tmap_mpi_message *message, size_t count)
{
	for (size_t i = 0; message && i < count; i++)
		message_fini(&message[i]);
	free(message);
}

static TMAP_RARE int message_make(const struct tmap_mpi_transport *it, size_t step,
				  char *const area[TMAP_AREAS], struct tmap_mpi_message *message,
				  struct tmap_error *err)
{
	const struct tmap_step *is = &it->steps->step[step];

	if (tmap_message_buffer_init(&message->buffer, &it->types, it->steps, step, area, err) < 0)
		return -1;
	message->is_send = is->kind == TMAP_STEP_SEND;
	message->peer = is->peer;
	message->is_made = true;
	return 0;
}

/* The kept one of a step, or NULL. */
static struct tmap_mpi_message *kept_message(const struct tmap_mpi_transport *it, size_t step,
					     char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_message *message = &it->kept[step];

	return message->is_made || message_make(it, step, area, message, err) == 0 ? message : NULL;
}

/* SimGrid has small and large messages in mailboxes of their own, so that of two from one rank to another
 * the second may come to the receive of the first: there, those of different sizes are told apart. */
static int message_tag(const struct tmap_mpi_transport *it, const struct tmap_message_buffer *b)
{
#ifdef SMPI_H
	int size = 0;

	MPI_Type_size(b->type, &size);
	return it->tag % 4096 + 4096 * (int)((int64_t)size * b->count % 8191);
#else
	(void)b;
	return it->tag;
#endif
}

static int message_begin(const struct tmap_mpi_transport *it,
			 const struct tmap_mpi_message *message, MPI_Request *request,
			 struct tmap_error *err)
{
	const struct tmap_message_buffer *b = &message->buffer;

	return message->is_send ?
		tmap_mpi_check(MPI_Isend(b->address, b->count, b->type, message->peer,
					 message_tag(it, b), it->comm, request),
			       "MPI_Isend", err) :
		tmap_mpi_check(MPI_Irecv(b->address, b->count, b->type, message->peer,
					 message_tag(it, b), it->comm, request),
			       "MPI_Irecv", err);
}

static int message_run(const struct tmap_mpi_transport *it, const struct tmap_mpi_message *message,
		       struct tmap_error *err)
{
	const struct tmap_message_buffer *b = &message->buffer;

	return message->is_send ?
		tmap_mpi_check(MPI_Send(b->address, b->count, b->type, message->peer,
					message_tag(it, b), it->comm),
			       "MPI_Send", err) :
		tmap_mpi_check(MPI_Recv(b->address, b->count, b->type, message->peer,
					message_tag(it, b), it->comm, MPI_STATUS_IGNORE),
			       "MPI_Recv", err);
}

static int messages_exchange(const struct tmap_mpi_transport *it,
			     const struct tmap_mpi_message *recv,
			     const struct tmap_mpi_message *send, struct tmap_error *err)
{
	const struct tmap_message_buffer *in = &recv->buffer, *out = &send->buffer;

	return tmap_mpi_check(MPI_Sendrecv(out->address, out->count, out->type, send->peer,
					   message_tag(it, out), in->address, in->count, in->type,
					   recv->peer, message_tag(it, in), it->comm,
					   MPI_STATUS_IGNORE),
			      "MPI_Sendrecv", err);
}

/* It is under way. */
static int has_begun(struct tmap_mpi_transport *it, size_t step, int status)
{
	it->step[it->count] = step;
	it->count += status == 0;
	return status;
}

/* ---- kept ---- */

static int begin_kept(void *context, const struct tmap_steps *steps, size_t step,
		      char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;
	const struct tmap_mpi_message *message = kept_message(it, step, area, err);

	(void)steps;
	return message ?
		has_begun(it, step, message_begin(it, message, &it->request[it->count], err)) :
		-1;
}

static int run_kept(void *context, const struct tmap_steps *steps, size_t step,
		    char *const area[TMAP_AREAS], struct tmap_error *err)
{
	const struct tmap_mpi_transport *it = context;
	const struct tmap_mpi_message *message = kept_message(it, step, area, err);

	(void)steps;
	return message ? message_run(it, message, err) : -1;
}

static int exchange_kept(void *context, const struct tmap_steps *steps, size_t recv, size_t send,
			 char *const area[TMAP_AREAS], struct tmap_error *err)
{
	const struct tmap_mpi_transport *it = context;
	const struct tmap_mpi_message *in = kept_message(it, recv, area, err);
	const struct tmap_mpi_message *out = kept_message(it, send, area, err);

	(void)steps;
	return in && out ? messages_exchange(it, in, out, err) : -1;
}

/* ---- kept, but for datatypes ---- */

/* What an address and a count say stays; a datatype does not. */
static void datatype_drop(const struct tmap_mpi_transport *it, size_t step)
{
	struct tmap_mpi_message *message = &it->kept[step];

	if (message->buffer.made == MPI_DATATYPE_NULL)
		return;
	tmap_message_buffer_fini(&message->buffer);
	message->is_made = false;
}

static int begin_anew(void *context, const struct tmap_steps *steps, size_t step,
		      char *const area[TMAP_AREAS], struct tmap_error *err)
{
	int status = begin_kept(context, steps, step, area, err);

	datatype_drop(context, step);
	return status;
}

static int run_anew(void *context, const struct tmap_steps *steps, size_t step,
		    char *const area[TMAP_AREAS], struct tmap_error *err)
{
	int status = run_kept(context, steps, step, area, err);

	datatype_drop(context, step);
	return status;
}

static int exchange_anew(void *context, const struct tmap_steps *steps, size_t recv, size_t send,
			 char *const area[TMAP_AREAS], struct tmap_error *err)
{
	int status = exchange_kept(context, steps, recv, send, area, err);

	datatype_drop(context, recv);
	datatype_drop(context, send);
	return status;
}

/* ---- with requests ---- */

static int request_make(const struct tmap_mpi_transport *it, struct tmap_mpi_message *message,
			struct tmap_error *err)
{
	const struct tmap_message_buffer *b = &message->buffer;

	return message->is_send ?
		tmap_mpi_check(MPI_Send_init(b->address, b->count, b->type, message->peer,
					     message_tag(it, b), it->comm, &message->request),
			       "MPI_Send_init", err) :
		tmap_mpi_check(MPI_Recv_init(b->address, b->count, b->type, message->peer,
					     message_tag(it, b), it->comm, &message->request),
			       "MPI_Recv_init", err);
}

/* What is started, or NULL. */
static struct tmap_mpi_message *request_start(const struct tmap_mpi_transport *it, size_t step,
					      char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_message *message = kept_message(it, step, area, err);

	if (!message ||
	    (message->request == MPI_REQUEST_NULL && request_make(it, message, err) < 0) ||
	    tmap_mpi_check(MPI_Start(&message->request), "MPI_Start", err) < 0)
		return NULL;
	return message;
}

static int request_wait(struct tmap_mpi_message *message, struct tmap_error *err)
{
	return tmap_mpi_check(MPI_Wait(&message->request, MPI_STATUS_IGNORE), "MPI_Wait", err);
}

static int begin_request(void *context, const struct tmap_steps *steps, size_t step,
			 char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;
	const struct tmap_mpi_message *message = request_start(it, step, area, err);

	(void)steps;
	if (!message)
		return -1;
	it->request[it->count] = message->request;
	return has_begun(it, step, 0);
}

static int run_request(void *context, const struct tmap_steps *steps, size_t step,
		       char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_message *message = request_start(context, step, area, err);

	(void)steps;
	return message ? request_wait(message, err) : -1;
}

/* The receive first, so that the message finds it. */
static int exchange_requests(void *context, const struct tmap_steps *steps, size_t recv,
			     size_t send, char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;

	if (begin_request(it, steps, recv, area, err) < 0 ||
	    run_request(it, steps, send, area, err) < 0)
		return -1;
	it->count--;
	return request_wait(&it->kept[recv], err);
}

void tmap_mpi_messages_begin_by(enum tmap_keeping keeping, struct tmap_transport *transport)
{
	static const struct {
		int (*begin)(void *context, const struct tmap_steps *steps, size_t step,
			     char *const area[TMAP_AREAS], struct tmap_error *err);
		int (*run)(void *context, const struct tmap_steps *steps, size_t step,
			   char *const area[TMAP_AREAS], struct tmap_error *err);
		int (*exchange)(void *context, const struct tmap_steps *steps, size_t recv,
				size_t send, char *const area[TMAP_AREAS], struct tmap_error *err);
	} by[TMAP_KEEPINGS] = {
		[TMAP_KEEP_NOTHING] = { begin_anew, run_anew, exchange_anew },
		[TMAP_KEEP_SCHEDULE] = { begin_anew, run_anew, exchange_anew },
		[TMAP_KEEP_DATATYPES] = { begin_kept, run_kept, exchange_kept },
		[TMAP_KEEP_REQUESTS] = { begin_request, run_request, exchange_requests },
	};

	transport->begin = by[keeping].begin;
	transport->run = by[keeping].run;
	transport->exchange = by[keeping].exchange;
}
