/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/operation/mpi_transport.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* As MPI takes a message. */
struct buffer {
	void *address;
	int count;
	MPI_Datatype type, made; /* made: to be freed, else MPI_DATATYPE_NULL */
};

struct tmap_kept_message {
	bool is_made;
	struct buffer buffer;
	MPI_Request request; /* persistent, or MPI_REQUEST_NULL */
};

int tmap_element_of_type(MPI_Datatype type, struct tmap_data_element *element,
			 struct tmap_error *err)
{
	MPI_Count size, low, extent, true_low, true_extent;

	if (tmap_mpi_check(MPI_Type_size_x(type, &size), "MPI_Type_size_x", err) < 0 ||
	    tmap_mpi_check(MPI_Type_get_extent_x(type, &low, &extent), "MPI_Type_get_extent_x",
			   err) < 0 ||
	    tmap_mpi_check(MPI_Type_get_true_extent_x(type, &true_low, &true_extent),
			   "MPI_Type_get_true_extent_x", err) < 0)
		return -1;
	*element = (struct tmap_data_element){ size, extent, true_low, true_extent };
	return 0;
}

/* So many elements as one: counts of MPI are ints. */
static int type_of_many(int64_t count, MPI_Datatype type, int64_t extent, MPI_Datatype *made,
			struct tmap_error *err)
{
	enum { CHUNK = 1 << 30 };
	int lengths[] = { (int)(count / CHUNK), (int)(count % CHUNK) };
	MPI_Aint at[] = { 0, (MPI_Aint)(count - count % CHUNK) * (MPI_Aint)extent };
	MPI_Datatype types[] = { MPI_DATATYPE_NULL, type };
	int status;

	if (tmap_mpi_check(MPI_Type_contiguous(CHUNK, type, &types[0]), "MPI_Type_contiguous",
			   err) < 0)
		return -1;
	status = tmap_mpi_check(MPI_Type_create_struct(2, lengths, at, types, made),
				"MPI_Type_create_struct", err);
	MPI_Type_free(&types[0]);
	return status;
}

/* Several pieces, by their addresses. */
static int type_of_pieces(const struct tmap_mpi_transport *it, const struct tmap_data_piece *piece,
			  size_t count, char *const area[TMAP_AREAS], MPI_Datatype *made,
			  struct tmap_error *err)
{
	MPI_Datatype *types = tmap_alloc_raw(count, sizeof *types, err);
	int *lengths = tmap_alloc_raw(count, sizeof *lengths, err);
	MPI_Aint *at = tmap_alloc_raw(count, sizeof *at, err);
	int status = types && lengths && at ? 0 : -1;
	size_t large = 0;

	for (size_t i = 0; i < count && status == 0; i++) {
		MPI_Get_address(area[piece[i].area] + piece[i].offset, &at[i]);
		lengths[i] = 1;
		types[i] = it->type[piece[i].type];
		if (piece[i].count <= INT_MAX) {
			lengths[i] = (int)piece[i].count;
			continue;
		}
		status = type_of_many(piece[i].count, it->type[piece[i].type],
				      it->element[piece[i].type].extent, &types[i], err);
		large = i + 1;
	}
	if (status == 0)
		status =
			tmap_mpi_check(MPI_Type_create_struct((int)count, lengths, at, types, made),
				       "MPI_Type_create_struct", err);
	for (size_t i = 0; status == 0 && i < large; i++)
		if (piece[i].count > INT_MAX)
			MPI_Type_free(&types[i]);
	free(types);
	free(lengths);
	free(at);
	return status;
}

/* So many elements from an address on. */
static int buffer_fill(struct buffer *buffer, void *address, int64_t count, MPI_Datatype type,
		       int64_t extent, struct tmap_error *err)
{
	*buffer = (struct buffer){ address, 1, type, MPI_DATATYPE_NULL };
	if (count <= INT_MAX) {
		buffer->count = (int)count;
		return 0;
	}
	if (type_of_many(count, type, extent, &buffer->made, err) < 0)
		return -1;
	buffer->type = buffer->made;
	return tmap_mpi_check(MPI_Type_commit(&buffer->made), "MPI_Type_commit", err);
}

static int buffer_of_piece(const struct tmap_mpi_transport *it, const struct tmap_data_piece *piece,
			   char *const area[TMAP_AREAS], struct buffer *buffer,
			   struct tmap_error *err)
{
	return buffer_fill(buffer, area[piece->area] + piece->offset, piece->count,
			   it->type[piece->type], it->element[piece->type].extent, err);
}

static int buffer_init(const struct tmap_mpi_transport *it, const struct tmap_steps *steps,
		       size_t step, char *const area[TMAP_AREAS], struct buffer *buffer,
		       struct tmap_error *err)
{
	const struct tmap_step *is = &steps->step[step];

	if (!is->count)
		return buffer_fill(buffer, it->blank, is->blank_bytes, MPI_BYTE, 1, err);
	if (is->count == 1)
		return buffer_of_piece(it, &steps->piece[is->first], area, buffer, err);
	*buffer = (struct buffer){ MPI_BOTTOM, 1, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL };
	if (type_of_pieces(it, &steps->piece[is->first], is->count, area, &buffer->made, err) < 0 ||
	    tmap_mpi_check(MPI_Type_commit(&buffer->made), "MPI_Type_commit", err) < 0)
		return -1;
	buffer->type = buffer->made;
	return 0;
}

static void buffer_fini(struct buffer *buffer)
{
	if (buffer->made != MPI_DATATYPE_NULL)
		MPI_Type_free(&buffer->made);
}

static int request_begin(const struct tmap_mpi_transport *it, const struct tmap_step *step,
			 const struct buffer *buffer, MPI_Request *request, struct tmap_error *err)
{
	if (step->kind == TMAP_STEP_SEND)
		return tmap_mpi_check(MPI_Isend(buffer->address, buffer->count, buffer->type,
						step->peer, it->tag, it->comm, request),
				      "MPI_Isend", err);
	return tmap_mpi_check(MPI_Irecv(buffer->address, buffer->count, buffer->type, step->peer,
					it->tag, it->comm, request),
			      "MPI_Irecv", err);
}

static int request_init(const struct tmap_mpi_transport *it, const struct tmap_step *step,
			const struct buffer *buffer, MPI_Request *request, struct tmap_error *err)
{
	if (step->kind == TMAP_STEP_SEND)
		return tmap_mpi_check(MPI_Send_init(buffer->address, buffer->count, buffer->type,
						    step->peer, it->tag, it->comm, request),
				      "MPI_Send_init", err);
	return tmap_mpi_check(MPI_Recv_init(buffer->address, buffer->count, buffer->type,
					    step->peer, it->tag, it->comm, request),
			      "MPI_Recv_init", err);
}

/* A message that is kept is made when it is first begun. */
static int transport_begin(void *context, const struct tmap_steps *steps, size_t step,
			   char *const area[TMAP_AREAS], struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;
	struct tmap_kept_message one = { .is_made = false },
				 *kept = it->kept ? &it->kept[step] : &one;
	MPI_Request *request = &it->request[it->count];
	int status;

	if (!kept->is_made && buffer_init(it, steps, step, area, &kept->buffer, err) < 0)
		return -1;
	kept->is_made = true;
	it->step[it->count] = step;
	if (it->keeping != TMAP_KEEP_REQUESTS) {
		status = request_begin(it, &steps->step[step], &kept->buffer, request, err);
		if (!it->kept)
			buffer_fini(&kept->buffer);
	} else {
		status = kept->request == MPI_REQUEST_NULL ?
			request_init(it, &steps->step[step], &kept->buffer, &kept->request, err) :
			0;
		*request = kept->request;
		if (status == 0)
			status = tmap_mpi_check(MPI_Start(request), "MPI_Start", err);
	}
	it->count += status == 0;
	return status;
}

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
static int one_ended(struct tmap_mpi_transport *it, bool waits, int *ended_count,
		     struct tmap_error *err)
{
	*ended_count = 1;
	it->index[0] = 0;
	return waits ? tmap_mpi_check(MPI_Wait(it->request, MPI_STATUS_IGNORE), "MPI_Wait", err) :
		       tmap_mpi_check(MPI_Test(it->request, ended_count, MPI_STATUS_IGNORE),
				      "MPI_Test", err);
}

static int some_ended(struct tmap_mpi_transport *it, bool waits, int *ended_count,
		      struct tmap_error *err)
{
	int code = waits ?
		MPI_Waitsome(it->count, it->request, ended_count, it->index, it->status) :
		MPI_Testsome(it->count, it->request, ended_count, it->index, it->status);

	return ended_check(it, code, waits ? "MPI_Waitsome" : "MPI_Testsome", *ended_count, err);
}

static int transport_ended(void *context, bool waits, const size_t **ended, size_t *count,
			   struct tmap_error *err)
{
	struct tmap_mpi_transport *it = context;
	int ended_count = 0, kept = 0;

	*ended = it->ended;
	*count = 0;
	if (!it->count)
		return 0;
	if ((it->count == 1 ? one_ended : some_ended)(it, waits, &ended_count, err) < 0)
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

static bool is_dense(const struct tmap_data_element *element)
{
	return element->size == element->extent && element->size == element->span && !element->low;
}

/* Elements with gaps, or of different types of as much data, as a message to itself: no other one
 * of the operation is, and nothing is packed whose size an int does not count. */
static int copy_by_message(const struct tmap_mpi_transport *it,
			   const struct tmap_data_piece *source,
			   const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
			   struct tmap_error *err)
{
	struct buffer from, to = { .made = MPI_DATATYPE_NULL };
	int self, status = buffer_of_piece(it, source, area, &from, err);

	if (status == 0)
		status = buffer_of_piece(it, target, area, &to, err);
	MPI_Comm_rank(it->comm, &self);
	if (status == 0)
		status = tmap_mpi_check(MPI_Sendrecv(from.address, from.count, from.type, self,
						     it->tag, to.address, to.count, to.type, self,
						     it->tag, it->comm, MPI_STATUS_IGNORE),
					"MPI_Sendrecv", err);
	buffer_fini(&from);
	buffer_fini(&to);
	return status;
}

static int transport_copy(void *context, const struct tmap_data_piece *source,
			  const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
			  struct tmap_error *err)
{
	const struct tmap_mpi_transport *it = context;
	const char *from = area[source->area] + source->offset;
	char *to = area[target->area] + target->offset;

	if (is_dense(&it->element[source->type]) && is_dense(&it->element[target->type])) {
		memmove(to, from, (size_t)(source->count * it->element[source->type].size));
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
	int64_t extent = it->element[source->type].extent;

	for (int64_t done = 0; done < source->count; done += CHUNK) {
		int64_t left = source->count - done;

		if (tmap_mpi_check(
			    MPI_Reduce_local(area[source->area] + source->offset + done * extent,
					     area[target->area] + target->offset + done * extent,
					     (int)(left < CHUNK ? left : CHUNK),
					     it->type[source->type], it->op),
			    "MPI_Reduce_local", err) < 0)
			return -1;
	}
	return 0;
}

int tmap_mpi_transport_init(struct tmap_mpi_transport *transport,
			    const struct tmap_channel *channel, int tag,
			    const struct tmap_steps *steps, const MPI_Datatype *type,
			    const struct tmap_data_element *element, MPI_Op op,
			    enum tmap_keeping keeping, struct tmap_error *err)
{
	size_t count = steps->step_count;
	int commutes = 1;

	*transport = (struct tmap_mpi_transport){
		.comm = channel->comm,
		.tag = tag,
		.type = type,
		.element = element,
		.op = op,
		.keeping = keeping,
		.steps = steps,
	};
	transport->blank = tmap_alloc((size_t)steps->blank_bytes, 1, err);
	transport->step = tmap_alloc_raw(count, sizeof *transport->step, err);
	transport->request = tmap_alloc_raw(count, sizeof(MPI_Request), err);
	transport->status = tmap_alloc_raw(count, sizeof *transport->status, err);
	transport->index = tmap_alloc_raw(count, sizeof *transport->index, err);
	transport->ended = tmap_alloc_raw(count, sizeof *transport->ended, err);
	if (keeping >= TMAP_KEEP_DATATYPES)
		transport->kept = tmap_alloc(count, sizeof *transport->kept, err);
	if (!transport->blank || !transport->step || !transport->request || !transport->status ||
	    !transport->index || !transport->ended ||
	    (keeping >= TMAP_KEEP_DATATYPES && !transport->kept) ||
	    (op != MPI_OP_NULL &&
	     tmap_mpi_check(MPI_Op_commutative(op, &commutes), "MPI_Op_commutative", err) < 0)) {
		tmap_mpi_transport_fini(transport);
		return -1;
	}
	for (size_t i = 0; transport->kept && i < count; i++) {
		transport->kept[i].request = MPI_REQUEST_NULL;
		transport->kept[i].buffer.made = MPI_DATATYPE_NULL;
	}
	transport->transport = (struct tmap_transport){
		.context = transport,
		.is_commutative = commutes,
		.begin = transport_begin,
		.ended = transport_ended,
		.copy = transport_copy,
		.reduce = transport_reduce,
	};
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

	for (size_t i = 0; transport->kept && i < transport->steps->step_count; i++) {
		struct tmap_kept_message *kept = &transport->kept[i];

		if (kept->request != MPI_REQUEST_NULL)
			MPI_Request_free(&kept->request);
		buffer_fini(&kept->buffer);
	}
	if (!has_sends)
		free(transport->blank);
	free(transport->step);
	free(transport->request);
	free(transport->status);
	free(transport->index);
	free(transport->ended);
	free(transport->kept);
	*transport = (struct tmap_mpi_transport){ 0 };
	return !has_sends;
}
