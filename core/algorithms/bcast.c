/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast: every rank ends with the root's vector. Trees are those of core/tree/shapes.h and
 * of core/tree/tree.h; the other generators take the root for rank 0.
 */
#include "core/algorithms/along.h"
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/phase.h"
#include "core/algorithms/smp.h"
#include "core/algorithms/swing.h"
#include "core/algorithms/tables.h"
#include "core/base/mem.h"
#include "core/base/sum.h"

#include <stdlib.h>

/* The row's name and first parameters are those of the shape. */
static int bcast_along_shape(struct tmap_emit *emit)
{
	return tmap_along_shape(emit, emit->call->choice.row->word.name, emit->call->choice.value,
				tmap_along_down);
}

static int bcast_distance_tree(struct tmap_emit *emit)
{
	return tmap_along_distances(emit, tmap_along_down);
}

static int64_t bcast_halves(const struct tmap_call *call)
{
	return tmap_sum_product(
		2, tmap_segments(call->bytes - call->bytes / 2, tmap_segment_of(call)));
}

/* The first half is the larger one, and segments begin anew in the second. */
static int64_t bcast_halves_begin(const struct tmap_call *call, int64_t piece)
{
	int64_t each = bcast_halves(call) / 2, first = call->bytes - call->bytes / 2;
	int64_t base = piece < each ? 0 : first, size = piece < each ? first : call->bytes / 2;
	int64_t within =
		tmap_sum_product(piece < each ? piece : piece - each, tmap_segment_of(call));

	return piece >= 2 * each || within >= size ? base + size : base + within;
}

/* The left half of the tree, shifted ranks 1, 3, 5, ..., carries the first half. */
static int64_t first_of_half(const struct tmap_call *call, int rank)
{
	return tmap_mod((int64_t)rank - call->root, call->size) % 2 ? 0 : bcast_halves(call) / 2;
}

static int bcast_send_half(struct tmap_emit *emit, int from, int to, int64_t first)
{
	struct tmap_run run = { first, tmap_unit_count(emit->call) / 2, 1 };

	return tmap_emit_runs(emit, from, to, &run, 1);
}

/* Shifted ranks 2i - 1 and 2i swap; of an even number the last has no partner but the root. */
static int swap_halves(struct tmap_emit *emit)
{
	int p = emit->call->size;
	int64_t half = tmap_unit_count(emit->call) / 2;

	emit->shift = emit->call->root;
	for (int v = 1; v + 1 < p; v += 2)
		if (bcast_send_half(emit, v, v + 1, 0) < 0 ||
		    bcast_send_half(emit, v + 1, v, half) < 0)
			return -1;
	return p % 2 ? 0 : bcast_send_half(emit, 0, p - 1, half);
}

static int halves_down(struct tmap_emit *emit, const struct tmap_plan *plan)
{
	return tmap_plan_down(emit, plan, tmap_unit_count(emit->call) / 2, first_of_half);
}

static int split_binary(struct tmap_emit *emit)
{
	return tmap_along_shape(emit, "binary", NULL, halves_down) < 0 ? -1 : swap_halves(emit);
}

/* One round: the root to all, from rank 0 on. */
static int bcast_flat(struct tmap_emit *emit)
{
	int root = emit->call->root;

	for (int r = 0; r < emit->call->size; r++)
		if (r != root && tmap_emit_units(emit, root, r, 0, 1, 1) < 0)
			return -1;
	return 0;
}

/* Binomial, the far half first: v + d gets the pieces of its subtree. */
static int scatter_pieces(struct tmap_emit *emit)
{
	int64_t p = emit->call->size, filled = tmap_emit_filled_units(emit);

	emit->shift = emit->call->root;
	emit->single = true;
	for (int64_t d = ((int64_t)1 << tmap_log2_ceil(p)) / 2; d; d /= 2, emit->round++)
		for (int64_t v = d; v < filled; v += 2 * d)
			if (tmap_emit_units(emit, (int)(v - d), (int)v, v, 1,
					    d < p - v ? d : p - v) < 0)
				return -1;
	return 0;
}

static int scatter_allgather(struct tmap_emit *emit)
{
	return scatter_pieces(emit) < 0 ? -1 : tmap_recursive_doubling_any(emit);
}

/* Round i of the ring: v -> v + 1 with the piece of v - i. Of these the first is never empty: it
 * is emitted, so that the round counts, also where only the part of another rank is wanted. */
static int scatter_ring(struct tmap_emit *emit)
{
	int p = emit->call->size, own;

	if (scatter_pieces(emit) < 0)
		return -1;
	if (emit->visitor->folded)
		return tmap_emit_ring(emit, 0, 1, 1);
	own = tmap_emit_rank(emit);
	for (int i = 0; i < p - 1; i++, emit->round++) {
		if (own != TMAP_NONE && own != i && own != i + 1 &&
		    tmap_emit_units(emit, i, i + 1, 0, 1, 1) < 0)
			return -1;
		if (tmap_emit_shift(emit, 1, -i, 1, 1) < 0)
			return -1;
	}
	return 0;
}

/* Step s: every holder sends to its partner, which holds the vector from then on. */
static int bine_step(struct tmap_emit *emit, char *holds, int s)
{
	int p = emit->call->size;

	for (int v = 0; v < p; v++)
		if (holds[v] == 1 &&
		    tmap_emit_units(emit, v, tmap_swing_partner(v, s, p), 0, 1, 1) < 0)
			return -1;
	for (int v = 0; v < p; v++)
		if (holds[v] == 1)
			holds[tmap_swing_partner(v, s, p)] |= 2;
	for (int v = 0; v < p; v++)
		holds[v] = holds[v] != 0;
	return 0;
}

/* The steps of Swing from the last to the first. */
static int bcast_bine(struct tmap_emit *emit)
{
	char *holds = tmap_alloc((size_t)emit->call->size, 1, emit->err);
	int status = holds ? 0 : -1;

	emit->shift = emit->call->root;
	emit->single = true;
	if (holds)
		holds[0] = 1;
	for (int s = tmap_log2_ceil(emit->call->size) - 1; s >= 0 && status == 0;
	     s--, emit->round++)
		status = bine_step(emit, holds, s);
	free(holds);
	return status;
}

#define END \
	{ \
		.key = NULL \
	}

static const struct tmap_param fanout_2[] = { { .key = "radix",
						.summary = "children of a rank",
						.preset = 2,
						.least = 1,
						.most = 1 << 20 },
					      END };
static const struct tmap_param blocks[] = { { .key = "blocks",
					      .summary = "into so many the vector is cut",
					      .preset = 8,
					      .least = 1,
					      .most = 1 << 20 },
					    END };

#define BCAST(name, summary) .choice.word = { name, summary }, .collective = TMAP_BCAST
#define SHAPE \
	.pieces = tmap_along_segments, .begin = tmap_along_begin, .generate = bcast_along_shape
#define TUNED(n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm " n
#define SEGMENTED(n) TUNED(n) " --mca coll_tuned_bcast_algorithm_segmentsize {segment}"
#define INTRA(name) "MPIR_CVAR_BCAST_INTRA_ALGORITHM=" name
#define TREE(type) \
	INTRA("tree") " MPIR_CVAR_BCAST_TREE_TYPE=" type " MPIR_CVAR_BCAST_TREE_KVAL={radix}"

const struct tmap_algorithm tmap_bcast_algorithms[] = {
	{ BCAST("binomial_near", "log p rounds: v < 2^k to v + 2^k"), SHAPE,
	  .choice.params = tmap_segment_params, .pattern = TMAP_PATTERN_BINOMIAL,
	  .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { SEGMENTED("6"), NULL, NULL } },
	{ BCAST("binomial_far", "log p rounds, the farthest rank first"), SHAPE,
	  .pattern = TMAP_PATTERN_BINOMIAL, .phase = TMAP_FIRST_PHASE, .source = "MPICH",
	  .choice.knobs = { NULL, INTRA("binomial"), NULL } },
	{ BCAST("knomial", "log_k p rounds of k - 1 messages, the farthest ranks first"), SHAPE,
	  .choice.params = tmap_knomial_params, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI, UCC",
	  .choice.knobs = { SEGMENTED("7") " --mca coll_tuned_bcast_algorithm_knomial_radix {radix}",
			    NULL,
			    "UCC_TL_UCP_TUNE=bcast:@knomial UCC_TL_UCP_BCAST_KN_RADIX={radix}" } },
	{ BCAST("kary", "a tree of k children a rank, level by level"), SHAPE,
	  .choice.params = fanout_2, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "MPICH", .mpich_since = "4.1", .choice.knobs = { NULL, TREE("kary"), NULL } },
	{ BCAST("binary", "two children a rank, half a level apart"), SHAPE,
	  .choice.params = tmap_segment_params, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI", .choice.knobs = { SEGMENTED("5"), NULL, NULL } },
	{ BCAST("chain", "chains of consecutive ranks"), SHAPE, .choice.params = tmap_chain_params,
	  .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { SEGMENTED("2") " --mca coll_tuned_bcast_algorithm_chain_fanout {fanout}",
			    NULL, NULL } },
	{ BCAST("pipeline", "one chain of all ranks"), SHAPE, .choice.params = tmap_segment_params,
	  .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE, .source = "Open MPI",
	  .choice.knobs = { SEGMENTED("3"), NULL, NULL } },
	{ BCAST("split_binary",
		"half of the vector down each half of a binary tree, then pairs "
		"swap"),
	  .pieces = bcast_halves, .begin = bcast_halves_begin, .generate = split_binary,
	  .choice.params = tmap_segment_params, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI", .choice.knobs = { SEGMENTED("4"), NULL, NULL } },
	{ BCAST("flat", "one round, the root to everyone"), .pieces = tmap_one_piece,
	  .generate = bcast_flat, .pattern = TMAP_PATTERN_TREE, .phase = TMAP_PHASE,
	  .source = "Open MPI", .choice.knobs = { TUNED("1"), NULL, NULL } },
	{ BCAST("scatter_allgather", "binomial scatter, then recursive doubling"), .repeats = true,
	  .pieces = tmap_piece_a_rank, .begin = tmap_full_pieces, .generate = scatter_allgather,
	  .pattern = TMAP_PATTERN_SCATTER | TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE,
	  .source = "Thakur, Rabenseifner, Gropp 2005; MPICH, Open MPI",
	  .choice.knobs = { TUNED("8"), INTRA("scatter_recursive_doubling_allgather"), NULL } },
	{ BCAST("scatter_ring", "binomial scatter, then a ring"), .repeats = true,
	  .pieces = tmap_piece_a_rank, .begin = tmap_full_pieces, .generate = scatter_ring,
	  .pattern = TMAP_PATTERN_SCATTER | TMAP_PATTERN_RING, .phase = TMAP_PHASE,
	  .source = "Thakur, Rabenseifner, Gropp 2005; MPICH, Open MPI",
	  .choice.knobs = { TUNED("9"), INTRA("scatter_ring_allgather"), NULL } },
	{ BCAST("bine", "log p rounds between partners on alternating sides"),
	  .sizes = TMAP_POWER_OF_TWO, .pieces = tmap_one_piece, .generate = bcast_bine,
	  .pattern = TMAP_PATTERN_BINOMIAL, .phase = TMAP_PHASE,
	  .source = "De Sensi et al. 2025 (Bine)", .choice.knobs = { NULL, NULL, NULL } },
	{ BCAST("circulant", "blocks - 1 + log p rounds, everyone sends and receives in each"),
	  .repeats = true, .choice.params = blocks, .pieces = tmap_circulant_pieces,
	  .generate = tmap_circulant, .pattern = TMAP_PATTERN_DOUBLING, .phase = TMAP_PHASE,
	  .source = "Traff 2025; MPICH main", .choice.knobs = { NULL, NULL, NULL } },
	{ BCAST("distance_tree", "the distance-aware tree, the farthest children first"),
	  .needs_metric = true, .choice.params = tmap_merge_0, .pieces = tmap_one_piece,
	  .generate = bcast_distance_tree, .pattern = TMAP_PATTERN_PLACED,
	  .source = "Ma et al. 2012, Algorithm 1", .choice.knobs = { NULL, NULL, NULL } },
	{ BCAST("hierarchical", "level by level down the hierarchy of communicators"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_bcast,
	  .pieces = tmap_hierarchical_pieces, .repeats = true,
	  .choice.knobs = { TMAP_HAN("bcast"), TMAP_SMP("BCAST"), NULL } },
	{ BCAST("lane", "scatter on a node, bcast on its lanes, allgather on the nodes"), TMAP_LANE,
	  .choice.params = tmap_lane_bcast, .pieces = tmap_piece_a_byte, .repeats = true },
	{ BCAST("smp", "between one rank of each node, then within the nodes"), TMAP_SMP_ROW,
	  .choice.params = tmap_smp_bcast, .pieces = tmap_smp_pieces, .repeats = true },
	{ .choice.word = { NULL, NULL } },
};
