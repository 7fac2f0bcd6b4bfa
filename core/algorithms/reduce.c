/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduce: the root ends with the vectors of all ranks, reduced.
 */
#include "core/algorithms/along.h"
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/pairing.h"
#include "core/algorithms/phase.h"
#include "core/algorithms/smp.h"
#include "core/algorithms/tables.h"

/* A tree that is rooted elsewhere hands the result to the root. */
static int up_to_root(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	if (tmap_along_up(emit, plan) < 0)
		return -1;
	emit->combine = false;
	return plan->tree.root == emit->call->root ?
		0 :
		tmap_emit_units(emit, plan->tree.root, emit->call->root, 0, 1,
				tmap_unit_count(emit->call));
}

/* The row's name and first parameters are those of the shape. */
static int reduce_along_shape(struct tmap_emit *emit)
{
	return tmap_along_shape(emit, emit->call->choice.row->word.name, emit->call->choice.value,
				up_to_root);
}

static int reduce_distance_tree(struct tmap_emit *emit)
{
	return tmap_along_distances(emit, tmap_along_up);
}

/* One round: all to the root. */
static int reduce_flat(struct tmap_emit *emit)
{
	emit->shift = emit->call->root;
	emit->combine = true;
	for (int v = 1; v < emit->call->size; v++)
		if (tmap_emit_units(emit, v, 0, 0, 1, 1) < 0)
			return -1;
	return 0;
}

/* The odd of each pair gives its whole vector to the even, which goes on. */
static int reduce_fold_whole(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = true;
	if (tmap_pairing_exchange(emit, fold, 1, 0, fold->q) < 0)
		return -1;
	emit->round += fold->rest > 0;
	return 0;
}

/* The rank that goes on as v; a root that was folded away takes the place of rank 0. */
static int rank_of(const struct tmap_pairing *fold, int root, int v)
{
	bool folded_away = root < 2 * fold->rest && root % 2;

	return v == 0 && folded_away ? root : tmap_pairing_rank(fold, v);
}

/* Half of those that still have pieces send them to the half that the root is in. */
static int gather_halves(struct tmap_emit *emit, const struct tmap_pairing *fold, int root,
			 int root_v)
{
	emit->combine = false;
	for (int d = fold->q / 2; d; d /= 2, emit->round++)
		for (int v = 0; v < fold->q; v++)
			if ((v ^ root_v) / d == 1 &&
			    tmap_emit_units(
				    emit, rank_of(fold, root, v), rank_of(fold, root, v ^ d),
				    tmap_pairing_kept(v, 2 * d, fold->q), 1, fold->q / (2 * d)) < 0)
				return -1;
	return 0;
}

/* Reduce-scatter by halving, then a binomial gather. */
static int reduce_rabenseifner(struct tmap_emit *emit)
{
	struct tmap_pairing fold = tmap_pairing(emit->call->size, 0);
	int root = emit->call->root, root_v = root - fold.rest;
	bool whole = emit->call->choice.value[0] == TMAP_FOLD_MPICH;

	emit->single = true;
	if (root < 2 * fold.rest)
		root_v = root % 2 ? 0 : root / 2;
	if ((whole ? reduce_fold_whole(emit, &fold) : tmap_pairing_halves(emit, &fold)) < 0 ||
	    tmap_pairing_reduce_scatter(emit, &fold) < 0)
		return -1;
	emit->combine = false;
	if (rank_of(&fold, root, 0) != 0) {
		if (tmap_emit_units(emit, 0, root, 0, 1, 1) < 0)
			return -1;
		emit->round++;
	}
	return gather_halves(emit, &fold, root, root_v);
}

#define REDUCE(name, summary) .choice.word = { name, summary }, .collective = TMAP_REDUCE
#define SHAPE \
	.pieces = tmap_along_segments, .begin = tmap_along_begin, .generate = reduce_along_shape
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_reduce_algorithm " n
#define SEGMENTED(n) TUNED(n) " --mca coll_tuned_reduce_algorithm_segmentsize {segment}"
#define INTRA(name) "MPIR_CVAR_REDUCE_INTRA_ALGORITHM=" name

const struct tmap_algorithm tmap_reduce_algorithms[] = {
	{ REDUCE("binomial_far", "log p rounds, the nearest rank first"), SHAPE,
	  .choice.params = tmap_segment_params, .pattern = TMAP_PATTERN_BINOMIAL,
	  .phase = TMAP_FIRST_PHASE, .source = "Open MPI, MPICH",
	  .choice.knobs = { SEGMENTED("5"), INTRA("binomial"), NULL } },
	{ REDUCE("knomial", "log_k p rounds of k - 1 messages, the nearest ranks first"), SHAPE,
	  .choice.params = tmap_knomial_params, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI main, UCC",
	  .choice.knobs = { NULL, NULL,
			    "UCC_TL_UCP_TUNE=reduce:@knomial UCC_TL_UCP_REDUCE_KN_RADIX={radix}" } },
	{ REDUCE("chain", "chains of consecutive ranks"), SHAPE, .choice.params = tmap_chain_params,
	  .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { SEGMENTED(
				    "2") " --mca coll_tuned_reduce_algorithm_chain_fanout {fanout}",
			    NULL, NULL } },
	{ REDUCE("pipeline", "one chain of all ranks"), SHAPE, .choice.params = tmap_segment_params,
	  .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { SEGMENTED("3"), NULL, NULL } },
	{ REDUCE("binary", "two children a rank, half a level apart"), SHAPE,
	  .choice.params = tmap_segment_params, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI", .choice.knobs = { SEGMENTED("4"), NULL, NULL } },
	{ REDUCE("in_order_binary", "two children a rank, which keep the order of the ranks"),
	  SHAPE, .in_order = true, .choice.params = tmap_segment_params,
	  .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { SEGMENTED("6"), NULL, NULL } },
	{ REDUCE("flat", "one round, everyone to the root"), .pieces = tmap_one_piece,
	  .generate = reduce_flat, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI", .choice.knobs = { TUNED("1"), NULL, NULL } },
	{ REDUCE("rabenseifner", "reduce-scatter by halving, then a binomial gather"),
	  .choice.params = tmap_pairing_param, .pieces = tmap_pairing_pieces,
	  .begin = tmap_pairing_begin, .generate = reduce_rabenseifner,
	  .pattern = TMAP_PATTERN_DOUBLING | TMAP_PATTERN_SCATTER, .phase = TMAP_PHASE,
	  .source = "Rabenseifner 2004; Open MPI, MPICH",
	  .choice.knobs = { "{fold=openmpi}" TUNED("7"), INTRA("reduce_scatter_gather"), NULL } },
	{ REDUCE("distance_tree", "up the distance-aware tree, the farthest children last"),
	  .needs_metric = true, .choice.params = tmap_merge_0, .pieces = tmap_one_piece,
	  .generate = reduce_distance_tree, .pattern = TMAP_PATTERN_PLACED,
	  .source = "Ma et al. 2012, Algorithm 1", .choice.knobs = { NULL, NULL, NULL } },
	{ REDUCE("hierarchical", "level by level up the hierarchy of communicators"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_reduce,
	  .pieces = tmap_hierarchical_pieces,
	  .choice.knobs = { TMAP_HAN("reduce"), TMAP_SMP("REDUCE"), NULL } },
	{ REDUCE("hierarchical_ordered",
		 "vectors gathered up the hierarchy, reduced in order by the "
		 "root"),
	  TMAP_HIERARCHICAL, .in_order = true, .gathers = true,
	  .choice.params = tmap_hierarchical_gather, .choice.knobs = { NULL, NULL, NULL } },
	{ REDUCE("lane", "reduce_scatter on nodes, reduce on lanes, gather on a node"), TMAP_LANE,
	  .choice.params = tmap_lane_reduce, .pieces = tmap_piece_a_byte },
	{ REDUCE("smp", "within the nodes, then between one rank of each"), TMAP_SMP_ROW,
	  .choice.params = tmap_smp_reduce, .pieces = tmap_smp_pieces },
	{ .choice.word = { NULL, NULL } },
};
