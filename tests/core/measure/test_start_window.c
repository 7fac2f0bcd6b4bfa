/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: ranks that are simulated here, each of which needs so long between two calls.
 */
#include "core/measure/start_window.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <string.h>

#define US 1e-6

enum { BATCH = 64 };

static struct tmap_error err;

/* A call of so long, and half as long again until the next start can be waited for; one of so many
 * loses the CPU for 5 ms. Tries in batches that grow until @p wanted count; how many batches. */
static int run(struct tmap_start_window *it, double call, int lost_in, int64_t wanted)
{
	struct tmap_random random = { .state = 3 };
	double took[BATCH], now = 0;
	int batches = 0;

	tmap_start_window_init(it);
	while (it->counted < wanted && batches < 20000) {
		struct tmap_start_outcome outcome[BATCH];
		size_t next = (size_t)it->counted / 4 + 1;
		double first = now + it->lead_s, ready = now + 30 * US;

		next = next < BATCH ? next : BATCH;
		for (size_t i = 0; i < next; i++) {
			double start = first + (double)i * it->length_s, begin;

			if (lost_in && tmap_random_below(&random, (uint64_t)lost_in) == 0)
				ready += 5000 * US;
			begin = ready > start ? ready : start;
			ready = begin + 1.5 * call;
			outcome[i] = (struct tmap_start_outcome){ begin - start,
								  begin - start + call,
								  ready - begin };
		}
		now = ready;
		tmap_start_window_add(it, outcome, next, now, took);
		batches++;
	}
	return batches;
}

START_TEST(those_that_count_are_kept_in_their_order)
{
	struct tmap_start_outcome outcome[] = {
		{ 0, 10, 5 },
		{ TMAP_WINDOW_LATE_S, 11, 3 },
		{ TMAP_WINDOW_LATE_S * 1.001, 12, 1 },
		{ -5, 13, 4 },
		{ 99, 14, 9 },
		{ 7e-9, 15, 2 },
	};
	const double wanted[] = { 10, 11, 13, 15 };
	struct tmap_start_window it;
	double took[6];

	tmap_start_window_init(&it);
	ck_assert_uint_eq(tmap_start_window_add(&it, outcome, 6, 100, took), 4);
	ck_assert_mem_eq(took, wanted, sizeof wanted);
	ck_assert_int_eq(it.late, 2);
	ck_assert_int_eq(it.counted, 4);
	/* of 1 2 3 4 5 9 */
	ck_assert_double_eq_tol(it.length_s, 1.5 * 4, 1e-12);
	ck_assert_uint_eq(tmap_start_window_add(&it, outcome, 0, 101, took), 0);
	ck_assert_double_eq_tol(it.length_s, 1.5 * 4, 1e-12);
}
END_TEST

START_TEST(a_lenient_one_takes_what_is_late_by_a_small_part)
{
	struct tmap_start_outcome outcome[] = {
		{ 2900 * US, 10000 * US, 5 }, /* of 3000 */
		{ 3100 * US, 10000 * US, 3 },
		{ 0.5 * US, 0.6 * US, 3 },
		{ 2 * US, 6 * US, 3 },
	};
	struct tmap_start_window it;
	double took[4];

	tmap_start_window_init(&it);
	it.is_lenient = true;
	ck_assert_uint_eq(tmap_start_window_add(&it, outcome, 4, 100, took), 2);
	ck_assert_double_eq(took[0], 10000 * US);
	ck_assert_double_eq(took[1], 0.6 * US);
	ck_assert_int_eq(it.late, 2);
}
END_TEST

START_TEST(windows_become_as_long_as_calls_need)
{
	for (double call = 1 * US; call < 20; call *= 7) {
		struct tmap_start_window it;

		ck_assert_int_lt(run(&it, call, 0, 1000), 200);
		ck_assert_double_ge(it.length_s, 1.5 * call);
		ck_assert_double_le(it.length_s, 1.5 * 1.5 * call > 1e-4 ? 2.26 * call : 1e-4);
		ck_assert_int_le(it.late, 20);
	}
}
END_TEST

/* One of 40 windows, or of 200, finds a rank without its CPU: windows stay as short as calls allow, so
 * that many fit between. */
START_TEST(lost_cpus_do_not_make_windows_long)
{
	for (int in = 40; in <= 200; in += 160) {
		struct tmap_start_window it;

		ck_assert_int_lt(run(&it, 10 * US, in, 1000), 20000);
		ck_assert_int_gt(it.late, 0);
		ck_assert_double_le(it.length_s, 1e-4);
		ck_assert_int_eq(tmap_start_window_check(&it, "clock", &err), 0);
	}
}
END_TEST

/* Whom the plan reaches late has more time the next time, and less when it was enough. */
START_TEST(the_lead_grows_until_the_plan_arrives_in_time)
{
	struct tmap_start_window it;
	double took;

	/* microseconds of fast networks; four hops of a slow or a distant one */
	for (int k = 0; k < 2; k++) {
		const double needed = k ? 0.008 : 0.0009;

		tmap_start_window_init(&it);
		for (int i = 0; i < 50; i++) {
			struct tmap_start_outcome outcome = { needed - it.lead_s, 0, 0 };

			tmap_start_window_add(&it, &outcome, 1, i, &took);
			ck_assert_double_le(it.lead_s, 4 * needed);
		}
		ck_assert_int_ge(it.counted, 20);
	}
	for (int i = 0; i < 50; i++)
		tmap_start_window_add(&it, &(struct tmap_start_outcome){ 1, 1, 0 }, 1, i, &took);
	ck_assert_double_eq_tol(it.lead_s, 0.02, 1e-12);
}
END_TEST

/* Each slice has a lead: if that fell by half each time, every other one would be late. */
START_TEST(few_slices_are_late_where_the_plan_takes_long)
{
	for (int k = 0; k < 2; k++) {
		const double needed = k ? 0.008 : 0.0009;
		struct tmap_start_window it;
		double took;

		tmap_start_window_init(&it);
		for (int i = 0; i < 2000; i++) {
			struct tmap_start_outcome outcome = { needed - it.lead_s, 0, 0 };

			tmap_start_window_add(&it, &outcome, 1, i, &took);
		}
		ck_assert_int_le(it.late, 200);
		ck_assert_double_le(it.lead_s, 2.1 * needed);
	}
}
END_TEST

START_TEST(what_is_late_is_tried_for_in_advance)
{
	struct tmap_start_window it = { 0 };

	ck_assert_uint_eq(tmap_start_window_tries(&it, 0, 64), 0);
	ck_assert_uint_eq(tmap_start_window_tries(&it, 7, 64), 7);
	it = (struct tmap_start_window){ .late = 10, .counted = 9 };
	ck_assert_uint_eq(tmap_start_window_tries(&it, 7, 64), 14);
	ck_assert_uint_eq(tmap_start_window_tries(&it, 7, 5), 5);
	it = (struct tmap_start_window){ .late = INT64_MAX / 2 };
	ck_assert_uint_eq(tmap_start_window_tries(&it, 1, 64), 64);
}
END_TEST

START_TEST(one_gives_up_when_most_are_late_for_long)
{
	static const struct {
		int64_t late, counted;
		double spent_s;
		int status;
	} cases[] = { { 200, 10, 5, -1 },
		      { 199, 0, 100, 0 },
		      { 200, 11, 100, 0 },
		      { 5000, 0, 4.9, 0 },
		      { 5000, 263, 6, -1 } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct tmap_start_window it = { .late = cases[i].late,
						      .counted = cases[i].counted,
						      .spent_s = cases[i].spent_s };

		ck_assert_int_eq(tmap_start_window_check(&it, "clock", &err), cases[i].status);
	}
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_nonnull(strstr(err.text, "late in 5000 of 5263 windows"));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("start window");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, those_that_count_are_kept_in_their_order);
	tcase_add_test(tc, a_lenient_one_takes_what_is_late_by_a_small_part);
	tcase_add_test(tc, windows_become_as_long_as_calls_need);
	tcase_add_test(tc, lost_cpus_do_not_make_windows_long);
	tcase_add_test(tc, the_lead_grows_until_the_plan_arrives_in_time);
	tcase_add_test(tc, few_slices_are_late_where_the_plan_takes_long);
	tcase_add_test(tc, what_is_late_is_tried_for_in_advance);
	tcase_add_test(tc, one_gives_up_when_most_are_late_for_long);
	suite_add_tcase(suite, tc);
	return suite;
}
