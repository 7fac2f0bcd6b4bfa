/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_places.h - the communicators of a job that rules are made for.
 *
 *     8 ranks on 2 nodes     0 1 2 3 | 4 5 6 7
 *
 *     all ranks              0 1 2 3 4 5 6 7       8
 *     the ranks of a node    0 1 2 3               4     one for each number of ranks that nodes have
 *     one rank of each node  0 4                   2     the first ones
 *
 * and those that the user names; of a program whose record there is, those in which it calls collectives.
 * Libraries know communicators by their size: those of one size have
 * one list of rules between them.
 */
#ifndef TMAP_CORE_TUNE_TUNE_PLACES_H
#define TMAP_CORE_TUNE_TUNE_PLACES_H

#include "core/cost/cost.h"
#include "core/machine/levels.h"
#include "core/machine/order.h"
#include "core/measure/times.h"
#include "core/record/record.h"
#include "core/tune/rule_file.h"

/** Of so many numbers of ranks that nodes have, the most frequent ones, communicators are made. */
enum { TMAP_TUNE_NODE_SIZES = 8 };

/** Of a program those are made in whose collectives it was longest. */
enum { TMAP_TUNE_PROGRAM_MOST = 16 };

/** One of them, ready to be timed. */
struct tmap_tune_place {
	char *what; /**< "the ranks of a node", "row:4" */
	struct tmap_placement placement;
	struct tmap_levels levels;
	struct tmap_metric metric;
	struct tmap_cost_model model;
	int other_count;
	struct tmap_cost_model
		*other; /**< [other_count]: by the other published costs, where nobody said
					    whose to take; else none */
	struct tmap_order order;
	struct tmap_rule_comm comm;     /**< what rules know of it */
	const struct tmap_times *times; /**< measured on ranks that are as far apart, borrowed; NULL:
					     none */
	int communicator;               /**< of the record; TMAP_NONE: of no program */
	double weight[TMAP_COLLECTIVE_COUNT]; /**< in means over communicators of its size: 1, or
						   how long the program was in these calls */
};

struct tmap_tune_places {
	const struct tmap_placement *job;   /**< borrowed */
	const struct tmap_profile *profile; /**< borrowed */
	int left_out; /**< numbers of ranks of nodes that were too many, or communicators of a program
			   of sizes that none of these has */
	int untimed;     /**< more communicators of a program, of sizes that one of these has */
	bool is_program; /**< they are those of a program */
	int count;
	size_t capacity;
	struct tmap_tune_place **place;         /**< [count], of several ranks each, sizes rising */
	int64_t element[TMAP_COLLECTIVE_COUNT]; /**< bytes of an element, at least 1: 8 of what is
						     reduced, or, of a program, what its calls
						     have whole numbers of */
	int64_t most[TMAP_COLLECTIVE_COUNT]; /**< of a program the largest size that it calls; else
						     TMAP_TUNE_MOST */
};

/** Those that every job has. Both must outlive them. O(p), and a model of each. */
int tmap_tune_places_init(struct tmap_tune_places *places, const struct tmap_placement *job,
			  const struct tmap_profile *profile, struct tmap_error *err);
void tmap_tune_places_fini(struct tmap_tune_places *places);

/** Those on which a recorded program made blocking calls of collectives that rules choose for, weighted
 *  by the seconds in them, which are at least a nanosecond a call. Refuses (TMAP_INPUT) a record without
 *  any. */
int tmap_tune_places_init_record(struct tmap_tune_places *places, const struct tmap_record *record,
				 const struct tmap_profile *profile, struct tmap_error *err);

/** Can a rule choose for such calls, so that they count? */
bool tmap_tune_counts(const struct tmap_recorded_call *call);

/** The largest size that the program calls such collectives with, or the largest element of theirs, at least 8
 *  bytes and at most TMAP_TUNE_MOST of tuning.h. */
int64_t tmap_tune_record_most(const struct tmap_record *record);

/** Is the collective called on any of @p count places? Where there is no program it is. */
bool tmap_tune_is_called(struct tmap_tune_place *const *place, int count,
			 enum tmap_collective collective);

/** The part of the weights of @p count places that place @p i has, in calls of the collective; 0: nobody
 *  calls it there. */
double tmap_tune_share(struct tmap_tune_place *const *place, int count, int i,
		       enum tmap_collective collective);

/** Put those of one size whose ranks lie alike beside each other, for rules with ranges: any last. */
void tmap_tune_places_sort_by_spread(struct tmap_tune_places *places);

/** How many places from place @p at on have the same rules: those of one size, and, where @p by_spread, whose
 *  ranks lie alike (sorted so). */
int tmap_tune_places_alike(const struct tmap_tune_places *places, int at, bool by_spread);

/** One more, of these ranks in this order, unless there is one of the same ranks, or it is of one
 *  rank. */
int tmap_tune_places_add(struct tmap_tune_places *places, const char *what, const int *ranks,
			 int count, struct tmap_error *err);

/** Communicators whose ranks are as far apart as those of the times get them; they must outlive the
 *  places. Refuses (TMAP_INPUT) times of another library than row @p library, or of ranks that no
 *  communicator has, and second ones of a communicator. */
int tmap_tune_places_measure(struct tmap_tune_places *places, const struct tmap_times *times,
			     int library, struct tmap_error *err);

/** Has any of them got some? */
bool tmap_tune_places_are_measured(const struct tmap_tune_places *places);

#endif
