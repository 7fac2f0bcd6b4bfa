/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_traffic.h - a record as what mappers take: its messages, and those of its collectives by the
 * algorithms that a library takes.
 *
 *     messages                              ─► pattern
 *     collectives of MPI_COMM_WORLD         ─► calls, each as often as it was made
 *     those of other communicators          ─► pattern: their messages, by their ranks in the job
 */
#ifndef TMAP_CORE_RECORD_RECORD_TRAFFIC_H
#define TMAP_CORE_RECORD_RECORD_TRAFFIC_H

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
	struct tmap_call *call; /**< [call_count] */
	double *weight;         /**< [call_count] */
	struct tmap_metric metric;
	int unknown_count;
	struct tmap_record_unknown *unknown; /**< [unknown_count] */
};

/** By library @p library, a row of tmap_libraries. The record must outlive it, and it stays where it
 *  is. O(p + entries + messages of the folded schedules), and of each communicator its ranks and the
 *  nodes. */
int tmap_record_traffic_init(struct tmap_record_traffic *it, const struct tmap_record *record,
			     int library, struct tmap_error *err);
void tmap_record_traffic_fini(struct tmap_record_traffic *it);

/** In which order the ranks of a communicator fill their nodes: libraries choose by it. O(its ranks +
 *  nodes). */
int tmap_recorded_order(struct tmap_order *order, const struct tmap_record *record,
			int communicator, struct tmap_error *err);

/** Does the communicator have all ranks of the job in their order? */
bool tmap_recorded_is_world(const struct tmap_record *record, int communicator);

#endif
