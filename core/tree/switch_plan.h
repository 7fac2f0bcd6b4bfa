/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switch_plan.h - groups, switches and ranks as MPICH's topology trees see them.
 *
 * MPICH reads a coordinates file (rank: group switch port); here a switch of tier 0 is MPICH's
 * switch, one of tier 1 its group; one group without tier 1. Groups are in the order of their first
 * ranks, in each its switches likewise, under each its ranks; only those that have ranks.
 */
#ifndef TMAP_CORE_TREE_SWITCH_PLAN_H
#define TMAP_CORE_TREE_SWITCH_PLAN_H

#include "core/machine/partition.h"

struct tmap_switch_plan {
	int size, root;
	int group_count, switch_count;
	int *rank;         /**< [size]: switch by switch, rising */
	int *first_rank;   /**< [switch_count + 1], into rank */
	int *leader;       /**< [switch_count]: the root or else the first rank */
	int *switches;     /**< [switch_count]: group by group */
	int *first_switch; /**< [group_count + 1], into switches */
	int *groups;       /**< [group_count] */
	int *root_at;      /**< [group_count]: place of the leading switch in its group */
	int root_group_at; /**< place of the root's group among the groups */
	int *group_leader; /**< [group_count]: leader of the leading switch */
};

/** Refuses a placement without tiers, and ranks whose switch or group is unknown, in the name
 *  of the tree called @p name. O(p + N). Release with tmap_switch_plan_fini(), also on failure. */
int tmap_switch_plan_init(struct tmap_switch_plan *plan, const struct tmap_placement *p, int root,
			  const char *name, struct tmap_error *err);
void tmap_switch_plan_fini(struct tmap_switch_plan *plan);

/** As MPIR_CVAR_BCAST_TOPO_REORDER_ENABLE: the root's group and switch first, then the larger
 *  ones, by MPICH's own exchange sort. O(p + groups^2 + switches^2 of each group). */
int tmap_switch_plan_reorder(struct tmap_switch_plan *plan, struct tmap_error *err);

#endif
