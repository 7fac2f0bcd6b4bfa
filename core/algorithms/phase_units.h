/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase_units.h - from the units of an inner schedule to those of the call, for phase.c.
 */
#ifndef TMAP_CORE_ALGORITHMS_PHASE_UNITS_H
#define TMAP_CORE_ALGORITHMS_PHASE_UNITS_H

#include "core/algorithms/phase.h"

#include <stddef.h>

/** How much the members of a phase have. */
struct tmap_phase_units {
	const struct tmap_call *call; /**< the outer one */
	const struct tmap_phase *phase;
	enum tmap_collective inner;
	bool is_vector; /**< units of a team are pieces of its slice, not blocks of members */
	bool repeats;   /**< each team has the blocks of every other one */
	bool is_even; /**< that, or all members have as much: the sums of one team do for all, block[]
			     is that of the largest */
	/** [members + teams]: member i of team t has what lies between [start[t] + t + i] and the
	 *  next; bytes, or senders and receivers where the inner collective is alltoall. */
	int64_t *block, *receivers;
	uint64_t *before; /**< of the items that blocks list, each a piece of a vector: bytes of
				  those below item i, modulo 2^64, for the blocks of all members
				  may be more; NULL where there are none */
	/** Of the items that lists of an alltoall name: how many up to item i do not follow the one before
	 *  them; NULL where there are none. */
	int *block_breaks, *receiver_breaks;
	struct tmap_run *run; /**< of one message, units of the call */
	int run_count;
	size_t run_capacity;
};

/** O(members + items that they list). */
int tmap_phase_units_init(struct tmap_phase_units *units, const struct tmap_call *call,
			  const struct tmap_phase *phase, struct tmap_error *err);
void tmap_phase_units_fini(struct tmap_phase_units *units);

/** What a team calls. True: its units are as large as those of that call; false: only their numbers
 *  are right. O(size of the team). */
bool tmap_phase_units_call(const struct tmap_phase_units *units, int team, struct tmap_call *inner);

/** Do the members of two teams of one size, of no inner alltoall, have as much each? No, where it
 *  is not obvious. O(size of a team). */
bool tmap_phase_units_are_alike(const struct tmap_phase_units *units, int a, int b);

/** Has every unit of the call that a team makes (tmap_phase_units_call()) some bytes? No, where it is not
 *  obvious. O(size of the team). */
bool tmap_phase_units_are_filled(const struct tmap_phase_units *units, int team);

/** Of an alltoall: what its ranks have for each other. Borrowed from the units. */
struct tmap_shares tmap_phase_units_shares(const struct tmap_phase_units *units, int team);

/** Bytes of what a message of the inner call carries. O(runs), a unit at a time where they have
 *  a stride or the inner collective is alltoall. */
int64_t tmap_phase_units_weigh(const struct tmap_phase_units *units, int team,
			       const struct tmap_call *inner, const struct tmap_message *message);

/** Has it any? Of messages that nobody sees only that matters: it makes a round. */
bool tmap_phase_units_have_bytes(const struct tmap_phase_units *units, int team,
				 const struct tmap_call *inner, const struct tmap_message *message);

/** The units of the message into units->run. */
int tmap_phase_units_map(struct tmap_phase_units *units, int team, const struct tmap_call *inner,
			 const struct tmap_message *message, struct tmap_error *err);

#endif
