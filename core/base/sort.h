/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sort.h - whole numbers in order, digit by digit: for lists too long for comparisons.
 */
#ifndef TMAP_CORE_BASE_SORT_H
#define TMAP_CORE_BASE_SORT_H

#include "core/base/error.h"

#include <stddef.h>
#include <stdint.h>

/** Ascending; none is negative. As much memory again; O(count x bytes of the largest). */
int tmap_sort_numbers(int64_t *number, size_t count, struct tmap_error *err);

#endif
