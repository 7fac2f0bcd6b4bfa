/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_choices.h - what can be chosen for a collective, and how long each takes on communicators.
 *
 *     binary              algorithm 5           a rule can say it
 *     binary              algorithm 5, 64 KiB   the same with segments, of several sizes
 *     distance_tree       -                     the library lacks it: what one misses
 *     own                 algorithm 0           what its fixed rules take, another one by size
 */
#ifndef TMAP_CORE_TUNE_TUNE_CHOICES_H
#define TMAP_CORE_TUNE_TUNE_CHOICES_H

#include "core/library/library.h"
#include "core/tune/rule_file.h"
#include "core/tune/tune_places.h"

struct tmap_tune_choice {
	struct tmap_spec spec;
	char *name;            /**< as tmap_spec_print() has it */
	struct tmap_rule rule; /**< where it is said by one */
};

/** Of one collective: first those that rules say. */
struct tmap_tune_choices {
	enum tmap_collective collective;
	int library;
	int64_t element; /**< bytes of an element, at least 1 */
	int root;        /**< of the calls that are timed: 0 of a search */
	int said, count;
	size_t capacity;
	struct tmap_tune_choice *choice; /**< [count] */
};

/** All rows of the catalogue that are tried, with their preset values; those that rules of
 *  @p library say also with segments and numbers of chains. */
int tmap_tune_choices_init(struct tmap_tune_choices *choices, int library,
			   enum tmap_collective collective, int64_t element,
			   struct tmap_error *err);
void tmap_tune_choices_fini(struct tmap_tune_choices *choices);

/** The one of this name among those that rules say, or (not @p said) among the others; TMAP_NONE: there
 *  is none. */
int tmap_tune_choices_find(const struct tmap_tune_choices *choices, const char *name, bool said);

/** The one that is said by such a rule, its bytes and note apart; TMAP_NONE: there is none. */
int tmap_tune_choices_find_rule(const struct tmap_tune_choices *choices,
				const struct tmap_rule *rule);

/** The same with what was measured of the library on any of the places, and a rule can say. */
int tmap_tune_choices_init_measured(struct tmap_tune_choices *choices, int library,
				    enum tmap_collective collective, int64_t element,
				    const struct tmap_tune_places *places, struct tmap_error *err);

/** *seconds = what choice @p i takes for so many bytes, the geometric mean over communicators of
 *  one size; INFINITY where it cannot run, or the library hands over to another one. */
int tmap_tune_choice_cost(double *seconds, const struct tmap_tune_choices *choices, int i,
			  struct tmap_tune_place *const *place, int count, int64_t bytes,
			  struct tmap_error *err);

/** Does it hold whatever the machine is: is there no published profile by which it takes longer than what the
 *  fixed rules take, by more than TMAP_TUNE_TOLERANCE? Where somebody said whose costs to take, it does. */
int tmap_tune_choice_check(bool *holds, const struct tmap_tune_choices *choices, int i,
			   struct tmap_tune_place *const *place, int count, int64_t bytes,
			   struct tmap_error *err);

/** The same of the algorithm of that name (tmap_call_parse()), whoever takes it. */
int tmap_tune_name_cost(double *seconds, const struct tmap_tune_choices *choices, const char *name,
			struct tmap_tune_place *const *place, int count, int64_t bytes,
			struct tmap_error *err);

/** The same of what the fixed rules of coll/tuned take, or, with @p by_itself, of what the library
 *  takes where nothing is set, which may be coll/han. INFINITY where that is not known. *name
 *  (NULL: not asked) is what they take, "" where it is not known, or not the same everywhere. */
int tmap_tune_own_cost(double *seconds, char name[TMAP_LIBRARY_ROOM],
		       const struct tmap_tune_choices *choices, bool by_itself,
		       struct tmap_tune_place *const *place, int count, int64_t bytes,
		       struct tmap_error *err);

#endif
