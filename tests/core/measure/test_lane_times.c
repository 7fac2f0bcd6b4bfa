/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: medians and order statistics by hand; how often the interval holds what the times were made
 * from, over many samples.
 */
#include "core/measure/lane_times.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

/* Of 8 times the interval of 97.5 % is from the smallest to the largest: 2 * 2^-8 = 0.8 %, and with the
 * second ones it would be 7 %. */
START_TEST(ends_are_those_of_both_intervals)
{
	static const double one[] = { 8, 12, 9, 11, 10, 10, 10.5, 9.5 };
	static const double other[] = { 5, 4, 6, 5, 5, 5.5, 4.5, 5 };
	struct tmap_speedup it;

	ck_assert_int_eq(tmap_speedup_init(&it, one, 8, other, 8, 1, &err), 0);
	ck_assert_double_eq_tol(it.ratio, 2, 1e-12);
	ck_assert(it.has_interval);
	ck_assert_double_eq_tol(it.low, 8.0 / 6, 1e-12);
	ck_assert_double_eq_tol(it.high, 12.0 / 4, 1e-12);
	ck_assert_int_eq(tmap_speedup_init(&it, one, 8, other, 8, 4, &err), 0);
	ck_assert_double_eq_tol(it.ratio, 8, 1e-12);
	ck_assert_double_eq_tol(it.low, 4 * 8.0 / 6, 1e-12);
	ck_assert_int_eq(tmap_speedup_init(&it, one, 6, other, 8, 1, &err), 0);
	ck_assert(!it.has_interval);
}
END_TEST

/* Times with the median 1: a third is nearly the same, some are far longer. */
static double draw(struct tmap_random *random)
{
	double part = (double)tmap_random_below(random, 1u << 30) / (1u << 30);

	return part < 0.5 ? 0.8 + 0.4 * part : 1 / (2 * (1 - part));
}

START_TEST(the_interval_holds_the_ratio_in_95_of_100_samples)
{
	enum { SAMPLES = 2000 };
	struct tmap_random random = { 3 };
	int held = 0;

	for (int s = 0; s < SAMPLES; s++) {
		double one[80], other[80];
		struct tmap_speedup it;

		for (int i = 0; i < 80; i++) {
			one[i] = 3 * draw(&random);
			other[i] = 2 * draw(&random);
		}
		ck_assert_int_eq(tmap_speedup_init(&it, one, 80, other, 80, 1, &err), 0);
		held += it.low <= 1.5 && it.high >= 1.5;
	}
	ck_assert_int_ge(held, SAMPLES * 95 / 100);
}
END_TEST

static void add(struct tmap_lane_times *times, int64_t bytes, int lanes, double median)
{
	struct tmap_experiment from = { .repetitions = 3, .is_correct = true };

	from.raw = malloc(3 * sizeof *from.raw);
	ck_assert_ptr_nonnull(from.raw);
	for (int i = 0; i < 3; i++)
		from.raw[i] = median * (1 + 0.1 * (i - 1));
	ck_assert_int_eq(tmap_sample_statistics_init(&from.seconds, from.raw, 3, &err), 0);
	ck_assert_int_eq(tmap_lane_times_add_take(times, bytes, lanes, &from, &err), 0);
	ck_assert_ptr_null(from.raw);
}

START_TEST(speedups_are_over_one_lane_of_the_same_size)
{
	for (int collective = 0; collective < 2; collective++) {
		struct tmap_lane_times times = { .has_collective = collective };

		add(&times, 64, 4, 5);
		add(&times, 8, 2, 3);
		add(&times, 64, 1, 20);
		add(&times, 64, 2, 10);
		ck_assert_int_eq(tmap_lane_times_finish(&times, &err), 0);
		ck_assert_int_eq(times.experiment[0].bytes, 8);
		ck_assert(!times.experiment[0].has_speedup);
		for (int i = 1; i < 4; i++) {
			const struct tmap_lane_experiment *it = &times.experiment[i];

			ck_assert_int_eq(it->lanes, 1 << (i - 1));
			ck_assert(it->has_speedup && !it->speedup.has_interval);
			ck_assert_double_eq_tol(it->speedup.ratio,
						it->lanes * (collective ? it->lanes : 1), 1e-9);
		}
		tmap_lane_times_fini(&times);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("lane_times");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, ends_are_those_of_both_intervals);
	tcase_add_test(tc, the_interval_holds_the_ratio_in_95_of_100_samples);
	tcase_add_test(tc, speedups_are_over_one_lane_of_the_same_size);
	suite_add_tcase(suite, tc);
	return suite;
}
