/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sum.h - counts that users can make as large as they like: bytes, messages, rounds.
 *
 *     over |= !tmap_sum_add(&bytes, tmap_sum_product(messages, size))      then refuse
 *
 * JSON's integers end at 2^63 - 1, and so do these: what is more is INT64_MAX, and never wraps.
 */
#ifndef TMAP_CORE_BASE_SUM_H
#define TMAP_CORE_BASE_SUM_H

#include <stdbool.h>
#include <stdint.h>

/** *sum += @p more, both at least 0; false, and *sum is INT64_MAX, where that does not fit. */
static inline bool tmap_sum_add(int64_t *sum, int64_t more)
{
	if (!__builtin_add_overflow(*sum, more, sum))
		return true;
	*sum = INT64_MAX;
	return false;
}

/** a * b, both at least 0; INT64_MAX where that does not fit. */
static inline int64_t tmap_sum_product(int64_t a, int64_t b)
{
	int64_t product;

	return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

#endif
