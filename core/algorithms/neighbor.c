/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighborhood collectives: unit u of neighbor_allgather is the block of rank u, unit
 * r * degree + k of neighbor_alltoall what rank r has for its k-th neighbour.
 */
#include "core/algorithms/tables.h"
#include "core/base/mem.h"
#include "core/schedule/emit.h"
#include "core/schedule/neighborhood.h"

#include <stdlib.h>

static int neighbor_send_to_all(struct tmap_emit *emit, int rank, const int *list, int64_t first,
				int64_t step)
{
	for (int k = 0; k < emit->call->neighborhood->degree; k++)
		if (list[k] != TMAP_NONE && list[k] != rank &&
		    tmap_emit_units(emit, rank, list[k], first + k * step, 1, 1) < 0)
			return -1;
	return 0;
}

/* One round: everyone to all its neighbours, in their order. */
static int to_neighbours(struct tmap_emit *emit, int64_t units_a_rank, int64_t step)
{
	const struct tmap_neighborhood *neighborhood = emit->call->neighborhood;
	int status = 0, *list;

	if (emit->visitor->folded && neighborhood->stencil == TMAP_STENCIL_FULL)
		return tmap_emit_all_pairs(emit, 1);
	list = tmap_alloc_raw((size_t)neighborhood->degree, sizeof *list, emit->err);
	for (int r = 0; list && status == 0 && r < emit->call->size; r++) {
		tmap_neighborhood_list(neighborhood, r, list);
		status = neighbor_send_to_all(emit, r, list, r * units_a_rank, step);
	}
	free(list);
	return list ? status : -1;
}

static int neighbor_allgather_linear(struct tmap_emit *emit)
{
	return to_neighbours(emit, 1, 0);
}

static int neighbor_alltoall_linear(struct tmap_emit *emit)
{
	return to_neighbours(emit, emit->call->neighborhood->degree, 1);
}

const struct tmap_algorithm tmap_neighbor_allgather_algorithms[] = {
	{ .choice.word = { "linear", "one round, everyone's block to all its neighbors" },
	  .collective = TMAP_NEIGHBOR_ALLGATHER,
	  .repeats = true,
	  .generate = neighbor_allgather_linear,
	  .pattern = TMAP_PATTERN_NEIGHBORS,
	  .source = "Open MPI, MPICH",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};

const struct tmap_algorithm tmap_neighbor_alltoall_algorithms[] = {
	{ .choice.word = { "linear", "one round, everyone to all its neighbors" },
	  .collective = TMAP_NEIGHBOR_ALLTOALL,
	  .generate = neighbor_alltoall_linear,
	  .pattern = TMAP_PATTERN_NEIGHBORS,
	  .source = "Open MPI, MPICH",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};
