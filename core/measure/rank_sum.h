/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_sum.h - are the numbers of one group larger than those of another? Wilcoxon's rank sum test,
 * one-sided, and exact with ties too.
 *
 *     a  3.1  2.8  3.1        in order   2.5  2.8  3.1  3.1  3.1
 *     b  2.5  3.1             ranks        1    2    4    4    4     equal ones share their mean
 *                                               a    a    a          sum of a: 10
 *
 *     p = of all ways to choose as many ranks as a has, the part whose sum is as large or larger
 *
 * The ways are counted, not listed: how many choose k of the first i ranks with sum s follows from
 * the ranks before. R's wilcox.test() is exact only without ties; both agree there.
 */
#ifndef TMAP_CORE_MEASURE_RANK_SUM_H
#define TMAP_CORE_MEASURE_RANK_SUM_H

#include "core/base/error.h"

#include <stdbool.h>

/** So many numbers together are tested exactly; more by the normal distribution. */
enum { TMAP_RANK_SUM_EXACT = 100 };

struct tmap_rank_sum {
	double u; /**< Mann and Whitney's: pairs in which a's is larger; equal ones count half */
	double p; /**< of u or more, if both are of the same distribution */
	bool is_exact;
};

/** Of a_count > 0 and b_count > 0 finite numbers. Exact: O(n^3 a_count) for n of
 *  both together; else O(n log n), with the correction for ties and half a pair's continuity. */
int tmap_rank_sum_test(struct tmap_rank_sum *test, const double *a, int a_count, const double *b,
		       int b_count, struct tmap_error *err);

#endif
