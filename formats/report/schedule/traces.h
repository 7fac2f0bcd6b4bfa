/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traces.h - schedules for other programs: the traffic between ranks, and what simulators read.
 */
#ifndef TMAP_FORMATS_REPORT_SCHEDULE_TRACES_H
#define TMAP_FORMATS_REPORT_SCHEDULE_TRACES_H

#include "core/schedule/collect.h"

#include <stdio.h>

/** The traffic, summed over the rounds: from,to,messages,bytes with one heading line. */
int tmap_csv_write_flows(FILE *out, const struct tmap_collected_flow *flow, size_t count,
			 struct tmap_error *err);

/** SimGrid's time-independent trace of all ranks in one file. A round is its sends and receives,
 *  all begun, then all awaited; ranks wait for nothing else. What is reduced takes no time. */
int tmap_ti_write(FILE *out, const struct tmap_call *call, const struct tmap_collection *collection,
		  struct tmap_error *err);

/** The list of traces that smpirun -replay reads: the one that is called @p name. */
int tmap_ti_write_list(FILE *out, const char *name, struct tmap_error *err);

/** GOAL, the language of LogGOPSim: what a rank does in a round begins when all that it did in
 *  its round before is done. A message without bytes is written as one of a single byte. */
int tmap_goal_write(FILE *out, const struct tmap_call *call,
		    const struct tmap_collection *collection, struct tmap_error *err);

#endif
