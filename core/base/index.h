/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.h - things numbered in order of appearance, found again by their hash.
 *
 *     hash of a thing ──► 7, 31        numbers of the things that have this hash
 *
 *     for (int i = tmap_index_first(&index, hash, &at); i != TMAP_NONE;
 *          i = tmap_index_next(&index, hash, &at))
 *             if (is_equal(&thing[i], wanted))
 *                     return i;
 *     return tmap_index_add(&index, hash, err);            the number of a new one
 *
 * The things are the caller's, in an array of its own. Hashes are those of core/base/hash.h.
 */
#ifndef TMAP_CORE_BASE_INDEX_H
#define TMAP_CORE_BASE_INDEX_H

#include "core/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct tmap_index {
	int count;      /**< things */
	uint64_t *hash; /**< [count] */
	size_t capacity;
	int *bucket;         /**< open addressing: a number, or TMAP_NONE */
	size_t bucket_count; /**< a power of two, at least twice the count; 0 while empty */
};

/** The number of a thing with that hash, of the first one and of the one after it; TMAP_NONE: there
 *  are no more. O(1) expected. */
int tmap_index_first(const struct tmap_index *index, uint64_t hash, size_t *at);
int tmap_index_next(const struct tmap_index *index, uint64_t hash, size_t *at);

/** One more: its number, or TMAP_NONE with *err set where memory is refused; then the index is as it
 *  was. O(1) expected. */
int tmap_index_add(struct tmap_index *index, uint64_t hash, struct tmap_error *err);

void tmap_index_fini(struct tmap_index *index);

#endif
