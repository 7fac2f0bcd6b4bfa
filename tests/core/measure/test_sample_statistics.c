/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the published table of the sign test; Pascal's triangle in whole numbers; quartiles that
 * were computed by hand from the definition of type 7, and Tukey's fences from them; a literal selection by counting.
 */
#include "core/measure/sample_statistics.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

/* Two-sided, 5 %: the largest number of signs that still refutes, from n on (any textbook). */
START_TEST(the_interval_is_that_of_the_sign_test)
{
	static const int first[] = { 6,  9,  12, 15, 17, 20, 23, 25, 28,
				     30, 33, 35, 37, 40, 42, 44, 47, 49 };
	size_t row = 0, rows = sizeof first / sizeof *first;

	for (size_t n = 1; n <= 50; n++) {
		while (row < rows && n >= (size_t)first[row])
			row++;
		ck_assert_msg(tmap_interval_rank(n) == row, "%zu: %zu, not %zu", n,
			      tmap_interval_rank(n), row);
	}
}
END_TEST

START_TEST(the_interval_is_that_of_pascals_triangle)
{
	enum { MOST = 60 };
	uint64_t row[MOST + 1] = { 1 };

	for (size_t n = 1; n <= MOST; n++) {
		uint64_t sum = 0, all = UINT64_C(1) << n;
		size_t k = 0;

		for (size_t i = n; i > 0; i--)
			row[i] += row[i - 1];
		while ((sum + row[k]) * 40 <= all)
			sum += row[k++];
		ck_assert_msg(tmap_interval_rank(n) == k, "%zu: %zu, not %zu", n,
			      tmap_interval_rank(n), k);
	}
}
END_TEST

/* There the normal distribution is exact enough: n/2 - 0.98 sqrt(n). */
START_TEST(the_interval_of_many_is_the_normal_one)
{
	for (size_t n = 10000; n <= 100000000; n *= 10) {
		double wanted = (double)n / 2 - 1.959964 / 2 * sqrt((double)n);

		ck_assert_double_eq_tol((double)tmap_interval_rank(n), wanted, 1.5);
	}
}
END_TEST

START_TEST(quartiles_are_of_type_7)
{
	static const struct {
		size_t count;
		double value[12], q1, median, q3;
	} cases[] = {
		{ 1, { 7 }, 7, 7, 7 },
		{ 2, { 4, 2 }, 2.5, 3, 3.5 },
		{ 3, { 9, 1, 5 }, 3, 5, 7 },
		{ 4, { 4, 1, 3, 2 }, 1.75, 2.5, 3.25 },
		{ 10, { 10, 1, 9, 2, 8, 3, 7, 4, 6, 5 }, 3.25, 5.5, 7.75 },
		{ 11, { 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56 }, 5.5, 16, 33 },
		{ 5, { 2, 2, 2, 2, 2 }, 2, 2, 2 },
	};
	struct tmap_sample_statistics it;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_int_eq(
			tmap_sample_statistics_init(&it, cases[i].value, cases[i].count, &err), 0);
		ck_assert_double_eq_tol(it.q1, cases[i].q1, 1e-12);
		ck_assert_double_eq_tol(it.median, cases[i].median, 1e-12);
		ck_assert_double_eq_tol(it.q3, cases[i].q3, 1e-12);
		ck_assert_int_eq(it.outliers, 0);
	}
}
END_TEST

/* The box of the first two is 2.25 .. 4.75, so the fences are -1.5 and 8.5. */
START_TEST(outliers_are_beyond_the_fences)
{
	static const double value[] = { 1, 2, 3, 4, 5, 8.5 }, far[] = { 1, 2, 3, 4, 5, 8.51 },
			    both[] = { -90, 1, 2, 3, 4, 5, 6, 7, 90 };
	struct tmap_sample_statistics it;

	ck_assert_int_eq(tmap_sample_statistics_init(&it, value, 6, &err), 0);
	ck_assert_double_eq_tol(it.q1, 2.25, 1e-12);
	ck_assert_double_eq_tol(it.q3, 4.75, 1e-12);
	ck_assert_int_eq(it.outliers, 0);
	ck_assert_int_eq(tmap_sample_statistics_init(&it, far, 6, &err), 0);
	ck_assert_int_eq(it.outliers, 1);
	ck_assert_int_eq(tmap_sample_statistics_init(&it, both, 9, &err), 0);
	ck_assert_int_eq(it.outliers, 2);
}
END_TEST

/* How many are below a number, by looking at all of them. */
static size_t count_below(const double *value, size_t count, double number)
{
	size_t below = 0;

	for (size_t i = 0; i < count; i++)
		below += value[i] < number;
	return below;
}

START_TEST(ends_of_the_interval_are_order_statistics)
{
	struct tmap_random random = { .state = 7 };

	for (size_t count = 1; count < 200; count += 7) {
		double value[200], sum = 0;
		size_t k = tmap_interval_rank(count);
		struct tmap_sample_statistics it;

		for (size_t i = 0; i < count; i++) {
			value[i] = (double)(tmap_random_below(&random, 1000000) * 256 + i);
			sum += value[i];
		}
		ck_assert_int_eq(tmap_sample_statistics_init(&it, value, count, &err), 0);
		ck_assert(it.has_interval == (count >= 6));
		ck_assert_uint_eq(count_below(value, count, it.min), 0);
		ck_assert_uint_eq(count_below(value, count, it.max), count - 1);
		if (it.has_interval) {
			ck_assert_uint_eq(count_below(value, count, it.low), k - 1);
			ck_assert_uint_eq(count_below(value, count, it.high), count - k);
		}
		ck_assert_double_eq_tol(it.mean, sum / (double)count, it.max * 1e-12);
		ck_assert(it.min <= it.q1 && it.q1 <= it.median && it.median <= it.q3);
	}
}
END_TEST

/* Oracle: all signs of n differences from the median, counted. */
START_TEST(the_range_holds_the_median_unless_all_signs_are_alike)
{
	for (size_t n = 1; n < 16; n++) {
		unsigned all = 1u << n, mixed = 0;

		for (unsigned signs = 0; signs < all; signs++)
			mixed += signs != 0 && signs != all - 1;
		ck_assert_double_eq_tol(tmap_range_coverage(n), (double)mixed / all, 1e-12);
		ck_assert((tmap_range_coverage(n) >= TMAP_COVERAGE) == (tmap_interval_rank(n) > 0));
	}
}
END_TEST

/* One time in a thousand that is a million times as long moves the mean and nothing else. */
START_TEST(one_long_time_spoils_only_mean_and_maximum)
{
	double value[1000];
	struct tmap_sample_statistics clean, spoilt;

	for (int i = 0; i < 1000; i++)
		value[i] = 100 + i % 7;
	ck_assert_int_eq(tmap_sample_statistics_init(&clean, value, 1000, &err), 0);
	value[999] = 1e8;
	ck_assert_int_eq(tmap_sample_statistics_init(&spoilt, value, 1000, &err), 0);
	ck_assert_double_eq_tol(clean.median, spoilt.median, 1e-9);
	ck_assert_double_eq_tol(clean.q3, spoilt.q3, 1e-9);
	ck_assert_double_eq_tol(clean.high, spoilt.high, 1e-9);
	ck_assert_int_eq(spoilt.outliers, 1);
	ck_assert(spoilt.mean > 1000 * clean.mean / 2);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sample_statistics");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, the_interval_is_that_of_the_sign_test);
	tcase_add_test(tc, the_interval_is_that_of_pascals_triangle);
	tcase_add_test(tc, the_interval_of_many_is_the_normal_one);
	tcase_add_test(tc, quartiles_are_of_type_7);
	tcase_add_test(tc, outliers_are_beyond_the_fences);
	tcase_add_test(tc, ends_of_the_interval_are_order_statistics);
	tcase_add_test(tc, the_range_holds_the_median_unless_all_signs_are_alike);
	tcase_add_test(tc, one_long_time_spoils_only_mean_and_maximum);
	suite_add_tcase(suite, tc);
	return suite;
}
