/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_work.h - the communicators of lane.c for one call, and the blocks that their members have.
 */
#ifndef TMAP_CORE_ALGORITHMS_LANE_WORK_H
#define TMAP_CORE_ALGORITHMS_LANE_WORK_H

#include "core/algorithms/phase.h"
#include "core/group/lanes.h"

/** Of each member count[m] numbers from first[m] on, as struct tmap_lists has them. */
struct tmap_stretches {
	int64_t *first, *count;
};

struct tmap_lane_work {
	const struct tmap_call *call;
	struct tmap_lanes lanes;
	bool is_one_vector; /**< units are bytes of one vector, rather than blocks of ranks */
	bool is_full;       /**< every node has a rank for each lane, so that all nodes are alike */
	int root_node, groups;

	/* the lanes as teams, and what each carries */
	int *start, *member, *root; /**< [lanes + 1], [lanes x N], [lanes] */
	struct tmap_run *slice;     /**< [lanes] */
	int64_t *begin;             /**< [lanes + 1]: into order[], or into the vector */

	/* lists of blocks */
	int *order; /**< [size]: the ranks lane by lane, and there node by node: a group is
				  in the first lane that it drives; member[] itself where lanes are
				  full, NULL where units are bytes of one vector */
	/* scratch: what the members of the teams at hand have, of order[] or of the vector, and for
	 * whom, of lanes.rank[]; the latter only of an alltoall. [most of lanes x N and groups]; of one
	 * node's leaders where lanes are full, whose members have their own block each */
	struct tmap_stretches block, receivers;

	/* scratch: groups or leaders as teams */
	int *team_start,
		*team_root; /**< [teams + 1], [teams], teams being groups or, where these are
					  single ranks, nodes */
};

/** Refuses what tmap_lane_check() does, but for inner algorithms. O(p + lanes x N). */
int tmap_lane_work_init(struct tmap_lane_work *work, const struct tmap_call *call, int lanes,
			struct tmap_error *err);
void tmap_lane_work_fini(struct tmap_lane_work *work);

/** The groups of the nodes from @p from on as teams; the leader is the root. */
struct tmap_comms tmap_lane_groups(struct tmap_lane_work *work, int from);

/** The lanes as teams, each member with the ranks of its group that the lane carries. */
struct tmap_comms tmap_lane_across(struct tmap_lane_work *work);

/** The leaders of the nodes @p from .. @p to - 1 as teams, each with what it has of its node once
 *  the lanes are through; the call's root is one if it is there. */
struct tmap_comms tmap_lane_leaders(struct tmap_lane_work *work, int from, int to);

#endif
