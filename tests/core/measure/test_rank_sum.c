/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: all choices of a group enumerated one by one, by Mann and Whitney's count of pairs
 * instead of ranks; the permeability constants of Hollander and Wolfe (1973, p. 69) with the p that R's
 * wilcox.test(x, y, alternative = "greater") prints; Wilcoxon's published table (5 %, one-sided); random
 * choices where there are too many.
 */
#include "core/measure/rank_sum.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>

static struct tmap_error err;

static double pairs_won(const double *a, int a_count, const double *b, int b_count)
{
	double u = 0;

	for (int i = 0; i < a_count; i++)
		for (int k = 0; k < b_count; k++)
			u += a[i] > b[k] ? 1 : a[i] < b[k] ? 0 : 0.5;
	return u;
}

/* The part of all choices of a_count numbers from both groups that win as many pairs or more. */
static double enumerate(const double *all, int a_count, int b_count, double least)
{
	int count = a_count + b_count;
	double choices = 0, as_large = 0, a[20], b[20];

	for (unsigned set = 0; set < 1u << count; set++) {
		int as = 0, bs = 0;

		if (__builtin_popcount(set) != a_count)
			continue;
		for (int i = 0; i < count; i++)
			*(set >> i & 1 ? &a[as++] : &b[bs++]) = all[i];
		choices++;
		as_large += pairs_won(a, a_count, b, b_count) >= least;
	}
	return as_large / choices;
}

static void check_enumerated(int a_count, int b_count, uint64_t values, struct tmap_random *random)
{
	struct tmap_rank_sum test;
	double all[20], u;

	for (int i = 0; i < a_count + b_count; i++)
		all[i] = 0.25 * (double)tmap_random_below(random, values) +
			(i < a_count ? 0.25 * (double)(values / 4) : 0);
	u = pairs_won(all, a_count, all + a_count, b_count);
	ck_assert_int_eq(tmap_rank_sum_test(&test, all, a_count, all + a_count, b_count, &err), 0);
	ck_assert(test.is_exact);
	ck_assert_double_eq(test.u, u);
	ck_assert_double_eq_tol(test.p, enumerate(all, a_count, b_count, u), 1e-13);
}

START_TEST(p_is_the_part_of_all_choices)
{
	struct tmap_random random = { 17 };

	for (int a = 1; a <= 7; a++)
		for (int b = 1; b <= 7; b++)
			for (uint64_t values = 1; values <= 16; values *= 2)
				check_enumerated(a, b, values, &random);
}
END_TEST

START_TEST(p_is_the_part_of_all_choices_of_ten_and_ten)
{
	struct tmap_random random = { 4 };

	check_enumerated(10, 10, 2, &random);
	check_enumerated(10, 10, 9, &random);
	check_enumerated(10, 10, 100000, &random);
	check_enumerated(10, 9, 5, &random);
	check_enumerated(3, 10, 4, &random);
}
END_TEST

START_TEST(p_without_ties_is_that_of_r)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct tmap_rank_sum test;

	ck_assert_int_eq(tmap_rank_sum_test(&test, x, 10, y, 5, &err), 0);
	ck_assert_double_eq(test.u, 35);
	ck_assert_double_eq_tol(test.p, 0.1272, 0.00005);
}
END_TEST

/* p that u pairs or more are won of n * n, without ties. */
static double p_of(int n, int u)
{
	double a[20], b[20];
	struct tmap_rank_sum test;
	int left = u;

	/* a[i] is above left / (n - i) of the b, so that u pairs are won together */
	for (int i = 0; i < n; i++)
		b[i] = i + 1;
	for (int i = 0; i < n; i++) {
		int wins = left < n ? left : n;

		a[i] = wins + 0.5 + (i + 1) * 0.001;
		left -= wins;
	}
	ck_assert_int_eq(tmap_rank_sum_test(&test, a, n, b, n, &err), 0);
	ck_assert_double_eq(test.u, u);
	return test.p;
}

/* The largest U of the smaller side that is significant, for groups of n. */
START_TEST(critical_values_are_the_published_ones)
{
	static const int critical[] = {
		[3] = 0,   [4] = 1,   [5] = 4,   [6] = 7,    [7] = 11,   [8] = 15,
		[9] = 21,  [10] = 27, [11] = 34, [12] = 42,  [13] = 51,  [14] = 61,
		[15] = 72, [16] = 83, [17] = 96, [18] = 109, [19] = 123, [20] = 138
	};

	for (int n = 3; n <= 20; n++) {
		ck_assert_msg(p_of(n, n * n - critical[n]) <= 0.05, "%d", n);
		ck_assert_msg(p_of(n, n * n - critical[n] - 1) > 0.05, "%d", n);
	}
}
END_TEST

/* The part of that many random choices that win as many pairs or more. */
static double draw(double *all, int a_count, int b_count, double least, int draws)
{
	struct tmap_random random = { 9 };
	int as_large = 0, count = a_count + b_count;

	for (int d = 0; d < draws; d++) {
		for (int i = count - 1; i > 0; i--) {
			int k = (int)tmap_random_below(&random, (uint64_t)i + 1);
			double kept = all[i];

			all[i] = all[k];
			all[k] = kept;
		}
		as_large += pairs_won(all, a_count, all + a_count, b_count) >= least;
	}
	return (double)as_large / draws;
}

/* 20000 draws are right within 0.0142, four standard deviations. */
START_TEST(many_are_tested_by_the_normal_distribution)
{
	struct tmap_random random = { 5 };

	for (int shift = 0; shift <= 6; shift += 2) {
		double all[110];
		struct tmap_rank_sum test;

		for (int i = 0; i < 110; i++)
			all[i] = (double)tmap_random_below(&random, 40) + (i < 50 ? shift : 0);
		ck_assert_int_eq(tmap_rank_sum_test(&test, all, 50, all + 50, 60, &err), 0);
		ck_assert(!test.is_exact);
		ck_assert_double_eq_tol(test.p, draw(all, 50, 60, test.u, 20000), 0.0142);
	}
}
END_TEST

START_TEST(equal_numbers_refute_nothing)
{
	double a[60] = { 0 };
	struct tmap_rank_sum test;

	ck_assert_int_eq(tmap_rank_sum_test(&test, a, 30, a, 30, &err), 0);
	ck_assert_double_eq(test.p, 1);
	ck_assert_int_eq(tmap_rank_sum_test(&test, a, 60, a, 60, &err), 0);
	ck_assert_double_eq(test.p, 1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rank_sum");
	TCase *tc = tcase_create("all");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, p_is_the_part_of_all_choices);
	tcase_add_test(tc, p_is_the_part_of_all_choices_of_ten_and_ten);
	tcase_add_test(tc, p_without_ties_is_that_of_r);
	tcase_add_test(tc, critical_values_are_the_published_ones);
	tcase_add_test(tc, many_are_tested_by_the_normal_distribution);
	tcase_add_test(tc, equal_numbers_refute_nothing);
	suite_add_tcase(suite, tc);
	return suite;
}
