/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_tuning.h - which calls coll/han of Open MPI is to have, and which coll/tuned with the rules of a search.
 *
 *     bcast, 16 ranks on 4 nodes     from 1 byte on    coll/tuned    binary: 3.1 us, coll/han 9.0 us
 *                                    from 20480        coll/han      40 us, binary 55 us
 *
 * Both are timed at 1, 2, 4, ... elements, and where the rules change; coll/han keeps a call, as it has it by
 * itself, unless coll/tuned is faster by more than 2 %, and the other way round. The size from which on that
 * is so is found by halving, exact to an element; where one of them is not known, nothing changes. What
 * coll/han does within nodes and between them is timed as by the fixed rules: it follows those of the search
 * for communicators of as many ranks, which are faster there.
 */
#ifndef TMAP_CORE_TUNE_HAN_TUNING_H
#define TMAP_CORE_TUNE_HAN_TUNING_H

#include "core/tune/tuning.h"

struct tmap_han_step {
	int64_t bytes; /**< as MPI counts them; 0 of the first one */
	bool is_tuned; /**< coll/tuned has the calls */
	int64_t shown; /**< a size within the step, at which the following is so */
	bool is_measured;
	int choice; /**< of coll/tuned there: of the choices, or TMAP_NONE: its fixed rules' */
	double tuned_s, han_s; /**< INFINITY: not known */
};

/** A collective on communicators of one size that coll/han takes. */
struct tmap_han_list {
	const struct tmap_tune_collective *collective; /**< of the tuning, borrowed; as the list */
	const struct tmap_tune_list *list;
	int place_count;
	struct tmap_tune_place **place; /**< [place_count]: those on which it does */
	int count;
	size_t capacity;
	struct tmap_han_step *step; /**< [count], at least one */
};

struct tmap_han_tuning {
	const struct tmap_tuning *tuning; /**< borrowed */
	int count;
	size_t capacity;
	struct tmap_han_list *list; /**< [count]: by collective and ranks, as the tuning has them */
};

/** Is there a collective that coll/han takes by itself, on any of the communicators? */
bool tmap_han_is_there(const struct tmap_tuning *tuning);

/** Two times of a call for each size that is looked at, and some ten for each step. */
int tmap_han_tuning_init(struct tmap_han_tuning *it, const struct tmap_tuning *tuning,
			 struct tmap_error *err);
void tmap_han_tuning_fini(struct tmap_han_tuning *it);

/** Does coll/tuned get any of its calls? */
bool tmap_han_list_changes(const struct tmap_han_list *list);

/** Does coll/han have such a call on one of the places? Of larger sizes than were looked at it keeps all. */
bool tmap_han_keeps(const struct tmap_han_tuning *it, const struct tmap_tune_collective *collective,
		    const struct tmap_tune_place *place, int64_t bytes);

#endif
