/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assignment.h - a mapping as a permutation of all slots, made to keep the constraints.
 *
 *     slot_of    of ranks 0 .. p-1, then the unused slots
 *
 * Numbers from p on stand for no rank. So to take an unused slot is a swap too, and every
 * mapper, whatever it does, assigns each slot once.
 */
#ifndef TMAP_CORE_MAP_ASSIGNMENT_H
#define TMAP_CORE_MAP_ASSIGNMENT_H

#include "core/map/slots.h"

struct tmap_assignment {
	const struct tmap_slots *slots; /**< borrowed */
	int *slot_of;                   /**< [slots]: of each rank, then those that are unused */
	int *at; /**< [slots]: the rank on each slot, or a number from p on */
};

/** No slot is assigned yet. */
int tmap_assignment_init(struct tmap_assignment *assignment, const struct tmap_slots *slots,
			 struct tmap_error *err);
void tmap_assignment_fini(struct tmap_assignment *assignment);

/** The slots of a permutation [slots]. */
void tmap_assignment_set(struct tmap_assignment *assignment, const int *slot_of);

/** Swap the slots of two. */
void tmap_assignment_swap(struct tmap_assignment *assignment, int a, int b);

/** Does a swap of the two, each on its slot, keep the constraints that are kept before it? O(1). */
bool tmap_assignment_may_swap(const struct tmap_slots *slots, int a, int slot_a, int b, int slot_b);

/** Bring ranks to the slots that they must have, and the ranks of each group to one node: to
 *  that of a member that must be there, else to the one with the most members that has room,
 *  large groups first. Others move only to make room. Refuses (TMAP_INPUT) groups that
 *  do not fit, as far as a bounded search finds. O(slots + N), for groups with as much
 *  again for each. */
int tmap_assignment_resolve(struct tmap_assignment *assignment, struct tmap_error *err);

#endif
