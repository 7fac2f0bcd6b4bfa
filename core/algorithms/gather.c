/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gather and scatter: unit u is the block of rank u, and the root ends or begins with all.
 */
#include "core/algorithms/along.h"
#include "core/algorithms/arrival.h"
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/tables.h"

/* One round: all to the root. */
static int gather_linear(struct tmap_emit *emit)
{
	const struct tmap_call *call = emit->call;

	for (int r = 0; r < call->size; r++)
		if (r != call->root && tmap_emit_units(emit, r, call->root, r, 1, 1) < 0)
			return -1;
	return 0;
}

/* One round: the root to all. */
static int scatter_linear(struct tmap_emit *emit)
{
	const struct tmap_call *call = emit->call;

	for (int r = 0; r < call->size; r++)
		if (r != call->root && tmap_emit_units(emit, call->root, r, r, 1, 1) < 0)
			return -1;
	return 0;
}

static int gather_binomial(struct tmap_emit *emit)
{
	return tmap_along_shape(emit, "binomial_far", NULL, tmap_plan_gather);
}

static int scatter_binomial(struct tmap_emit *emit)
{
	return tmap_along_shape(emit, "binomial_far", NULL, tmap_plan_scatter);
}

static int gather_distance(struct tmap_emit *emit)
{
	return tmap_along_distances(emit, tmap_plan_gather);
}

static int scatter_distance(struct tmap_emit *emit)
{
	return tmap_along_distances(emit, tmap_plan_scatter);
}

#define GATHER(name, summary) .choice.word = { name, summary }, .collective = TMAP_GATHER
#define SCATTER(name, summary) .choice.word = { name, summary }, .collective = TMAP_SCATTER
#define TUNED(rest) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_" rest

const struct tmap_algorithm tmap_gather_algorithms[] = {
	{ GATHER("linear", "one round, everyone to the root"), .generate = gather_linear,
	  .pattern = TMAP_PATTERN_STAR, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { TUNED("gather_algorithm 1"), NULL, NULL } },
	{ GATHER("binomial_far", "log p rounds, the nearest rank first"),
	  .generate = gather_binomial, .pattern = TMAP_PATTERN_BINOMIAL, .phase = TMAP_FIRST_PHASE,
	  .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("gather_algorithm 2"),
			    "MPIR_CVAR_GATHER_INTRA_ALGORITHM=binomial", NULL } },
	{ GATHER("distance_tree", "up the distance-aware tree, the farthest children last"),
	  .needs_metric = true, .choice.params = tmap_merge_0, .generate = gather_distance,
	  .pattern = TMAP_PATTERN_PLACED, .source = "Ma et al. 2012, Algorithm 1",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ GATHER("hierarchical", "level by level up the hierarchy of communicators"),
	  TMAP_HIERARCHICAL, .copies = tmap_arrival_copies,
	  .choice.params = tmap_hierarchical_gather,
	  .choice.knobs = { TMAP_HAN("gather"), NULL, NULL } },
	{ GATHER("lane", "on the lanes, then on the node of the root"), TMAP_LANE,
	  .choice.params = tmap_lane_gather },
	{ .choice.word = { NULL, NULL } },
};

const struct tmap_algorithm tmap_scatter_algorithms[] = {
	{ SCATTER("linear", "one round, the root to everyone"), .generate = scatter_linear,
	  .pattern = TMAP_PATTERN_STAR, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { TUNED("scatter_algorithm 1"), NULL, NULL } },
	{ SCATTER("binomial_far", "log p rounds, the farthest rank first"),
	  .generate = scatter_binomial, .pattern = TMAP_PATTERN_BINOMIAL, .phase = TMAP_FIRST_PHASE,
	  .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("scatter_algorithm 2"),
			    "MPIR_CVAR_SCATTER_INTRA_ALGORITHM=binomial", NULL } },
	{ SCATTER("distance_tree", "down the distance-aware tree, the farthest children first"),
	  .needs_metric = true, .choice.params = tmap_merge_0, .generate = scatter_distance,
	  .pattern = TMAP_PATTERN_PLACED, .source = "Ma et al. 2012, Algorithm 1",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ SCATTER("hierarchical", "level by level down the hierarchy of communicators"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_scatter,
	  .choice.knobs = { TMAP_HAN("scatter"), NULL, NULL } },
	{ SCATTER("lane", "on the node of the root, then on the lanes"), TMAP_LANE,
	  .choice.params = tmap_lane_scatter },
	{ .choice.word = { NULL, NULL } },
};
