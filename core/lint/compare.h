/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.h - two placements of the same ranks, side by side: who moved, who came closer.
 *
 *     A   0 1 2 3 | 4 5 6 7        0 and 1: 1 -> 7, further
 *     B   0 2 4 6 | 1 3 5 7        0 and 4: 7 -> 1, closer
 *
 * Nodes are the same if they have the same name, a domain not counted; the parts of a host that a
 * probe distinguishes in B ("node#2") are that host if A does not know them. All pairs of ranks
 * are compared without visiting each: two ranks are at most as far apart as a step says
 * if they share a set there, so ranks that share a set of A and one of B are counted.
 */
#ifndef TMAP_CORE_LINT_COMPARE_H
#define TMAP_CORE_LINT_COMPARE_H

#include "core/distance/distance.h"

struct tmap_comparison {
	const struct tmap_placement *a, *b; /**< borrowed: must outlive the comparison */
	enum tmap_scale scale;
	struct tmap_metric metric_a, metric_b;
	int64_t *pairs_a, *pairs_b;        /**< [step_count] of each: pairs at each distance */
	struct tmap_idset other_node;      /**< ranks that are on another node */
	struct tmap_idset other_pus;       /**< on their node, with other PUs */
	struct tmap_idset other_binding;   /**< with the same PUs, bound or no longer */
	int64_t closer, further, same;     /**< pairs of ranks */
	int64_t next_closer, next_further; /**< of those, pairs of ranks r and r + 1 */
};

/** Compare; refuses (TMAP_INPUT) placements of different sizes. O(p x steps of a x steps of b)
 *  time, O(p) memory. */
int tmap_comparison_init(struct tmap_comparison *comparison, const struct tmap_placement *a,
			 const struct tmap_placement *b, enum tmap_scale scale,
			 struct tmap_error *err);
void tmap_comparison_fini(struct tmap_comparison *comparison);

/** Number of ranks that are in another place or bound otherwise. */
int64_t tmap_comparison_moved(const struct tmap_comparison *comparison);

/** *alike = is each pair of ranks as far apart in both? *same (NULL: not asked) = and is each rank in the
 *  same place? Placements of different sizes are neither. */
int tmap_placements_compare(bool *alike, bool *same, const struct tmap_placement *a,
			    const struct tmap_placement *b, struct tmap_error *err);

/** *node_of = for each node of @p a the node of @p b with its name, or TMAP_NONE; the caller's to
 *  free. O(N) expected. */
int tmap_match_nodes(const struct tmap_machine *a, const struct tmap_machine *b, int **node_of,
		     struct tmap_error *err);

#endif
