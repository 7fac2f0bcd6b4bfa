/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the rules of core/machine/localities.h, followed by hand on small nodes.
 */
#include "core/machine/localities.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;
static struct tmap_topology topo;

static void setup(void)
{
	ck_assert_int_eq(tmap_topology_init(&topo, 16, &err), 0);
}

static void teardown(void)
{
	tmap_topology_fini(&topo);
}

static void add(enum tmap_type type, int first_pu, int end_pu, int os)
{
	ck_assert_int_eq(tmap_topology_add(&topo, type, first_pu, end_pu, os, 0, &err), 0);
}

/* Packages of 4 PUs. */
static void add_packages(void)
{
	for (int i = 0; i < 4; i++)
		add(TMAP_PACKAGE, 4 * i, 4 * i + 4, i);
}

static int count(enum tmap_type type)
{
	int found = 0;

	for (int i = 0; i < topo.object_count; i++)
		found += topo.object[i].type == type;
	return found;
}

START_TEST(the_first_of_several_memories_stands_for_the_controller)
{
	add(TMAP_NUMA, 0, 8, 0);
	add(TMAP_NUMA, 8, 16, 1);
	add(TMAP_NUMA, 0, 8, 2);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_NUMA), 2);
	ck_assert_int_eq(topo.object[0].os, 0);
	ck_assert_int_eq(topo.object[1].os, 1);
}
END_TEST

START_TEST(a_memory_of_the_whole_node_does_not_merge_the_controllers)
{
	add(TMAP_NUMA, 0, 16, 0);
	add(TMAP_NUMA, 0, 8, 1);
	add(TMAP_NUMA, 8, 16, 2);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_NUMA), 2);
	ck_assert_int_eq(topo.object[0].os, 1);
}
END_TEST

START_TEST(a_group_of_several_packages_is_a_board)
{
	add_packages();
	add(TMAP_GROUP, 0, 8, TMAP_NONE);
	add(TMAP_GROUP, 8, 16, TMAP_NONE);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_BOARD), 2);
	ck_assert_int_eq(count(TMAP_GROUP), 0);
}
END_TEST

START_TEST(only_the_outermost_groups_are_boards)
{
	for (int i = 0; i < 16; i += 2)
		add(TMAP_PACKAGE, i, i + 2, i / 2);
	for (int i = 0; i < 16; i += 4)
		add(TMAP_GROUP, i, i + 4, TMAP_NONE);
	add(TMAP_GROUP, 0, 8, TMAP_NONE);
	add(TMAP_GROUP, 8, 16, TMAP_NONE);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_BOARD), 2);
	ck_assert_int_eq(count(TMAP_GROUP), 4);
}
END_TEST

START_TEST(a_group_of_the_whole_node_is_no_board)
{
	add_packages();
	add(TMAP_GROUP, 0, 16, TMAP_NONE);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_BOARD), 0);
	ck_assert_int_eq(count(TMAP_GROUP), 1);
}
END_TEST

START_TEST(a_group_of_one_package_is_no_board)
{
	add_packages();
	add(TMAP_GROUP, 0, 4, TMAP_NONE);
	add(TMAP_BOARD, 4, 8, TMAP_NONE);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_BOARD), 0);
	ck_assert_int_eq(count(TMAP_GROUP), 2);
}
END_TEST

START_TEST(what_the_system_calls_boards_counts_before_the_outermost)
{
	for (int i = 0; i < 16; i += 2)
		add(TMAP_PACKAGE, i, i + 2, i / 2);
	for (int i = 0; i < 16; i += 4)
		add(TMAP_BOARD, i, i + 4, TMAP_NONE);
	add(TMAP_GROUP, 0, 8, TMAP_NONE);
	add(TMAP_GROUP, 8, 16, TMAP_NONE);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_BOARD), 4);
	ck_assert_int_eq(count(TMAP_GROUP), 2);
}
END_TEST

START_TEST(a_level_of_groups_that_repeats_the_controllers_goes)
{
	add(TMAP_PACKAGE, 0, 16, 0);
	for (int i = 0; i < 4; i++) {
		add(TMAP_GROUP, 4 * i, 4 * i + 4, TMAP_NONE);
		add(TMAP_NUMA, 4 * i, 4 * i + 4, i);
	}
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_GROUP), 0);
	ck_assert_int_eq(count(TMAP_NUMA), 4);
}
END_TEST

START_TEST(a_level_of_groups_stays_whole_if_one_is_no_controller)
{
	add(TMAP_PACKAGE, 0, 16, 0);
	for (int i = 0; i < 4; i++)
		add(TMAP_GROUP, 4 * i, 4 * i + 4, TMAP_NONE);
	for (int i = 0; i < 3; i++)
		add(TMAP_NUMA, 4 * i, 4 * i + 4, i);
	tmap_localities_classify(&topo);
	ck_assert_int_eq(count(TMAP_GROUP), 4);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("localities");
	TCase *tcase = tcase_create("rules");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_first_of_several_memories_stands_for_the_controller);
	tcase_add_test(tcase, a_memory_of_the_whole_node_does_not_merge_the_controllers);
	tcase_add_test(tcase, a_group_of_several_packages_is_a_board);
	tcase_add_test(tcase, only_the_outermost_groups_are_boards);
	tcase_add_test(tcase, a_group_of_the_whole_node_is_no_board);
	tcase_add_test(tcase, a_group_of_one_package_is_no_board);
	tcase_add_test(tcase, what_the_system_calls_boards_counts_before_the_outermost);
	tcase_add_test(tcase, a_level_of_groups_that_repeats_the_controllers_goes);
	tcase_add_test(tcase, a_level_of_groups_stays_whole_if_one_is_no_controller);
	suite_add_tcase(suite, tcase);
	return suite;
}
