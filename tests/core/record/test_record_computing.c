/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a recorded run computed, and how long it takes in another mapping. Oracle: sums by hand; a message
 * between nodes takes as long as the profile says of its latency and bytes.
 */
#include "core/record/record_computing.h"
#include "tests/support/records.h"
#include "tests/unit.h"

enum { RANKS = 8 };

static struct tmap_error err;

/* Half a second a message, whatever its size, wherever it goes. */
static const struct tmap_profile_row rows[] = {
	{ .distance = 7, .below_bytes = INT64_MAX, .latency_s = 0.5 },
};
static const struct tmap_profile half_second = {
	.word = { "half", "" },
	.source = "",
	.row_count = 1,
	.row = rows,
};

/* 10 seconds, in which the ranks together were in allreduces of that mode for @p sum seconds. */
static void made(struct tmap_record *record, const struct sent *sent, enum tmap_mode mode,
		 double sum)
{
	record_make(record, sent);
	record_add_communicator(record, RANKS, NULL, "");
	record_add_call(record,
			(struct tmap_recorded_call){ .collective = TMAP_RECORDED_ALLREDUCE,
						     .mode = mode,
						     .bytes = 8,
						     .element = 8,
						     .calls = 2,
						     .seconds_sum = sum,
						     .seconds_max = sum / RANKS });
}

static struct tmap_run_time run_of(const struct sent *sent, enum tmap_mode mode, double sum)
{
	struct tmap_record record;
	struct tmap_run_time run;

	made(&record, sent, mode, sum);
	ck_assert_int_eq(tmap_record_run_time(&run, &record, 0, &half_second, &err), 0);
	ck_assert_double_eq(run.recorded_s, 10);
	tmap_record_fini(&record);
	return run;
}

static double computing(const struct sent *sent, enum tmap_mode mode, double sum)
{
	return run_of(sent, mode, sum).computing_s;
}

START_TEST(what_is_in_no_blocking_collective_is_computing)
{
	const struct sent none = { .size = RANKS };

	ck_assert_double_eq(computing(&none, TMAP_BLOCKING, 0), 10);
	ck_assert_double_eq(computing(&none, TMAP_BLOCKING, 60), 2.5);
	ck_assert_double_eq(computing(&none, TMAP_BLOCKING, 80), 0);
}
END_TEST

START_TEST(messages_take_what_is_predicted)
{
	struct sent sent = { .size = RANKS };

	sent_add(&sent, 0, 1, 3, 400);
	ck_assert_double_eq(computing(&sent, TMAP_BLOCKING, 60), 2);
	ck_assert_double_eq(computing(&sent, TMAP_BLOCKING, 78), 0);
}
END_TEST

/* Two allreduces of eight ranks take three rounds each, by recursive doubling. */
START_TEST(so_do_collectives_that_nobody_timed)
{
	const struct sent none = { .size = RANKS };

	ck_assert_double_eq(computing(&none, TMAP_NONBLOCKING, 0), 10 - 2 * 3 * 0.5);
	ck_assert_double_eq(computing(&none, TMAP_PERSISTENT, 0), 10 - 2 * 3 * 0.5);
}
END_TEST

START_TEST(computing_stays_and_communicating_scales)
{
	const struct tmap_run_time run = { .recorded_s = 12, .computing_s = 2 };

	ck_assert_double_eq(tmap_run_time_in(&run, 8, 8), 12);
	ck_assert_double_eq(tmap_run_time_in(&run, 8, 4), 7);
	ck_assert_double_eq(tmap_run_time_in(&run, 8, 16), 22);
	ck_assert_double_eq(tmap_run_time_in(&run, 8, 0), 2);
}
END_TEST

/* Six rounds are predicted to take 3 s. */
START_TEST(what_is_far_above_the_prediction_is_waits)
{
	const struct sent none = { .size = RANKS };

	ck_assert_double_eq(run_of(&none, TMAP_BLOCKING, 3 * RANKS).waiting_s, 0);
	ck_assert_double_eq(run_of(&none, TMAP_BLOCKING, 6 * RANKS).waiting_s, 0);
	ck_assert_double_eq(run_of(&none, TMAP_BLOCKING, 9 * RANKS).waiting_s, 3);
}
END_TEST

START_TEST(waits_stay)
{
	const struct tmap_run_time run = { .recorded_s = 12, .computing_s = 2, .waiting_s = 6 };

	ck_assert_double_eq(tmap_run_time_in(&run, 8, 8), 12);
	ck_assert_double_eq(tmap_run_time_in(&run, 8, 4), 10);
}
END_TEST

START_TEST(a_prediction_above_the_run_is_cut_off)
{
	struct sent sent = { .size = RANKS };

	ck_assert(!run_of(&sent, TMAP_BLOCKING, 80).exceeds);
	sent_add(&sent, 0, 1, 3, 400);
	ck_assert(run_of(&sent, TMAP_BLOCKING, 80).exceeds);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("record_computing");
	TCase *tcase = tcase_create("record_computing");

	tcase_add_test(tcase, what_is_in_no_blocking_collective_is_computing);
	tcase_add_test(tcase, messages_take_what_is_predicted);
	tcase_add_test(tcase, so_do_collectives_that_nobody_timed);
	tcase_add_test(tcase, computing_stays_and_communicating_scales);
	tcase_add_test(tcase, what_is_far_above_the_prediction_is_waits);
	tcase_add_test(tcase, waits_stay);
	tcase_add_test(tcase, a_prediction_above_the_run_is_cut_off);
	suite_add_tcase(suite, tcase);
	return suite;
}
