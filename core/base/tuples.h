/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuples.h - distinct tuples of numbers, numbered in order of first appearance.
 *
 *     (3, 1), (3), (3, 1), (1, 3)   ->   0, 1, 0, 2
 */
#ifndef TMAP_CORE_BASE_TUPLES_H
#define TMAP_CORE_BASE_TUPLES_H

#include "core/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct tmap_tuples {
	int count;
	int64_t *value; /**< all tuples, one behind the other */
	size_t *begin;  /**< [count + 1]: where each begins */
	uint64_t *hash; /**< [count] */
	size_t value_capacity, begin_capacity, hash_capacity;
	int *bucket;         /**< open addressing: 1 + a number, or 0 */
	size_t bucket_count; /**< a power of two, at least twice the count; 0 while empty */
};

/** The number of a tuple, which is added if it is new; TMAP_NONE with *err set where memory is
 *  refused. O(length) expected. */
int tmap_tuples_intern(struct tmap_tuples *tuples, const int64_t *tuple, size_t length,
		       struct tmap_error *err);

/** As if there had been none; the memory is kept. */
void tmap_tuples_clear(struct tmap_tuples *tuples);
void tmap_tuples_fini(struct tmap_tuples *tuples);

#endif
