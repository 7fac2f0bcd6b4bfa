/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_traffic.h - a record as what mappers take: its messages, and those of its collectives by
 * the algorithms that a library takes.
 *
 *     messages, one-sided calls, neighbors  ─► pattern
 *     collectives of MPI_COMM_WORLD         ─► calls, each as often as it was made
 *     those of other communicators          ─► pattern: their messages, by their ranks in the job
 */
#ifndef TMAP_CORE_RECORD_RECORD_TRAFFIC_H
#define TMAP_CORE_RECORD_RECORD_TRAFFIC_H

#include "core/library/library.h"
#include "core/machine/order.h"
#include "core/map/objective.h"
#include "core/record/record.h"

enum {
	TMAP_RECORD_CALLS_MOST = 64,        /**< of calls; what is more goes to the pattern */
	TMAP_RECORD_ENTRIES_MOST = 1 << 24, /**< of collectives in the pattern */
	TMAP_RECORD_PAIRS_MOST = 1 << 28,   /**< of ranks that send to each other */
};

/** Why a call of the record is not among its traffic. */
struct tmap_record_unknown {
	int call;        /**< of the record */
	const char *how; /**< what is known of the library's choice; NULL: too many messages */
};

struct tmap_record_traffic {
	bool has_pattern;
	struct tmap_pattern pattern;
	int call_count;
	struct tmap_call *call;       /**< [call_count] */
	double *weight;               /**< [call_count] */
	struct tmap_library_own *own; /**< [call_count] */
	struct tmap_metric metric;
	int as_launched; /**< calls in the pattern that would be planned anew in another order */
	int first_as_launched; /**< the first of them, of the record */
	int unknown_count;
	struct tmap_record_unknown *unknown; /**< [unknown_count] */
};

/** By library @p library, a row of tmap_libraries. The record must outlive it, and it stays where
 *  it is. O(p + entries + messages of the folded schedules), and of each communicator its ranks and
 *  the nodes. */
int tmap_record_traffic_init(struct tmap_record_traffic *it, const struct tmap_record *record,
			     int library, struct tmap_error *err);
void tmap_record_traffic_fini(struct tmap_record_traffic *it);

/** Pairs of a rank and one to whom it sends, in each way but by collectives. O(p). */
int64_t tmap_record_count_pairs(const struct tmap_record *record);

/** Add what ranks send, in all ways but by collectives, to a builder of as many. Refuses more than
 *  TMAP_RECORD_PAIRS_MOST. O(p + pairs). */
int tmap_record_add_sent(struct tmap_pattern_builder *b, const struct tmap_record *record,
			 struct tmap_error *err);

/** The library that is asked for (TMAP_NONE: none), else that of the record, else what
 *  tmap_library_pick() says of @p placement, on which the program is to run. */
struct tmap_library_pick tmap_record_library(int wanted, const struct tmap_record *record,
					     const struct tmap_placement *placement);

/** What library @p library makes of a call of the record, whose communicator has that order:
 *  @p call, whose size and metric are set, is filled in. 0; 1 where that is not known, choice->how
 *  being what is; -1 with *err set. */
int tmap_recorded_choose(struct tmap_call *call, struct tmap_library_choice *choice,
			 const struct tmap_recorded_call *recorded, const struct tmap_order *order,
			 int library, struct tmap_error *err);

/** Does the communicator have all ranks of the job in their order? */
bool tmap_recorded_is_world(const struct tmap_record *record, int communicator);

#endif
