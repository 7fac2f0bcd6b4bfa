/*
 * assignment.h - a mapping as a permutation of all slots, made to respect what is asked.
 *
 *     slot_of    ranks 0 .. p-1, then as many nobodies as there are slots more than ranks
 *
 * So taking a free slot is changing places with a nobody, and every mapper, whatever it
 * does, hands out each slot once.
 */
#ifndef TMAP_CORE_MAP_ASSIGNMENT_H
#define TMAP_CORE_MAP_ASSIGNMENT_H

#include "core/map/slots.h"

struct tmap_assignment {
	const struct tmap_slots *slots; /**< borrowed */
	int *slot_of;                   /**< [slots]: of each rank, then of each nobody */
	int *at;                        /**< [slots]: who is on each slot */
};

/** Nobody has a slot yet. */
int tmap_assignment_init(struct tmap_assignment *seating, const struct tmap_slots *slots,
			 struct tmap_error *err);
void tmap_assignment_fini(struct tmap_assignment *seating);

/** Everyone takes the slots of a permutation [slots]. */
void tmap_assignment_set(struct tmap_assignment *seating, const int *slot_of);

/** The two change places. */
void tmap_assignment_swap(struct tmap_assignment *seating, int a, int b);

/** May the two change places, all that is asked being respected before? Each on its slot. O(1). */
bool tmap_assignment_may_swap(const struct tmap_slots *slots, int a, int slot_a, int b, int slot_b);

/** Bring ranks to the slots that they must have, and the ranks of each group to one node: to
 *  that of a member that must be there, else to the one with the most members that has room,
 *  large groups first. Everyone else moves only to make room. Refuses (TMAP_INPUT) groups that
 *  do not fit, as far as a bounded search can tell. O(slots + N), for groups with as much
 *  again for each. */
int tmap_assignment_resolve(struct tmap_assignment *seating, struct tmap_error *err);

#endif
