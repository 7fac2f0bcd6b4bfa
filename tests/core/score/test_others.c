/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: a whole score by each other profile, and each tree timed by a model of its own.
 */
#include "core/score/others.h"

#include "core/tree/shapes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

static struct tmap_placement job(int nodes)
{
	static const struct test_level node_levels[] = { { TMAP_PACKAGE, 2 },
							 { TMAP_CORE, 4 },
							 { 0 } };
	struct tmap_placement placement;

	placement_block_take(&placement, machine_regular(nodes, node_levels));
	return placement;
}

static const struct tmap_other *find_other(const struct tmap_others *others,
					   const struct tmap_profile *profile)
{
	for (int i = 0; i < others->asked; i++)
		if (others->other[i].profile == profile && others->other[i].is_else)
			return &others->other[i];
	return NULL;
}

static double seconds_of(const struct tmap_score *score, const char *name)
{
	for (int i = 0; i < score->applicable; i++)
		if (strcmp(score->row[i].name, name) == 0)
			return score->row[i].seconds;
	ck_abort_msg("%s cannot run", name);
}

START_TEST(others_choose_what_a_score_by_them_puts_first)
{
	struct tmap_placement placement = job(4);
	struct tmap_score_request request = { .collective = TMAP_ALLGATHER,
					      .bytes = (int64_t)1 << (4 * _i),
					      .profile = tmap_profile_at(0) };
	struct tmap_others others;
	struct tmap_score score, by;
	double least = 0, most = 0;
	int chosen = 0;

	ck_assert_int_eq(tmap_score_init(&score, &placement, &request, &err), 0);
	ck_assert_int_eq(tmap_others_of_score(&others, &score, &err), 0);
	ck_assert_str_eq(others.chosen, score.row[0].name);
	ck_assert_int_eq(others.candidates, score.applicable);
	for (int i = 1; tmap_keywords_at(&tmap_profiles, (size_t)i); i++) {
		const struct tmap_other *other = find_other(&others, tmap_profile_at(i));
		double slower, own;

		request.profile = tmap_profile_at(i);
		ck_assert_int_eq(tmap_score_init(&by, &placement, &request, &err), 0);
		own = seconds_of(&by, score.row[0].name);
		slower = own / by.row[0].seconds;
		ck_assert_int_eq(other != NULL, slower > TMAP_OTHERS_TOLERANCE);
		if (other) {
			chosen++;
			ck_assert_double_eq(seconds_of(&by, other->best), by.row[0].seconds);
			ck_assert_double_eq_tol(other->slower, slower, 1e-9 * slower);
		}
		least = i == 1 || own < least ? own : least;
		most = i == 1 || own > most ? own : most;
		ck_assert_int_ge(others.asked, i);
		ck_assert_double_eq(others.other[i - 1].chosen_s, own);
		ck_assert_double_eq(others.other[i - 1].best_s, other ? by.row[0].seconds : own);
		tmap_score_fini(&by);
	}
	ck_assert_int_eq(others.count, chosen);
	ck_assert_double_eq(others.least_s, least);
	ck_assert_double_eq(others.most_s, most);
	tmap_others_fini(&others);
	tmap_score_fini(&score);
	tmap_placement_fini(&placement);
}
END_TEST

/* Trees of libraries, the first of them as ours, each timed by two other profiles. */
START_TEST(others_choose_the_tree_that_they_call_fastest)
{
	struct tmap_placement placement = job(4);
	struct tmap_metric process;
	struct tmap_levels levels;
	struct tmap_cost_model model, other[2];
	static const char *const name[] = { "flat", "binomial_near", "chain" };
	struct tmap_load load = { &process, &levels, &model, 1 << 16, 0 };
	struct tmap_baselines baselines = { .load = &load, .other_count = 2, .other = other };
	struct tmap_others others;
	double seconds[3][3];

	ck_assert_int_eq(tmap_metric_init(&process, &placement, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_levels_init(&levels, placement.machine, &err), 0);
	for (int m = 0; m < 3; m++)
		ck_assert_int_eq(tmap_cost_model_init(m ? &other[m - 1] : &model, &placement,
						      &process, &levels,
						      tmap_profile_at(m == 2 ? 5 : m), &err),
				 0);
	for (int t = 0; t < 3; t++) {
		struct tmap_spec choice;
		struct tmap_tree tree;

		ck_assert_int_eq(tmap_spec_parse(&choice, &tmap_tree_shapes, name[t], &err), 0);
		ck_assert_int_eq(tmap_shape_tree(&tree, &choice, &process, 0, &err), 0);
		ck_assert_int_eq(
			tmap_baselines_add(&baselines, name[t], &choice, &tree, NULL, &err), 0);
		for (int m = 0; m < 3; m++) {
			struct tmap_tree_cost cost;

			ck_assert_int_eq(tmap_tree_cost(&cost, &tree, m ? &other[m - 1] : &model,
							load.bytes, 0, &err),
					 0);
			seconds[m][t] = cost.seconds;
		}
		tmap_tree_fini(&tree);
	}
	ck_assert_int_eq(tmap_baselines_add_absent(&baselines, "none", NULL, "why", &err), 0);
	ck_assert_int_eq(tmap_others_of_baselines(&others, &baselines, &err), 0);
	ck_assert_int_eq(others.candidates, 3);
	ck_assert_int_eq(others.asked, 2);
	for (int m = 0; m < 3; m++) {
		const struct tmap_other *it = find_other(&others, m ? other[m - 1].profile : NULL);
		int best = 0, own = 0;

		for (int t = 1; t < 3; t++) {
			best = seconds[m][t] < seconds[m][best] ? t : best;
			own = seconds[0][t] < seconds[0][own] ? t : own;
		}
		ck_assert_str_eq(others.chosen, name[own]);
		if (m == 0)
			continue;
		ck_assert_int_eq(it != NULL,
				 seconds[m][own] > TMAP_OTHERS_TOLERANCE * seconds[m][best]);
		if (it)
			ck_assert_str_eq(it->best, name[best]);
	}
	tmap_others_fini(&others);
	tmap_baselines_fini(&baselines);
	for (int m = 0; m < 3; m++)
		tmap_cost_model_fini(m ? &other[m - 1] : &model);
	tmap_levels_fini(&levels);
	tmap_metric_fini(&process);
	tmap_placement_fini(&placement);
}
END_TEST

START_TEST(of_none_that_can_be_built_none_is_chosen)
{
	struct tmap_cost_model other[1] = { 0 };
	struct tmap_baselines baselines = { .other_count = 1, .other = other };
	struct tmap_others others;

	ck_assert_int_eq(tmap_baselines_add_absent(&baselines, "none", NULL, "why", &err), 0);
	ck_assert_int_eq(tmap_others_of_baselines(&others, &baselines, &err), 0);
	ck_assert_ptr_null(others.chosen);
	ck_assert_int_eq(others.candidates, 0);
	ck_assert_int_eq(others.asked, 0);
	tmap_others_fini(&others);
	tmap_baselines_fini(&baselines);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("others");
	TCase *tcase = tcase_create("others");

	tcase_add_loop_test(tcase, others_choose_what_a_score_by_them_puts_first, 0, 6);
	tcase_add_test(tcase, others_choose_the_tree_that_they_call_fastest);
	tcase_add_test(tcase, of_none_that_can_be_built_none_is_chosen);
	suite_add_tcase(suite, tcase);
	return suite;
}
