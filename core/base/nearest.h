/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nearest.h - "did you mean": the known word that a mistyped one is closest to.
 */
#ifndef TMAP_CORE_BASE_NEAREST_H
#define TMAP_CORE_BASE_NEAREST_H

#include <stddef.h>

struct tmap_nearest {
	const char *word; /**< what was typed; borrowed */
	size_t length;
	const char *best; /**< the closest word offered so far; NULL if none is close */
	size_t distance;  /**< only something closer than this is close */
};

/** Look for what is near the first @p length bytes of @p word: at most one slip of the
 *  fingers (a letter wrong, missing, added, or two swapped) for every three letters,
 *  and one in any word. */
void tmap_nearest_init(struct tmap_nearest *nearest, const char *word, size_t length);

/** Take @p candidate (borrowed) if it is closer than what was offered before.
 *  O(length * strlen(candidate)). */
void tmap_nearest_add(struct tmap_nearest *nearest, const char *candidate);

#endif
