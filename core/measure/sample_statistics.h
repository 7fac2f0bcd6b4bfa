/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample_statistics.h - many times of the same thing in a few numbers, which no single time can spoil.
 *
 *      min    q1   median   q3                 max
 *       |-----[======|======]------|     o      o     o: outliers, more than 1.5 times the
 *                 (-----)                             length of the box away from it (Tukey)
 *            confidence interval
 *
 * Quartiles are those of type 7 (Hyndman and Fan 1996), which R, NumPy and spreadsheets take by
 * themselves. The interval holds the true median with at least 95 % probability, whatever the times
 * are distributed like: its ends are two of the times, the k-th smallest and the k-th largest, where
 * k - 1 or fewer of n throws of a coin are heads with a probability of at most 2.5 %. Below six times
 * there is none: from the shortest to the longest of n, the median is with 1 - 2^(1 - n).
 */
#ifndef TMAP_CORE_MEASURE_SAMPLE_STATISTICS_H
#define TMAP_CORE_MEASURE_SAMPLE_STATISTICS_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TMAP_COVERAGE 0.95 /**< the interval's probability, at least */

struct tmap_sample_statistics {
	double min, q1, median, q3, max, mean;
	bool has_interval;
	double low, high; /**< the interval's ends; 0 without one */
	int64_t outliers;
};

/** Of @p count > 0 finite numbers. O(count log count) time, a copy of them. */
int tmap_sample_statistics_init(struct tmap_sample_statistics *statistics, const double *value,
				size_t count, struct tmap_error *err);

/** *median = that of those of @p count > 0 finite numbers that are no outliers. */
int tmap_median_without_outliers(double *median, const double *value, size_t count,
				 struct tmap_error *err);

/** Sort numbers, the smallest first; and the median of @p count > 0 of them, which are sorted then. */
void tmap_numbers_sort(double *value, size_t count);
double tmap_numbers_median(double *value, size_t count);

/** The quantile @p at, from 0 to 1, of @p count > 0 numbers that rise. O(1). */
double tmap_quantile(const double *sorted, size_t count, double at);

/** The k of the interval, from 1; 0: so few have none. O(sqrt(count)). */
size_t tmap_interval_rank(size_t count);

/** The same for an interval that misses the median with a probability of 2 * @p tail at most. */
size_t tmap_interval_rank_of(size_t count, double tail);

/** The probability that the true median is between the shortest and the longest of @p count > 0
 *  times. */
double tmap_range_coverage(size_t count);

#endif
