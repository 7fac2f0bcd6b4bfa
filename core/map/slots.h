/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slots.h - where the ranks of a job may run, and the constraints of a mapping.
 *
 *     slot       0    1    2    3    4    5         the placement: its rank s is on slot s
 *     on         n0   n0   n0   n1   n1   n1
 *     slot_of    rank 0 -> 3,  1 -> 4,  2 -> 0      a mapping: each rank a slot of its own
 *
 * The slots are the places that the ranks have now (a mapping then only reorders them), or
 * all objects of one kind that the job may use, of which there may be more than ranks.
 */
#ifndef TMAP_CORE_MAP_SLOTS_H
#define TMAP_CORE_MAP_SLOTS_H

#include "core/base/idset.h"
#include "core/base/keyword.h"
#include "core/machine/placement.h"

struct tmap_slots {
	const struct tmap_placement *placement; /**< slot s is the place of rank s here */
	struct tmap_placement own; /**< what placement points to where slots are no ranks' places */
	int rank_count;            /**< ranks to be mapped: at least 1, at most placement->size */
	int *now;   /**< [rank_count]: the slot that each rank is on now, TMAP_NONE where it
				  is on none or on another rank's */
	int *fixed; /**< [rank_count]: the slot that a rank must have; TMAP_NONE: any */
	int *group; /**< [rank_count]: ranks of one number must be on one node; TMAP_NONE: of
				  no group; NULL: there are no groups */
	int group_count;
};

/** Kinds of slots by name: "given" first, then the objects that a rank may be bound to. */
extern const struct tmap_keywords tmap_slot_kinds;

/** What may not be used. */
struct tmap_slots_excluded {
	int ranks;             /**< so many ranks of the job, the last ones, which do not run */
	int count;             /**< so many slots of each node, the last ones */
	struct tmap_idset pus; /**< and those that have one of these PUs (OS indexes) */
};

/** The slots of kind @p kind (a row of tmap_slot_kinds) on the machine of @p job, for its ranks
 *  but for those that are excluded, bound by nothing else yet. @p job must outlive the slots, which
 *  must stay where they are. Refuses (TMAP_INPUT) fewer slots than ranks, a node without objects of
 *  the kind, excluded PUs that no node has, and excluded slots where the kind is "given".
 *  O(p + slots + objects). */
int tmap_slots_init(struct tmap_slots *slots, const struct tmap_placement *job, int kind,
		    const struct tmap_slots_excluded *excluded, struct tmap_error *err);
void tmap_slots_fini(struct tmap_slots *slots);

/** A rank must have this slot. Refuses numbers out of range, and a rank that must have another
 *  one. */
int tmap_slots_pin(struct tmap_slots *slots, int rank, int slot, struct tmap_error *err);

/** These ranks must be on one node, whichever. Refuses ranks out of range or of another group.
 *  O(ranks of it); O(p) the first time. */
int tmap_slots_join(struct tmap_slots *slots, const struct tmap_idset *ranks,
		    struct tmap_error *err);

/** Can all constraints be kept together? Refuses (TMAP_INPUT) a slot that two ranks must have, a
 *  group that is larger than any node or pinned to two of them. O(p + slots). */
int tmap_slots_resolve(const struct tmap_slots *slots, struct tmap_error *err);

/** The number of the slot at position @p index, from 0, on a node; TMAP_NONE where there are not
 *  so many. O(slots). */
int tmap_slots_on_node(const struct tmap_slots *slots, int node, int index);

/** Does the mapping give each rank a slot of its own, and keep the constraints? Else -1 and a
 *  sentence (TMAP_INPUT). O(p + slots). */
int tmap_slots_check(const struct tmap_slots *slots, const int *slot_of, struct tmap_error *err);

#endif
