/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.h - a long array as a few runs that C can compute.
 *
 *     value(i) = first + i / divide % modulo        i counts from the start of the run
 *
 *     0 0 0 1 1 1 2 2 2      count 9, first 0, divide 3, modulo 3      ranks block by block
 *     0 1 2 0 1 2 0 1 2      count 9, first 0, divide 1, modulo 3      one by one
 *     7 7 7 7                count 4, first 7, divide 1, modulo 1
 */
#ifndef TMAP_CORE_GROUP_RUNS_H
#define TMAP_CORE_GROUP_RUNS_H

#include "core/base/error.h"

#include <stddef.h>

struct tmap_value_run {
	int count, first, divide, modulo;
};

/** The runs of @p count values, each as long as the one before leaves; *runs of them, the caller's
 *  to free. NULL with *err set. O(count). */
struct tmap_value_run *tmap_value_runs(const int *value, int count, size_t *runs,
				       struct tmap_error *err);

#endif
