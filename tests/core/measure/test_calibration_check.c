/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: verdicts of made-up times worked out by hand, and, for plans, the score itself: what is
 * planned is what it predicts best, and of the rest something slower, never more than ten times.
 */
#include "core/measure/calibration_check.h"

#include "core/base/mem.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void row_add(struct tmap_check_case *it, double predicted, double measured, double drift)
{
	it->row[it->count++] = (struct tmap_check_row){ .algorithm = tmap_strdup("a", &err),
							.predicted_s = predicted,
							.measured_s = measured,
							.drift = drift };
}

START_TEST(what_is_measured_within_two_percent_agrees_in_any_order)
{
	/* ranks by hand: measured 10, 10.1 | 20, 20.3 | 40; predicted 2 1 4 3 5 has no other pairs wrong */
	static const double predicted[] = { 2, 1, 4, 3, 5 };
	static const double measured[] = { 10, 10.1, 20, 20.3, 40 };
	/* and one pair that is not alike: 1 - 6 * 2 / (3 * 8) */
	static const double swapped[] = { 2, 1, 3 }, apart[] = { 10, 10.3, 20 };
	double rho;

	ck_assert_int_eq(tmap_agreement_even(&rho, predicted, measured, NULL, 5, &err), 0);
	ck_assert_double_eq_tol(rho, 1, 1e-12);
	ck_assert_int_eq(tmap_agreement_even(&rho, swapped, apart, NULL, 3, &err), 0);
	ck_assert_double_eq_tol(rho, 0.5, 1e-12);
}
END_TEST

START_TEST(a_chain_of_near_times_ends_two_percent_after_its_first)
{
	/* 100, 101.5 | 103, 104.5: 103 is within 2 % of 101.5, but not of 100. Predicted the other way
	   round: ranks 0.5 0.5 2.5 2.5 against 2.5 2.5 0.5 0.5 */
	static const double predicted[] = { 4, 3, 2, 1 }, measured[] = { 100, 101.5, 103, 104.5 };
	double rho;

	ck_assert_int_eq(tmap_agreement_even(&rho, predicted, measured, NULL, 4, &err), 0);
	ck_assert_double_eq_tol(rho, -1, 1e-12);
}
END_TEST

START_TEST(where_all_are_alike_any_order_agrees_and_no_order_agrees_with_none)
{
	static const double rising[] = { 1, 2, 3 }, near[] = { 10, 10.1, 10.05 },
			    same[] = { 1, 1, 1 };
	double rho;

	ck_assert_int_eq(tmap_agreement_even(&rho, rising, near, NULL, 3, &err), 0);
	ck_assert_double_eq_tol(rho, 1, 1e-12);
	ck_assert_int_eq(tmap_agreement_even(&rho, same, rising, NULL, 3, &err), 0);
	ck_assert_double_eq_tol(rho, 0, 1e-12);
}
END_TEST

START_TEST(the_verdict_is_what_one_adds_up_by_hand)
{
	struct tmap_check check = { .count = 4 };
	struct tmap_check_verdict is;

	/* rho 1, regret 1, ratio 2 */
	row_add(&check.item[0], 1, 2, 0.2);
	row_add(&check.item[0], 2, 3, 0);
	row_add(&check.item[0], 3, 4, 0);
	/* rho -1, regret 4, ratio 4: the first choice takes 4 where the best takes 1 */
	row_add(&check.item[1], 1, 4, 0);
	row_add(&check.item[1], 2, 2, 0);
	row_add(&check.item[1], 3, 1, 0);
	/* two have no rho; regret 1.04 is near */
	row_add(&check.item[2], 10, 10.4, 0);
	row_add(&check.item[2], 11, 10, 0.3);
	/* not all of it was measured: it does not count, nor does its drift */
	row_add(&check.item[3], 1, 9, 0.5);
	row_add(&check.item[3], 2, 0, 0);
	ck_assert_int_eq(tmap_check_judge(&check, &is, &err), 0);
	ck_assert_int_eq(is.cases, 3);
	ck_assert_int_eq(is.algorithms, 8);
	ck_assert_int_eq(is.rho_cases, 2);
	ck_assert_double_eq_tol(is.rho, 0, 1e-12);
	ck_assert_double_eq_tol(is.regret, cbrt(4 * 1.04), 1e-12);
	ck_assert_double_eq_tol(is.worst_regret, 4, 1e-12);
	ck_assert_int_eq(is.worst, 1);
	ck_assert_int_eq(is.near, 2);
	ck_assert_double_eq_tol(is.ratio, 4, 1e-12);
	ck_assert_int_eq(is.drifting, 2);
	ck_assert_int_eq(check.item[1].first, 0);
	ck_assert_int_eq(check.item[1].best, 2);
	ck_assert(!check.item[3].counts);
	tmap_check_fini(&check);
}
END_TEST

START_TEST(times_are_alike_where_each_is_in_the_interval_of_the_other)
{
	/* predicted 2 1 3; 10 and 12 are alike only if both intervals have the other */
	static const double predicted[] = { 2, 1, 3 }, measured[] = { 10, 12, 20 };
	static const struct {
		struct tmap_measured_interval interval[3];
		double rho;
	} rows[] = {
		{ { { 9, 12.5 }, { 9.5, 13 }, { 19, 21 } }, 1 },
		{ { { 9, 12 }, { 10, 13 }, { 19, 21 } }, 1 },
		{ { { 9, 12.5 }, { 10.1, 13 }, { 19, 21 } }, 0.5 }, /* they overlap, no more */
		{ { { 9, 11.9 }, { 9.5, 13 }, { 19, 21 } }, 0.5 },
		{ { { 0, 0 }, { 9.5, 13 }, { 0, 0 } }, 0.5 }, /* not known */
	};
	static const struct tmap_measured_interval wide[] = { { 9, 21 }, { 9, 21 }, { 9, 21 } };
	double rho;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		ck_assert_int_eq(
			tmap_agreement_even(&rho, predicted, measured, rows[i].interval, 3, &err),
			0);
		ck_assert_double_eq_tol(rho, rows[i].rho, 1e-12);
		ck_assert(!tmap_agreement_is_even(measured, rows[i].interval, 3));
	}
	ck_assert(tmap_agreement_is_even(measured, wide, 3));
	ck_assert(!tmap_agreement_is_even(measured, NULL, 3));
}
END_TEST

START_TEST(a_first_choice_that_may_be_the_best_is_tied_and_not_near)
{
	struct tmap_check check = { .count = 3 };
	struct tmap_check_verdict is;

	/* 12 is chosen, 10 is best: tied */
	row_add(&check.item[0], 1, 12, 0);
	row_add(&check.item[0], 2, 10, 0);
	check.item[0].row[0].interval = (struct tmap_measured_interval){ 9.5, 13 };
	check.item[0].row[1].interval = (struct tmap_measured_interval){ 9, 12.5 };
	/* within 5 %: near, and no more than that */
	row_add(&check.item[1], 1, 10.4, 0);
	row_add(&check.item[1], 2, 10, 0);
	check.item[1].row[0].interval = check.item[1].row[1].interval =
		(struct tmap_measured_interval){ 9, 11 };
	/* neither: the interval of the first choice does not have the best */
	row_add(&check.item[2], 1, 12, 0);
	row_add(&check.item[2], 2, 10, 0);
	check.item[2].row[0].interval = (struct tmap_measured_interval){ 11, 13 };
	check.item[2].row[1].interval = (struct tmap_measured_interval){ 9, 12.5 };
	ck_assert_int_eq(tmap_check_judge(&check, &is, &err), 0);
	ck_assert_int_eq(is.cases, 3);
	ck_assert_int_eq(is.near, 1);
	ck_assert_int_eq(is.tied, 1);
	ck_assert_double_eq_tol(is.worst_regret, 1.2, 1e-12);
	tmap_check_fini(&check);
}
END_TEST

START_TEST(without_a_case_that_counts_nothing_is_claimed)
{
	struct tmap_check check = { .count = 1 };
	struct tmap_check_verdict is;

	row_add(&check.item[0], 1, 1, 0);
	ck_assert_int_eq(tmap_check_judge(&check, &is, &err), 0);
	ck_assert_int_eq(is.cases, 0);
	ck_assert_int_eq(is.worst, TMAP_NONE);
	ck_assert_double_eq(is.rho, 0);
	ck_assert_double_eq(is.regret, 0);
	tmap_check_fini(&check);
}
END_TEST

START_TEST(a_row_that_goes_leaves_the_others_in_order)
{
	struct tmap_check check = { .count = 1 };

	for (int i = 0; i < 4; i++)
		row_add(&check.item[0], i + 1, 1, 0);
	tmap_check_remove_row(&check.item[0], 1);
	ck_assert_int_eq(check.item[0].count, 3);
	ck_assert_double_eq(check.item[0].row[1].predicted_s, 3);
	ck_assert_double_eq(check.item[0].row[2].predicted_s, 4);
	tmap_check_fini(&check);
}
END_TEST

START_TEST(memory_bounds_what_is_sent_and_received)
{
	ck_assert_int_eq(tmap_check_most_bytes(TMAP_ALLTOALL, 16, 3200), 100);
	ck_assert_int_eq(tmap_check_most_bytes(TMAP_ALLGATHER, 15, 3200), 200);
	ck_assert_int_eq(tmap_check_most_bytes(TMAP_BCAST, 16, 3200), 1600);
	ck_assert_int_eq(tmap_check_most_bytes(TMAP_ALLTOALL, 2000000000, INT64_C(1) << 30), 0);
}
END_TEST

static struct tmap_placement job(int nodes, int cores)
{
	const struct test_level level[] = { { TMAP_CORE, cores }, { 0 } };
	struct tmap_placement placement;

	placement_block_take(&placement, machine_regular(nodes, level));
	return placement;
}

/* By the published profile that is the preset, with a GiB for each rank. */
static void plan(struct tmap_check *check, const struct tmap_placement *placement, double seconds,
		 uint64_t seed)
{
	const struct tmap_check_request request = { tmap_profile_at(0), seconds, seed,
						    INT64_C(1) << 30 };

	ck_assert_msg(tmap_check_plan(check, placement, &request, &err) == 0, "%s", err.text);
}

/* How many rows of the whole score are predicted faster than the first, and the slowest allowed. */
static void case_check(const struct tmap_check_case *it, const struct tmap_placement *placement)
{
	struct tmap_score_request request = { .collective = it->collective,
					      .bytes = it->bytes,
					      .profile = tmap_profile_at(0) };
	struct tmap_score score;
	int better = 0;

	if (tmap_collective_rows[it->collective].reduces)
		request.element = tmap_library_element(it->collective, it->bytes);
	ck_assert_int_eq(tmap_score_init(&score, placement, &request, &err), 0);
	ck_assert_str_eq(it->row[0].algorithm, score.row[0].name);
	for (int i = 0; i < it->count; i++) {
		ck_assert_double_ge(it->row[i].predicted_s, it->row[i ? i - 1 : 0].predicted_s);
		ck_assert_double_le(it->row[i].predicted_s, 10 * it->row[0].predicted_s);
		for (int k = 0; k < i; k++)
			ck_assert_str_ne(it->row[i].algorithm, it->row[k].algorithm);
	}
	/* whoever is faster than the fifth is one of them, or the third of three that are alike */
	for (int i = 0; i < score.applicable && it->count > 4; i++)
		better += score.row[i].seconds < it->row[4].predicted_s;
	for (int i = 0; i < better; i++) {
		int alike = 0;
		bool is_there = false;

		for (int k = 0; k < it->count; k++) {
			is_there = is_there || strcmp(it->row[k].algorithm, score.row[i].name) == 0;
			alike += fabs(it->row[k].predicted_s / score.row[i].seconds - 1) <= 2e-3;
		}
		ck_assert(is_there || alike >= 2);
	}
	tmap_score_fini(&score);
}

START_TEST(a_plan_has_the_best_predicted_of_twenty_cases_and_some_others)
{
	struct tmap_placement placement = job(4, 4);
	struct tmap_check check;

	plan(&check, &placement, 100, 7);
	ck_assert_int_eq(check.count, TMAP_CHECK_CASES);
	for (int c = 0; c < check.count; c++) {
		const struct tmap_check_case *it = &check.item[c];

		ck_assert_int_ge(it->bytes, 64);
		ck_assert_int_le(it->bytes, 1 << 20);
		ck_assert_int_eq(it->bytes % 8, 0);
		if (c % TMAP_CHECK_SIZES)
			ck_assert_int_gt(it->bytes, check.item[c - 1].bytes);
		case_check(it, &placement);
	}
	tmap_check_fini(&check);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(a_plan_is_the_same_for_the_same_seed_and_another_for_another)
{
	struct tmap_placement placement = job(2, 4);
	struct tmap_check first, again, other;
	int differ = 0;

	plan(&first, &placement, 100, 1);
	plan(&again, &placement, 100, 1);
	plan(&other, &placement, 100, UINT64_MAX);
	ck_assert_int_eq(first.count, again.count);
	for (int c = 0; c < first.count; c++) {
		ck_assert_int_eq(first.item[c].bytes, again.item[c].bytes);
		ck_assert_int_eq(first.item[c].count, again.item[c].count);
		for (int i = 0; i < first.item[c].count; i++)
			ck_assert_str_eq(first.item[c].row[i].algorithm,
					 again.item[c].row[i].algorithm);
		differ += first.item[c].bytes != other.item[c].bytes;
	}
	ck_assert_int_gt(differ, 10);
	tmap_check_fini(&first);
	tmap_check_fini(&again);
	tmap_check_fini(&other);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(little_time_and_little_memory_make_sizes_small)
{
	struct tmap_placement placement = job(4, 4);
	struct tmap_check_request request = { tmap_profile_at(0), 100, 3, 1 << 16 };
	struct tmap_check check;
	double takes;

	/* a sixteenth rank's blocks of 64 KiB that are sent and received: 2 KiB */
	ck_assert_int_eq(tmap_check_plan(&check, &placement, &request, &err), 0);
	for (int c = 0; c < check.count; c++)
		if (check.item[c].collective == TMAP_ALLTOALL)
			ck_assert_int_le(check.item[c].bytes, 1 << 11);
	tmap_check_fini(&check);
	/* eight calls of each take no longer than twice a twentieth */
	plan(&check, &placement, 0.05, 3);
	ck_assert_int_gt(check.count, 0);
	for (int c = 0; c < check.count; c++) {
		takes = 0;
		for (int i = 0; i < check.item[c].count; i++)
			takes += 8 * check.item[c].row[i].predicted_s;
		ck_assert_double_le(takes, 0.05 / 10);
	}
	tmap_check_fini(&check);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(one_rank_has_nothing_to_choose)
{
	struct tmap_placement placement = job(1, 1);
	struct tmap_check check;

	plan(&check, &placement, 1, 1);
	ck_assert_int_eq(check.count, 0);
	tmap_placement_fini(&placement);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("calibration_check");
	TCase *c = tcase_create("calibration_check");

	tcase_add_test(c, what_is_measured_within_two_percent_agrees_in_any_order);
	tcase_add_test(c, a_chain_of_near_times_ends_two_percent_after_its_first);
	tcase_add_test(c, where_all_are_alike_any_order_agrees_and_no_order_agrees_with_none);
	tcase_add_test(c, the_verdict_is_what_one_adds_up_by_hand);
	tcase_add_test(c, times_are_alike_where_each_is_in_the_interval_of_the_other);
	tcase_add_test(c, a_first_choice_that_may_be_the_best_is_tied_and_not_near);
	tcase_add_test(c, without_a_case_that_counts_nothing_is_claimed);
	tcase_add_test(c, a_row_that_goes_leaves_the_others_in_order);
	tcase_add_test(c, memory_bounds_what_is_sent_and_received);
	tcase_add_test(c, a_plan_has_the_best_predicted_of_twenty_cases_and_some_others);
	tcase_add_test(c, a_plan_is_the_same_for_the_same_seed_and_another_for_another);
	tcase_add_test(c, little_time_and_little_memory_make_sizes_small);
	tcase_add_test(c, one_rank_has_nothing_to_choose);
	suite_add_tcase(suite, c);
	return suite;
}
