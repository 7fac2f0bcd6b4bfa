/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the metric's own distances, and the levels of two slots compared one by one. */
#include "core/map/nest.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>

static struct tmap_error err;

static void check_shape(const struct tmap_nest *nest)
{
	for (int x = 0; x < nest->count; x++)
		hold(nest->position[nest->slot[x]] == x);
	for (int l = 0; l < nest->depth; l++) {
		hold(nest->start[l][0] == 0 && nest->start[l][nest->set_count[l]] == nest->count);
		for (int s = 0; s < nest->set_count[l]; s++) {
			hold(nest->start[l][s] < nest->start[l][s + 1]);
			for (int x = nest->start[l][s]; x < nest->start[l][s + 1]; x++) {
				hold(tmap_nest_set(nest, l, x) == s);
				hold(l == 0 ||
				     tmap_nest_set(nest, l - 1, x) ==
					     tmap_nest_set(nest, l - 1, nest->start[l][s]));
			}
		}
		hold(l == 0 || nest->set_count[l] > nest->set_count[l - 1]);
	}
}

static void check_children(const struct tmap_nest *nest)
{
	int first = 0, sets = 0;

	for (int l = TMAP_NONE; l < nest->depth; l++) {
		int next = 0, count = l == TMAP_NONE ? 1 : nest->set_count[l];

		for (int s = 0; s < count; s++) {
			sets = tmap_nest_children(nest, l, s, &first);
			hold(l + 1 < nest->depth ? sets > 0 && first == next : sets == 0);
			next = first + sets;
		}
		hold(l + 1 == nest->depth || next == nest->set_count[l + 1]);
	}
}

START_TEST(positions_cost_what_their_slots_are_apart)
{
	struct dice dice = { 1 };

	for (int round = 0; round < 400; round++) {
		int size = 1 + dice_roll(&dice, 30);
		enum tmap_scale scale = (enum tmap_scale)(round % 2);
		struct tmap_placement p;
		struct tmap_metric metric;
		struct tmap_nest nest;

		placement_random_take(&p, machine_random(&dice, 6), size, &dice);
		hold(tmap_metric_init(&metric, &p, scale, &err) == 0);
		hold(tmap_nest_init_scale(&nest, &p, scale, &err) == 0);
		check_shape(&nest);
		check_children(&nest);
		for (int a = 0; a < size; a++)
			for (int b = 0; b < size; b++)
				hold(tmap_nest_cost(&nest, nest.position[a], nest.position[b]) ==
				     tmap_metric_distance(&metric, a, b));
		tmap_nest_fini(&nest);
		tmap_metric_fini(&metric);
		tmap_placement_fini(&p);
	}
}
END_TEST

static double literal_cost(const struct tmap_levels *levels, const double *cost,
			   const struct tmap_placement *p, int a, int b)
{
	for (int l = 0; l < levels->count; l++)
		if (tmap_levels_of_rank(levels, l, p, a) != tmap_levels_of_rank(levels, l, p, b))
			return cost[l];
	return 0;
}

START_TEST(levels_cost_what_was_said_of_the_outermost_that_differs)
{
	struct dice dice = { 2 };

	for (int round = 0; round < 300; round++) {
		int size = 1 + dice_roll(&dice, 30);
		double cost[64], last = 1000;
		struct tmap_levels levels;
		struct tmap_placement p;
		struct tmap_nest nest;

		placement_random_take(&p, machine_random(&dice, 6), size, &dice);
		hold(tmap_levels_init(&levels, p.machine, &err) == 0);
		for (int l = 0; l < levels.count; l++)
			cost[l] = last -= dice_roll(&dice, 20);
		hold(tmap_nest_init_levels(&nest, &p, &levels, cost, levels.count, &err) == 0);
		check_shape(&nest);
		check_children(&nest);
		for (int a = 0; a < size; a++)
			for (int b = 0; b < size; b++)
				hold(tmap_nest_cost(&nest, nest.position[a], nest.position[b]) ==
				     literal_cost(&levels, cost, &p, a, b));
		tmap_nest_fini(&nest);
		tmap_levels_fini(&levels);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(costs_that_are_none_are_refused)
{
	struct tmap_levels levels;
	struct tmap_placement p;
	struct tmap_nest nest;

	placement_block_take(&p,
			     machine_regular(2,
					     (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									  { TMAP_CORE, 2 },
									  { TMAP_NODE, 0 } }));
	ck_assert_int_eq(tmap_levels_init(&levels, p.machine, &err), 0);
	ck_assert_int_eq(
		tmap_nest_init_levels(&nest, &p, &levels, (const double[]){ 3, 2 }, 2, &err), -1);
	ck_assert_str_eq(err.text,
			 "2 costs of levels, but the machine has 3 levels, from 'node' "
			 "to 'core'");
	ck_assert_int_eq(
		tmap_nest_init_levels(&nest, &p, &levels, (const double[]){ 3, 4, 2 }, 3, &err),
		-1);
	ck_assert_str_eq(err.text,
			 "level 'package' costs 4, more than the outer level 'node', "
			 "which costs 3");
	ck_assert_int_eq(
		tmap_nest_init_levels(&nest, &p, &levels, (const double[]){ 3, 2, -1 }, 3, &err),
		-1);
	ck_assert_str_eq(err.text, "level 'core' costs -1: it must be finite, and not negative");
	ck_assert_int_eq(tmap_nest_init_levels(&nest, &p, &levels,
					       (const double[]){ (double)INFINITY, 2, 1 }, 3, &err),
			 -1);
	tmap_levels_fini(&levels);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("nest");
	TCase *tests = tcase_create("nest");

	tcase_add_test(tests, positions_cost_what_their_slots_are_apart);
	tcase_add_test(tests, levels_cost_what_was_said_of_the_outermost_that_differs);
	tcase_add_test(tests, costs_that_are_none_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
