/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/mpi_transport.h"

#include "core/base/mem.h"
#include "core/base/rare.h"
#include "mpi_run/operation/mpi_message.h"

#include <stdlib.h>
#include <string.h>

/* What MPI says of those that have ended; of several, the first that failed has the reason. */
static int ended_check(const struct tmap_mpi_transport *it, int code, const char *function,
		       int ended_count, struct tmap_error *err)
{
	int class = MPI_SUCCESS;

	if (code == MPI_SUCCESS)
		return 0;
	MPI_Error_class(code, &class);
	for (int i = 0; class == MPI_ERR_IN_STATUS && i < ended_count; i++)
		if (it->status[i].MPI_ERROR != MPI_SUCCESS)
			return tmap_mpi_check(it->status[i].MPI_ERROR, function, err);
	return tmap_mpi_check(code, function, err);
}

/* The only one that is under way. */
static int one_ended(struct tmap_mpi_transport *it, bool waits, size_t *count,
		     struct tmap_error *err)
{
	int has_ended = 1;

	if (waits ? tmap_mpi_check(MPI_Wait(it->request, MPI_STATUS_IGNORE), "MPI_Wait", err) < 0 :
		    tmap_mpi_check(MPI_Test(it->request, &has_ended, MPI_STATUS_IGNORE), "MPI_Test",
				   err) < 0)
		return -1;
	it->ended[0] = it->step[0];
	it->count = !has_ended;
	*count = (size_t)has_ended;
	return 0;
}

static int some_ended(struct tmap_mpi_transport *it, bool waits, size_t *count,
		      struct tmap_error *err)
{
	int ended_count = 0, kept = 0;
	int code = waits ?
		MPI_Waitsome(it->count, it->request, &ended_count, it->index, it->status) :
		MPI_Testsome(it->count, it->request, &ended_count, it->index, it->status);

	if (ended_check(it, code, waits ? "MPI_Waitsome" : "MPI_Testsome", ended_count, err) < 0)
		return -1;
	for (int i = 0; i < ended_count; i++) {
		it->ended[i] = it->step[it->index[i]];
		it->step[it->index[i]] = it->steps->step_count;
	}
	for (int i = 0; ended_count && i < it->count; i++)
		if (it->step[i] != it->steps->step_count) {
			it->step[kept] = it->step[i];
			it->request[kept++] = it->request[i];
		}
	if (ended_count)
		it->count = kept;
	*count = (size_t)ended_count;
	return 0;
}

static int transport_ended(void *context, bool waits, const size_t **ended, size_t *count,
			   struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;

	*ended = it->ended;
	*count = 0;
	if (!it->count)
		return 0;
	return it->count == 1 ? one_ended(it, waits, count, err) :
				some_ended(it, waits, count, err);
}

/* Elements with gaps, or of different types of as much data, as a message to itself: no other one
 * of the operation is, and nothing is packed whose size an int does not count. */
static TMAP_RARE int copy_by_message(const struct tmap_mpi_transport *it,
				     const struct tmap_data_piece *source,
				     const struct tmap_data_piece *target,
				     char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_message_buffer from, to = { .made = MPI_DATATYPE_NULL };
	int self, status = tmap_message_buffer_init_piece(&from, &it->types, source, area, err);

	if (status == 0)
		status = tmap_message_buffer_init_piece(&to, &it->types, target, area, err);
	MPI_Comm_rank(it->comm, &self);
	if (status == 0)
		status = tmap_mpi_check(MPI_Sendrecv(from.address, from.count, from.type, self,
						     it->tag, to.address, to.count, to.type, self,
						     it->tag, it->comm, MPI_STATUS_IGNORE),
					"MPI_Sendrecv", err);
	tmap_message_buffer_fini(&from);
	tmap_message_buffer_fini(&to);
	return status;
}

static int64_t transport_plain(const void *context, const struct tmap_data_piece *source,
			       const struct tmap_data_piece *target)
{
	const struct tmap_mpi_transport *it = context;
	const struct tmap_data_element *element = &it->types.element[source->type];

	return element->is_dense && it->types.element[target->type].is_dense ?
		source->count * element->size :
		0;
}

static int transport_copy(void *context, const struct tmap_data_piece *source,
			  const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
			  struct tmap_error *err)
{
	const struct tmap_mpi_transport *it = context;
	int64_t bytes = transport_plain(it, source, target);

	if (bytes) {
		memmove(area[target->area] + target->offset, area[source->area] + source->offset,
			(size_t)bytes);
		return 0;
	}
	return copy_by_message(it, source, target, area, err);
}

static int transport_reduce(void *context, const struct tmap_data_piece *source,
			    const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
			    struct tmap_error *err)
{
	enum { CHUNK = 1 << 30 };
	const struct tmap_mpi_transport *it = context;
	int64_t extent = it->types.element[source->type].extent;

	for (int64_t done = 0; done < source->count; done += CHUNK) {
		int64_t left = source->count - done;

		if (tmap_mpi_check(
			    MPI_Reduce_local(area[source->area] + source->offset + done * extent,
					     area[target->area] + target->offset + done * extent,
					     (int)(left < CHUNK ? left : CHUNK),
					     it->types.type[source->type], it->op),
			    "MPI_Reduce_local", err) < 0)
			return -1;
	}
	return 0;
}

int tmap_mpi_transport_init(struct tmap_mpi_transport *transport,
			    const struct tmap_channel *channel, int tag,
			    const struct tmap_steps *steps, const MPI_Datatype *type,
			    const struct tmap_data_element *element, MPI_Op op,
			    enum tmap_keeping keeping, char *const area[TMAP_AREAS],
			    struct tmap_error *err)
{
	size_t count = steps->step_count;
	int commutes = 1;

	*transport = (struct tmap_mpi_transport){
		.comm = channel->comm,
		.tag = tag,
		.types = { .type = type, .element = element },
		.op = op,
		.keeping = keeping,
		.steps = steps,
	};
	transport->types.blank = tmap_alloc((size_t)steps->blank_bytes, 1, err);
	transport->step = tmap_alloc_raw(count, sizeof *transport->step, err);
	transport->request = tmap_alloc_raw(count, sizeof(MPI_Request), err);
	transport->status = tmap_alloc_raw(count, sizeof *transport->status, err);
	transport->index = tmap_alloc_raw(count, sizeof *transport->index, err);
	transport->ended = tmap_alloc_raw(count, sizeof *transport->ended, err);
	transport->kept = tmap_mpi_messages_new(count, err);
	if (!transport->types.blank || !transport->step || !transport->request ||
	    !transport->status || !transport->index || !transport->ended || !transport->kept ||
	    (op != MPI_OP_NULL &&
	     tmap_mpi_check(MPI_Op_commutative(op, &commutes), "MPI_Op_commutative", err) < 0)) {
		tmap_mpi_transport_fini(transport);
		return -1;
	}
	transport->transport = (struct tmap_transport){
		.context = transport,
		.is_commutative = commutes,
		.ended = transport_ended,
		.copy = transport_copy,
		.plain = transport_plain,
		.reduce = transport_reduce,
	};
	for (size_t i = 0; i < count; i++)
		transport->to_make += steps->step[i].kind != TMAP_STEP_LOCAL;
	tmap_mpi_messages_begin_by(keeping, &transport->transport);
	if (keeping >= TMAP_KEEP_DATATYPES && tmap_mpi_messages_make(transport, area, err) < 0) {
		tmap_mpi_transport_fini(transport);
		return -1;
	}
	return 0;
}

/* Nothing more arrives there. One that has ended cannot be cancelled (Open MPI 4.1 loses count then),
 * and one that has failed is still there. */
static void receive_give_up(MPI_Request *request)
{
	int has_ended = 0;

	MPI_Request_get_status(*request, &has_ended, MPI_STATUS_IGNORE);
	if (!has_ended) {
		MPI_Cancel(request);
		MPI_Wait(request, MPI_STATUS_IGNORE);
	}
}

/* Those that are under way after an error, or when their operation is freed. true: some are sent,
 * and may be read until their receivers have them. */
static bool messages_give_up(struct tmap_mpi_transport *it)
{
	bool has_sends = false;

	for (int i = 0; i < it->count; i++) {
		MPI_Request *request = &it->request[i];
		size_t step = it->step[i];

		if (*request == MPI_REQUEST_NULL)
			;
		else if (it->steps->step[step].kind == TMAP_STEP_SEND)
			has_sends = true;
		else
			receive_give_up(request);
		/* Open MPI 4.1 frees persistent ones that have failed */
		if (it->keeping == TMAP_KEEP_REQUESTS)
			it->kept[step].request = *request;
		else if (*request != MPI_REQUEST_NULL)
			MPI_Request_free(request);
	}
	return has_sends;
}

bool tmap_mpi_transport_fini(struct tmap_mpi_transport *transport)
{
	bool has_sends = messages_give_up(transport);

	if (transport->kept)
		tmap_mpi_messages_free(transport->kept, transport->steps->step_count);
	if (!has_sends)
		free(transport->types.blank);
	free(transport->step);
	free(transport->request);
	free(transport->status);
	free(transport->index);
	free(transport->ended);
	*transport = (struct tmap_mpi_transport){ 0 };
	return !has_sends;
}
