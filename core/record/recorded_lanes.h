/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded_lanes.h - the collectives of a record over lanes: on what nodes and lanes their communicators
 * lie, what the library takes for them, and what the fastest form over lanes would take.
 *
 *     communicator 0    8 ranks    2 nodes, 4 ranks on each    decomposes
 *     communicator 3    4 ranks    1 node                      no lanes
 *
 *     bcast  communicator 0   4 KiB   10 calls   binary 58.2 us    lane 55.0 us    1.06 times as fast
 *     scan   communicator 3                                        not compared: all ranks are on one node
 *
 * Times are those of all calls that are alike, by a cost profile, and begin when all ranks have come. Recorded
 * ones have in them what ranks wait for each other.
 */
#ifndef TMAP_CORE_RECORD_RECORDED_LANES_H
#define TMAP_CORE_RECORD_RECORDED_LANES_H

#include "core/base/progress.h"
#include "core/cost/profile.h"
#include "core/library/library.h"
#include "core/record/record.h"

enum {
	TMAP_RECORDED_LANES_MOST = 64,         /**< kinds of calls that are timed */
	TMAP_RECORDED_LANES_RANKS_MOST = 4096, /**< of a communicator whose calls are */
	TMAP_RECORDED_LANES_PAIRS_MOST =
		1024, /**< the same where each rank sends to each: alltoall */
};

/** What is asked; all borrowed. */
struct tmap_recorded_lanes_request {
	int collective; /**< of enum tmap_collective: only calls that move data as it does; TMAP_NONE: all */
	int lanes;    /**< also this number of virtual lanes; TMAP_NONE: no other */
	int adapters; /**< so many on each node; TMAP_NONE: those that are known */
	struct tmap_library_pick library; /**< whose algorithms lanes are compared with */
	const struct tmap_profile *profile;
	struct tmap_progress *progress; /**< gets a report a kind of calls; NULL: nobody waits */
};

/** A communicator in nodes and lanes (core/group/lanes.h). */
struct tmap_recorded_lanes_place {
	int communicator; /**< of the record */
	int nodes;        /**< that hold its ranks */
	int ranks_min,
		ranks_max;   /**< of a node; there are as many lanes as the largest has ranks */
	int adapters;        /**< of the node with most of them; at least 1 */
	bool adapters_known; /**< they are in the placement, or were asked for */
	char *reason;        /**< why published lane collectives fall back on it; NULL: they work */
};

/** Calls that are alike, by the library and over lanes. */
struct tmap_recorded_lanes_call {
	int call;     /**< of the record */
	int place;    /**< of its communicator */
	double share; /**< of the run, that the rank was in them that was longest */
	char algorithm[TMAP_LIBRARY_ROOM]; /**< that the library takes */
	double own_s;                      /**< so, all of them */
	char *form;                        /**< the fastest over lanes: "lane,lanes=2" */
	double lane_s;                     /**< so, all of them */
};

/** Calls that are not compared, for one reason. */
struct tmap_recorded_lanes_left {
	char *reason;
	int kinds;
	int64_t calls;
	double seconds; /**< in them, of the mean rank of the job */
};

struct tmap_recorded_lanes {
	const struct tmap_record *record; /**< borrowed */
	struct tmap_recorded_lanes_request request;
	int place_count;
	struct tmap_recorded_lanes_place
		*place; /**< [place_count], as the record has them: those with
						      calls that count */
	int count;
	struct tmap_recorded_lanes_call
		*call; /**< [count], those first in which most time is gained */
	int tried; /**< kinds that were timed, also those of which it turned out that they cannot be */
	int left_count;
	struct tmap_recorded_lanes_left *left; /**< [left_count] */
	/* of those that are compared */
	int gaining;          /**< kinds that are faster over lanes */
	int64_t calls;        /**< each once for its communicator */
	double seconds;       /**< in them, of the mean rank of the job */
	double own_s, lane_s; /**< by the library, and over lanes where these are faster */
};

/** Compare the TMAP_RECORDED_LANES_MOST kinds in which some rank was longest. Refuses (TMAP_INPUT) a record
 *  without collectives, or without the one that is asked for, and a number of lanes that no communicator has.
 *  The record must outlive it. O(ranks of all communicators), and of each kind what tmap_forms_init()
 *  takes. */
int tmap_recorded_lanes_init(struct tmap_recorded_lanes *it, const struct tmap_record *record,
			     const struct tmap_recorded_lanes_request *request,
			     struct tmap_error *err);
void tmap_recorded_lanes_fini(struct tmap_recorded_lanes *it);

/** How many times as fast over lanes as by the library. */
double tmap_recorded_lanes_gain(const struct tmap_recorded_lanes_call *call);

#endif
