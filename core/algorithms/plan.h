/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan.h - rounds over a tree: from the root down, or up to it.
 *
 * A rank serves its children one after another, in turns; a child serves its own from the
 * round after that in which it was served. Children of one digit of a k-nomial tree share
 * a turn. A vector in pieces follows itself: the next piece starts when the rank with the
 * most turns is through with the one before.
 *
 *     binomial_far, 8 ranks     0 -> 4 | 0 -> 2  4 -> 6 | 0 -> 1  2 -> 3  4 -> 5  6 -> 7
 *     arrival                        0 |      1       1 |      2       2       2       2
 *
 * Upwards everything happens backwards.
 */
#ifndef TMAP_CORE_ALGORITHMS_PLAN_H
#define TMAP_CORE_ALGORITHMS_PLAN_H

#include "core/schedule/emit.h"
#include "core/tree/tree.h"

struct tmap_plan {
	struct tmap_tree tree; /**< parents alone */
	int *order;        /**< [size]: the ranks by arrival, which is the round in which the first
				    piece comes down, the root first */
	int *start;        /**< [rounds + 2]: order[start[a + 1]] is the first that arrives in a */
	int rounds;        /**< of one piece */
	bool shares_turns; /**< a rank may serve several children in one turn */
	int period;        /**< rounds between a piece and the next: the most turns of a rank */
};

/** A plan over the tree of tmap_tree_shapes that is called @p name, with its parameters, rooted at
 *  the call's root. O(p). */
int tmap_plan_init_shape(struct tmap_plan *plan, const struct tmap_call *call, const char *name,
			 const int64_t *value, struct tmap_error *err);

/** A plan over the tree of Algorithm 1; distances up to @p merge are one. A rank serves those
 *  first that are farthest, of one distance the smaller ranks. O(p x steps). */
int tmap_plan_init_distance(struct tmap_plan *plan, const struct tmap_call *call, int64_t merge,
			    struct tmap_error *err);

/** A plan over any tree, with its turns; without, the farthest children come first, of one distance
 *  the smaller ranks. O(p x distances). */
int tmap_plan_init_tree(struct tmap_plan *plan, const struct tmap_tree *tree,
			struct tmap_error *err);
void tmap_plan_fini(struct tmap_plan *plan);

/** Pieces first .. first + pieces - 1 over all edges, down from the root or up to it, from this
 *  round on; @p first of the rank below the edge, NULL: 0. Upwards they are combined. */
int tmap_plan_down(struct tmap_emit *emit, const struct tmap_plan *plan, int64_t pieces,
		   int64_t (*first)(const struct tmap_call *call, int rank));
int tmap_plan_up(struct tmap_emit *emit, const struct tmap_plan *plan, int64_t pieces);

/** Unit u to or from rank u: an edge carries the units of the whole subtree below it. */
int tmap_plan_scatter(struct tmap_emit *emit, const struct tmap_plan *plan);
int tmap_plan_gather(struct tmap_emit *emit, const struct tmap_plan *plan);

#endif
