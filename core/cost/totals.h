/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * totals.h - the totals of a tree or a ring: weight, edges, crossings, accesses, cost.
 */
#ifndef TMAP_CORE_COST_TOTALS_H
#define TMAP_CORE_COST_TOTALS_H

#include "core/cost/tree_cost.h"
#include "core/tree/access.h"

/** What a message is, what it costs, and what it crosses. */
struct tmap_load {
	const struct tmap_metric *process; /**< process distances over the ranks */
	const struct tmap_levels *levels;  /**< of their machine */
	struct tmap_cost_model *model;     /**< of these; NULL where there are no sizes */
	int64_t bytes; /**< of the broadcast, or of the block of a rank; TMAP_NONE: no sizes */
	int64_t chunk_bytes; /**< the broadcast goes in chunks; 0: whole */
};

/** What crosses one level: goes between two of its objects. */
struct tmap_totals_level {
	int64_t messages;
	int64_t bytes; /**< TMAP_NONE where no size is given */
};

struct tmap_totals {
	double weight;     /**< sum of the distances */
	int depth, fanout; /**< of a tree; 0 of a ring */
	int edge_count;
	struct tmap_edge_count *edges; /**< [edge_count], rising */
	int level_count;
	struct tmap_totals_level *crossing; /**< [level_count], as the levels */
	struct tmap_accesses accesses;
	bool has_cost;     /**< a size is given */
	bool has_only_end; /**< of cost its seconds are known, not what they are made of */
	struct tmap_tree_cost cost;
};

/** The totals of a broadcast over @p tree: each edge is one message. O(p x (levels + steps)).
 *  Refuses counts beyond 2^63-1 (TMAP_INPUT). */
int tmap_totals_of_tree(struct tmap_totals *totals, const struct tmap_tree *tree,
			const struct tmap_load *load, struct tmap_error *err);

/** The totals of an allgather over @p ring: in each of p-1 rounds every rank sends a block to
 *  the next. */
int tmap_totals_of_ring(struct tmap_totals *totals, const struct tmap_ring *ring,
			const struct tmap_load *load, struct tmap_error *err);
void tmap_totals_fini(struct tmap_totals *totals);

#endif
