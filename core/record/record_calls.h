/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_calls.h - the collectives that a program was longest in: what the library makes of them, and how
 * long that takes by a cost profile.
 *
 *     allreduce   "grid"   8 bytes   1000 calls   0.75 s of 12.5 s   recursive_doubling   0.4 s predicted
 *                                                                    swing                0.3 s possible
 *
 * Recorded seconds have in them what ranks wait for each other before a call; predicted ones begin
 * when all have come.
 * What is possible is that for each kind of calls by itself: a setting is for all calls of a collective, and
 * is contested where these have different fastest algorithms.
 */
#ifndef TMAP_CORE_RECORD_RECORD_CALLS_H
#define TMAP_CORE_RECORD_RECORD_CALLS_H

#include "core/cost/profile.h"
#include "core/library/library.h"
#include "core/machine/levels.h"
#include "core/record/record.h"

enum {
	TMAP_RECORD_LONGEST = 10,          /**< calls that are looked at, at most */
	TMAP_RECORD_PREDICTED_MOST = 4096, /**< ranks of a communicator whose calls are timed */
	TMAP_RECORD_POSSIBLE_MOST = 512,   /**< the same by all algorithms */
};

struct tmap_record_longest {
	int call; /**< of the record */
	double share; /**< of the run, that the rank was in them that was longest; 0 of calls without times */
	char algorithm[TMAP_LIBRARY_ROOM]; /**< that the library takes; "": it is not known, as of calls
						that do not block, and of v and w forms */
	const char *how;                   /**< by which rule, or what else is known */
	double predicted_s;                /**< of all these calls; below 0: not predicted */
	double possible_s; /**< by the fastest that the library takes or can be set to; below 0: not asked */
	char *other;        /**< which is this, and not what it takes; NULL */
	char *knob, *scope; /**< how it is set to that, and what else that changes; NULL */
	bool is_contested;  /**< others of that collective are as fast as possible by another one */
};

/** What predictions go by; all borrowed. */
struct tmap_record_costs {
	struct tmap_library_pick library; /**< whose algorithms */
	const struct tmap_profile *profile;
	const struct tmap_levels *levels; /**< of the placement */
};

/** Why it is not known what a library takes for such a call on that communicator; NULL: it may be. */
const char *tmap_recorded_unknown(const struct tmap_recorded_call *call,
				  const struct tmap_recorded_communicator *on);

/** The calls of the record, [call_count], the caller's to free: those first in which some rank was longest,
 *  those without times by their bytes. O(n log n) for n calls. */
int *tmap_record_calls_by_time(const struct tmap_record *record, struct tmap_error *err);

void tmap_record_longest_fini(struct tmap_record_longest *it);

/** it[TMAP_RECORD_LONGEST], those first in which some rank was longest, those without times by their
 *  bytes; *count of them. O(n log n) for n calls, and for each that is listed what
 *  tmap_recorded_part_init(), tmap_cost() and tmap_score_init() take. Each is the caller's, also
 *  on failure. */
int tmap_record_longest_find(struct tmap_record_longest *it, int *count,
			     const struct tmap_record *record,
			     const struct tmap_record_costs *costs, struct tmap_error *err);

#endif
