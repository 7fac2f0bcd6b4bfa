/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much work is done where nobody says how much. Oracle: what a division of the graph is said to take,
 * and with less than that it is not begun.
 */
#include "core/mappers/mapper.h"
#include "core/mappers/robust_judging.h"
#include "core/mappers/rows.h"
#include "tests/unit.h"

#include <stdlib.h>

/* An objective of which nothing is known but how many places of how many sets there are, and the entries
 * of a matrix. */
struct job {
	int sets[1];
	int64_t start;
	struct tmap_pattern pattern;
	struct tmap_neighborhood grid;
	struct tmap_traffic traffic;
	struct tmap_placement placement;
	struct tmap_slots slots;
	struct tmap_objective objective;
};

static void job_init(struct job *job, int ranks, int64_t entries)
{
	*job = (struct job){ .sets = { ranks / 64 },
			     .pattern = { .size = ranks, .entries = entries } };
	job->pattern.start = &job->start;
	job->traffic.pattern = &job->pattern;
	job->placement.size = ranks;
	job->slots.placement = &job->placement;
	job->objective.slots = &job->slots;
	job->objective.messages = entries;
	job->objective.traffic = &job->traffic;
	job->objective.nest.count = ranks;
	job->objective.nest.depth = 1;
	job->objective.nest.set_count = job->sets;
}

START_TEST(a_small_matrix_has_the_usual_effort)
{
	struct job job;

	job_init(&job, 64, 64 * 63);
	ck_assert_int_eq(tmap_effort_for(&job.objective), TMAP_EFFORT);
	job_init(&job, 16384, 16384 * 16);
	ck_assert_int_eq(tmap_effort_for(&job.objective), TMAP_EFFORT);
}
END_TEST

START_TEST(a_large_matrix_can_be_divided_once)
{
	for (int ranks = 1 << 17; ranks <= 1 << 23; ranks *= 2) {
		int64_t entries = (int64_t)ranks * 16;
		struct job job;

		job_init(&job, ranks, entries);
		ck_assert_int_gt(tmap_bisect_steps(&job.objective.nest, entries), TMAP_EFFORT / 2);
		ck_assert_int_ge(tmap_effort_for(&job.objective),
				 2 * tmap_bisect_steps(&job.objective.nest, entries));
	}
}
END_TEST

/* Mappers of their own serve these. */
START_TEST(grids_and_calls_have_the_usual_effort)
{
	struct job job;

	job_init(&job, 1 << 20, INT64_C(16) << 20);
	job.pattern.grid = &job.grid;
	ck_assert_int_eq(tmap_effort_for(&job.objective), TMAP_EFFORT);
	job.pattern.grid = NULL;
	ck_assert_int_gt(tmap_effort_for(&job.objective), TMAP_EFFORT);
	job.traffic.call_count = 1;
	ck_assert_int_eq(tmap_effort_for(&job.objective), TMAP_EFFORT);
	job.traffic.pattern = NULL;
	ck_assert_int_eq(tmap_effort_for(&job.objective), TMAP_EFFORT);
}
END_TEST

static struct tmap_judging judging_of(struct job *job, int64_t effort)
{
	struct tmap_robust_request request = { .objective = &job->objective, .effort = effort };
	struct tmap_judging judging = { .request = &request };
	struct tmap_error err;

	while (tmap_keywords_at(&tmap_profiles, (size_t)judging.machines))
		judging.machines++;
	ck_assert_int_eq(tmap_judging_list_costs(&judging, &err), 0);
	free(judging.number);
	judging.request = NULL;
	return judging;
}

/* Whatever its division takes; who asks for more effort has it judged by more. */
START_TEST(a_large_matrix_is_judged_by_published_profiles_alone)
{
	for (int ranks = 1 << 18; ranks <= 1 << 23; ranks *= 2) {
		struct job job;
		struct tmap_judging judging;
		int64_t effort;

		job_init(&job, ranks, (int64_t)ranks * 4);
		effort = tmap_effort_for(&job.objective);
		judging = judging_of(&job, effort);
		ck_assert_int_eq(judging.costs, judging.machines);
		ck_assert_int_eq(judging.searches, 2);
		judging = judging_of(&job, effort * 8);
		ck_assert_int_gt(judging.costs, judging.machines);
		ck_assert_int_gt(judging.searches, 2);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("effort");
	TCase *tests = tcase_create("effort");

	tcase_add_test(tests, a_small_matrix_has_the_usual_effort);
	tcase_add_test(tests, a_large_matrix_can_be_divided_once);
	tcase_add_test(tests, grids_and_calls_have_the_usual_effort);
	tcase_add_test(tests, a_large_matrix_is_judged_by_published_profiles_alone);
	suite_add_tcase(suite, tests);
	return suite;
}
