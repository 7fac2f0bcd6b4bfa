/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_cost.h - how long a broadcast over a tree takes, or an allgather round a ring, by the one
 * clock of core/cost/cost.h.
 *
 * A message of m bytes goes down a tree in S = ceil(m / chunk) pieces, the first ones a byte larger,
 * by the rounds of core/algorithms/plan.h: a rank serves its children one after another, or those
 * together of which the tree says so; the next piece follows when the rank with the most children
 * is through. Where turn[] does not give whom a parent serves first, it is the farthest, and
 * of equally far ones the smallest rank. Round a ring every rank sends a block to the next, p - 1
 * times. So a tree or a ring takes as long as the algorithm of the catalogue that emits the same
 * messages.
 */
#ifndef TMAP_CORE_COST_TREE_COST_H
#define TMAP_CORE_COST_TREE_COST_H

#include "core/cost/cost.h"
#include "core/tree/ring.h"
#include "core/tree/tree.h"

struct tmap_tree_cost {
	int64_t chunks;    /**< 1 where the message is not cut */
	int64_t in_flight; /**< chunks under way at a time on the longest path: at most its depth */
	double path_s;     /**< the critical path: it may wait for links */
	int last;          /**< the rank where it ends */
	double controller_s; /**< the busiest memory controller, by itself */
	double adapter_s;    /**< the busiest adapter, by itself */
	double seconds;      /**< the largest of the three, which is the first */
};

/** Time a tree over the ranks of a model; its own distances do not matter but for the order of
 *  children. @p chunk_bytes 0: the message goes whole. Refuses sizes below 0. O(p x (steps + links))
 *  time, 40 bytes a rank on the way. */
int tmap_tree_cost(struct tmap_tree_cost *cost, const struct tmap_tree *tree,
		   struct tmap_cost_model *model, int64_t bytes, int64_t chunk_bytes,
		   struct tmap_error *err);

/** Time p - 1 rounds of a ring, in which every rank sends a block of so many bytes. */
int tmap_ring_cost(struct tmap_tree_cost *cost, const struct tmap_ring *ring,
		   struct tmap_cost_model *model, int64_t bytes, struct tmap_error *err);

/** Number of chunks of a message: 1 where it is empty or not cut. */
int64_t tmap_chunk_count(int64_t bytes, int64_t chunk_bytes);

#endif
