/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/native.h"

MPI_Datatype tmap_native_type(const struct tmap_bench_data *data)
{
	if (!tmap_collective_rows[data->collective].reduces)
		return MPI_BYTE;
	return data->element == 1  ? MPI_UINT8_T :
		data->element == 2 ? MPI_UINT16_T :
		data->element == 4 ? MPI_UINT32_T :
				     MPI_UINT64_T;
}

MPI_Op tmap_native_op(const struct tmap_bench_data *data)
{
	return data->is_xor ? MPI_BXOR : MPI_SUM;
}

bool tmap_native_has(enum tmap_mode mode)
{
	return mode != TMAP_PERSISTENT || MPI_VERSION >= 4;
}

static int native_blocking(const struct tmap_native *it)
{
	const struct tmap_bench_data *d = it->data;
	int n = (int)(d->bytes / d->element), root = d->root;
	MPI_Datatype type = it->type;
	MPI_Op op = tmap_native_op(d);

	switch (d->collective) {
	case TMAP_ALLGATHER:
		return MPI_Allgather(d->send, n, type, d->recv, n, type, it->comm);
	case TMAP_BCAST:
		return MPI_Bcast(d->recv, n, type, root, it->comm);
	case TMAP_REDUCE:
		return MPI_Reduce(d->send, d->recv, n, type, op, root, it->comm);
	case TMAP_ALLREDUCE:
		return MPI_Allreduce(d->send, d->recv, n, type, op, it->comm);
	case TMAP_REDUCE_SCATTER:
		return MPI_Reduce_scatter(d->send, d->recv, d->counts, type, op, it->comm);
	case TMAP_REDUCE_SCATTER_BLOCK:
		return MPI_Reduce_scatter_block(d->send, d->recv, n, type, op, it->comm);
	case TMAP_GATHER:
		return MPI_Gather(d->send, n, type, d->recv, n, type, root, it->comm);
	case TMAP_SCATTER:
		return MPI_Scatter(d->send, n, type, d->recv, n, type, root, it->comm);
	case TMAP_ALLTOALL:
		return MPI_Alltoall(d->send, n, type, d->recv, n, type, it->comm);
	case TMAP_SCAN:
		return MPI_Scan(d->send, d->recv, n, type, op, it->comm);
	case TMAP_EXSCAN:
		return MPI_Exscan(d->send, d->recv, n, type, op, it->comm);
	case TMAP_BARRIER:
		return MPI_Barrier(it->comm);
#ifndef SMPI_H
	case TMAP_NEIGHBOR_ALLGATHER:
		return MPI_Neighbor_allgather(d->send, n, type, d->recv, n, type, it->comm);
	case TMAP_NEIGHBOR_ALLTOALL:
		return MPI_Neighbor_alltoall(d->send, n, type, d->recv, n, type, it->comm);
#endif
	default:
		return MPI_ERR_OP;
	}
}

static int native_begin(const struct tmap_native *it, MPI_Request *request)
{
	const struct tmap_bench_data *d = it->data;
	int n = (int)(d->bytes / d->element), root = d->root;
	MPI_Datatype type = it->type;
	MPI_Op op = tmap_native_op(d);

	switch (d->collective) {
	case TMAP_ALLGATHER:
		return MPI_Iallgather(d->send, n, type, d->recv, n, type, it->comm, request);
	case TMAP_BCAST:
		return MPI_Ibcast(d->recv, n, type, root, it->comm, request);
	case TMAP_REDUCE:
		return MPI_Ireduce(d->send, d->recv, n, type, op, root, it->comm, request);
	case TMAP_ALLREDUCE:
		return MPI_Iallreduce(d->send, d->recv, n, type, op, it->comm, request);
	case TMAP_REDUCE_SCATTER:
		return MPI_Ireduce_scatter(d->send, d->recv, d->counts, type, op, it->comm,
					   request);
	case TMAP_REDUCE_SCATTER_BLOCK:
		return MPI_Ireduce_scatter_block(d->send, d->recv, n, type, op, it->comm, request);
	case TMAP_GATHER:
		return MPI_Igather(d->send, n, type, d->recv, n, type, root, it->comm, request);
	case TMAP_SCATTER:
		return MPI_Iscatter(d->send, n, type, d->recv, n, type, root, it->comm, request);
	case TMAP_ALLTOALL:
		return MPI_Ialltoall(d->send, n, type, d->recv, n, type, it->comm, request);
	case TMAP_SCAN:
		return MPI_Iscan(d->send, d->recv, n, type, op, it->comm, request);
	case TMAP_EXSCAN:
		return MPI_Iexscan(d->send, d->recv, n, type, op, it->comm, request);
	case TMAP_BARRIER:
		return MPI_Ibarrier(it->comm, request);
#ifndef SMPI_H
	case TMAP_NEIGHBOR_ALLGATHER:
		return MPI_Ineighbor_allgather(d->send, n, type, d->recv, n, type, it->comm,
					       request);
	case TMAP_NEIGHBOR_ALLTOALL:
		return MPI_Ineighbor_alltoall(d->send, n, type, d->recv, n, type, it->comm,
					      request);
#endif
	default:
		return MPI_ERR_OP;
	}
}

#if MPI_VERSION >= 4
static int native_persist(struct tmap_native *it)
{
	const struct tmap_bench_data *d = it->data;
	int n = (int)(d->bytes / d->element), root = d->root;
	MPI_Datatype type = it->type;
	MPI_Op op = tmap_native_op(d);
	MPI_Info none = MPI_INFO_NULL;
	MPI_Request *request = &it->request;

	switch (d->collective) {
	case TMAP_ALLGATHER:
		return MPI_Allgather_init(d->send, n, type, d->recv, n, type, it->comm, none,
					  request);
	case TMAP_BCAST:
		return MPI_Bcast_init(d->recv, n, type, root, it->comm, none, request);
	case TMAP_REDUCE:
		return MPI_Reduce_init(d->send, d->recv, n, type, op, root, it->comm, none,
				       request);
	case TMAP_ALLREDUCE:
		return MPI_Allreduce_init(d->send, d->recv, n, type, op, it->comm, none, request);
	case TMAP_REDUCE_SCATTER:
		return MPI_Reduce_scatter_init(d->send, d->recv, d->counts, type, op, it->comm,
					       none, request);
	case TMAP_REDUCE_SCATTER_BLOCK:
		return MPI_Reduce_scatter_block_init(d->send, d->recv, n, type, op, it->comm, none,
						     request);
	case TMAP_GATHER:
		return MPI_Gather_init(d->send, n, type, d->recv, n, type, root, it->comm, none,
				       request);
	case TMAP_SCATTER:
		return MPI_Scatter_init(d->send, n, type, d->recv, n, type, root, it->comm, none,
					request);
	case TMAP_ALLTOALL:
		return MPI_Alltoall_init(d->send, n, type, d->recv, n, type, it->comm, none,
					 request);
	case TMAP_SCAN:
		return MPI_Scan_init(d->send, d->recv, n, type, op, it->comm, none, request);
	case TMAP_EXSCAN:
		return MPI_Exscan_init(d->send, d->recv, n, type, op, it->comm, none, request);
	case TMAP_BARRIER:
		return MPI_Barrier_init(it->comm, none, request);
#ifndef SMPI_H
	case TMAP_NEIGHBOR_ALLGATHER:
		return MPI_Neighbor_allgather_init(d->send, n, type, d->recv, n, type, it->comm,
						   none, request);
	case TMAP_NEIGHBOR_ALLTOALL:
		return MPI_Neighbor_alltoall_init(d->send, n, type, d->recv, n, type, it->comm,
						  none, request);
#endif
	default:
		return MPI_ERR_OP;
	}
}
#else
static int native_persist(struct tmap_native *it)
{
	(void)it;
	return MPI_ERR_OP;
}
#endif

int tmap_native_init(struct tmap_native *native, const struct tmap_bench_data *data,
		     enum tmap_mode mode, MPI_Comm comm)
{
	*native = (struct tmap_native){ .data = data,
					.mode = mode,
					.comm = comm,
					.type = tmap_native_type(data),
					.request = MPI_REQUEST_NULL };
	return mode == TMAP_PERSISTENT ? native_persist(native) : MPI_SUCCESS;
}

int tmap_native_call(struct tmap_native *native)
{
	MPI_Request request;
	int code;

	if (native->mode == TMAP_BLOCKING)
		return native_blocking(native);
	if (native->mode == TMAP_PERSISTENT) {
		code = MPI_Start(&native->request);
		return code == MPI_SUCCESS ? MPI_Wait(&native->request, MPI_STATUS_IGNORE) : code;
	}
	code = native_begin(native, &request);
	return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

void tmap_native_fini(struct tmap_native *native)
{
	if (native->request != MPI_REQUEST_NULL)
		MPI_Request_free(&native->request);
}
