/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/mockup.h"

#include "core/base/mem.h"
#include "mpi_run/bench/native.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What it needs besides the buffers of the call. */
enum need {
	NOTHING,
	VECTOR, /* as many bytes as the call names */
	SHARES, /* p shares, which are longer than the vector where p does not divide it */
	BLOCKS, /* p times what the call names */
};

struct tmap_mockup {
	enum tmap_collective collective;
	const char *name;
	enum need need;
	int (*call)(const struct tmap_mockup_call *it);
};

static bool is_root(const struct tmap_mockup_call *it)
{
	return it->data->rank == it->data->root;
}

/* p shares are the vector itself: no rank has a longer one. */
static bool shares_fit(const struct tmap_mockup_call *it)
{
	return (int64_t)it->share * it->data->size == it->count;
}

/* The vector with zeros behind it, or itself. */
static void *shares_of(const struct tmap_mockup_call *it, void *vector)
{
	size_t bytes = (size_t)it->data->bytes;

	if (shares_fit(it))
		return vector;
	memcpy(it->whole, vector, bytes);
	return it->whole;
}

static void shares_put(const struct tmap_mockup_call *it, const void *shares)
{
	if (!shares_fit(it))
		memcpy(it->data->recv, shares, (size_t)it->data->bytes);
}

static unsigned char *share_at(const struct tmap_mockup_call *it, unsigned char *shares)
{
	return shares + (int64_t)it->data->rank * it->share * it->data->element;
}

static int bcast_scatter_allgather(const struct tmap_mockup_call *it)
{
	unsigned char *shares = shares_fit(it) ? it->data->recv : it->whole;
	int share = it->share, code;

	if (is_root(it)) {
		shares_of(it, it->data->recv);
		code = MPI_Scatter(shares, share, it->type, MPI_IN_PLACE, share, it->type,
				   it->data->root, it->comm);
	} else {
		code = MPI_Scatter(NULL, share, it->type, share_at(it, shares), share, it->type,
				   it->data->root, it->comm);
	}
	if (code == MPI_SUCCESS)
		code = MPI_Allgather(MPI_IN_PLACE, 0, it->type, shares, share, it->type, it->comm);
	shares_put(it, shares);
	return code;
}

static int gather_allgather(const struct tmap_mockup_call *it)
{
	return MPI_Allgather(it->data->send, it->count, it->type,
			     is_root(it) ? it->data->recv : it->whole, it->count, it->type,
			     it->comm);
}

/* This rank's block among those of all, which are zero. */
static void block_place(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;

	memcpy(it->whole + d->rank * d->bytes, d->send, (size_t)d->bytes);
}

static int gather_reduce(const struct tmap_mockup_call *it)
{
	block_place(it);
	return MPI_Reduce(it->whole, it->data->recv, it->count * it->data->size, it->type, MPI_BOR,
			  it->data->root, it->comm);
}

static int scatter_bcast(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	unsigned char *blocks = is_root(it) ? d->send : it->whole;
	int code = MPI_Bcast(blocks, it->count * d->size, it->type, d->root, it->comm);

	memcpy(d->recv, blocks + d->rank * d->bytes, (size_t)d->bytes);
	return code;
}

static int allgather_gather_bcast(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	int code =
		MPI_Gather(d->send, it->count, it->type, d->recv, it->count, it->type, 0, it->comm);

	return code == MPI_SUCCESS ?
		MPI_Bcast(d->recv, it->count * d->size, it->type, 0, it->comm) :
		code;
}

static int allgather_alltoall(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;

	for (int r = 0; r < d->size; r++)
		memcpy(it->whole + r * d->bytes, d->send, (size_t)d->bytes);
	return MPI_Alltoall(it->whole, it->count, it->type, d->recv, it->count, it->type, it->comm);
}

static int allgather_allreduce(const struct tmap_mockup_call *it)
{
	block_place(it);
	return MPI_Allreduce(it->whole, it->data->recv, it->count * it->data->size, it->type,
			     MPI_BOR, it->comm);
}

static int reduce_allreduce(const struct tmap_mockup_call *it)
{
	return MPI_Allreduce(it->data->send, is_root(it) ? it->data->recv : it->whole, it->count,
			     it->type, it->op, it->comm);
}

/* The p-ths are reduced to where this rank's stands among those of the result. */
static int shares_reduce(const struct tmap_mockup_call *it, unsigned char *result)
{
	return MPI_Reduce_scatter_block(shares_of(it, it->data->send), share_at(it, result),
					it->share, it->type, it->op, it->comm);
}

/* Behind the p shares of the input. */
static unsigned char *shares_result(const struct tmap_mockup_call *it)
{
	return it->whole + (int64_t)it->share * it->data->size * it->data->element;
}

static int reduce_scatter_gather(const struct tmap_mockup_call *it)
{
	unsigned char *shares = shares_fit(it) && is_root(it) ? it->data->recv : shares_result(it);
	int code = shares_reduce(it, shares), share = it->share;

	if (code != MPI_SUCCESS)
		return code;
	if (!is_root(it))
		return MPI_Gather(share_at(it, shares), share, it->type, NULL, share, it->type,
				  it->data->root, it->comm);
	code = MPI_Gather(MPI_IN_PLACE, share, it->type, shares, share, it->type, it->data->root,
			  it->comm);
	shares_put(it, shares);
	return code;
}

static int allreduce_reduce_bcast(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	int code = MPI_Reduce(d->send, d->recv, it->count, it->type, it->op, 0, it->comm);

	return code == MPI_SUCCESS ? MPI_Bcast(d->recv, it->count, it->type, 0, it->comm) : code;
}

static int allreduce_scatter_allgather(const struct tmap_mockup_call *it)
{
	unsigned char *shares = shares_fit(it) ? it->data->recv : shares_result(it);
	int code = shares_reduce(it, shares);

	if (code == MPI_SUCCESS)
		code = MPI_Allgather(MPI_IN_PLACE, 0, it->type, shares, it->share, it->type,
				     it->comm);
	shares_put(it, shares);
	return code;
}

static int reduce_scatter_allreduce(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	int code = MPI_Allreduce(d->send, it->whole, it->count, it->type, it->op, it->comm);

	memcpy(d->recv, it->whole + d->displacements[d->rank] * d->element, (size_t)d->recv_bytes);
	return code;
}

static int reduce_scatter_reduce_scatter(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	int code = MPI_Reduce(d->send, it->whole, it->count, it->type, it->op, 0, it->comm);

	return code == MPI_SUCCESS ?
		MPI_Scatterv(it->whole, d->counts, d->displacements, it->type, d->recv,
			     d->counts[d->rank], it->type, 0, it->comm) :
		code;
}

static int reduce_scatter_block_reduce_scatter(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	int code =
		MPI_Reduce(d->send, it->whole, it->count * d->size, it->type, it->op, 0, it->comm);

	return code == MPI_SUCCESS ? MPI_Scatter(it->whole, it->count, it->type, d->recv, it->count,
						 it->type, 0, it->comm) :
				     code;
}

static int scan_exscan(const struct tmap_mockup_call *it)
{
	const struct tmap_bench_data *d = it->data;
	int code = MPI_Exscan(d->send, d->recv, it->count, it->type, it->op, it->comm);

	if (d->rank == 0)
		memcpy(d->recv, d->send, (size_t)d->bytes);
	else if (code == MPI_SUCCESS)
		code = MPI_Reduce_local(d->send, d->recv, it->count, it->type, it->op);
	return code;
}

static const struct tmap_mockup rows[] = {
	{ TMAP_BCAST, "scatter+allgather", SHARES, bcast_scatter_allgather },
	{ TMAP_GATHER, "allgather", BLOCKS, gather_allgather },
	{ TMAP_GATHER, "reduce", BLOCKS, gather_reduce },
	{ TMAP_SCATTER, "bcast", BLOCKS, scatter_bcast },
	{ TMAP_ALLGATHER, "gather+bcast", NOTHING, allgather_gather_bcast },
	{ TMAP_ALLGATHER, "alltoall", BLOCKS, allgather_alltoall },
	{ TMAP_ALLGATHER, "allreduce", BLOCKS, allgather_allreduce },
	{ TMAP_REDUCE, "allreduce", VECTOR, reduce_allreduce },
	{ TMAP_REDUCE, "reduce_scatter_block+gather", SHARES, reduce_scatter_gather },
	{ TMAP_ALLREDUCE, "reduce+bcast", NOTHING, allreduce_reduce_bcast },
	{ TMAP_ALLREDUCE, "reduce_scatter_block+allgather", SHARES, allreduce_scatter_allgather },
	{ TMAP_REDUCE_SCATTER, "allreduce", VECTOR, reduce_scatter_allreduce },
	{ TMAP_REDUCE_SCATTER, "reduce+scatter", VECTOR, reduce_scatter_reduce_scatter },
	{ TMAP_REDUCE_SCATTER_BLOCK, "reduce+scatter", BLOCKS,
	  reduce_scatter_block_reduce_scatter },
	{ TMAP_SCAN, "exscan", NOTHING, scan_exscan },
};

const struct tmap_mockup *tmap_mockup_find(enum tmap_collective collective, const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].collective == collective && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

int tmap_mockup_init(struct tmap_mockup_call *it, const struct tmap_mockup *row,
		     const struct tmap_bench_data *data, MPI_Comm comm, struct tmap_error *err)
{
	int64_t count = data->bytes / data->element, share;
	size_t bytes = 0;

	share = count / data->size + (count % data->size > 0);
	if (count * data->size > INT_MAX && (row->need == BLOCKS || row->need == NOTHING))
		return tmap_fail(err, TMAP_INPUT, "MPI cannot count %lld elements",
				 (long long)(count * data->size));
	if (row->need == VECTOR)
		bytes = (size_t)data->bytes;
	else if (row->need == BLOCKS)
		bytes = (size_t)data->bytes * (size_t)data->size;
	else if (row->need == SHARES)
		bytes = 2 * (size_t)(share * data->size * data->element);
	*it = (struct tmap_mockup_call){
		.row = row,
		.data = data,
		.comm = comm,
		.type = tmap_native_type(data),
		.op = tmap_collective_rows[data->collective].reduces ? tmap_native_op(data) :
								       MPI_OP_NULL,
		.count = (int)count,
		.share = (int)share,
		.whole = tmap_alloc(bytes, 1, err),
	};
	return it->whole ? 0 : -1;
}

void tmap_mockup_fini(struct tmap_mockup_call *it)
{
	free(it->whole);
	*it = (struct tmap_mockup_call){ 0 };
}

int tmap_mockup_call(const struct tmap_mockup_call *it)
{
	return it->row->call(it);
}
