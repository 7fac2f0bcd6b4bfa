/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slowdown.h - a should not be slower than b: is it, as measured?
 *
 *     of each launch the median, without outliers       a  12.1  12.4  12.2 ...   b  9.8  9.9 ...
 *     a is slower than b by        ratio  1.24          the median of a's over the median of b's
 *     if they were alike, chance   p      0.00029       would give this or more (rank_sum.h)
 *     violated                     ratio >= 1.03 and p <= 0.001
 *
 * Both thresholds: a difference of 1 % can be certain and is not worth an alarm, one of 50 % among
 * two launches can be chance. (Luebbe 2017, section 3.2.)
 */
#ifndef TMAP_CORE_MEASURE_SLOWDOWN_H
#define TMAP_CORE_MEASURE_SLOWDOWN_H

#include "core/measure/correction.h"
#include "core/measure/rank_sum.h"

struct tmap_slowdown_rule {
	double p;                        /**< at most, between 0 and 1 */
	double ratio;                    /**< at least, above 0 */
	enum tmap_correction correction; /**< of many tests; one alone has none */
};

struct tmap_slowdown {
	double a_s, b_s; /**< medians of the launches' */
	double ratio;    /**< a_s / b_s; 1 where both are 0, infinite where b_s is */
	double p;
	bool is_exact;
	double smallest_p; /**< that so many launches can have */
	bool is_decidable; /**< so many launches can have a p that is small enough */
	bool is_violated;
};

/** Of the medians of a_count > 0 and b_count > 0 launches. Cost of tmap_rank_sum_test(). */
int tmap_slowdown_init(struct tmap_slowdown *slowdown, const double *a, int a_count,
		       const double *b, int b_count, const struct tmap_slowdown_rule *rule,
		       struct tmap_error *err);

/** Judge by an adjusted p, and what the smallest one would be. */
void tmap_slowdown_judge(struct tmap_slowdown *slowdown, double p, double smallest_p,
			 const struct tmap_slowdown_rule *rule);

/** How many launches of each there must be at least for a p that small: C(2n, n) >= 1 / p. */
int tmap_slowdown_launches(double p);

#endif
