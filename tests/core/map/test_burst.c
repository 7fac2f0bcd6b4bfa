/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the clock of core/cost, which times schedules, with all messages of the pattern in one round:
 * the same to the last bit. What that clock is held to is in tests/core/cost.
 */
#include "core/cost/clock.h"
#include "core/map/burst.h"
#include "core/pattern/grid.h"
#include "core/pattern/rows.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <string.h>

static struct tmap_error err;

struct job {
	struct tmap_placement p;
	struct tmap_levels levels;
	struct tmap_metric metric;
	struct tmap_cost_model model;
};

static void job_init(struct job *job, struct dice *dice, const struct tmap_profile *profile)
{
	placement_random_take(&job->p, machine_random(dice, 5), 2 + dice_roll(dice, 40), dice);
	hold(tmap_levels_init(&job->levels, job->p.machine, &err) == 0);
	hold(tmap_metric_init(&job->metric, &job->p, TMAP_SCALE_PROCESS, &err) == 0);
	hold(tmap_cost_model_init(&job->model, &job->p, &job->metric, &job->levels, profile,
				  &err) == 0);
}

static void job_fini(struct job *job)
{
	tmap_cost_model_fini(&job->model);
	tmap_metric_fini(&job->metric);
	tmap_levels_fini(&job->levels);
	tmap_placement_fini(&job->p);
}

static double clock_seconds(struct tmap_cost_model *model, const struct tmap_pattern *pattern)
{
	const struct tmap_round_info info = { .span = 1, .times = 1 };
	struct tmap_pattern_rows rows;
	struct tmap_clock clock;
	double seconds;
	int last;

	hold(tmap_clock_init(&clock, model, &err) == 0);
	hold(tmap_pattern_rows_init(&rows, pattern, NULL, false, &err) == 0);
	for (int r = 0; tmap_pattern_rows_next(&rows); r++)
		for (int i = 0; i < rows.count; i++) {
			int64_t bytes = llround(rows.sent[i]);

			if (rows.sent[i] > 0)
				hold(tmap_clock_take(&clock, &info, &r, &rows.peer[i], &bytes, 1,
						     &err) == 0);
		}
	tmap_pattern_rows_fini(&rows);
	hold(tmap_clock_end(&clock, &err) == 0);
	seconds = tmap_clock_last(&clock, &last);
	tmap_clock_fini(&clock);
	return seconds;
}

/* Few messages or many for a rank, of one size or of sizes of all protocols. */
static void pattern_random(struct tmap_pattern *pattern, int size, struct dice *dice)
{
	struct tmap_pattern_builder b;
	int messages = dice_roll(dice, 8) * size, one = dice_roll(dice, 2);

	hold(tmap_pattern_builder_init(&b, size, &err) == 0);
	for (int i = 0; i <= messages; i++) {
		int64_t bytes = one ? 4096 : 1 + dice_roll(dice, 1000) * (1 << dice_roll(dice, 14));

		hold(tmap_pattern_add(&b, dice_roll(dice, size), dice_roll(dice, size),
				      (double)bytes, &err) == 0);
	}
	hold(tmap_pattern_finish(pattern, &b, &err) == 0);
}

START_TEST(takes_as_long_as_a_round_of_the_clock)
{
	struct dice dice = { 71 };

	for (int i = 0; i < 1500; i++) {
		struct tmap_pattern pattern;
		struct job job;
		double made;

		job_init(&job, &dice, tmap_profile_at(i % 7));
		pattern_random(&pattern, job.p.size, &dice);
		hold(tmap_burst_seconds(&made, &job.model, &pattern, NULL, NULL, &err) == 0);
		ck_assert_msg(made == clock_seconds(&job.model, &pattern), "job %d: %.17g", i,
			      made);
		/* each leaves the model as the other one needs it */
		hold(tmap_burst_seconds(&made, &job.model, &pattern, NULL, NULL, &err) == 0);
		ck_assert(made == clock_seconds(&job.model, &pattern));
		tmap_pattern_fini(&pattern);
		job_fini(&job);
	}
}
END_TEST

/* By the costs of two machines, with what was found once. */
START_TEST(ranks_that_are_alike_take_as_long)
{
	struct dice dice = { 72 };
	int found = 0;

	for (int i = 0; i < 1500; i++) {
		struct tmap_pattern pattern;
		struct tmap_alike alike = { 0 };
		struct job job;

		job_init(&job, &dice, tmap_profile_at(i % 7));
		pattern_random(&pattern, job.p.size, &dice);
		for (int machine = 0; machine < 2; machine++) {
			struct tmap_cost_model model;
			double made;

			hold(tmap_cost_model_init(&model, &job.p, &job.metric, &job.levels,
						  tmap_profile_at((i + machine) % 7), &err) == 0);
			hold(tmap_burst_seconds(&made, &model, &pattern, NULL, &alike, &err) == 0);
			ck_assert_msg(made == clock_seconds(&model, &pattern), "job %d: %.17g", i,
				      made);
			tmap_cost_model_fini(&model);
		}
		found += alike.is_found && !alike.is_vain;
		tmap_alike_fini(&alike);
		tmap_pattern_fini(&pattern);
		job_fini(&job);
	}
	ck_assert_int_gt(found, 500);
}
END_TEST

START_TEST(refuses_more_bytes_than_a_number_has)
{
	struct dice dice = { 5 };
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	struct job job;
	double made;

	job_init(&job, &dice, tmap_profile_at(0));
	hold(tmap_pattern_builder_init(&b, job.p.size, &err) == 0);
	hold(tmap_pattern_add(&b, 0, 1, 8e18, &err) == 0);
	hold(tmap_pattern_add(&b, 1, 0, 8e18, &err) == 0);
	hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
	ck_assert_int_eq(tmap_burst_seconds(&made, &job.model, &pattern, NULL, NULL, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "the schedule moves more than 2^63 - 1 bytes");
	tmap_pattern_fini(&pattern);
	job_fini(&job);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("burst");
	TCase *tests = tcase_create("burst");

	tcase_add_test(tests, takes_as_long_as_a_round_of_the_clock);
	tcase_add_test(tests, ranks_that_are_alike_take_as_long);
	tcase_add_test(tests, refuses_more_bytes_than_a_number_has);
	suite_add_tcase(suite, tests);
	return suite;
}
