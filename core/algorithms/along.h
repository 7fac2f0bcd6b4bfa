/*
 * along.h - what the rows that follow a tree have in common: making its plan, running it, and the
 * parameters that they share.
 */
#ifndef TM_ALGORITHMS_ALONG_H
#define TM_ALGORITHMS_ALONG_H

#include "core/algorithms/plan.h"

/** Tell @p travel, which tm_plan_gather() is one of, over the tree of tm_tree_shapes that is called
 *  @p name, with its parameters (NULL: their presets). O(p), and what it tells. */
int tm_along_shape(struct tm_emit *emit, const char *name, const int64_t *value,
		   int (*travel)(struct tm_emit *emit, const struct tm_plan *plan));

/** The same over the distance-aware tree; "merge" is the row's first parameter. */
int tm_along_distances(struct tm_emit *emit,
		       int (*travel)(struct tm_emit *emit, const struct tm_plan *plan));

/** All pieces of the vector down the tree, or up it. */
int tm_along_down(struct tm_emit *emit, const struct tm_plan *plan);
int tm_along_up(struct tm_emit *emit, const struct tm_plan *plan);

/** The value of "segment", which is the last parameter of those that have it; else 0. */
int64_t tm_segment_of(const struct tm_call *call);

/** The vector in segments of that size. */
int64_t tm_along_segments(const struct tm_call *call);

/** "segment"; "radix" (4) and "segment"; "fanout" (1) and "segment". */
extern const struct tm_param tm_segment_params[], tm_knomial_params[], tm_chain_params[];

#endif
