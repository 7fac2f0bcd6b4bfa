/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what the rule says, counted by hand; times are made up, so nothing here depends on a
 * clock.
 */
#include "core/measure/repetition.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <math.h>

static struct tmap_error err;

/* Time one thing until the rule ends it: repetition i takes first + i * 41 % spread * step seconds. */
static void measure(struct tmap_repetition *it, const struct tmap_repetition_rule *rule,
		    double first, int spread, double step, size_t most)
{
	double time[64], spent = 0;
	size_t next;

	tmap_repetition_init(it, rule);
	while ((next = tmap_repetition_next(it, most)) > 0) {
		ck_assert_uint_le(next, most);
		for (size_t i = 0; i < next; i++) {
			time[i] = first + (double)((it->count + i) * 41 % (size_t)spread) * step;
			spent += time[i];
		}
		ck_assert_int_eq(tmap_repetition_add(it, time, next, spent, &err), 0);
		ck_assert_uint_lt(it->count, 10000000);
	}
}

START_TEST(so_many_repetitions_are_made_and_not_one_more)
{
	for (int64_t wanted = 1; wanted < 200; wanted++) {
		const struct tmap_repetition_rule rule = { .repetitions = wanted };
		struct tmap_repetition it;

		measure(&it, &rule, 1, 3, 1, 64);
		ck_assert_int_eq((int64_t)it.count, wanted);
		for (size_t i = 0; i < it.count; i++)
			ck_assert_double_eq_tol(it.time[i], 1 + (double)(i * 41 % 3), 1e-12);
		tmap_repetition_fini(&it);
	}
}
END_TEST

/* Where all take the same time none begins that would end too late. */
START_TEST(seconds_are_not_passed_by_more_than_one_repetition)
{
	static const double each[] = { 0.001, 0.07, 0.3, 2 };

	for (int i = 0; i < 4; i++) {
		const struct tmap_repetition_rule rule = { .seconds = 1 };
		struct tmap_repetition it;

		measure(&it, &rule, each[i], 1, 0, 64);
		ck_assert_double_ge(it.spent_s, 1 - 1e-9);
		ck_assert_double_le(it.spent_s, 1 + each[i] + 1e-9);
		tmap_repetition_fini(&it);
	}
}
END_TEST

START_TEST(what_is_always_the_same_ends_with_the_first_interval)
{
	const struct tmap_repetition_rule rule = { .seconds = 1000, .precision = 0.02 };
	struct tmap_repetition it;

	measure(&it, &rule, 1, 1, 0, 64);
	ck_assert(it.is_precise);
	ck_assert_uint_eq(it.count, 6);
	tmap_repetition_fini(&it);
}
END_TEST

/* Steps of 1 % around 100: narrow only with many; the interval that ended it is as narrow as asked. */
START_TEST(a_median_is_measured_until_it_is_known_as_well_as_asked)
{
	static const double precision[] = { 0.2, 0.05, 0.02 };
	size_t before = 0;

	for (int i = 0; i < 3; i++) {
		const struct tmap_repetition_rule rule = { .repetitions = 1000000,
							   .precision = precision[i] };
		struct tmap_repetition it;
		struct tmap_sample_statistics statistics;

		measure(&it, &rule, 100, 97, 1, 64);
		ck_assert(it.is_precise);
		ck_assert_int_eq(tmap_sample_statistics_init(&statistics, it.time, it.count, &err),
				 0);
		ck_assert_double_le(statistics.high - statistics.low,
				    precision[i] * statistics.median);
		ck_assert_uint_gt(it.count, before);
		before = it.count;
		tmap_repetition_fini(&it);
	}
}
END_TEST

START_TEST(what_is_never_precise_ends_with_its_repetitions)
{
	const struct tmap_repetition_rule rule = { .repetitions = 500, .precision = 1e-9 };
	struct tmap_repetition it;

	measure(&it, &rule, 1, 2, 1, 64);
	ck_assert(!it.is_precise);
	ck_assert_uint_eq(it.count, 500);
	tmap_repetition_fini(&it);
}
END_TEST

/* A clock that does not resolve them gives times of 0: that is no endless loop. */
START_TEST(times_of_nothing_end)
{
	const struct tmap_repetition_rule rule = { .repetitions = 300, .seconds = 1 };
	struct tmap_repetition it;

	measure(&it, &rule, 0, 1, 0, 64);
	ck_assert_uint_eq(it.count, 300);
	tmap_repetition_fini(&it);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("repetition");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, so_many_repetitions_are_made_and_not_one_more);
	tcase_add_test(tc, seconds_are_not_passed_by_more_than_one_repetition);
	tcase_add_test(tc, what_is_always_the_same_ends_with_the_first_interval);
	tcase_add_test(tc, a_median_is_measured_until_it_is_known_as_well_as_asked);
	tcase_add_test(tc, what_is_never_precise_ends_with_its_repetitions);
	tcase_add_test(tc, times_of_nothing_end);
	suite_add_tcase(suite, tc);
	return suite;
}
