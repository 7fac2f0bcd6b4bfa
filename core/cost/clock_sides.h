/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_sides.h - the ranks that have several messages in a round.
 *
 * A rank with one message each way is done with a message when that has come; one with several takes them
 * one after another, and what it has of them is added up in a side. Most ranks of a round have one: those of
 * a node that send to their leader have no side, the leader has. So each rank keeps what it does in the
 * round at hand and the number of its side, if any, in 4 bytes, and sides are as many as it takes:
 *
 *     rank      0           1      2      3        4           5
 *     mark      receives 1  sends  sends  sends    receives 2  sends     0 is where 1, 2, 3 send,
 *     side[]    rank 0, rank 4                                           4 where 5 does, and so on
 *
 * Where each rank has one partner each way at most, but messages are several to it, one after another
 * (sparbit_blocks), these are known from the one price that they have, and ranks have no sides: only their own
 * time for what they send and receive is added up.
 */
#ifndef TMAP_CORE_COST_CLOCK_SIDES_H
#define TMAP_CORE_COST_CLOCK_SIDES_H

#include "core/cost/clock.h"

/** Mark the ranks of the stretches begin .. end - 1, which are one round, and give those that have
 *  several messages each way a side. O(messages). */
int tmap_sides_find(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err);

/** Unmark them. O(messages), or O(p) where they are many. */
void tmap_sides_forget(struct tmap_clock *clock, size_t begin, size_t end);

/** So many messages have the stretches of a round. */
size_t tmap_round_count(const struct tmap_clock *clock, size_t begin, size_t end);

/** Are they at least an eighth of the ranks? Then going over all ranks costs less. */
bool tmap_round_is_wide(const struct tmap_clock *clock, size_t begin, size_t end);

/** What a mark has beside the number of a side, counted from 1. */
enum { TMAP_SIDE_SENDS = 1, TMAP_SIDE_RECEIVES = 2, TMAP_SIDE_SHIFT = 2 };

/** The side of a rank; NULL: it has one message each way, or none. */
static inline struct tmap_cost_side *tmap_side(const struct tmap_cost_room *room, int rank)
{
	uint32_t number = room->mark[rank] >> TMAP_SIDE_SHIFT;

	return number ? &room->side[number - 1] : NULL;
}

#endif
