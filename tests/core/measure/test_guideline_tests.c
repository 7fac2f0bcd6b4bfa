/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Guidelines of virtual topologies: their table, what is measured for them, and verdicts on times in
 * which a rank is slow, repetitions are outliers, or a launch is. Oracles: the guidelines and the
 * numbers of groups of Luebbe 2017 (sections 2 and 4), and what was injected.
 */
#include "core/measure/guideline_tests.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 7, REPETITIONS = 50 };

static struct tmap_error err;
static const struct tmap_slowdown_rule rule = { .p = 0.001, .ratio = 1.03 };
static const struct tmap_guidelines_request everything = { .collective = TMAP_NONE,
							   .bytes = TMAP_NONE };
static const int64_t one = 1;

static const struct tmap_virtual_topology moore = {
	TMAP_DIST_GRAPH_CREATE_ADJACENT, TMAP_STENCIL_MOORE, 1, 2, 0, TMAP_ORDER_FMAJ, false
};

static int row_of(const char *name)
{
	for (int row = 0; row < tmap_virtual_guideline_rows(); row++)
		if (strcmp(tmap_virtual_guideline_name(row), name) == 0)
			return row;
	ck_abort_msg("no row %s", name);
	return TMAP_NONE;
}

START_TEST(all_twelve_are_there_and_what_is_alike_goes_both_ways)
{
	unsigned numbers = 0;

	for (int row = 0; row < tmap_virtual_guideline_rows(); row++) {
		int number = tmap_virtual_guideline_number(row);

		numbers |= 1u << number;
		ck_assert_int_eq(tmap_virtual_guideline_is_alike(row),
				 number == 10 || number == 11);
	}
	ck_assert_uint_eq(numbers, TMAP_ALL_GUIDELINES & ~TMAP_MOCKUP_GUIDELINES);
	row_of("GL11 fmaj <= rand");
	row_of("GL11 rand <= fmaj");
	row_of("GL10 dist_graph_create <= dist_graph_create_adjacent");
	row_of("GL10 dist_graph_create_adjacent <= dist_graph_create");
	row_of("GL12 reorder=1 <= reorder=0");
	row_of("GL3 create, reorder=0 <= reorder=1");
	row_of("GL8 alltoallw <= neighbor_alltoallw");
}
END_TEST

START_TEST(both_sides_differ_in_one_thing)
{
	struct tmap_virtual_key right = { TMAP_VIRTUAL_NEIGHBOR_ALLTOALLV, moore }, left;

	ck_assert(tmap_virtual_guideline_left(
		row_of("GL4 neighbor_allgatherv <= neighbor_alltoallv"), &right, &left));
	ck_assert_int_eq(left.call, TMAP_VIRTUAL_NEIGHBOR_ALLGATHERV);
	ck_assert_int_eq(tmap_virtual_compare(&left.topology, &moore), 0);
	/* Moore is not Cartesian, not the full graph, and listed as fmaj */
	ck_assert(!tmap_virtual_guideline_left(
		row_of("GL9 cart_create <= dist_graph_create_adjacent"), &right, &left));
	ck_assert(!tmap_virtual_guideline_left(row_of("GL8 alltoallv <= neighbor_alltoallv"),
					       &right, &left));
	ck_assert(!tmap_virtual_guideline_left(row_of("GL11 fmaj <= rand"), &right, &left));
	ck_assert(!tmap_virtual_guideline_left(row_of("GL3 create, reorder=0 <= reorder=1"), &right,
					       &left));
	right.topology.order = TMAP_ORDER_RAND;
	ck_assert(tmap_virtual_guideline_left(row_of("GL11 fmaj <= rand"), &right, &left));
	ck_assert_int_eq(left.topology.order, TMAP_ORDER_FMAJ);
	right.topology.stencil = TMAP_STENCIL_VONNEUMANN;
	ck_assert(tmap_virtual_guideline_left(
		row_of("GL9 cart_create <= dist_graph_create_adjacent"), &right, &left));
	ck_assert_int_eq(left.topology.constructor, TMAP_CART_CREATE);
	ck_assert_int_eq(left.topology.order, TMAP_ORDER_CART);
	ck_assert_int_eq(tmap_virtual_check(&left.topology, &err), 0);
}
END_TEST

START_TEST(words_name_guidelines)
{
	static const char *const bad[] = { "",      "GL0",  "GL13",   "GL4,", "4",      "GL7-4",
					   "GL7-x", "GL4x", "mockup", "GL",   "GL4-13", "GL-1" };
	unsigned set;

	ck_assert_int_eq(tmap_virtual_guidelines_parse("GL4,GL7-9", &set, &err), 0);
	ck_assert_uint_eq(set, 1u << 4 | 1u << 7 | 1u << 8 | 1u << 9);
	ck_assert_int_eq(tmap_virtual_guidelines_parse("gl10-GL12,mockups", &set, &err), 0);
	ck_assert_uint_eq(set, 1u << 10 | 1u << 11 | 1u << 12 | TMAP_MOCKUP_GUIDELINES);
	ck_assert_int_eq(tmap_virtual_guidelines_parse("all", &set, &err), 0);
	ck_assert_uint_eq(set, 8191);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_msg(tmap_virtual_guidelines_parse(bad[i], &set, &err) < 0, "'%s'",
			      bad[i]);
		ck_assert_int_eq(err.kind, TMAP_USAGE);
	}
}
END_TEST

static struct tmap_virtual_request request_of(unsigned guidelines, int size, unsigned stencils)
{
	return (struct tmap_virtual_request){ .guidelines = guidelines,
					      .collective = TMAP_NONE,
					      .size = size,
					      .stencils = stencils,
					      .orders = ~0u,
					      .reorders = 3,
					      .radius = &one,
					      .radius_count = 1 };
}

/* How many of a plan are that call. */
static int calls_of(const struct tmap_virtual_plan *plan, enum tmap_virtual_call call)
{
	int count = 0;

	for (int i = 0; i < plan->count; i++)
		count += plan->key[i].call == call;
	return count;
}

/* Of campaign nbhcoll-jupiter: four dimensions, two numbers of finite ones, three orders but one of
 * cart, reorder 0 and 1. Its guideline of allgather and alltoall has 112 groups. */
START_TEST(the_campaign_of_the_paper)
{
	struct tmap_virtual_request request = request_of(1u << 4, 35 * 16, 3);
	struct tmap_virtual_plan plan;

	ck_assert_int_eq(tmap_virtual_plan_init(&plan, &request, &err), 0);
	ck_assert_int_eq(calls_of(&plan, TMAP_VIRTUAL_NEIGHBOR_ALLGATHER), 112);
	ck_assert_int_eq(calls_of(&plan, TMAP_VIRTUAL_NEIGHBOR_ALLTOALL), 112);
	ck_assert_int_eq(calls_of(&plan, TMAP_VIRTUAL_NEIGHBOR_ALLTOALLV), 112);
	ck_assert_int_eq(plan.count, 4 * 112);
	for (int i = 1; i < plan.count; i++)
		ck_assert_int_lt(tmap_virtual_key_compare(&plan.key[i - 1], &plan.key[i]), 0);
	tmap_virtual_plan_fini(&plan);
	/* full: two orders, reorder 0 and 1; global ones on the same communicators */
	request = request_of(1u << 8, 35 * 16, 4);
	ck_assert_int_eq(tmap_virtual_plan_init(&plan, &request, &err), 0);
	ck_assert_int_eq(calls_of(&plan, TMAP_VIRTUAL_ALLTOALL), 4);
	ck_assert_int_eq(calls_of(&plan, TMAP_VIRTUAL_NEIGHBOR_ALLTOALL), 4);
	ck_assert_int_eq(plan.count, 6 * 4);
	tmap_virtual_plan_fini(&plan);
	/* on 6 ranks a grid of three dimensions has one of one rank */
	request = request_of(1u << 1, 6, 1);
	ck_assert_int_eq(tmap_virtual_plan_init(&plan, &request, &err), 0);
	for (int i = 0; i < plan.count; i++)
		ck_assert_int_le(plan.key[i].topology.dimensions, 2);
	tmap_virtual_plan_fini(&plan);
}
END_TEST

START_TEST(plans_of_nothing_and_of_one_rank_are_refused)
{
	struct tmap_virtual_request request = request_of(1u << 4, 1, 1);
	struct tmap_virtual_plan plan;
	const int64_t three = 3, five = 5;

	ck_assert_int_eq(tmap_virtual_plan_init(&plan, &request, &err), -1);
	ck_assert_str_eq(err.text,
			 "guidelines of topologies are about ranks that communicate, and "
			 "there is one");
	request = request_of(1u << 7, 8, 1);
	ck_assert_int_eq(tmap_virtual_plan_init(&plan, &request, &err), -1);
	ck_assert_str_eq(err.text, "these guidelines compare nothing on these neighborhoods");
	request = request_of(1u << 4, 8, 1);
	request.dimensions = &three;
	request.finite = &five;
	request.dimension_count = request.finite_count = 1;
	ck_assert_int_eq(tmap_virtual_plan_init(&plan, &request, &err), -1);
	ck_assert_str_eq(err.text, "these guidelines compare nothing on these neighborhoods");
}
END_TEST

/* What a launch has: its repetitions, some of them disturbed, a slow rank, a slow launch. */
struct injection {
	double slower; /* every repetition takes so many times as long: a rank is slow */
	int outliers;  /* of the repetitions, a hundred times as long */
	int slow_run;  /* that launch takes ten times as long; TMAP_NONE: none */
};

/* Oracle of what is drawn: noise of 1 % on a base. */
static void add(struct tmap_times *times, enum tmap_virtual_call call,
		const struct tmap_virtual_topology *on, int64_t bytes, double base,
		const struct injection *injected, uint64_t seed)
{
	struct tmap_experiment it = { .collective = TMAP_COLLECTIVE_COUNT,
				      .on = { call, *on },
				      .algorithm = strdup("native"),
				      .mode = TMAP_BLOCKING,
				      .bytes = bytes,
				      .repetitions = RUNS * REPETITIONS,
				      .is_correct = true,
				      .run_count = RUNS,
				      .run = malloc(RUNS * sizeof(double)) };
	struct tmap_random random = { seed };

	for (int run = 0; run < RUNS; run++) {
		double raw[REPETITIONS];

		for (int i = 0; i < REPETITIONS; i++) {
			raw[i] = base * injected->slower *
				(1 + 0.00001 * (double)tmap_random_below(&random, 1000));
			if (run == injected->slow_run)
				raw[i] *= 10;
			if (i < injected->outliers)
				raw[i] *= 100;
		}
		ck_assert_int_eq(tmap_median_without_outliers(&it.run[run], raw, REPETITIONS, &err),
				 0);
	}
	ck_assert_int_eq(tmap_sample_statistics_init(&it.seconds, it.run, RUNS, &err), 0);
	ck_assert_int_eq(tmap_times_add_take(times, &it, &err), 0);
}

static const struct injection nothing = { 1, 0, TMAP_NONE };

/* Of neighbor_allgather <= neighbor_alltoall, both as fast but for what is injected into the left. */
static bool is_violated(const struct injection *injected)
{
	struct tmap_times times = { .mpi = NULL };
	struct tmap_guideline_tests tests;
	bool is;

	add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLGATHER, &moore, 64, 1e-5, injected, 1);
	add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLTOALL, &moore, 64, 1e-5, &nothing, 2);
	ck_assert_int_eq(tmap_guideline_tests_init(&tests, &times, TMAP_ALL_GUIDELINES, &everything,
						   &rule, &err),
			 0);
	ck_assert_int_eq(tests.count, 1);
	is = tests.test[0].slowdown.is_violated;
	tmap_guideline_tests_fini(&tests);
	tmap_times_fini(&times);
	return is;
}

START_TEST(a_slow_rank_is_found_and_outliers_are_not_taken_for_one)
{
	ck_assert(!is_violated(&nothing));
	ck_assert(is_violated(&(struct injection){ 1.1, 0, TMAP_NONE }));
	ck_assert(!is_violated(&(struct injection){ 1, 10, TMAP_NONE }));
	ck_assert(is_violated(&(struct injection){ 1.1, 10, TMAP_NONE }));
	ck_assert(!is_violated(&(struct injection){ 1, 0, 3 }));
	ck_assert(!is_violated(&(struct injection){ 0.9, 0, TMAP_NONE }));
}
END_TEST

/* How many of four sizes are violated, the first @p slow of which take 10 % longer; *undecidable too. */
static int violations(enum tmap_correction correction, int slow, int *undecidable)
{
	const struct tmap_slowdown_rule corrected = { 0.001, 1.03, correction };
	static const struct injection longer = { 1.1, 0, TMAP_NONE };
	struct tmap_times times = { .mpi = NULL };
	struct tmap_guideline_tests tests;
	int count;

	for (int i = 0; i < 4; i++) {
		add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLGATHER, &moore, 8 << i, 1e-5,
		    i < slow ? &longer : &nothing, 1 + (uint64_t)i);
		add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLTOALL, &moore, 8 << i, 1e-5, &nothing,
		    5 + (uint64_t)i);
	}
	ck_assert_int_eq(tmap_guideline_tests_init(&tests, &times, TMAP_ALL_GUIDELINES, &everything,
						   &corrected, &err),
			 0);
	ck_assert_int_eq(tests.count, 4);
	*undecidable = tests.undecidable;
	count = tmap_guideline_tests_total(&tests).violations;
	if (correction == TMAP_CORRECT_NONE)
		ck_assert_double_eq_tol(tests.expected_false, 0.004, 1e-12);
	tmap_guideline_tests_fini(&tests);
	tmap_times_fini(&times);
	return count;
}

/* Of 7 launches each p is 1 / 3432 at least, and four times that is above 0.001. */
START_TEST(many_tests_are_judged_together_if_that_is_asked_for)
{
	int undecidable;

	ck_assert_int_eq(violations(TMAP_CORRECT_NONE, 4, &undecidable), 4);
	ck_assert_int_eq(undecidable, 0);
	ck_assert_int_eq(violations(TMAP_CORRECT_HOLM, 4, &undecidable), 0);
	ck_assert_int_eq(undecidable, 4);
	ck_assert_int_eq(violations(TMAP_CORRECT_BH, 4, &undecidable), 4);
	ck_assert_int_eq(violations(TMAP_CORRECT_BH, 2, &undecidable), 2);
	ck_assert_int_eq(undecidable, 0);
	ck_assert_int_eq(violations(TMAP_CORRECT_BH, 1, &undecidable), 0);
	ck_assert_int_eq(violations(TMAP_CORRECT_NONE, 1, &undecidable), 1);
}
END_TEST

static void total_check(const struct tmap_guideline_total *it, const char *name, int violations,
			int tests, int violated_groups, int groups)
{
	ck_assert_str_eq(it->name, name);
	ck_assert_int_eq(it->violations, violations);
	ck_assert_int_eq(it->tests, tests);
	ck_assert_int_eq(it->violated_groups, violated_groups);
	ck_assert_int_eq(it->groups, groups);
}

/* Two neighborhoods, two orders of one of them, three sizes: two violated in one group, one in another. */
START_TEST(violations_are_counted_by_guideline_and_neighborhood)
{
	static const char gl4[] = "GL4 neighbor_allgather <= neighbor_alltoall";
	const struct injection slow = { 1.5, 0, TMAP_NONE };
	struct tmap_virtual_topology on[3] = { moore, moore, moore };
	struct tmap_times times = { .mpi = NULL };
	struct tmap_guideline_tests tests;

	on[1].order = TMAP_ORDER_LMAJ;
	on[2].dimensions = 3;
	for (int t = 0; t < 3; t++)
		for (int64_t bytes = 1; bytes <= 3; bytes++) {
			bool is_slow = (t == 0 && bytes > 1) || (t == 2 && bytes == 3);
			uint64_t seed = (uint64_t)(10 * t + bytes);

			add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLGATHER, &on[t], bytes, 1e-5,
			    is_slow ? &slow : &nothing, 2 * seed);
			add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLTOALL, &on[t], bytes, 1e-5, &nothing,
			    2 * seed + 1);
		}
	ck_assert_int_eq(
		tmap_guideline_tests_init(&tests, &times, 1u << 4, &everything, &rule, &err), 0);
	ck_assert_int_eq(tests.mockup_count, 0);
	ck_assert_int_eq(tests.count, 9);
	total_check(&tests.total[tmap_guideline_rows() + row_of(gl4)], gl4, 3, 9, 2, 3);
	ck_assert_int_eq(tests.on_count, 2);
	total_check(&tests.on[0], gl4, 2, 6, 1, 2);
	total_check(&tests.on[1], gl4, 1, 3, 1, 1);
	ck_assert_int_eq(tests.on[1].on->dimensions, 3);
	tmap_guideline_tests_fini(&tests);
	/* the orders of the first one are alike, but for what is slow in one of them */
	ck_assert_int_eq(
		tmap_guideline_tests_init(&tests, &times, 1u << 11, &everything, &rule, &err), 0);
	total_check(&tests.total[tmap_guideline_rows() + row_of("GL11 fmaj <= lmaj")],
		    "GL11 fmaj <= lmaj", 2, 6, 1, 2);
	total_check(&tests.total[tmap_guideline_rows() + row_of("GL11 lmaj <= fmaj")],
		    "GL11 lmaj <= fmaj", 0, 6, 0, 2);
	tmap_guideline_tests_fini(&tests);
	ck_assert_int_eq(
		tmap_guideline_tests_init(&tests, &times, 1u << 9, &everything, &rule, &err), -1);
	tmap_times_fini(&times);
}
END_TEST

START_TEST(a_wrong_result_is_not_tested)
{
	struct tmap_times times = { .mpi = NULL };
	struct tmap_guideline_tests tests;

	add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLGATHER, &moore, 64, 1e-5, &nothing, 1);
	add(&times, TMAP_VIRTUAL_NEIGHBOR_ALLTOALL, &moore, 64, 1e-5, &nothing, 2);
	times.experiment[1].is_correct = false;
	ck_assert_int_eq(tmap_guideline_tests_init(&tests, &times, TMAP_ALL_GUIDELINES, &everything,
						   &rule, &err),
			 -1);
	ck_assert_str_eq(err.text, "a result was wrong in all 1 pairs that it has");
	tmap_times_fini(&times);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("guideline_tests");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, all_twelve_are_there_and_what_is_alike_goes_both_ways);
	tcase_add_test(tc, both_sides_differ_in_one_thing);
	tcase_add_test(tc, words_name_guidelines);
	tcase_add_test(tc, the_campaign_of_the_paper);
	tcase_add_test(tc, plans_of_nothing_and_of_one_rank_are_refused);
	tcase_add_test(tc, a_slow_rank_is_found_and_outliers_are_not_taken_for_one);
	tcase_add_test(tc, many_tests_are_judged_together_if_that_is_asked_for);
	tcase_add_test(tc, violations_are_counted_by_guideline_and_neighborhood);
	tcase_add_test(tc, a_wrong_result_is_not_tested);
	suite_add_tcase(suite, tc);
	return suite;
}
