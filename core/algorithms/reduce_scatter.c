/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reduce-scatter: rank u ends with unit u, reduced over all ranks. The units are pieces
 * of one vector (reduce_scatter) or blocks (reduce_scatter_block): the messages are alike.
 */
#include "core/algorithms/hierarchical.h"
#include "core/algorithms/lane.h"
#include "core/algorithms/pairing.h"
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"

/* First unit of those for which v stands: a folded pair's two, else one. */
static int64_t first_unit(const struct tmap_pairing *fold, int v)
{
	return v < fold->rest ? 2 * v : v + fold->rest;
}

/* Units of the folded ranks v .. v + count - 1. */
static int reduce_scatter_send_group(struct tmap_emit *emit, int from, int to,
				     const struct tmap_pairing *fold, int v, int count)
{
	int64_t first = first_unit(fold, v);

	return tmap_emit_units(emit, from, to, first, 1, first_unit(fold, v + count) - first);
}

/* The even of each pair gives its whole vector to the odd. */
static int fold_pairs(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = true;
	emit->single = true;
	for (int i = 0; i < fold->rest; i++)
		if (tmap_emit_units(emit, 2 * i, 2 * i + 1, 0, 1, emit->call->size) < 0)
			return -1;
	emit->round += fold->rest > 0;
	return 0;
}

/* v <-> v ^ d for d = q / 2, ..., 1, with the units of the partner's half. */
static int recursive_halving(struct tmap_emit *emit)
{
	struct tmap_pairing fold = tmap_pairing(emit->call->size, 1);

	if (fold_pairs(emit, &fold) < 0)
		return -1;
	for (int d = fold.q / 2; d; d /= 2, emit->round++)
		for (int v = 0; v < fold.q; v++)
			if (reduce_scatter_send_group(emit, tmap_pairing_rank(&fold, v),
						      tmap_pairing_rank(&fold, v ^ d), &fold,
						      (v ^ d) & ~(d - 1), d) < 0)
				return -1;
	emit->combine = false;
	for (int i = 0; i < fold.rest; i++)
		if (tmap_emit_units(emit, 2 * i + 1, 2 * i, 2 * i, 1, 1) < 0)
			return -1;
	return 0;
}

/* The bits of v, of which there are log2 q, from the other end. */
static int reduce_scatter_mirror(int v, int q)
{
	int mirrored = 0;

	for (int bit = 1; bit < q; bit *= 2)
		mirrored = 2 * mirrored + (v & bit ? 1 : 0);
	return mirrored;
}

/* Whoever ends with the group of w hands it to those whose units they are. */
static int hand_over(struct tmap_emit *emit, const struct tmap_pairing *fold)
{
	emit->combine = false;
	emit->single = false; /* two go to a folded pair */
	for (int v = 0; v < fold->q; v++) {
		int from = tmap_pairing_rank(fold, v), w = reduce_scatter_mirror(v, fold->q);
		int64_t first = first_unit(fold, w), end = first_unit(fold, w + 1);

		for (int64_t unit = first; unit < end; unit++)
			if (unit != from && tmap_emit_units(emit, from, (int)unit, unit, 1, 1) < 0)
				return -1;
	}
	return 0;
}

/* v <-> v ^ d for d = 1, 2, ..., q / 2, with the half of the groups that the partner keeps. */
static int reduce_scatter_butterfly(struct tmap_emit *emit)
{
	struct tmap_pairing fold = tmap_pairing(emit->call->size, 1);

	if (fold_pairs(emit, &fold) < 0)
		return -1;
	for (int d = 1, part = fold.q / 2; d < fold.q; d *= 2, part /= 2, emit->round++)
		for (int v = 0; v < fold.q; v++) {
			/* bit k of v says which half of step k is kept: the groups' high bits */
			int kept = reduce_scatter_mirror((v ^ d) & (2 * d - 1), fold.q);

			if (reduce_scatter_send_group(emit, tmap_pairing_rank(&fold, v),
						      tmap_pairing_rank(&fold, v ^ d), &fold, kept,
						      part) < 0)
				return -1;
		}
	return hand_over(emit, &fold);
}

/* Powers of two: v keeps the units that have its low bits, so that nothing is handed over. */
static int butterfly_block(struct tmap_emit *emit)
{
	int p = emit->call->size;

	if (p & (p - 1))
		return reduce_scatter_butterfly(emit);
	emit->combine = true;
	emit->single = true;
	for (int d = 1; d < p; d *= 2, emit->round++)
		for (int v = 0; v < p; v++)
			if (tmap_emit_units(emit, v, v ^ d, (v ^ d) & (2 * d - 1), 2 * d,
					    p / (2 * d)) < 0)
				return -1;
	return 0;
}

/* Round k: r -> r + k with the unit of r + k. */
static int reduce_scatter_pairwise(struct tmap_emit *emit)
{
	int p = emit->call->size;

	emit->combine = true;
	if (emit->visitor->folded)
		return tmap_emit_all_pairs(emit, p - 1);
	for (int k = 1; k < p; k++, emit->round++)
		if (tmap_emit_shift(emit, k, k, 1, 1) < 0)
			return -1;
	return 0;
}

/* Round k: r -> r + 1 with the unit of r - k - 1. */
static int reduce_scatter_ring(struct tmap_emit *emit)
{
	int p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	if (emit->visitor->folded)
		return tmap_emit_ring(emit, -1, 1, 1);
	for (int k = 0; k < p - 1; k++, emit->round++)
		if (tmap_emit_shift(emit, 1, -k - 1, 1, 1) < 0)
			return -1;
	return 0;
}

#define ROW(name, summary) .choice.word = { name, summary }, .collective = TMAP_REDUCE_SCATTER
#define BLOCK_ROW(name, summary) \
	.choice.word = { name, summary }, .collective = TMAP_REDUCE_SCATTER_BLOCK
#define TUNED(what, n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_" what "_algorithm " n
#define INTRA(what, name) "MPIR_CVAR_" what "_INTRA_ALGORITHM=" name

const struct tmap_algorithm tmap_reduce_scatter_algorithms[] = {
	{ ROW("recursive_halving", "log p rounds, the far half of the vector first"),
	  .generate = recursive_halving, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_FIRST_PHASE, .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("reduce_scatter", "2"),
			    INTRA("REDUCE_SCATTER", "recursive_halving"), NULL } },
	{ ROW("butterfly", "log p rounds, the near partner first, then blocks go home"),
	  .in_order = true, .generate = reduce_scatter_butterfly, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .source = "Traff 2005; Open MPI",
	  .choice.knobs = { TUNED("reduce_scatter", "4"), NULL, NULL } },
	{ ROW("pairwise", "p - 1 rounds, one piece each"), .generate = reduce_scatter_pairwise,
	  .pattern = TMAP_PATTERN_ALL_PAIRS, .phase = TMAP_PHASE, .by_rank = true,
	  .source = "MPICH", .choice.knobs = { NULL, INTRA("REDUCE_SCATTER", "pairwise"), NULL } },
	{ ROW("ring", "p - 1 rounds round the ranks, one piece each"),
	  .generate = reduce_scatter_ring, .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "Open MPI, UCC",
	  .choice.knobs = { TUNED("reduce_scatter", "3"), NULL,
			    "UCC_TL_UCP_TUNE=reduce_scatter:@ring" } },
	{ ROW("recursive_doubling", "log p rounds of almost the whole vector"),
	  .generate = tmap_reduce_scatter_doubling, .pattern = TMAP_PATTERN_DOUBLING,
	  .sizes = TMAP_POWER_OF_TWO, .phase = TMAP_PHASE, .source = "MPICH",
	  .choice.knobs = { NULL, INTRA("REDUCE_SCATTER", "recursive_doubling"), NULL } },
	{ ROW("circulant", "log p rounds and the fewest bytes for any number of ranks"),
	  .generate = tmap_circulant_reduce_scatter, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "Traff 2025 (arXiv 2410.14234)",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ROW("reduce_and_scatter", "a reduce to rank 0, then a scatter from it"),
	  .generate = tmap_reduce_and_scatter, .check = tmap_reduce_and_scatter_check,
	  .choice.params = tmap_reduce_and_scatter_params, .pattern = TMAP_PATTERN_TREE,
	  .source = "Open MPI (nonoverlapping)",
	  .choice.knobs = { "{reduce=binomial_far}{scatter=linear}" TUNED(
				    "reduce_scatter", "1") " --mca coll_tuned_reduce_algorithm 5",
			    NULL, NULL } },
	{ ROW("hierarchical", "reduce up the hierarchy, reduce_scatter at its top, scatter down"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_reduce_scatter,
	  .choice.knobs = { NULL, NULL, NULL } },
	{ ROW("lane", "on the nodes, then on the lanes"), TMAP_LANE,
	  .choice.params = tmap_lane_reduce_scatter },
	{ .choice.word = { NULL, NULL } },
};

const struct tmap_algorithm tmap_reduce_scatter_block_algorithms[] = {
	{ BLOCK_ROW("recursive_halving", "log p rounds, the far half of the vector first"),
	  .generate = recursive_halving, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_FIRST_PHASE, .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("reduce_scatter_block", "3"),
			    INTRA("REDUCE_SCATTER_BLOCK", "recursive_halving"), NULL } },
	{ BLOCK_ROW("butterfly", "log p rounds, the near partner first"),
	  .generate = butterfly_block, .in_order = true, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .source = "Traff 2005; Open MPI",
	  .choice.knobs = { TUNED("reduce_scatter_block", "4"), NULL, NULL } },
	{ BLOCK_ROW("pairwise", "p - 1 rounds, one block each"),
	  .generate = reduce_scatter_pairwise, .pattern = TMAP_PATTERN_ALL_PAIRS,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "MPICH",
	  .choice.knobs = { NULL, INTRA("REDUCE_SCATTER_BLOCK", "pairwise"), NULL } },
	{ BLOCK_ROW("ring", "p - 1 rounds round the ranks, one block each"),
	  .generate = reduce_scatter_ring, .pattern = TMAP_PATTERN_RING, .phase = TMAP_PHASE,
	  .by_rank = true, .source = "Open MPI", .choice.knobs = { NULL, NULL, NULL } },
	{ BLOCK_ROW("recursive_doubling", "log p rounds of almost all blocks"),
	  .generate = tmap_reduce_scatter_doubling, .pattern = TMAP_PATTERN_DOUBLING,
	  .sizes = TMAP_POWER_OF_TWO, .phase = TMAP_PHASE, .source = "Open MPI, MPICH",
	  .choice.knobs = { TUNED("reduce_scatter_block", "2"),
			    INTRA("REDUCE_SCATTER_BLOCK", "recursive_doubling"), NULL } },
	{ BLOCK_ROW("circulant", "log p rounds and the fewest bytes for any number of ranks"),
	  .generate = tmap_circulant_reduce_scatter, .pattern = TMAP_PATTERN_DOUBLING,
	  .phase = TMAP_PHASE, .by_rank = true, .source = "Traff 2025 (arXiv 2410.14234)",
	  .choice.knobs = { NULL, NULL, NULL } },
	{ BLOCK_ROW("reduce_and_scatter", "a reduce to rank 0, then a scatter from it"),
	  .generate = tmap_reduce_and_scatter, .check = tmap_reduce_and_scatter_check,
	  .choice.params = tmap_reduce_and_scatter_params, .pattern = TMAP_PATTERN_TREE,
	  .source = "Open MPI (basic linear)",
	  .choice.knobs = { "{reduce=binomial_far}{scatter=linear}" TUNED(
				    "reduce_scatter_block",
				    "1") " --mca coll_tuned_reduce_algorithm 5"
					 " --mca coll_tuned_scatter_algorithm 1",
			    NULL, NULL } },
	{ BLOCK_ROW("hierarchical",
		    "reduce up the hierarchy, reduce_scatter at its top, scatter down"),
	  TMAP_HIERARCHICAL, .choice.params = tmap_hierarchical_reduce_scatter,
	  .choice.knobs = { NULL, NULL, NULL } },
	{ BLOCK_ROW("lane", "on the nodes, then on the lanes"), TMAP_LANE,
	  .choice.params = tmap_lane_reduce_scatter },
	{ .choice.word = { NULL, NULL } },
};
