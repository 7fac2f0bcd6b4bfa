/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allreduce: every rank ends with the whole vector, reduced over all ranks.
 */
#include "core/algorithms/along.h"
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/pairing.h"
#include "core/algorithms/phase.h"
#include "core/algorithms/smp.h"
#include "core/algorithms/swing.h"
#include "core/algorithms/tables.h"
#include "core/base/sum.h"
#include "core/schedule/emit.h"

/* Fold even into odd, v <-> v ^ 2^k with the whole vector, and back to the even. */
static int allreduce_recursive_doubling(struct tmap_emit *emit)
{
	struct tmap_pairing fold = tmap_pairing(emit->call->size, 1);

	emit->combine = true;
	emit->single = true;
	if (tmap_pairing_exchange(emit, &fold, 0, 0, 1) < 0)
		return -1;
	emit->round += fold.rest > 0;
	for (int d = 1; d < fold.q; d *= 2, emit->round++)
		if (tmap_pairing_swap(emit, &fold, d, 0, 1) < 0)
			return -1;
	emit->combine = false;
	return tmap_pairing_exchange(emit, &fold, 1, 0, 1);
}

/* The way back: v sends v ^ d what it has complete. */
static int allreduce_collect(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = false;
	for (int d = fold->q / 2; d; d /= 2, emit->round++)
		if (tmap_pairing_halve(emit, fold, d, true) < 0)
			return -1;
	return 0;
}

/* The even of each pair gives its whole vector to the odd, which goes on. */
static int allreduce_fold_whole(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = true;
	if (tmap_pairing_exchange(emit, fold, 0, 0, fold->q) < 0)
		return -1;
	emit->round += fold->rest > 0;
	return 0;
}

/* Reduce-scatter by halving, then allgather by doubling. */
static int allreduce_rabenseifner(struct tmap_emit *emit)
{
	int odd_stays = emit->call->choice.value[0] == TMAP_FOLD_MPICH;
	struct tmap_pairing fold = tmap_pairing(emit->call->size, odd_stays);

	emit->single = true;
	if ((odd_stays ? allreduce_fold_whole(emit, &fold) : tmap_pairing_halves(emit, &fold)) <
		    0 ||
	    tmap_pairing_reduce_scatter(emit, &fold) < 0 || allreduce_collect(emit, &fold) < 0)
		return -1;
	return tmap_pairing_exchange(emit, &fold, odd_stays, 0, fold.q);
}

/* p - 1 rounds r -> r + 1 with part of block r - k + ahead. */
static int ring_pass(struct tmap_emit *emit, int ahead, int64_t phases, int64_t phase,
		     int64_t parts)
{
	int p = emit->call->size;
	int64_t partner = tmap_mod((int64_t)tmap_emit_rank(emit) - 1, p);

	for (int k = 0; k < p - 1; k++, emit->round++)
		for (int r = tmap_emit_next(emit, TMAP_NONE, partner); r < p;
		     r = tmap_emit_next(emit, r, partner))
			if (tmap_emit_units(emit, r, (r + 1) % p,
					    tmap_mod(r - k + ahead, p) * phases + phase, 1,
					    parts) < 0)
				return -1;
	return 0;
}

/* Reduce-scatter round the ring, a pass for each phase, then allgather round the ring. */
static int ring_in_phases(struct tmap_emit *emit, int64_t phases)
{
	int64_t p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	if (emit->visitor->folded) {
		if (tmap_emit_ring(emit, 0, phases, 1) < 0)
			return -1;
		emit->round += phases * (p - 1);
		emit->combine = false;
		return tmap_emit_ring(emit, 1, phases, phases);
	}
	for (int64_t phase = 0; phase < phases; phase++)
		if (ring_pass(emit, 0, phases, phase, 1) < 0)
			return -1;
	emit->combine = false;
	return ring_pass(emit, 1, phases, 0, phases);
}

static int allreduce_ring(struct tmap_emit *emit)
{
	return ring_in_phases(emit, 1);
}

/* As Open MPI counts them: one more where more than half a segment is left. */
static int64_t segment_phases(const struct tmap_call *call)
{
	int64_t all = tmap_sum_product(call->size, call->choice.value[0]);
	int64_t phases = call->bytes / all + (call->bytes % all > all / 2);

	return call->bytes < all ? 1 : phases;
}

static int64_t segment_pieces(const struct tmap_call *call)
{
	return tmap_sum_product(call->size, segment_phases(call));
}

static int64_t part_begin(int64_t size, int64_t parts, int64_t part)
{
	return part * (size / parts) + (part < size % parts ? part : size % parts);
}

/* Each rank's block is cut by itself. */
static int64_t segment_begin(const struct tmap_call *call, int64_t piece)
{
	int64_t phases = segment_phases(call), block = piece / phases;
	int64_t begin = part_begin(call->bytes, call->size, block);

	if (block == call->size)
		return call->bytes;
	return begin +
		part_begin(part_begin(call->bytes, call->size, block + 1) - begin, phases,
			   piece % phases);
}

static int segmented_ring(struct tmap_emit *emit)
{
	return ring_in_phases(emit, segment_phases(emit->call));
}

/* Reduce-scatter by the steps of Swing, then allgather backwards. */
static int allreduce_swing(struct tmap_emit *emit)
{
	struct tmap_swing plan = { 0 };
	int status = tmap_swing_init(&plan, emit->call->size, emit->err);

	emit->combine = true;
	emit->single = true;
	for (int s = 0; s < plan.steps && status == 0; s++, emit->round++)
		status = tmap_swing_step(emit, &plan, s, true);
	emit->combine = false;
	for (int s = plan.steps - 1; s >= 0 && status == 0; s--, emit->round++)
		status = tmap_swing_step(emit, &plan, s, false);
	tmap_swing_fini(&plan);
	return status;
}

enum { REDUCE_TREE, BCAST_TREE, TREE_SEGMENT };

/* Trees of core/tree/shapes.h with their preset parameters. */
enum { BINOMIAL_FAR, BINOMIAL_NEAR };
static const char *const tree_words[] = { [BINOMIAL_FAR] = "binomial_far",
					  [BINOMIAL_NEAR] = "binomial_near",
					  "knomial",
					  "kary",
					  "binary",
					  "chain",
					  "pipeline",
					  "flat",
					  NULL };

static int64_t tree_pieces(const struct tmap_call *call)
{
	return tmap_segments(call->bytes, call->choice.value[TREE_SEGMENT]);
}

/* Up one tree to rank 0, then down another from it. */
static int reduce_bcast(struct tmap_emit *emit)
{
	const int64_t *value = emit->call->choice.value, pieces = tree_pieces(emit->call);
	struct tmap_plan up = { 0 }, down = { 0 };
	int status = tmap_plan_init_shape(&up, emit->call, tree_words[value[REDUCE_TREE]], NULL,
					  emit->err);

	if (status == 0)
		status = tmap_plan_init_shape(&down, emit->call, tree_words[value[BCAST_TREE]],
					      NULL, emit->err);
	if (status == 0)
		status = tmap_plan_up(emit, &up, pieces);
	if (status == 0)
		status = tmap_plan_down(emit, &down, pieces, NULL);
	tmap_plan_fini(&up);
	tmap_plan_fini(&down);
	return status;
}

static int up_and_down(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	return tmap_along_up(emit, plan) < 0 ? -1 : tmap_along_down(emit, plan);
}

static int allreduce_distance_tree(struct tmap_emit *emit)
{
	return tmap_along_distances(emit, up_and_down);
}

static const struct tmap_param trees[] = {
	{ .key = "reduce",
	  .summary = "tree of the reduce",
	  .preset = BINOMIAL_FAR,
	  .most = INT32_MAX,
	  .words = tree_words },
	{ .key = "bcast",
	  .summary = "tree of the broadcast",
	  .preset = BINOMIAL_NEAR,
	  .most = INT32_MAX,
	  .words = tree_words },
	{ .key = "segment",
	  .summary = "bytes sent at a time; 0: all",
	  .most = INT64_MAX,
	  .is_size = true },
	{ .key = NULL },
};

static const struct tmap_param segment_1m[] = {
	{ .key = "segment",
	  .summary = "size of a segment",
	  .preset = 1 << 20,
	  .least = 1,
	  .most = INT64_MAX / INT32_MAX,
	  .is_size = true },
	{ .key = NULL },
};

#define ALLREDUCE(name, summary) .choice.word = { name, summary }, .collective = TMAP_ALLREDUCE
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm " n
#define INTRA(name) "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=" name

const struct tmap_algorithm tmap_allreduce_algorithms[] = {
	{ ALLREDUCE("recursive_doubling", "log p rounds, the whole vector each"), .in_order = true,
	  .pieces = tmap_one_piece, .generate = allreduce_recursive_doubling,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_FIRST_PHASE,
	  .source = "Thakur, Rabenseifner, Gropp 2005; Open MPI, MPICH",
	  .choice.knobs = { TUNED("3"), INTRA("recursive_doubling"), NULL } },
	{ ALLREDUCE("ring", "reduce-scatter and allgather round the ranks"),
	  .pieces = tmap_piece_a_rank, .generate = allreduce_ring, .pattern = TMAP_PATTERN_RING,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "Open MPI, MPICH", .mpich_since = "4.1",
	  .choice.knobs = { TUNED("4"), INTRA("ring"), "UCC_TL_UCP_TUNE=allreduce:@ring" } },
	{ ALLREDUCE("segmented_ring", "ring, the reduce-scatter in phases of one segment"),
	  .choice.params = segment_1m, .pieces = segment_pieces, .begin = segment_begin,
	  .generate = segmented_ring, .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "Open MPI",
	  .choice.knobs = { TUNED("5") " --mca coll_tuned_allreduce_algorithm_segmentsize {segment}",
			    NULL, NULL } },
	{ ALLREDUCE("rabenseifner", "reduce-scatter by halving, allgather by doubling"),
	  .in_order = true, .choice.params = tmap_pairing_param, .pieces = tmap_pairing_pieces,
	  .begin = tmap_pairing_begin, .generate = allreduce_rabenseifner,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE,
	  .source = "Rabenseifner 2004; Open MPI, MPICH",
	  .choice.knobs = { "{fold=openmpi}" TUNED("6"), INTRA("reduce_scatter_allgather"),
			    NULL } },
	{ ALLREDUCE("swing", "reduce-scatter and allgather on alternating sides"),
	  .sizes = TMAP_EVEN, .pieces = tmap_piece_a_rank, .generate = allreduce_swing,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE, .source = "De Sensi et al. 2024",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ALLREDUCE("circulant", "2 log p rounds and the fewest bytes for any number of ranks"),
	  .pieces = tmap_piece_a_rank, .generate = tmap_circulant_allreduce,
	  .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE, .by_rank = true,
	  .source = "Traff 2025 (arXiv 2410.14234)", .choice.knobs = { NULL, NULL, NULL } },
	{ ALLREDUCE("reduce_bcast", "a reduce to rank 0, then a broadcast from it"),
	  .choice.params = trees, .pieces = tree_pieces, .generate = reduce_bcast,
	  .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE, .source = "Open MPI (nonoverlapping)",
	  .choice.knobs = { "{reduce=binomial_far}{bcast=binomial_near}" TUNED(
				    "2") " --mca coll_tuned_reduce_algorithm 5"
					 " --mca coll_tuned_reduce_algorithm_segmentsize {segment}"
					 " --mca coll_tuned_bcast_algorithm 6"
					 " --mca coll_tuned_bcast_algorithm_segmentsize {segment}"
					 "|{reduce=flat}{bcast=flat}{segment=0}" TUNED("1"),
			    NULL, NULL } },
	{ ALLREDUCE("distance_tree", "up and down the distance-aware tree of rank 0"),
	  .needs_metric = true, .choice.params = tmap_merge_0, .pieces = tmap_one_piece,
	  .generate = allreduce_distance_tree, .pattern = TMAP_PATTERN_PLACED,
	  .source = "Ma et al. 2012, Algorithm 1", .choice.knobs = { NULL, NULL, NULL } },
	{ ALLREDUCE("hierarchical", "reduce up the hierarchy, allreduce at its top, bcast down"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_allreduce,
	  .pieces = tmap_hierarchical_pieces,
	  .choice.knobs = { TMAP_HAN("allreduce"), TMAP_SMP("ALLREDUCE"), NULL } },
	{ ALLREDUCE("lane", "reduce_scatter on nodes, allreduce on lanes, allgather on nodes"),
	  TMAP_LANE, .choice.params = tmap_lane_allreduce, .pieces = tmap_piece_a_byte },
	{ ALLREDUCE("smp", "within nodes, a reduce and a bcast between one rank of each, and back"),
	  TMAP_SMP_ROW, .choice.params = tmap_smp_allreduce, .pieces = tmap_smp_pieces },
	{ .choice.word = { NULL, NULL } },
};
