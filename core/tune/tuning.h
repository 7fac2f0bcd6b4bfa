/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - which algorithm of a library is to be taken from which size on, on the communicators of
 * a job.
 *
 *     bcast, 8 ranks      from 1 byte on        its own: nothing is faster by more than 2 %
 *                         from 3217             knomial
 *                         from 151203           scatter_ring
 *
 * All that rules can say is timed at 1, 2, 4, 8, ... elements. Going up, what was chosen stays as long
 * as nothing is faster by more than 2 %; where something is, the first size from which on the new one
 * is, is found by halving, exact to an element. What is the fastest only between two of these sizes is
 * not seen; what takes four times as long as the fastest is not asked at the next three.
 *
 * Where times were measured (tune_times.h) these alone count, and a step begins and ends with them: then
 * something is faster where the intervals of both do not overlap, either. Where something is faster than
 * what was chosen, but nothing than the library's own, that is chosen.
 */
#ifndef TMAP_CORE_TUNE_TUNING_H
#define TMAP_CORE_TUNE_TUNING_H

#include "core/base/progress.h"
#include "core/tune/rule_collectives.h"
#include "core/tune/tune_choices.h"

/** What is no faster than by this changes nothing. */
#define TMAP_TUNE_TOLERANCE 1.02

/** The largest size that may be asked for, and that is looked at where none is. */
#define TMAP_TUNE_MOST (INT64_C(1) << 30)
#define TMAP_TUNE_PRESET (INT64_C(4) << 20)

/** Ranks of all communicators x choices of all collectives x sizes: what is more would take hours. */
#define TMAP_TUNE_WORK_MOST (INT64_C(1) << 28)

struct tmap_tune_request {
	int library;          /**< row of tmap_libraries, of Open MPI or MPICH */
	uint64_t collectives; /**< bit i: that of enum tmap_collective; 0: all that rules know */
	int64_t element;      /**< bytes of an element; 0: as the places have them */
	int64_t most;         /**< largest size that is timed, at least an element */
	bool as_called; /**< of a program's collectives, only up to the largest that it calls */
	struct tmap_progress *progress; /**< gets a report a list of rules, of the work; NULL: nobody
					  waits */
};

/** Where times are from. */
enum tmap_tune_source {
	TMAP_TUNE_PREDICTED,
	TMAP_TUNE_MEASURED,
	TMAP_TUNE_BETWEEN, /**< of two sizes that were measured */
};

/** From so many bytes of a call on. */
struct tmap_tune_step {
	int64_t bytes; /**< as MPI calls count them; of the first one an element */
	int choice;    /**< of the choices; TMAP_NONE: what the library takes by itself */
	int64_t shown; /**< a size within the step, at which the following is so */
	enum tmap_tune_source source; /**< of these; all sizes of a step are predicted, or none */
	double seconds;               /**< what is chosen */
	double own_s;                 /**< what the fixed rules take; INFINITY: that is not known */
	double itself_s;              /**< what the library takes where nothing is set; the same */
	double best_s;                /**< the fastest that no rule says */
	int best; /**< of the choices; TMAP_NONE: none is faster than what is chosen */
	char own[TMAP_LIBRARY_ROOM]; /**< what the fixed rules take; "": not known, or measured times
					  contradict */
};

/** The steps of a collective on the communicators of one size. */
struct tmap_tune_list {
	enum tmap_rule_unit unit;
	int ranks;
	int first_place, place_count; /**< those communicators, of the places */
	int measured; /**< choices that rules can say, of which there are measured times */
	int count;
	size_t capacity;
	struct tmap_tune_step *step; /**< [count], at least one; of scan, exscan and barrier one, for
					  all sizes */
};

struct tmap_tune_collective {
	struct tmap_tune_choices choices;
	int number;   /**< the library's */
	int64_t most; /**< largest size that is timed, at least an element */
	int count;
	struct tmap_tune_list *list; /**< [count], ranks rising; none of calls that MPICH composes */
};

struct tmap_tuning {
	const struct tmap_tune_places *places; /**< borrowed */
	struct tmap_tune_request request;
	int count;
	struct tmap_tune_collective *collective; /**< [count], numbers rising */
};

/** Search. Refuses (TMAP_INPUT) a job of one rank, collectives that no rules are for, sizes below an
 *  element, and more than TMAP_TUNE_WORK_MOST, before anything is timed. For each
 *  collective and size of communicators as many times of a schedule as there are choices (some ten to
 *  fifty) x doublings of the size, and two for each halving. */
int tmap_tuning_init(struct tmap_tuning *tuning, const struct tmap_tune_places *places,
		     const struct tmap_tune_request *request, struct tmap_error *err);
void tmap_tuning_fini(struct tmap_tuning *tuning);

/** Does it change anything of what the library takes by itself? */
bool tmap_tune_list_changes(const struct tmap_tune_list *list);

/** What its rules choose for a call of so many bytes, where sizes up to @p most were looked at; TMAP_NONE:
 *  the library's own. */
int tmap_tune_list_choice(const struct tmap_tune_list *list, int64_t most, int64_t bytes);

#endif
