/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_cost.h - how long a broadcast over a tree takes, by a cost profile.
 *
 * A message of m bytes goes in S chunks of c = m/S bytes, S = ceil(m / chunk). An edge at
 * distance d costs a = latency of d for a chunk, b = c x seconds a byte of d. Within a
 * node the parent notifies its children one after the other (a each), and they copy at the
 * same time, each for itself (b); between nodes the parent sends to one after the other
 * (a + b each), for it has one adapter:
 *
 *     arrival(child) = arrival(parent) + sum over the siblings served until then, and
 *                      itself, of (a, between nodes a + b), + within the node its own b
 *     period(v)      = its own b within its node + sum over all its children of the same
 *     end(r)         = arrival(r) + (S - 1) x the longest period on the path from the root
 *
 * On a chain of equal edges that is (depth + S - 1) x (a + b). The last end is the critical
 * path's. Where turn[] does not give whom a parent serves first, it is the farthest, and
 * of equally far ones the smallest rank.
 *
 * No tree is faster than its busiest memory controller, (reads + writes) x m x memory_byte_s
 * over the edges (core/tree/access.h), nor than the busiest adapter: messages that leave one
 * node x m x adapter_byte_s.
 */
#ifndef TMAP_CORE_COST_TREE_COST_H
#define TMAP_CORE_COST_TREE_COST_H

#include "core/cost/profile.h"
#include "core/tree/access.h"

struct tmap_tree_cost {
	int64_t chunks;    /**< 1 where the message is not cut */
	int64_t in_flight; /**< chunks under way at a time on the longest path: at most its depth */
	double path_s;     /**< the critical path */
	int last;          /**< the rank where it ends */
	double controller_s; /**< the busiest memory controller */
	double adapter_s;    /**< the busiest adapter */
	double seconds;      /**< the largest of the three */
};

/** Time a tree over the ranks of @p process, the process distances of their placement; its own
 *  distances do not matter. @p chunk_bytes 0: the message goes whole. Refuses sizes below 0.
 *  O(p x steps) time, 32 bytes a rank on the way. */
int tmap_tree_cost(struct tmap_tree_cost *cost, const struct tmap_tree *tree,
		   const struct tmap_metric *process, const struct tmap_profile *profile,
		   int64_t bytes, int64_t chunk_bytes, struct tmap_error *err);

/** Number of chunks of a message: 1 where it is empty or not cut. */
int64_t tmap_chunk_count(int64_t bytes, int64_t chunk_bytes);

#endif
