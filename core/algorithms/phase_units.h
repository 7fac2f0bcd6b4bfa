/*
 * phase_units.h - from the units of an inner schedule to those of the call, for phase.c.
 */
#ifndef TM_ALGORITHMS_PHASE_UNITS_H
#define TM_ALGORITHMS_PHASE_UNITS_H

#include "core/algorithms/phase.h"

#include <stddef.h>

/** How much the seats of a phase have. */
struct tm_phase_units {
	const struct tm_call *call; /**< the outer one */
	const struct tm_phase *phase;
	enum tm_collective inner;
	bool is_vector;      /**< units of a team are pieces of its slice, not blocks of seats */
	/** [seats + teams]: seat i of team t has what lies between [start[t] + t + i] and the next;
	 *  bytes, or senders and receivers where the inner collective is alltoall. */
	int64_t *block, *receivers;
	int64_t *before;     /**< of the items that blocks list, each a piece of a vector: bytes of
				  those below item i; NULL where there are none */
	struct tm_run *run;  /**< of one message, units of the call */
	int run_count;
	size_t run_capacity;
};

/** O(seats + items that they list). */
int tm_phase_units_init(struct tm_phase_units *units, const struct tm_call *call,
			const struct tm_phase *phase, struct tm_error *err);
void tm_phase_units_fini(struct tm_phase_units *units);

/** What a team calls. True: its units are as large as that call says; false: only their numbers
 *  are right. O(size of the team). */
bool tm_phase_units_call(const struct tm_phase_units *units, int team, struct tm_call *inner);

/** Do the seats of two teams of one size, of no inner alltoall, have as much each? No, where it is
 *  not obvious. O(size of a team). */
bool tm_phase_units_are_alike(const struct tm_phase_units *units, int a, int b);

/** Of an alltoall: what its ranks have for each other. Borrowed from the units. */
struct tm_shares tm_phase_units_shares(const struct tm_phase_units *units, int team);

/** Bytes of what a message of the inner call carries. O(runs), a unit at a time where they have
 *  a stride or the inner collective is alltoall. */
int64_t tm_phase_units_weigh(const struct tm_phase_units *units, int team,
			     const struct tm_call *inner, const struct tm_message *message);

/** The units of the message into units->run. */
int tm_phase_units_map(struct tm_phase_units *units, int team, const struct tm_call *inner,
		       const struct tm_message *message, struct tm_error *err);

#endif
