/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: small machines whose levels are known. */
#include "cli/base/level_costs.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Levels node, package, numa, core. */
static struct tmap_machine *machine(void)
{
	return machine_regular(4,
			       (const struct test_level[]){ { TMAP_PACKAGE, 2 },
							    { TMAP_NUMA, 2 },
							    { TMAP_CORE, 4 },
							    { TMAP_NODE, 0 } });
}

START_TEST(levels_that_are_not_named_cost_as_the_next_one_inwards)
{
	static const struct {
		const char *text;
		double costs[4];
	} cases[] = {
		{ "node:100,package:20,numa:10,core:1", { 100, 20, 10, 1 } },
		{ "core:1,node:100", { 100, 1, 1, 1 } },
		{ "node:2.5e1", { 25, 0, 0, 0 } },
		{ "numa:0", { 0, 0, 0, 0 } },
	};
	struct tmap_machine *it = machine();
	struct tmap_levels levels;
	double *costs;

	ck_assert_int_eq(tmap_levels_init(&levels, it, &err), 0);
	ck_assert_int_eq(levels.count, 4);
	ck_assert_msg(tmap_level_costs_parse(&costs, cases[_i].text, &levels, &err) == 0, "%s",
		      err.text);
	for (int l = 0; l < 4; l++)
		ck_assert_double_eq(costs[l], cases[_i].costs[l]);
	free(costs);
	tmap_levels_fini(&levels);
	tmap_machine_free(it);
}
END_TEST

/* One NUMA node a package: the level numa is left out, and there is no cache and no switch. */
START_TEST(a_level_that_is_left_out_is_the_next_outer_one)
{
	static const struct {
		const char *text;
		double costs[3];
	} cases[] = {
		{ "node:100,package:20,numa:10,core:1", { 100, 20, 1 } },
		{ "node:100,numa:10,core:1", { 100, 10, 1 } },
		{ "switch2:500,node:100,l3:5,core:1", { 100, 5, 1 } },
		{ "node:100,l2:3,l3:5,core:1", { 100, 5, 1 } },
	};
	struct tmap_machine *it = machine_regular(4,
						  (const struct test_level[]){ { TMAP_PACKAGE, 2 },
									       { TMAP_NUMA, 1 },
									       { TMAP_CORE, 4 },
									       { TMAP_NODE, 0 } });
	struct tmap_levels levels;
	double *costs;

	ck_assert_int_eq(tmap_levels_init(&levels, it, &err), 0);
	ck_assert_int_eq(levels.count, 3);
	ck_assert_msg(tmap_level_costs_parse(&costs, cases[_i].text, &levels, &err) == 0, "%s",
		      err.text);
	for (int l = 0; l < 3; l++)
		ck_assert_double_eq(costs[l], cases[_i].costs[l]);
	free(costs);
	ck_assert_int_eq(tmap_level_costs_parse(&costs, "numa:1,numa:2", &levels, &err), -1);
	ck_assert_str_eq(err.text, "the level numa has two costs");
	tmap_levels_fini(&levels);
	tmap_machine_free(it);
}
END_TEST

START_TEST(other_words_are_refused)
{
	static const char *const cases[][2] = {
		{ "socket:3",
		  "the machine has no level 'socket' (it has: node, package, numa, core)" },
		{ "node", "'node' is not written LEVEL:COST" },
		{ "", "'' is not written LEVEL:COST" },
		{ "node:1,node:2", "the level node has two costs" },
		{ "node:-1", "'-1' is no cost, a number of at least 0" },
		{ "node:nan", "'nan' is no cost, a number of at least 0" },
		{ "node:1x", "'1x' is no cost, a number of at least 0" },
	};
	struct tmap_machine *it = machine();
	struct tmap_levels levels;
	double *costs = NULL;

	ck_assert_int_eq(tmap_levels_init(&levels, it, &err), 0);
	ck_assert_int_eq(tmap_level_costs_parse(&costs, cases[_i][0], &levels, &err), -1);
	ck_assert_str_eq(err.text, cases[_i][1]);
	ck_assert_ptr_null(costs);
	tmap_levels_fini(&levels);
	tmap_machine_free(it);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("level_costs");
	TCase *tests = tcase_create("level_costs");

	tcase_add_loop_test(tests, levels_that_are_not_named_cost_as_the_next_one_inwards, 0, 4);
	tcase_add_loop_test(tests, a_level_that_is_left_out_is_the_next_outer_one, 0, 4);
	tcase_add_loop_test(tests, other_words_are_refused, 0, 7);
	suite_add_tcase(suite, tests);
	return suite;
}
