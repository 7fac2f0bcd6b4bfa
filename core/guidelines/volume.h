/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * volume.h - how much of a schedule goes through the busiest rank, node, lane and adapter, and
 * the least that any schedule can do with.
 *
 *     bcast of c on N nodes of n ranks     rounds                    rank        node   lane
 *     lane                                 2 log n + log N           2c - c/n    c      c/n
 *     the least                            log p                     c           c
 *
 * What a rank, a node, a rank across the border of its node, or an adapter sends and what it
 * receives are counted by themselves, and the larger one counts, since links go both ways.
 *
 * The least, with b or m as the call names, k_i of the p ranks on node i, and N nodes (where the
 * sum over all nodes or ranks is known, the busiest has the average at least):
 *
 *                           rank               node
 *     allgather             (p - 1) b          largest of (p - k_i) b and k_i b
 *     alltoall              (p - 1) b          largest k_i (p - k_i) b
 *     gather, scatter       (p - 1) b          (p - k of the root's node) b
 *     bcast, reduce, scans  m                  m
 *     allreduce             2 (p - 1)/p m      2 (N - 1)/N m
 *     reduce_scatter        (p - 1)/p m        (N - 1)/N m
 *     reduce_scatter_block  (p - 1) b          (N - 1)/N p b
 *
 * Rounds are ceil(log2 p) where a rank sends to one other in a round; algorithms whose ranks
 * send to several do with fewer.
 */
#ifndef TMAP_CORE_GUIDELINES_VOLUME_H
#define TMAP_CORE_GUIDELINES_VOLUME_H

#include "core/machine/placement.h"
#include "core/schedule/schedule.h"

struct tmap_volume {
	int64_t rounds;
	int64_t rank_bytes;    /**< of the busiest rank */
	int64_t node_bytes;    /**< over the border of the busiest node */
	int64_t lane_bytes;    /**< over the border of its node, by the busiest rank */
	int64_t adapter_bytes; /**< over the border of its node, through the busiest adapter */
};

/** The adapters that ranks drive. */
struct tmap_drive {
	int count;          /**< of adapters, over all nodes */
	const int *of_rank; /**< [size], 0 .. count - 1; TMAP_NONE: none, which counts nowhere */
};

/** Weigh a call on a placement of as many ranks. O(messages of the folded schedule + p). */
int tmap_volume_find(struct tmap_volume *volume, const struct tmap_call *call,
		     const struct tmap_placement *placement, const struct tmap_drive *drive,
		     struct tmap_error *err);

/** The least, of a collective with a root or without, but no barrier and none with neighbours;
 *  lane_bytes is 0. O(p + N). */
int tmap_volume_least(struct tmap_volume *least, const struct tmap_call *call,
		      const struct tmap_placement *placement, struct tmap_error *err);

#endif
