/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: Luebbe 2017, section 3.2, by hand; binomials in whole numbers.
 */
#include "core/measure/slowdown.h"

#include "core/base/random.h"
#include "core/measure/sample_statistics.h"
#include "tests/unit.h"

#include <math.h>

enum { RUNS = 30 };

static struct tmap_error err;
static const struct tmap_slowdown_rule rule = { .p = 0.001, .ratio = 1.03 };

static struct tmap_slowdown slowdown_of(const double *a, const double *b, int count)
{
	struct tmap_slowdown it;

	ck_assert_int_eq(tmap_slowdown_init(&it, a, count, b, count, &rule, &err), 0);
	return it;
}

/* Medians of launches: noise of 2 % above a base. */
static void runs_fill(double *run, double base, uint64_t seed)
{
	struct tmap_random random = { seed };

	for (int i = 0; i < RUNS; i++)
		run[i] = base * (1 + 0.00002 * (double)tmap_random_below(&random, 1000));
}

START_TEST(one_that_is_five_percent_slower_is_found)
{
	double a[RUNS], b[RUNS];
	struct tmap_slowdown it;

	runs_fill(a, 10.5e-6, 1);
	runs_fill(b, 10e-6, 2);
	it = slowdown_of(a, b, RUNS);
	ck_assert(it.is_violated && it.is_decidable && it.is_exact);
	ck_assert_double_eq_tol(it.ratio, 1.05, 0.01);
	it = slowdown_of(b, a, RUNS);
	ck_assert(!it.is_violated && it.p > 0.999);
}
END_TEST

START_TEST(a_difference_that_is_certain_but_small_is_none)
{
	double a[RUNS], b[RUNS];
	struct tmap_slowdown it;

	runs_fill(a, 10.25e-6, 1);
	runs_fill(b, 10e-6, 2);
	it = slowdown_of(a, b, RUNS);
	ck_assert(it.p < 0.001 && it.ratio > 1.01 && !it.is_violated);
}
END_TEST

START_TEST(two_of_the_same_are_not_told_apart)
{
	double a[RUNS], b[RUNS];

	for (uint64_t seed = 1; seed <= 50; seed++) {
		runs_fill(a, 10e-6, 2 * seed);
		runs_fill(b, 10e-6, 2 * seed + 1);
		ck_assert(!slowdown_of(a, b, RUNS).is_violated);
	}
}
END_TEST

/* A few launches that something else has disturbed move neither median nor verdict. */
START_TEST(disturbed_launches_are_no_violation)
{
	double a[RUNS], b[RUNS];

	runs_fill(a, 10e-6, 3);
	runs_fill(b, 10e-6, 4);
	for (int i = 0; i < 5; i++)
		a[i * 6] = 1e-3;
	ck_assert(!slowdown_of(a, b, RUNS).is_violated);
}
END_TEST

START_TEST(few_launches_decide_nothing)
{
	static const double a[] = { 20, 21, 22, 23, 24, 25, 26 },
			    b[] = { 10, 11, 12, 13, 14, 15, 16 };

	ck_assert(!slowdown_of(a, b, 6).is_violated && !slowdown_of(a, b, 6).is_decidable);
	ck_assert(slowdown_of(a, b, 7).is_violated && slowdown_of(a, b, 7).is_decidable);
}
END_TEST

START_TEST(the_number_of_launches_follows_from_binomials)
{
	uint64_t choices = 1; /* C(2n, n) */

	for (int n = 1; n <= 12; n++) {
		choices = choices * 2 * (2 * (uint64_t)n - 1) / (uint64_t)n;
		ck_assert_int_eq(tmap_slowdown_launches(1 / (double)choices), n);
		ck_assert_int_eq(tmap_slowdown_launches(1 / ((double)choices + 0.5)), n + 1);
	}
	ck_assert_int_eq(tmap_slowdown_launches(0.001), 7);
}
END_TEST

START_TEST(no_time_has_a_ratio_too)
{
	static const double none[] = { 0, 0 }, some[] = { 1, 1 };

	ck_assert_double_eq(slowdown_of(none, none, 2).ratio, 1);
	ck_assert(isinf(slowdown_of(some, none, 2).ratio));
	ck_assert_double_eq(slowdown_of(none, some, 2).ratio, 0);
}
END_TEST

/* 1 .. 9 have the quartiles 3 and 7 and the fences -3 and 13. */
START_TEST(the_median_without_outliers_drops_them)
{
	static const double value[] = { 900, 1, 2, 3, 4, 5, 6, 7, 8, 9, 800, 9 };
	double median;

	ck_assert_int_eq(tmap_median_without_outliers(&median, value + 1, 9, &err), 0);
	ck_assert_double_eq(median, 5);
	/* with 800 and 900 q1 is 3.75, q3 9, the upper fence 16.875 */
	ck_assert_int_eq(tmap_median_without_outliers(&median, value, 12, &err), 0);
	ck_assert_double_eq(median, 5.5);
	ck_assert_int_eq(tmap_median_without_outliers(&median, value, 1, &err), 0);
	ck_assert_double_eq(median, 900);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("slowdown");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, one_that_is_five_percent_slower_is_found);
	tcase_add_test(tc, a_difference_that_is_certain_but_small_is_none);
	tcase_add_test(tc, two_of_the_same_are_not_told_apart);
	tcase_add_test(tc, disturbed_launches_are_no_violation);
	tcase_add_test(tc, few_launches_decide_nothing);
	tcase_add_test(tc, the_number_of_launches_follows_from_binomials);
	tcase_add_test(tc, no_time_has_a_ratio_too);
	tcase_add_test(tc, the_median_without_outliers_drops_them);
	suite_add_tcase(suite, tc);
	return suite;
}
