/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idset.h - a set of numbers as people write it: "0-3,8,10-12".
 *
 * Kept as sorted ranges that neither touch nor overlap, so a set of 11 million
 * consecutive ranks is one range. A zeroed struct is the empty set.
 */
#ifndef TMAP_CORE_BASE_IDSET_H
#define TMAP_CORE_BASE_IDSET_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_id_range {
	int first, last; /**< 0 <= first <= last */
};

struct tmap_idset {
	int count; /**< number of ranges */
	struct tmap_id_range *range;
	size_t capacity;
};

void tmap_idset_fini(struct tmap_idset *set);

/** Release @p count sets and the list that they stand in; NULL is accepted. */
void tmap_idset_free_list(struct tmap_idset *set, int count);

/** Add one number, or a range (0 <= first <= last). O(log ranges) at the end of the set, where
 *  sets are usually built; O(ranges) elsewhere. On failure the set is as it was. */
int tmap_idset_add(struct tmap_idset *set, int id, struct tmap_error *err);
int tmap_idset_add_range(struct tmap_idset *set, int first, int last, struct tmap_error *err);

/** The set that @p text describes: numbers and ranges in any order, separated by commas, without
 *  blanks; "" is the empty set. Refuses anything else, naming the place in the text, and
 *  numbers above @p limit. *set must be empty; it is set only on success. */
int tmap_idset_parse(struct tmap_idset *set, const char *text, int limit, struct tmap_error *err);

/** "0-3,8", the caller's to free; NULL with *err set. */
char *tmap_idset_print(const struct tmap_idset *set, struct tmap_error *err);

/** "0x10f", its members as bits; "0x0" where it is empty. The caller's. */
char *tmap_idset_print_mask(const struct tmap_idset *set, struct tmap_error *err);

/** A copy; *copy must be empty. */
int tmap_idset_copy(struct tmap_idset *copy, const struct tmap_idset *set, struct tmap_error *err);

/** Number of members. O(ranges). */
int64_t tmap_idset_size(const struct tmap_idset *set);

/** Smallest member above @p after (TMAP_NONE: smallest of all), or TMAP_NONE. O(log ranges):
 *      for (int id = tmap_idset_next(set, TMAP_NONE); id != TMAP_NONE;
 *           id = tmap_idset_next(set, id)) */
int tmap_idset_next(const struct tmap_idset *set, int after);

bool tmap_idset_contains(const struct tmap_idset *set, int id);
bool tmap_idset_equal(const struct tmap_idset *a, const struct tmap_idset *b);

/** Is every member of @p part in @p whole? O(ranges of both). */
bool tmap_idset_is_subset(const struct tmap_idset *part, const struct tmap_idset *whole);

#endif
