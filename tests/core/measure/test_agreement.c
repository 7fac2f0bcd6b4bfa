/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: textbook values (1 - 6 sum d^2 / (n (n^2 - 1)) without ties), and ranks that are counted
 * pair by pair, with halves for equals.
 */
#include "core/measure/agreement.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>

static struct tmap_error err;

START_TEST(without_ties_it_is_the_formula_of_squared_differences)
{
	static const double predicted[] = { 1, 2, 3, 4, 5 }, measured[] = { 2, 1, 4, 3, 9 };
	struct tmap_agreement it;

	ck_assert_int_eq(tmap_agreement_init(&it, predicted, measured, NULL, 5, &err), 0);
	ck_assert(it.has_rho);
	ck_assert_double_eq_tol(it.rho, 1 - 6.0 * 4 / (5 * 24), 1e-12);
	ck_assert_int_eq(it.first_choice, 0);
	ck_assert_int_eq(it.best, 1);
	ck_assert_double_eq_tol(it.regret, 2, 1e-12);
	ck_assert_double_eq_tol(it.ratio, 2, 1e-12);
}
END_TEST

START_TEST(the_other_way_round_is_minus_one)
{
	static const double predicted[] = { 1, 2, 3 }, measured[] = { 30, 20, 10 };
	struct tmap_agreement it;

	ck_assert_int_eq(tmap_agreement_init(&it, predicted, measured, NULL, 3, &err), 0);
	ck_assert_double_eq_tol(it.rho, -1, 1e-12);
	ck_assert_double_eq_tol(it.regret, 3, 1e-12);
	ck_assert_double_eq_tol(it.ratio, 30, 1e-12);
}
END_TEST

START_TEST(few_or_equal_ones_have_no_order)
{
	static const double same[] = { 4, 4, 4 }, rising[] = { 1, 2, 4 };
	struct tmap_agreement it;

	ck_assert_int_eq(tmap_agreement_init(&it, same, rising, NULL, 3, &err), 0);
	ck_assert(!it.has_rho);
	/* any of them may be taken, and no order of the lists makes the prediction look better */
	ck_assert_int_eq(it.first_choice, 2);
	ck_assert_double_eq_tol(it.regret, 4, 1e-12);
	ck_assert_int_eq(tmap_agreement_init(&it, rising, same, NULL, 2, &err), 0);
	ck_assert(!it.has_rho);
	ck_assert_double_eq_tol(it.ratio, 4, 1e-12);
}
END_TEST

static double counted_rank(const double *value, int count, int of)
{
	double rank = 0;

	for (int i = 0; i < count; i++)
		rank += value[i] < value[of] ? 1 : value[i] > value[of] ? 0 : 0.5;
	return rank;
}

START_TEST(ties_share_their_mean_rank)
{
	struct tmap_random random = { .state = 3 };

	for (int count = 3; count < 60; count++) {
		double a[60], b[60], sum[2] = { 0 }, both = 0, squares[2] = { 0 };
		struct tmap_agreement it;

		for (int i = 0; i < count; i++) {
			a[i] = 1 + (double)tmap_random_below(&random, 10);
			b[i] = 1 + (double)tmap_random_below(&random, 10);
		}
		for (int i = 0; i < count; i++) {
			sum[0] += counted_rank(a, count, i) / count;
			sum[1] += counted_rank(b, count, i) / count;
		}
		for (int i = 0; i < count; i++) {
			double x = counted_rank(a, count, i) - sum[0];
			double y = counted_rank(b, count, i) - sum[1];

			both += x * y;
			squares[0] += x * x;
			squares[1] += y * y;
		}
		ck_assert_int_eq(tmap_agreement_init(&it, a, b, NULL, count, &err), 0);
		hold(it.has_rho == (squares[0] > 0 && squares[1] > 0));
		if (it.has_rho)
			ck_assert_double_eq_tol(it.rho, both / sqrt(squares[0] * squares[1]), 1e-9);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("agreement");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, without_ties_it_is_the_formula_of_squared_differences);
	tcase_add_test(tc, the_other_way_round_is_minus_one);
	tcase_add_test(tc, few_or_equal_ones_have_no_order);
	tcase_add_test(tc, ties_share_their_mean_rank);
	suite_add_tcase(suite, tc);
	return suite;
}
