/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h - a collective algorithm as rounds of messages.
 *
 * An algorithm is a generator: it emits its messages to a visitor, one after another, and
 * nothing keeps them unless someone wants to see them. In a round every rank sends
 * from what it held when the round began.
 *
 *     allgather, sparbit, 5 ranks     round 0   0 -> 4 {0}
 *                                     round 1   0 -> 2 {0}    1 -> 3 {1}    2 -> 4 {2} ...
 *                                     round 2   0 -> 1 {0 3}  1 -> 2 {1 4} ...
 *
 * A schedule comes in one of two forms. Exact: every round by itself, with its units
 * (verification, drawing, export). Folded: rounds that have the same messages but for
 * which units they carry come once, with a count and their bytes added up, so that a
 * ring of 11 million ranks is 11 million messages and not 10^14. Both forms have the same
 * messages and bytes from each rank to each other. A visitor that takes shifts gets
 * that ring in one call: every rank to the next one.
 *
 *     call.h      collectives, calls, rows of algorithms, units
 *     message.h   messages and visitors
 *     emit.h      what generators emit with
 */
#ifndef TMAP_CORE_SCHEDULE_SCHEDULE_H
#define TMAP_CORE_SCHEDULE_SCHEDULE_H

#include "core/schedule/call.h"

/** Emit the schedule to a visitor. The call must have passed tmap_call_check(). */
int tmap_schedule(const struct tmap_call *call, struct tmap_visitor *visitor,
		  struct tmap_error *err);

/** The part of one rank: the messages that it sends and receives, rounds ascending, as the whole
 *  schedule has them. @p visitor must not be folded. Rows with by_rank take O(rounds + messages of
 *  the rank), as an executor needs it, which asks on every rank; others make the whole and leave
 *  out what is not the rank's. */
int tmap_schedule_rank(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		       struct tmap_error *err);

#endif
