/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * along.h - what the rows that follow a tree have in common: making its plan, running it, and the
 * parameters that they share.
 */
#ifndef TMAP_CORE_ALGORITHMS_ALONG_H
#define TMAP_CORE_ALGORITHMS_ALONG_H

#include "core/algorithms/plan.h"

/** Emit @p travel, which tmap_plan_gather() is one of, over the tree of tmap_tree_shapes that is
 *  called @p name, with its parameters (NULL: their presets). O(p + messages). */
int tmap_along_shape(struct tmap_emit *emit, const char *name, const int64_t *value,
		     int (*travel)(struct tmap_emit *emit, const struct tmap_plan *plan));

/** The same over the distance-aware tree; "merge" is the row's first parameter. */
int tmap_along_distances(struct tmap_emit *emit,
			 int (*travel)(struct tmap_emit *emit, const struct tmap_plan *plan));

/** All pieces of the vector down the tree, or up it. */
int tmap_along_down(struct tmap_emit *emit, const struct tmap_plan *plan);
int tmap_along_up(struct tmap_emit *emit, const struct tmap_plan *plan);

/** The value of "segment", which is the last parameter of those that have it; else 0. */
int64_t tmap_segment_of(const struct tmap_call *call);

/** The vector in segments of that size. */
int64_t tmap_along_segments(const struct tmap_call *call);
/** Where these begin: all are full but the last. */
int64_t tmap_along_begin(const struct tmap_call *call, int64_t piece);

/** "segment"; "radix" (4) and "segment"; "fanout" (1) and "segment". */
extern const struct tmap_param tmap_segment_params[], tmap_knomial_params[], tmap_chain_params[];

#endif
