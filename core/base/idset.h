/*
 * idset.h - a set of numbers as people write it: "0-3,8,10-12".
 *
 * Kept as sorted ranges that neither touch nor overlap, so a set of 11 million
 * consecutive ranks is one range. A zeroed struct is the empty set.
 */
#ifndef TM_IDSET_H
#define TM_IDSET_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tm_id_range {
	int first, last; /**< 0 <= first <= last */
};

struct tm_idset {
	int count;       /**< number of ranges */
	struct tm_id_range *range;
	size_t capacity;
};

void tm_idset_fini(struct tm_idset *set);

/** Add one number, or a range (0 <= first <= last). O(log ranges) at the end of the set, where
 *  sets are usually built; O(ranges) elsewhere. On failure the set is as it was. */
int tm_idset_add(struct tm_idset *set, int id, struct tm_error *err);
int tm_idset_add_range(struct tm_idset *set, int first, int last, struct tm_error *err);

/** The set that @p text says: numbers and ranges in any order, separated by commas, without
 *  blanks; "" is the empty set. Refuses anything else, naming the place in the text, and
 *  numbers above @p limit. *set must be empty; it is set only on success. */
int tm_idset_parse(struct tm_idset *set, const char *text, int limit, struct tm_error *err);

/** "0-3,8", the caller's to free; NULL with *err set. */
char *tm_idset_print(const struct tm_idset *set, struct tm_error *err);

/** A copy; *copy must be empty. */
int tm_idset_copy(struct tm_idset *copy, const struct tm_idset *set, struct tm_error *err);

/** Number of members. O(ranges). */
int64_t tm_idset_size(const struct tm_idset *set);

/** Smallest member above @p after (TM_NONE: smallest of all), or TM_NONE. O(log ranges):
 *      for (int id = tm_idset_next(set, TM_NONE); id != TM_NONE; id = tm_idset_next(set, id)) */
int tm_idset_next(const struct tm_idset *set, int after);

bool tm_idset_contains(const struct tm_idset *set, int id);
bool tm_idset_equal(const struct tm_idset *a, const struct tm_idset *b);

/** Is every member of @p part in @p whole? O(ranges of both). */
bool tm_idset_is_subset(const struct tm_idset *part, const struct tm_idset *whole);

#endif
