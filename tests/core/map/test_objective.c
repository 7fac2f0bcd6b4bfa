/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the metric's own distances along messages that are listed by hand; what tmap_cost() says
 * of a call, and the literal clock of a pattern; links counted by a literal sum over all pairs of
 * ranks.
 */
#include "core/algorithms/catalogue.h"
#include "core/map/objective.h"
#include "core/pattern/grid.h"
#include "tests/support/literal_clock.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static const struct tmap_slots_excluded none;

static const struct tmap_profile_row rows[] = {
	{ .distance = 1, .below_bytes = INT64_MAX, .latency_s = 1e-6, .byte_s = 1e-9 },
	{ .distance = 7, .below_bytes = INT64_MAX, .latency_s = 5e-6, .byte_s = 4e-9 },
};

static const struct tmap_profile_row overhead_rows[] = {
	{ .distance = 1,
	  .below_bytes = INT64_MAX,
	  .latency_s = 1e-6,
	  .byte_s = 1e-9,
	  .overhead_s = 1e-7 },
	{ .distance = 7,
	  .below_bytes = INT64_MAX,
	  .latency_s = 5e-6,
	  .byte_s = 4e-9,
	  .overhead_s = 1e-7 },
};

/* Half a second a byte out of a node, so that the adapter counts whatever the ranks do. */
static const struct tmap_profile slow_adapter = {
	.word = { "slow", "" },
	.source = "",
	.row_count = 2,
	.row = rows,
	.adapter_byte_s = 0.5,
};
static const struct tmap_profile no_links = {
	.word = { "plain", "" },
	.source = "",
	.row_count = 2,
	.row = overhead_rows,
};

struct job {
	struct tmap_placement p;
	struct tmap_slots slots;
};

static void job_init(struct job *job, struct dice *dice, int size)
{
	placement_random_take(&job->p, machine_random(dice, 5), size, dice);
	hold(tmap_slots_init(&job->slots, &job->p, 0, &none, &err) == 0);
}

static void job_fini(struct job *job)
{
	tmap_slots_fini(&job->slots);
	tmap_placement_fini(&job->p);
}

static void random_pattern(struct tmap_pattern *pattern, double *matrix, int size,
			   struct dice *dice)
{
	struct tmap_pattern_builder b;

	hold(tmap_pattern_builder_init(&b, size, &err) == 0);
	for (int i = 0; i < 3 * size; i++) {
		int from = dice_roll(dice, size), to = dice_roll(dice, size);
		int bytes = 1 + dice_roll(dice, 1000);

		hold(tmap_pattern_add(&b, from, to, bytes, &err) == 0);
		matrix[from * size + to] += from == to ? 0 : bytes;
	}
	b.everyone = dice_roll(dice, 3);
	for (int i = 0; i < size * size; i++)
		matrix[i] += i % (size + 1) ? b.everyone : 0;
	hold(tmap_pattern_finish(pattern, &b, &err) == 0);
}

static struct tmap_evaluation measure(struct job *job, const struct tmap_traffic *traffic,
				      const struct tmap_criteria *criteria, const int *slot_of)
{
	struct tmap_objective objective;
	struct tmap_evaluation evaluation;

	hold(tmap_objective_init(&objective, &job->slots, traffic, criteria, &err) == 0);
	hold(tmap_objective_evaluate(&evaluation, &objective, slot_of, &err) == 0);
	tmap_objective_fini(&objective);
	return evaluation;
}

static double literal_distance(const struct tmap_placement *p, const int *slot_of,
			       const double *matrix)
{
	struct tmap_metric metric;
	double sum = 0;

	hold(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err) == 0);
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			sum += matrix[a * p->size + b] *
				tmap_metric_distance(&metric, slot_of[a], slot_of[b]);
	tmap_metric_fini(&metric);
	return sum;
}

static double literal_adapter(const struct tmap_placement *p, const int *slot_of,
			      const double *matrix)
{
	double most = 0;

	for (int n = 0; n < p->machine->node_count; n++) {
		double out = 0, in = 0;

		for (int a = 0; a < p->size; a++)
			for (int b = 0; b < p->size; b++) {
				bool from = p->node[slot_of[a]] == n, to = p->node[slot_of[b]] == n;

				out += from && !to ? matrix[a * p->size + b] : 0;
				in += to && !from ? matrix[a * p->size + b] : 0;
			}
		most = fmax(most, fmax(in, out));
	}
	return most / 2;
}

START_TEST(distance_and_link_are_the_sums_over_all_pairs)
{
	const struct tmap_criteria criteria = { .profile = &slow_adapter };
	struct dice dice = { 1 };

	for (int round = 0; round < 200; round++) {
		int size = 1 + dice_roll(&dice, 24), slot_of[24];
		double *matrix = calloc((size_t)(size * size), sizeof *matrix);
		struct tmap_pattern pattern;
		struct tmap_traffic traffic = { .pattern = &pattern };
		struct tmap_evaluation evaluation;
		struct job job;

		job_init(&job, &dice, size);
		random_pattern(&pattern, matrix, size, &dice);
		for (int r = 0; r < size; r++)
			slot_of[r] = r;
		dice_shuffle(&dice, slot_of, size);
		evaluation = measure(&job, &traffic, &criteria, slot_of);
		ck_assert_double_eq_tol(evaluation.byte_distance,
					literal_distance(&job.p, slot_of, matrix), 1e-6);
		if (job.p.machine->node_count > 1)
			ck_assert_double_eq_tol(evaluation.link_s,
						literal_adapter(&job.p, slot_of, matrix), 1e-6);
		tmap_pattern_fini(&pattern);
		free(matrix);
		job_fini(&job);
	}
}
END_TEST

START_TEST(a_call_takes_its_cost_times_its_weight)
{
	const double weight[] = { 0.25, 3 };
	const struct tmap_criteria criteria = { .profile = &slow_adapter };
	struct dice dice = { 2 };

	for (int round = 0; round < 60; round++) {
		int size = 2 + dice_roll(&dice, 20), slot_of[22];
		struct tmap_call call[2] = { { .size = size, .bytes = 1000 },
					     { .size = size, .bytes = 10 } };
		struct tmap_traffic traffic = { .call_count = 2, .call = call, .weight = weight };
		double seconds[2];
		struct tmap_placement after;
		struct tmap_cost_model model;
		struct tmap_levels levels;
		struct tmap_metric metric;
		struct job job;

		job_init(&job, &dice, size);
		for (int r = 0; r < size; r++)
			slot_of[r] = r;
		dice_shuffle(&dice, slot_of, size);
		hold(tmap_call_parse(&call[0], TMAP_ALLGATHER, "ring", &err) == 0);
		hold(tmap_call_parse(&call[1], TMAP_BCAST, "binomial_far", &err) == 0);
		hold(tmap_placement_select(&after, &job.p, slot_of, size, &err) == 0);
		hold(tmap_levels_init(&levels, after.machine, &err) == 0);
		hold(tmap_metric_init(&metric, &after, TMAP_SCALE_PROCESS, &err) == 0);
		hold(tmap_cost_model_init(&model, &after, &metric, &levels, &slow_adapter, &err) ==
		     0);
		for (int c = 0; c < 2; c++)
			hold(tmap_cost(&seconds[c], &model, &call[c], &err) == 0);
		ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, slot_of).seconds,
					0.25 * seconds[0] + 3 * seconds[1], 1e-9);
		tmap_cost_model_fini(&model);
		tmap_metric_fini(&metric);
		tmap_levels_fini(&levels);
		tmap_placement_fini(&after);
		job_fini(&job);
	}
}
END_TEST

/* 2 nodes of 2 cores: 0 and 1 on n0, 2 and 3 on n1. */
static void two_nodes(struct job *job)
{
	placement_block_take(&job->p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_L3, 1 },
									  { TMAP_CORE, 2 },
									  { TMAP_NODE, 0 } }));
	hold(tmap_slots_init(&job->slots, &job->p, 0, &none, &err) == 0);
}

START_TEST(a_pattern_takes_one_round_of_the_longest_chain)
{
	static const int stay[] = { 0, 1, 2, 3 }, apart[] = { 0, 2, 1, 3 };
	const struct tmap_criteria criteria = { .profile = &no_links };
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;
	struct tmap_traffic traffic = { .pattern = &pattern };
	struct job job;

	two_nodes(&job);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 4, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, 1000, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 2, 500, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 3, 1, 100, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
	/* 0 sends 1000 near and 500 far: 5 us + 1 us + 2 us, and one overhead */
	ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, stay).seconds, 8.1e-6, 1e-12);
	/* 0 sends 1000 far and 500 near; 1 receives 1000 far and 100 near: 5 + 4 + 0.5 + 0.1 */
	ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, apart).seconds, 9.6e-6, 1e-12);
	ck_assert_double_eq(measure(&job, &traffic, &criteria, apart).link_s, 0);
	tmap_pattern_fini(&pattern);
	job_fini(&job);
}
END_TEST

/* A mapping with all that its times are asked of. */
struct mapped {
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_levels levels;
};

/* Ranks on the innermost of equal objects, as a selection has them. */
static void job_init_innermost(struct job *job, struct dice *dice, int size)
{
	struct tmap_placement p;
	int all[24];

	placement_random_take(&p, machine_random(dice, 5), size, dice);
	for (int r = 0; r < size; r++)
		all[r] = r;
	hold(tmap_placement_select(&job->p, &p, all, size, &err) == 0);
	tmap_placement_fini(&p);
	hold(tmap_slots_init(&job->slots, &job->p, 0, &none, &err) == 0);
}

static void mapped_init(struct mapped *it, const struct job *job, const int *slot_of)
{
	hold(tmap_placement_select(&it->p, &job->p, slot_of, job->p.size, &err) == 0);
	hold(tmap_metric_init(&it->metric, &it->p, TMAP_SCALE_PROCESS, &err) == 0);
	hold(tmap_levels_init(&it->levels, it->p.machine, &err) == 0);
}

static void mapped_fini(struct mapped *it)
{
	tmap_levels_fini(&it->levels);
	tmap_metric_fini(&it->metric);
	tmap_placement_fini(&it->p);
}

/* Oracle: the model message by message (tests/support/literal_clock.h). */
START_TEST(a_pattern_takes_what_its_messages_take_in_one_round)
{
	struct dice dice = { 5 };

	for (int round = 0; round < 150; round++) {
		const struct tmap_criteria criteria = { .profile = tmap_profile_at(round % 2) };
		int size = 2 + dice_roll(&dice, 22), slot_of[24];
		double *matrix = calloc((size_t)(size * size), sizeof *matrix), expected;
		struct tmap_pattern pattern;
		struct tmap_traffic traffic = { .pattern = &pattern };
		struct literal_clock clock;
		struct mapped mapped;
		struct job job;

		job_init_innermost(&job, &dice, size);
		random_pattern(&pattern, matrix, size, &dice);
		pattern.everyone = 0;
		for (int r = 0; r < size; r++)
			slot_of[r] = r;
		dice_shuffle(&dice, slot_of, size);
		mapped_init(&mapped, &job, slot_of);
		literal_clock_init(&clock, &mapped.p, &mapped.metric, &mapped.levels,
				   criteria.profile);
		for (int r = 0; r < size; r++)
			for (int64_t i = pattern.start[r]; i < pattern.start[r + 1]; i++) {
				/* short and long ones, so that a rank has both protocols */
				pattern.sent[i] *= dice_roll(&dice, 2) ? 1 : 50000;
				if (pattern.sent[i] > 0)
					literal_clock_add(&clock,
							  &(struct tmap_message){
								  .from = r,
								  .to = pattern.peer[i],
								  .bytes = (int64_t)pattern.sent[i],
								  .span = 1,
								  .times = 1 });
			}
		expected = literal_clock_end(&clock);
		ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, slot_of).seconds,
					expected, 1e-9 * expected + 1e-18);
		mapped_fini(&mapped);
		tmap_pattern_fini(&pattern);
		free(matrix);
		job_fini(&job);
	}
}
END_TEST

/* What suggest-rankfile says of a grid is what score says of the same exchange. */
START_TEST(a_grid_takes_what_its_neighborhood_collective_takes)
{
	static const char *const stencil[] = { "cart", "vonneumann:2", "moore:1",
					       "offsets:1,0;0,-1;2,1" };
	static const int64_t bytes[] = { 1, 3000, 100000 };
	struct dice dice = { 6 };

	for (int profile = 0; profile < 4; profile++)
		for (int s = 0; s < 4; s++) {
			const struct tmap_criteria criteria = { .profile =
									tmap_profile_at(profile) };
			int64_t size = bytes[(profile + s) % 3];
			struct tmap_call call = { .size = 12, .bytes = size };
			struct tmap_neighborhood grid;
			struct tmap_pattern_builder b;
			struct tmap_pattern pattern;
			const struct tmap_traffic traffic = { .pattern = &pattern, .grid = &grid };
			struct tmap_cost_model model;
			struct mapped mapped;
			struct job job;
			double expected;
			int slot_of[12];

			job_init_innermost(&job, &dice, 12);
			for (int r = 0; r < 12; r++)
				slot_of[r] = r;
			dice_shuffle(&dice, slot_of, 12);
			mapped_init(&mapped, &job, slot_of);
			hold(tmap_neighborhood_init(&grid, 12, stencil[s], "4x3", "0,0", NULL,
						    &err) == 0);
			hold(tmap_pattern_builder_init(&b, 12, &err) == 0);
			hold(tmap_pattern_add_grid(&b, &grid, (double)size, &err) == 0);
			hold(tmap_pattern_finish(&pattern, &b, &err) == 0);
			call.neighborhood = &grid;
			hold(tmap_call_parse(&call, TMAP_NEIGHBOR_ALLTOALL, "linear", &err) == 0);
			hold(tmap_cost_model_init(&model, &mapped.p, &mapped.metric, &mapped.levels,
						  criteria.profile, &err) == 0);
			hold(tmap_cost(&expected, &model, &call, &err) == 0);
			ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, slot_of).seconds,
						expected, 1e-9 * expected + 1e-18);
			tmap_cost_model_fini(&model);
			tmap_pattern_fini(&pattern);
			tmap_neighborhood_fini(&grid);
			mapped_fini(&mapped);
			job_fini(&job);
		}
}
END_TEST

/* In block order each of three rounds has a message to the other node; where 0 and 2 share one,
 * the round in which they talk stays inside: 5 us + 8 x 4 ns far, 1 us + 8 x 1 ns near. So few
 * rounds are timed one by one, whatever the size. */
START_TEST(rounds_of_all_pairs_count)
{
	static const int stay[] = { 0, 1, 2, 3 }, apart[] = { 0, 2, 1, 3 };
	const struct tmap_criteria criteria = { .profile = &no_links };
	const double weight = 1;
	struct tmap_call call = { .size = 4, .bytes = 8 };
	struct tmap_traffic traffic = { .call_count = 1, .call = &call, .weight = &weight };
	struct job job;

	two_nodes(&job);
	ck_assert_int_eq(tmap_call_parse(&call, TMAP_ALLTOALL, "pairwise", &err), 0);
	ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, stay).seconds, 15.096e-6, 1e-12);
	ck_assert_double_eq_tol(measure(&job, &traffic, &criteria, apart).seconds, 11.072e-6,
				1e-12);
	for (call.bytes = 4096; call.bytes <= 4 << 20; call.bytes *= 1024)
		ck_assert_double_lt(measure(&job, &traffic, &criteria, apart).seconds,
				    measure(&job, &traffic, &criteria, stay).seconds);
	job_fini(&job);
}
END_TEST

START_TEST(the_goal_decides_and_then_the_distance)
{
	const struct tmap_criteria aim[] = { { .goal = TMAP_GOAL_SECONDS },
					     { .goal = TMAP_GOAL_DISTANCE },
					     { .goal = TMAP_GOAL_LINK } };
	const struct tmap_evaluation a = { .seconds = 1, .byte_distance = 20, .link_s = 5 };
	const struct tmap_evaluation b = { .seconds = 2, .byte_distance = 10, .link_s = 5 };

	for (int i = 0; i < 3; i++) {
		struct tmap_objective objective = { .criteria = &aim[i] };

		ck_assert(tmap_objective_prefers(&objective, &a, &b) == (i == 0));
		ck_assert(tmap_objective_prefers(&objective, &b, &a) == (i > 0));
		ck_assert(!tmap_objective_prefers(&objective, &a, &a));
		ck_assert_double_eq(tmap_objective_value(&objective, &a),
				    i == 0         ? 1 :
					    i == 1 ? 20 :
						     5);
	}
}
END_TEST

START_TEST(traffic_of_another_job_is_refused)
{
	const struct tmap_criteria criteria = { .profile = &no_links };
	struct tmap_pattern pattern = { .size = 5 };
	struct tmap_call call = { .size = 3 };
	struct tmap_traffic of_pattern = { .pattern = &pattern };
	struct tmap_traffic of_call = { .call_count = 1, .call = &call };
	struct tmap_objective objective;
	struct job job;

	two_nodes(&job);
	ck_assert_int_eq(tmap_objective_init(&objective, &job.slots, &of_pattern, &criteria, &err),
			 -1);
	ck_assert_str_eq(err.text, "a pattern of 5 ranks for a job of 4");
	ck_assert_int_eq(tmap_objective_init(&objective, &job.slots, &of_call, &criteria, &err),
			 -1);
	ck_assert_str_eq(err.text, "a call of 3 ranks for a job of 4");
	job_fini(&job);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("objective");
	TCase *tests = tcase_create("objective");

	tcase_add_test(tests, distance_and_link_are_the_sums_over_all_pairs);
	tcase_add_test(tests, a_call_takes_its_cost_times_its_weight);
	tcase_add_test(tests, a_pattern_takes_one_round_of_the_longest_chain);
	tcase_add_test(tests, a_pattern_takes_what_its_messages_take_in_one_round);
	tcase_add_test(tests, a_grid_takes_what_its_neighborhood_collective_takes);
	tcase_add_test(tests, rounds_of_all_pairs_count);
	tcase_add_test(tests, the_goal_decides_and_then_the_distance);
	tcase_add_test(tests, traffic_of_another_job_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
