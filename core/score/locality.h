/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locality.h - what a schedule moves across each level of the machine, and the least possible.
 *
 * A message crosses a level if its two ends lie in different objects of it. The least that any
 * algorithm must move follows from the data alone: what an object needs and does not have comes in
 * over its border.
 *
 *     locality = least_bytes / bytes        1: nothing moves that need not
 *
 * With K objects that hold ranks, k_o of the p ranks in object o, and the size b or m that
 * the call names:
 *
 *     allgather             sum over o of (p - k_o) b
 *     alltoall              sum over o of k_o (p - k_o) b
 *     gather, scatter       (p - k of the root's object) b
 *     bcast, reduce, reduce_scatter         (K - 1) m
 *     allreduce             2 (K - 1) m
 *     reduce_scatter_block  (K - 1) p b
 *     scan, exscan          (runs - 1) m, runs of consecutive ranks in one object
 *     barrier               2 (K - 1) messages, no bytes
 *     neighbor_allgather    for each rank b, for every other object with a neighbour of it
 *     neighbor_alltoall     its own traffic
 */
#ifndef TMAP_CORE_SCORE_LOCALITY_H
#define TMAP_CORE_SCORE_LOCALITY_H

#include "core/cost/cost.h"
#include "core/machine/partition.h"

/** How ranks are spread over the sets of a partition: what the least depends on. */
struct tmap_partition_statistics {
	int *ranks;    /**< [count of the partition]: ranks in each set; NULL: no set has several */
	int64_t sets;  /**< that hold ranks */
	int64_t apart; /**< pairs of ranks in different sets, each counted both ways */
	int64_t outside;     /**< sum over the sets of the ranks outside them */
	int64_t beyond_root; /**< ranks outside the root's set */
	int64_t runs;        /**< of consecutive ranks in one set */
};

/** Count the ranks of a placement by a partition that has every rank in a set.
 *  O(p + count) time, O(count) memory. */
int tmap_partition_statistics_init(struct tmap_partition_statistics *statistics,
				   const struct tmap_partition *sets,
				   const struct tmap_placement *placement, int root,
				   struct tmap_error *err);
void tmap_partition_statistics_fini(struct tmap_partition_statistics *statistics);

struct tmap_crossing {
	int64_t messages, bytes;
	int64_t least; /**< bytes; messages for a barrier */
};

struct tmap_locality {
	int64_t rounds, messages, bytes; /**< of the whole schedule */
	int level_count;
	struct tmap_crossing *level; /**< [level_count], as in the levels, outermost first */
};

/** What the messages of a call, counted by kind of pair, are at each level; spread[levels] is how
 *  the ranks are spread over each level of @p kinds. O(levels x kinds) time, and O(p) more for all
 *  pairs of different sizes; a neighborhood takes O(p x degree x levels). Refuses sums above
 *  2^63 - 1 (TMAP_INPUT). */
int tmap_locality_init(struct tmap_locality *locality, const struct tmap_call *call,
		       const struct tmap_pair_kinds *kinds,
		       const struct tmap_partition_statistics *spread,
		       const struct tmap_moved *moved, struct tmap_error *err);
void tmap_locality_fini(struct tmap_locality *locality);

/** least / bytes (messages for a barrier); 1 where nothing crosses. */
double tmap_locality_at(const struct tmap_locality *locality, const struct tmap_call *call,
			int level);

#endif
