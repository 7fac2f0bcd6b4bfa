/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of calls of other benchmarks' loops. Oracles: what osu_allgather 7.4 and IMB-MPI1 2021 print
 * in their columns Iterations and #repetitions where nothing is asked for.
 */
#include "core/measure/like.h"
#include "tests/unit.h"

static const struct tmap_like_request as_they_are = { 7, TMAP_NONE, TMAP_NONE, 0 };

static void counts_are(const struct tmap_like_request *request, enum tmap_like way, int64_t bytes,
		       int64_t warm_up, int64_t repetitions)
{
	struct tmap_like_times plan;

	tmap_like_plan(request, way, bytes, &plan);
	ck_assert_int_eq(plan.warm_up, warm_up);
	ck_assert_int_eq(plan.repetitions, repetitions);
}

START_TEST(osu_makes_fewer_calls_above_8192_bytes)
{
	counts_are(&as_they_are, TMAP_LIKE_OSU, 0, 100, 1000);
	counts_are(&as_they_are, TMAP_LIKE_OSU, 8192, 100, 1000);
	counts_are(&as_they_are, TMAP_LIKE_OSU, 8193, 10, 100);
	counts_are(&as_they_are, TMAP_LIKE_OSU, INT64_MAX, 10, 100);
}
END_TEST

/* 65536 bytes 640 times, ... 4194304 bytes 10 times. */
START_TEST(imb_makes_no_more_than_40_mib_of_calls)
{
	counts_are(&as_they_are, TMAP_LIKE_IMB, 0, 100, 1000);
	counts_are(&as_they_are, TMAP_LIKE_IMB, 32768, 100, 1000);
	counts_are(&as_they_are, TMAP_LIKE_IMB, 65536, 64, 640);
	counts_are(&as_they_are, TMAP_LIKE_IMB, 524288, 10, 80);
	counts_are(&as_they_are, TMAP_LIKE_IMB, 4194304, 10, 10);
	counts_are(&as_they_are, TMAP_LIKE_IMB, 8388608, 5, 5);
	counts_are(&as_they_are, TMAP_LIKE_IMB_NOSYNC, 41943040, 1, 1);
	counts_are(&as_they_are, TMAP_LIKE_IMB_NOSYNC, INT64_MAX, 1, 1);
}
END_TEST

/* Without one nothing would be known of how long a call takes, and its limit of seconds not hold. */
START_TEST(a_loop_with_a_limit_makes_a_call_before_those_that_count)
{
	const struct tmap_like_request request = { 7, TMAP_NONE, 0, 0 };

	counts_are(&request, TMAP_LIKE_OSU, 1, 0, 1000);
	counts_are(&request, TMAP_LIKE_IMB, 1, 1, 1000);
	counts_are(&request, TMAP_LIKE_IMB_NOSYNC, 1, 1, 1000);
}
END_TEST

START_TEST(what_is_asked_for_counts_for_all_sizes)
{
	const struct tmap_like_request request = { 7, 50, 3, 0 }, calls = { 7, 50, TMAP_NONE, 0 };

	for (int way = 0; way < TMAP_LIKES; way++) {
		counts_are(&request, (enum tmap_like)way, 1, 3, 50);
		counts_are(&request, (enum tmap_like)way, INT64_MAX, 3, 50);
	}
	counts_are(&calls, TMAP_LIKE_OSU, 1, 100, 50);
	counts_are(&calls, TMAP_LIKE_IMB, 1, 10, 50);
}
END_TEST

static int64_t limited(const struct tmap_like_request *request, enum tmap_like way, double call_s)
{
	struct tmap_like_times plan;

	tmap_like_plan(request, way, 8, &plan);
	tmap_like_limit(request, way, call_s, &plan);
	return plan.repetitions;
}

START_TEST(imb_makes_no_more_calls_than_fit_into_its_seconds)
{
	const struct tmap_like_request brief = { 7, TMAP_NONE, TMAP_NONE, 1 };
	const struct tmap_like_request so_many = { 7, 50, TMAP_NONE, 0 }, both = { 7, 50, 0, 1 };

	ck_assert_int_eq(limited(&as_they_are, TMAP_LIKE_IMB, 1e-3), 1000);
	ck_assert_int_eq(limited(&as_they_are, TMAP_LIKE_IMB, 0.04), 251);
	ck_assert_int_eq(limited(&as_they_are, TMAP_LIKE_IMB, 100), 1);
	ck_assert_int_eq(limited(&as_they_are, TMAP_LIKE_IMB, 0), 1000);
	ck_assert_int_eq(limited(&brief, TMAP_LIKE_IMB_NOSYNC, 0.125), 9);
	ck_assert_int_eq(limited(&so_many, TMAP_LIKE_IMB, 100), 50);
	ck_assert_int_eq(limited(&both, TMAP_LIKE_IMB, 0.5), 3);
	ck_assert_int_eq(limited(&brief, TMAP_LIKE_OSU, 100), 1000);
}
END_TEST

START_TEST(no_barrier_is_timed_with_a_barrier_behind_it)
{
	ck_assert(tmap_like_is_apart(TMAP_LIKE_OSU, TMAP_BCAST));
	ck_assert(tmap_like_is_apart(TMAP_LIKE_IMB, TMAP_BCAST));
	ck_assert(!tmap_like_is_apart(TMAP_LIKE_IMB_NOSYNC, TMAP_BCAST));
	for (int way = 0; way < TMAP_LIKES; way++)
		ck_assert(!tmap_like_is_apart((enum tmap_like)way, TMAP_BARRIER));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("like");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, osu_makes_fewer_calls_above_8192_bytes);
	tcase_add_test(tc, imb_makes_no_more_than_40_mib_of_calls);
	tcase_add_test(tc, a_loop_with_a_limit_makes_a_call_before_those_that_count);
	tcase_add_test(tc, what_is_asked_for_counts_for_all_sizes);
	tcase_add_test(tc, imb_makes_no_more_calls_than_fit_into_its_seconds);
	tcase_add_test(tc, no_barrier_is_timed_with_a_barrier_behind_it);
	suite_add_tcase(suite, tc);
	return suite;
}
