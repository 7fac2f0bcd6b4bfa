/*
 * account.h - what is reported of a tree or a ring, so that two can be compared.
 */
#ifndef TM_ACCOUNT_H
#define TM_ACCOUNT_H

#include "core/cost/tree_cost.h"

/** What a message is, what it costs, and what it crosses. */
struct tm_load {
	const struct tm_metric *process;   /**< process distances over the ranks */
	const struct tm_levels *levels;    /**< of their machine */
	const struct tm_profile *profile;
	int64_t bytes;       /**< of the broadcast, or of the block of a rank; TM_NONE: no sizes */
	int64_t chunk_bytes; /**< the broadcast goes in chunks; 0: whole */
};

/** What crosses one level: goes between two of its objects. */
struct tm_account_level {
	int64_t messages;
	int64_t bytes;       /**< TM_NONE where no size is given */
};

struct tm_account {
	double weight;       /**< sum of the distances */
	int depth, fanout;   /**< of a tree; 0 of a ring */
	int edge_count;
	struct tm_edge_count *edges;  /**< [edge_count], rising */
	int level_count;
	struct tm_account_level *crossing; /**< [level_count], as the levels */
	struct tm_accesses accesses;
	bool has_cost;       /**< a size is given */
	struct tm_tree_cost cost;
};

/** The account of a broadcast over @p tree: each edge is one message. O(p x (levels + steps)).
 *  Refuses counts beyond 2^63-1 (TM_INPUT). */
int tm_account_of_tree(struct tm_account *account, const struct tm_tree *tree,
		       const struct tm_load *load, struct tm_error *err);

/** The account of an allgather over @p ring: in each of p-1 rounds every rank sends a block to
 *  the next. All wait for the slowest step, p-1 times; no ring is faster than its busiest
 *  memory controller, nor than the busiest adapter. */
int tm_account_of_ring(struct tm_account *account, const struct tm_ring *ring,
		       const struct tm_load *load, struct tm_error *err);
void tm_account_fini(struct tm_account *account);

#endif
