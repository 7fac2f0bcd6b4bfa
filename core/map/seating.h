/*
 * seating.h - a mapping as a permutation of all slots, made to respect what is asked.
 *
 *     slot_of    ranks 0 .. p-1, then as many nobodies as there are slots more than ranks
 *
 * So taking a free slot is changing places with a nobody, and every mapper, whatever it
 * does, hands out each slot once.
 */
#ifndef TM_SEATING_H
#define TM_SEATING_H

#include "core/map/slots.h"

struct tm_seating {
	const struct tm_slots *slots; /**< borrowed */
	int *slot_of;        /**< [slots]: of each rank, then of each nobody */
	int *at;             /**< [slots]: who is on each slot */
};

/** Nobody has a slot yet. */
int tm_seating_init(struct tm_seating *seating, const struct tm_slots *slots,
		    struct tm_error *err);
void tm_seating_fini(struct tm_seating *seating);

/** Everyone takes the slots of a permutation [slots]. */
void tm_seating_set(struct tm_seating *seating, const int *slot_of);

/** The two change places. */
void tm_seating_swap(struct tm_seating *seating, int a, int b);

/** May the two change places, all that is asked being respected before? Each on its slot. O(1). */
bool tm_seating_may_swap(const struct tm_slots *slots, int a, int slot_a, int b, int slot_b);

/** Bring ranks to the slots that they must have, and the ranks of each group to one node: to
 *  that of a member that must be there, else to the one with the most members that has room,
 *  large groups first. Everyone else moves only to make room. Refuses (TM_INPUT) groups that
 *  do not fit, as far as a bounded search can tell. O(slots + N), for groups with as much
 *  again for each. */
int tm_seating_settle(struct tm_seating *seating, struct tm_error *err);

#endif
