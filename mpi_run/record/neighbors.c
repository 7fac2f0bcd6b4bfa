/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/sum.h"
#include "mpi_run/record/recorder.h"
#include "mpi_run/record/state.h"

#include <stdlib.h>

/* The ranks to whom neighborhood collectives send, in MPI's order; NULL with *err set where memory is
 * refused. */

static int *cart_neighbors(int *count, MPI_Comm comm, struct tmap_error *err)
{
	int dims = 0, *made;

	PMPI_Cartdim_get(comm, &dims);
	made = tmap_alloc_raw((size_t)dims * 2, sizeof *made, err);
	*count = 2 * dims;
	for (int i = 0; made && i < dims; i++)
		PMPI_Cart_shift(comm, i, 1, &made[2 * i], &made[2 * i + 1]);
	return made;
}

static int *graph_neighbors(int *count, MPI_Comm comm, struct tmap_error *err)
{
	int rank = 0, *made;

	PMPI_Comm_rank(comm, &rank);
	PMPI_Graph_neighbors_count(comm, rank, count);
	made = tmap_alloc_raw((size_t)*count, sizeof *made, err);
	if (made)
		PMPI_Graph_neighbors(comm, rank, *count, made);
	return made;
}

static int *dist_graph_neighbors(int *count, MPI_Comm comm, struct tmap_error *err)
{
	int sources = 0, weighted = 0, *source, *made;

	PMPI_Dist_graph_neighbors_count(comm, &sources, count, &weighted);
	source = tmap_alloc_raw((size_t)sources, sizeof *source, err);
	made = tmap_alloc_raw((size_t)*count, sizeof *made, err);
	if (source && made)
		PMPI_Dist_graph_neighbors(comm, sources, source, MPI_UNWEIGHTED, *count, made,
					  MPI_UNWEIGHTED);
	if (!source) {
		free(made);
		made = NULL;
	}
	free(source);
	return made;
}

static int *neighbors_ask(int *count, MPI_Comm comm, struct tmap_error *err)
{
	int kind = MPI_UNDEFINED;

	*count = 0;
	PMPI_Topo_test(comm, &kind);
	if (kind == MPI_CART)
		return cart_neighbors(count, comm, err);
	if (kind == MPI_GRAPH)
		return graph_neighbors(count, comm, err);
	if (kind == MPI_DIST_GRAPH)
		return dist_graph_neighbors(count, comm, err);
	return tmap_alloc_raw(0, sizeof(int), err);
}

int tmap_recorder_know_neighbors(int handle)
{
	struct tmap_recorder *it = &tmap_recorder;
	MPI_Comm comm = it->handle[handle].comm;
	struct tmap_error err;
	int count, *made;

	if (it->handle[handle].neighbors != TMAP_NONE)
		return it->handle[handle].neighbors;
	tmap_recorder_unlock();
	made = neighbors_ask(&count, comm, &err);
	tmap_recorder_lock();
	if (!made) {
		tmap_recorder_fail(&err);
		return TMAP_NONE;
	}
	if (it->handle[handle].neighbors != TMAP_NONE) { /* another thread was here */
		free(made);
		return it->handle[handle].neighbors;
	}
	it->handle[handle].neighbor = made;
	it->handle[handle].neighbors = count;
	return count;
}

int tmap_record_neighbor_count(intptr_t comm)
{
	int handle = tmap_recorder_lock_comm((MPI_Comm)comm), count = TMAP_NONE;

	if (handle != TMAP_NONE)
		count = tmap_recorder_know_neighbors(handle);
	tmap_recorder_unlock();
	return count == TMAP_NONE ? 0 : count;
}

/** The blocks of a call. */
struct neighbor_blocks {
	const int64_t *count; /**< of all; NULL: by counts */
	struct tmap_record_counts counts;
	intptr_t type;             /**< of all, unless they have types */
	const MPI_Datatype *types; /**< NULL: of one type */
};

static int64_t block_bytes(const struct neighbor_blocks *it, int i)
{
	int64_t count = it->count ? *it->count :
		it->counts.large  ? it->counts.large[i] :
				    it->counts.plain[i];

	return tmap_sum_product(
		count, tmap_recorder_type_size(it->types ? (intptr_t)it->types[i] : it->type));
}

/* Finds who the neighbors are in the job; returns how many there are, as MPI_PROC_NULL is none. Locked. */
static int edges_find(struct tmap_recorded_edge *edge, int count, int handle)
{
	int left = 0;

	for (int i = 0; i < count; i++) {
		int rank = tmap_recorder.handle[handle].neighbor[i], peer;

		if (rank == MPI_PROC_NULL)
			continue;
		peer = tmap_recorder_find_peer(handle, rank);
		if (peer != TMAP_NONE)
			edge[left++] = (struct tmap_recorded_edge){ peer, edge[i].bytes };
	}
	return left;
}

/* request: NULL, or of a persistent one */
static void blocks_record(const struct neighbor_blocks *it, intptr_t comm, const void *request)
{
	struct tmap_recorded_request kept = { .peer = TMAP_NONE };
	int count, handle;
	struct tmap_error err;

	if (!tmap_recorder.is_active)
		return;
	count = tmap_record_neighbor_count(comm);
	kept.edge = tmap_alloc_raw((size_t)count, sizeof *kept.edge, &err);
	if (!kept.edge) {
		tmap_recorder_fail(&err);
		return;
	}
	for (int i = 0; i < count; i++)
		kept.edge[i].bytes = block_bytes(it, i);
	handle = tmap_recorder_lock_comm((MPI_Comm)comm);
	if (handle != TMAP_NONE)
		kept.edges = edges_find(kept.edge, count, handle);
	if (request) {
		tmap_recorder_keep(request, &kept);
	} else {
		tmap_recorder_count_request(&kept);
		free(kept.edge);
	}
	tmap_recorder_unlock();
}

void tmap_record_neighbors(int64_t count, intptr_t type, intptr_t comm)
{
	tmap_record_kept_neighbors(count, type, comm, NULL);
}

void tmap_record_neighbors_shares(struct tmap_record_counts counts, intptr_t type, intptr_t comm)
{
	tmap_record_kept_neighbors_shares(counts, type, comm, NULL);
}

void tmap_record_neighbors_typed(struct tmap_record_counts counts, const void *types, intptr_t comm)
{
	tmap_record_kept_neighbors_typed(counts, types, comm, NULL);
}

void tmap_record_kept_neighbors(int64_t count, intptr_t type, intptr_t comm, const void *request)
{
	blocks_record(&(struct neighbor_blocks){ .count = &count, .type = type }, comm, request);
}

void tmap_record_kept_neighbors_shares(struct tmap_record_counts counts, intptr_t type,
				       intptr_t comm, const void *request)
{
	blocks_record(&(struct neighbor_blocks){ .counts = counts, .type = type }, comm, request);
}

void tmap_record_kept_neighbors_typed(struct tmap_record_counts counts, const void *types,
				      intptr_t comm, const void *request)
{
	blocks_record(&(struct neighbor_blocks){ .counts = counts, .types = types }, comm, request);
}
