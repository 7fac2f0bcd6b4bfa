/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the literal Algorithm 1 over distances that were replaced one by one; every way of
 * merging timed by its own tree; the paper's experiment on Zoot (figure 8).
 */
#include "core/cost/merge.h"

#include "tests/support/literal.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void metric_of(struct tmap_metric *metric, const struct tmap_placement *p)
{
	hold(tmap_metric_init(metric, p, TMAP_SCALE_PROCESS, &err) == 0);
}

START_TEST(merged_distances_are_the_largest_of_them)
{
	struct dice dice = { .state = 61 };

	for (int run = 0; run < test_cases(300); run++) {
		double value[] = { 1 + dice_roll(&dice, 8), 0, 0 };
		struct tmap_placement p;
		struct tmap_metric metric, merged;
		double largest = 0;

		value[1] = value[0] + 1;
		value[2] = value[0] + 2;
		placement_random_take(&p, machine_random(&dice, 5), 2 + dice_roll(&dice, 20),
				      &dice);
		metric_of(&metric, &p);
		metric_of(&merged, &p);
		for (int s = 0; s < metric.step_count; s++)
			for (int i = 0; i < 3; i++)
				if (metric.step[s].value == value[i])
					largest = value[i];
		hold((tmap_metric_merge(&merged, value, 3, &err) == 0) == (largest > 0));
		for (int a = 0; a < p.size; a++)
			for (int b = 0; b < p.size; b++) {
				double d = tmap_metric_distance(&metric, a, b);
				bool is_merged = largest > 0 && d >= value[0] && d <= value[2];

				hold(tmap_metric_distance(&merged, a, b) ==
				     (is_merged ? largest : d));
			}
		tmap_metric_fini(&metric);
		tmap_metric_fini(&merged);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(zoot_merged_is_flat)
{
	static const double all[] = { 1, 2, 3 }, low[] = { 2, 1 };
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_tree tree;

	placement_block_take(&p, machine_zoot());
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_metric_merge(&metric, low, 2, &err), 0);
	ck_assert_int_eq(metric.step_count, 2);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 5, &err), 0);
	ck_assert(tree.parent[6] == 5 && tree.parent[7] == 5 && tree.parent[9] == 8);
	tmap_tree_fini(&tree);
	ck_assert_int_eq(tmap_metric_merge(&metric, all, 3, &err), 0);
	ck_assert_int_eq(metric.step_count, 1);
	ck_assert_int_eq(tmap_tree_init(&tree, &metric, 5, &err), 0);
	for (int r = 0; r < 16; r++)
		ck_assert_int_eq(tree.parent[r], r == 5 ? TMAP_NONE : 5);
	tmap_tree_fini(&tree);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_distance_between_merged_ones_may_not_be_left_out)
{
	static const double gap[] = { 1, 3 }, none[] = { 4, 5 }, ends[] = { 5, 1 };
	struct tmap_placement p;
	struct tmap_metric metric;
	int seats[] = { 0, 1, 15 };

	placement_block_take(&p, machine_zoot());
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_metric_merge(&metric, gap, 2, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text,
			 "the distances 1 and 3 cannot be merged without 2, which lies "
			 "between them");
	ck_assert_int_eq(tmap_metric_merge(&metric, none, 2, &err), -1);
	ck_assert_str_eq(err.text, "none of the distances to merge occurs here: they are 1 to 3");
	ck_assert_int_eq(metric.step_count, 3);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
	/* three ranks of which no two are at distance 2 */
	placement_seats_take(&p, machine_zoot(), seats, 3);
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_metric_merge(&metric, gap, 2, &err), 0);
	ck_assert_double_eq(tmap_metric_distance(&metric, 0, 1), 3);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
	placement_block_take(&p, machine_ig());
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_metric_merge(&metric, ends, 2, &err), 0);
	ck_assert_double_eq(tmap_metric_distance(&metric, 0, 1), 5);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

/* Seconds of the literal tree over distances of which those marked in @p drop become the next. */
static double time_literally(const struct tmap_metric *metric, unsigned drop, int root,
			     int64_t bytes, int64_t chunk)
{
	int p = metric->size;
	double *matrix = malloc((size_t)(p * p) * sizeof *matrix);
	struct tmap_tree_cost cost;
	struct tmap_cost_model model;
	struct tmap_levels levels;
	struct tmap_tree tree;

	for (int a = 0; a < p; a++)
		for (int b = 0; b < p; b++) {
			int step = a == b ? 0 : tmap_metric_step_of(metric, a, b);

			while (drop >> step & 1)
				step++;
			matrix[a * p + b] = step;
		}
	hold(tmap_tree_alloc(&tree, p, root, &err) == 0);
	literal_tree(matrix, p, root, tree.parent);
	hold(tmap_levels_init(&levels, metric->placement->machine, &err) == 0);
	hold(tmap_cost_model_init(&model, metric->placement, metric, &levels, tmap_profile_at(0),
				  &err) == 0);
	for (int r = 0; r < p; r++) /* the order of children is that of merged distances */
		if (r != root)
			tree.distance[r] = matrix[r * p + tree.parent[r]];
	hold(tmap_tree_cost(&cost, &tree, &model, bytes, chunk, &err) == 0);
	tmap_cost_model_fini(&model);
	tmap_levels_fini(&levels);
	tmap_tree_fini(&tree);
	free(matrix);
	return cost.seconds;
}

START_TEST(the_best_of_all_merges_is_chosen)
{
	struct dice dice = { .state = 62 };

	for (int run = 0; run < test_cases(60); run++) {
		int64_t bytes = INT64_C(1) << dice_roll(&dice, 24);
		int64_t chunk = dice_roll(&dice, 2) ? 8192 : 0;
		struct tmap_merging merging;
		struct tmap_placement p;
		struct tmap_metric metric;
		double best = 1e9;
		int root;

		placement_random_take(&p, machine_random(&dice, 5), 2 + dice_roll(&dice, 20),
				      &dice);
		metric_of(&metric, &p);
		root = dice_roll(&dice, p.size);
		for (unsigned drop = 0; drop < 1u << (metric.step_count - 1); drop++) {
			double seconds = time_literally(&metric, drop, root, bytes, chunk);

			best = seconds < best ? seconds : best;
		}
		hold(tmap_merging_choose(&merging, &metric, &metric, root, tmap_profile_at(0),
					 bytes, chunk, &err) == 0);
		hold(merging.is_exact);
		hold(merging.merged.seconds <= best * (1 + 1e-9));
		hold(merging.merged.seconds >= best * (1 - 1e-9));
		hold(merging.apart.seconds >= merging.merged.seconds * (1 - 1e-9));
		tmap_merging_fini(&merging);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* With receivers that pull once they are notified, as they measured it: KNEM. */
static int count_left(int64_t bytes)
{
	struct tmap_profile profile = *tmap_profile_at(0);
	struct tmap_profile_row *row = calloc((size_t)profile.row_count, sizeof *row);
	struct tmap_merging merging;
	struct tmap_placement p;
	struct tmap_metric metric;
	int left;

	placement_block_take(&p, machine_zoot());
	metric_of(&metric, &p);
	for (int i = 0; i < profile.row_count; i++) {
		row[i] = profile.row[i];
		row[i].copier = TMAP_COPIER_RECEIVER;
		row[i].protocol = TMAP_PROTOCOL_EAGER;
	}
	profile.row = row;
	ck_assert_int_eq(
		tmap_merging_choose(&merging, &metric, &metric, 0, &profile, bytes, 0, &err), 0);
	free(row);
	tmap_metric_drop(&metric, merging.drop);
	left = metric.step_count;
	tmap_merging_fini(&merging);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
	return left;
}

/* "distance 3 is of little importance for large messages ... small messages are still
 * sensitive to physical distance between sockets, and distance 3 becomes useful again" */
START_TEST(on_zoot_distances_pay_for_small_messages_and_not_for_large_ones)
{
	ck_assert_int_gt(count_left(64), 1);
	ck_assert_int_gt(count_left(1024), 1);
	ck_assert_int_eq(count_left(1 << 20), 1);
	ck_assert_int_eq(count_left(1 << 24), 1);
}
END_TEST

START_TEST(ig_keeps_its_boards_and_sockets_apart_in_a_pipeline)
{
	struct tmap_merging merging;
	struct tmap_placement p;
	struct tmap_metric metric;

	placement_block_take(&p, machine_ig());
	metric_of(&metric, &p);
	ck_assert_int_eq(tmap_merging_choose(&merging, &metric, &metric, 0, tmap_profile_at(1),
					     1 << 24, 1 << 16, &err),
			 0);
	ck_assert(!merging.drop[0]);
	ck_assert_double_gt(merging.merged.seconds, 0);
	tmap_merging_fini(&merging);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(many_ranks_are_merged_greedily_and_gain_too)
{
	struct tmap_merging merging;
	struct tmap_placement p;
	struct tmap_metric metric;
	struct tmap_machine *machine =
		machine_regular(2000,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 2 },
							     { TMAP_CORE, 8 },
							     { 0 } });

	machine_add_switches(machine, 20);
	machine_add_switches(machine, 10);
	machine_add_switches(machine, 5);
	placement_block_take(&p, machine);
	metric_of(&metric, &p);
	/* 1, 2, 4, 6 within nodes and 4 without: 128 trees of 128,000 ranks still go */
	ck_assert_int_eq(tmap_merging_choose(&merging, &metric, &metric, 0, tmap_profile_at(0),
					     1 << 20, 0, &err),
			 0);
	ck_assert(merging.is_exact);
	tmap_merging_fini(&merging);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
	machine = machine_regular(8000,
				  (const struct test_level[]){ { TMAP_PACKAGE, 2 },
							       { TMAP_NUMA, 2 },
							       { TMAP_L3, 2 },
							       { TMAP_CORE, 8 },
							       { 0 } });
	machine_add_switches(machine, 20);
	machine_add_switches(machine, 10);
	machine_add_switches(machine, 5);
	placement_block_take(&p, machine);
	metric_of(&metric, &p);
	ck_assert_int_eq(
		tmap_merging_choose(&merging, &metric, &metric, 0, tmap_profile_at(0), 8, 0, &err),
		0);
	ck_assert(!merging.is_exact);
	ck_assert_double_le(merging.merged.seconds, merging.apart.seconds);
	tmap_merging_fini(&merging);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(latencies_rise_and_keep_the_nesting)
{
	struct tmap_placement p;
	struct tmap_metric metric;

	placement_block_take(&p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_NUMA, 2 },
									  { TMAP_L3, 2 },
									  { TMAP_CORE, 2 },
									  { 0 } }));
	metric_of(&metric, &p);
	tmap_metric_set_latencies(&metric, tmap_profile_at(0));
	/* 1, 2 and 4 are the same socket's, 5 the other's, 7 the other node's */
	ck_assert_int_eq(metric.step_count, 3);
	ck_assert_double_eq_tol(tmap_metric_distance(&metric, 0, 1), 0.48e-6, 1e-15);
	ck_assert_double_eq_tol(tmap_metric_distance(&metric, 0, 2), 0.48e-6, 1e-15);
	ck_assert_double_eq_tol(tmap_metric_distance(&metric, 0, 7), 0.48e-6, 1e-15);
	ck_assert_double_eq_tol(tmap_metric_distance(&metric, 0, 8), 0.94e-6, 1e-15);
	ck_assert_double_eq_tol(tmap_metric_distance(&metric, 0, 16), 1.5e-6, 1e-15);
	tmap_metric_fini(&metric);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("merge");
	TCase *tcase = tcase_create("merge");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, merged_distances_are_the_largest_of_them);
	tcase_add_test(tcase, zoot_merged_is_flat);
	tcase_add_test(tcase, a_distance_between_merged_ones_may_not_be_left_out);
	tcase_add_test(tcase, the_best_of_all_merges_is_chosen);
	tcase_add_test(tcase, on_zoot_distances_pay_for_small_messages_and_not_for_large_ones);
	tcase_add_test(tcase, ig_keeps_its_boards_and_sockets_apart_in_a_pipeline);
	tcase_add_test(tcase, many_ranks_are_merged_greedily_and_gain_too);
	tcase_add_test(tcase, latencies_rise_and_keep_the_nesting);
	suite_add_tcase(suite, tcase);
	return suite;
}
