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

static TMAP_RARE int message_make(struct tmap_mpi_transport *it, size_t step,
				  char *const area[TMAP_AREAS], struct tmap_mpi_message *message,
				  struct tmap_error *err)
{
	const struct tmap_step *is = &it->steps->step[step];

	if (tmap_message_buffer_init(&message->buffer, &it->types, it->steps, step, area, err) < 0)
		return -1;
	message->is_send = is->kind == TMAP_STEP_SEND;
	message->peer = is->peer;
	message->is_made = true;
	it->to_make--;
	return 0;
}

/* That of a step, or NULL. */
static struct tmap_mpi_message *kept_message(struct tmap_mpi_transport *it, size_t step,
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

static inline int message_run(const struct tmap_mpi_transport *it,
			      const struct tmap_mpi_message *message, struct tmap_error *err)
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

static inline int messages_exchange(const struct tmap_mpi_transport *it,
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

/* ---- begun anew ---- */

/* A datatype that is not kept; what an address and a count say stays. */
static TMAP_RARE void datatype_drop(struct tmap_mpi_transport *it, struct tmap_mpi_message *message)
{
	tmap_message_buffer_fini(&message->buffer);
	message->is_made = false;
	it->to_make++;
}

static void message_end(struct tmap_mpi_transport *it, struct tmap_mpi_message *message)
{
	if (it->keeping < TMAP_KEEP_DATATYPES && message->buffer.made != MPI_DATATYPE_NULL)
		datatype_drop(it, message);
}

static int begin_anew(void *context, const struct tmap_steps *steps, size_t step,
		      char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;
	struct tmap_mpi_message *message = kept_message(it, step, area, err);
	int status;

	(void)steps;
	if (!message)
		return -1;
	status = message_begin(it, message, &it->request[it->count], err);
	message_end(it, message);
	return has_begun(it, step, status);
}

static int exchange_run(struct tmap_mpi_transport *it, struct tmap_mpi_message *recv, size_t step,
			char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_message *send = kept_message(it, step, area, err);
	int status;

	if (!send)
		return -1;
	status = messages_exchange(it, recv, send, err);
	message_end(it, send);
	return status;
}

/* Of a line whose messages are all made, and stay. */
static inline int part_run(const struct tmap_mpi_transport *it, const struct tmap_line_part *part,
			   struct tmap_error *err)
{
	const struct tmap_mpi_message *message = &it->kept[part->step];

	return part->kind == TMAP_LINE_EXCHANGE ?
		messages_exchange(it, message, &it->kept[part->send], err) :
		message_run(it, message, err);
}

static __attribute__((noinline)) int parts_run(const struct tmap_mpi_transport *it,
					       const struct tmap_line_part *part, size_t count,
					       struct tmap_error *err)
{
	for (const struct tmap_line_part *end = part + count; part < end; part++)
		if (part_run(it, part, err) < 0)
			return -1;
	return 0;
}

/* Most ranks have one message: nothing is kept for a second one. */
static int run_made(void *context, const struct tmap_steps *steps,
		    const struct tmap_line_part *part, size_t count, char *const area[TMAP_AREAS],
		    struct tmap_error *err)
{
	(void)steps;
	(void)area;
	return count == 1 ? part_run(context, part, err) : parts_run(context, part, count, err);
}

/* The first time, and where datatypes go with their messages. */
static int run_anew(void *context, const struct tmap_steps *steps,
		    const struct tmap_line_part *part, size_t count, char *const area[TMAP_AREAS],
		    struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;
	int status = 0;

	(void)steps;
	for (const struct tmap_line_part *end = part + count; part < end && status == 0; part++) {
		struct tmap_mpi_message *message = kept_message(it, part->step, area, err);

		if (!message)
			return -1;
		status = part->kind == TMAP_LINE_EXCHANGE ?
			exchange_run(it, message, part->send, area, err) :
			message_run(it, message, err);
		message_end(it, message);
	}
	if (!it->to_make)
		it->transport.run = run_made;
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
static struct tmap_mpi_message *request_start(struct tmap_mpi_transport *it, size_t step,
					      struct tmap_error *err)
{
	struct tmap_mpi_message *message = &it->kept[step];

	/* Open MPI 4.1 frees one that has failed */
	if ((message->request == MPI_REQUEST_NULL && request_make(it, message, err) < 0) ||
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
	const struct tmap_mpi_message *message = request_start(it, step, err);

	(void)steps;
	(void)area;
	if (!message)
		return -1;
	it->request[it->count] = message->request;
	return has_begun(it, step, 0);
}

static int message_run_request(struct tmap_mpi_transport *it, size_t step, struct tmap_error *err)
{
	struct tmap_mpi_message *message = request_start(it, step, err);

	return message ? request_wait(message, err) : -1;
}

/* Of an exchange the receive first, so that the message finds it. */
static int run_requests(void *context, const struct tmap_steps *steps,
			const struct tmap_line_part *part, size_t count,
			char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;

	for (const struct tmap_line_part *end = part + count; part < end; part++) {
		bool is_exchange = part->kind == TMAP_LINE_EXCHANGE;

		if ((is_exchange && begin_request(it, steps, part->step, area, err) < 0) ||
		    message_run_request(it, part->send, err) < 0)
			return -1;
		if (!is_exchange)
			continue;
		it->count--;
		if (request_wait(&it->kept[part->step], err) < 0)
			return -1;
	}
	return 0;
}

int tmap_mpi_messages_make(struct tmap_mpi_transport *transport, char *const area[TMAP_AREAS],
			   struct tmap_error *err)
{
	for (size_t i = 0; i < transport->steps->step_count; i++) {
		struct tmap_mpi_message *message;

		if (transport->steps->step[i].kind == TMAP_STEP_LOCAL)
			continue;
		message = kept_message(transport, i, area, err);
		if (!message ||
		    (transport->keeping == TMAP_KEEP_REQUESTS &&
		     request_make(transport, message, err) < 0))
			return -1;
	}
	return 0;
}

void tmap_mpi_messages_begin_by(enum tmap_keeping keeping, struct tmap_transport *transport)
{
	static const struct {
		int (*begin)(void *context, const struct tmap_steps *steps, size_t step,
			     char *const area[TMAP_AREAS], struct tmap_error *err);
		int (*run)(void *context, const struct tmap_steps *steps,
			   const struct tmap_line_part *part, size_t count,
			   char *const area[TMAP_AREAS], struct tmap_error *err);
	} by[TMAP_KEEPINGS] = {
		[TMAP_KEEP_NOTHING] = { begin_anew, run_anew },
		[TMAP_KEEP_SCHEDULE] = { begin_anew, run_anew },
		[TMAP_KEEP_DATATYPES] = { begin_anew, run_anew },
		[TMAP_KEEP_REQUESTS] = { begin_request, run_requests },
	};

	transport->begin = by[keeping].begin;
	transport->run = by[keeping].run;
}
