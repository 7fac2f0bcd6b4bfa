/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * standing.h - of many measured algorithms the few that somebody has to see.
 *
 *     bytes        8     1KiB   64KiB     best at   behind the best, in the mean
 *     bruck      1 us    2 us   80 us       2       x 1.1
 *     ring       9 us    9 us   60 us       1       x 3.4
 *     native     2 us    2 us   90 us       1       x 1.4     as fast as bruck at 1 KiB
 *     swing      3 us    4 us   90 us       0       x 2.1
 */
#ifndef TMAP_CORE_MEASURE_STANDING_H
#define TMAP_CORE_MEASURE_STANDING_H

#include "core/measure/measured.h"

struct tmap_standing {
	const char *name; /**< borrowed from an experiment */
	int sizes, best;  /**< at which it was measured, and of these was the fastest */
	double behind;    /**< mean of the logarithms of its times over those of the fastest */
};

/** *list = [*count], the caller's to free: those that are the fastest at more sizes first, then those
 *  that are less behind; what the library takes by itself ("native") is among the first
 *  @p most > 0, as it is what somebody has who chooses nothing. O(n log n) for n rows. */
int tmap_standings_make(struct tmap_standing **list, int *count,
			const struct tmap_measured *measured, int most, struct tmap_error *err);

#endif
