/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: the rules of core/machine/localities.h, followed by hand on small nodes; and, on random
 * nests, followed to the letter, each object asked about all others.
 */
#include "core/machine/localities.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <string.h>

enum { LITERAL_DROPPED = -2 };

/* The rules as they are written down, each Group and NUMA node asked about all others. */
static bool same_pus(const struct tmap_object *a, const struct tmap_object *b)
{
	return a->first_pu == b->first_pu && a->end_pu == b->end_pu;
}

static bool object_contains(const struct tmap_object *outer, const struct tmap_object *inner)
{
	return outer->first_pu <= inner->first_pu && inner->end_pu <= outer->end_pu;
}

static bool is_group(const struct tmap_object *object)
{
	return tmap_types[object->type].is_group;
}

static bool is_controller(const struct tmap_topology *topo, const struct tmap_object *numa)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *other = &topo->object[i];

		if (other->type != TMAP_NUMA || other == numa || !object_contains(numa, other))
			continue;
		if (!same_pus(numa, other) || other < numa)
			return false;
	}
	return true;
}

static bool may_be_board(const struct tmap_topology *topo, const struct tmap_object *group)
{
	int packages = 0;

	if (group->end_pu - group->first_pu == topo->pu_count)
		return false;
	for (int i = 0; i < topo->object_count; i++)
		packages += topo->object[i].type == TMAP_PACKAGE &&
			object_contains(group, &topo->object[i]);
	return packages > 1;
}

static bool is_inside_board(const struct tmap_topology *topo, const struct tmap_object *group)
{
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *outer = &topo->object[i];

		if (is_group(outer) && object_contains(outer, group) && !same_pus(outer, group) &&
		    may_be_board(topo, outer))
			return true;
	}
	return false;
}

/* Boards by name where there are any that hold several packages; else the outermost. */
static void classify_boards(struct tmap_topology *topo)
{
	bool named = false;

	for (int i = 0; i < topo->object_count; i++) {
		struct tmap_object *it = &topo->object[i];

		if (it->type == TMAP_BOARD && !may_be_board(topo, it))
			it->type = TMAP_GROUP;
		named |= it->type == TMAP_BOARD;
	}
	for (int i = 0; i < topo->object_count && !named; i++) {
		struct tmap_object *it = &topo->object[i];

		if (it->type == TMAP_GROUP && may_be_board(topo, it) && !is_inside_board(topo, it))
			it->type = TMAP_BOARD;
	}
}

/* How many Groups, boards among them, lie around this one. */
static int group_depth(const struct tmap_topology *topo, const struct tmap_object *group)
{
	int depth = 0;

	for (int i = 0; i < topo->object_count; i++)
		depth += is_group(&topo->object[i]) && object_contains(&topo->object[i], group) &&
			!same_pus(&topo->object[i], group);
	return depth;
}

static bool repeats_controller(const struct tmap_topology *topo, const struct tmap_object *group)
{
	for (int i = 0; i < topo->object_count; i++)
		if (topo->object[i].type == TMAP_NUMA &&
		    topo->object[i].logical != LITERAL_DROPPED && same_pus(&topo->object[i], group))
			return true;
	return false;
}

/* Does every Group at the depth of this one have the PUs of a controller? */
static bool level_repeats_controllers(const struct tmap_topology *topo,
				      const struct tmap_object *group)
{
	int depth = group_depth(topo, group);

	if (!repeats_controller(topo, group))
		return false;
	for (int i = 0; i < topo->object_count; i++) {
		const struct tmap_object *it = &topo->object[i];

		if (it->type == TMAP_GROUP && !repeats_controller(topo, it) &&
		    group_depth(topo, it) == depth)
			return false;
	}
	return true;
}

static void literal_classify(struct tmap_topology *topo)
{
	struct tmap_object *object = topo->object;
	int kept = 0;

	classify_boards(topo);
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].type == TMAP_NUMA && !is_controller(topo, &object[i]))
			object[i].logical = LITERAL_DROPPED;
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].type == TMAP_GROUP && level_repeats_controllers(topo, &object[i]))
			object[i].logical = LITERAL_DROPPED;
	for (int i = 0; i < topo->object_count; i++)
		if (object[i].logical != LITERAL_DROPPED)
			object[kept++] = object[i];
	topo->object_count = kept;
}

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
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
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
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
	ck_assert_int_eq(count(TMAP_NUMA), 2);
	ck_assert_int_eq(topo.object[0].os, 1);
}
END_TEST

START_TEST(a_group_of_several_packages_is_a_board)
{
	add_packages();
	add(TMAP_GROUP, 0, 8, TMAP_NONE);
	add(TMAP_GROUP, 8, 16, TMAP_NONE);
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
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
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
	ck_assert_int_eq(count(TMAP_BOARD), 2);
	ck_assert_int_eq(count(TMAP_GROUP), 4);
}
END_TEST

START_TEST(a_group_of_the_whole_node_is_no_board)
{
	add_packages();
	add(TMAP_GROUP, 0, 16, TMAP_NONE);
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
	ck_assert_int_eq(count(TMAP_BOARD), 0);
	ck_assert_int_eq(count(TMAP_GROUP), 1);
}
END_TEST

START_TEST(a_group_of_one_package_is_no_board)
{
	add_packages();
	add(TMAP_GROUP, 0, 4, TMAP_NONE);
	add(TMAP_BOARD, 4, 8, TMAP_NONE);
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
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
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
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
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
	ck_assert_int_eq(count(TMAP_GROUP), 0);
	ck_assert_int_eq(count(TMAP_NUMA), 4);
}
END_TEST

/* Groups over the same PUs are one. */
static bool has_group(int first, int end)
{
	for (int i = 0; i < topo.object_count; i++)
		if (is_group(&topo.object[i]) && topo.object[i].first_pu == first &&
		    topo.object[i].end_pu == end)
			return true;
	return false;
}

/* Objects over [first, end), and within it. */
static void add_at_random(struct tmap_random *random, int first, int end, int depth)
{
	static const enum tmap_type types[] = { TMAP_GROUP, TMAP_GROUP, TMAP_BOARD, TMAP_NUMA,
						TMAP_NUMA };
	int twins = (int)tmap_random_below(random, 3);

	for (int i = 0; i < twins; i++) {
		enum tmap_type type = types[tmap_random_below(random, 5)];

		if (type == TMAP_NUMA || !has_group(first, end))
			add(type, first, end, i);
	}
	if (depth == 2 && tmap_random_below(random, 3))
		add(TMAP_PACKAGE, first, end, 0);
	if (depth == 3)
		return;
	for (int at = first, step; at < end; at += step) {
		step = 1 + (int)tmap_random_below(random, 5);
		step = at + step > end ? end - at : step;
		if (tmap_random_below(random, 4))
			add_at_random(random, at, at + step, depth + 1);
	}
}

START_TEST(random_nests_are_as_the_literal_rules_say)
{
	struct tmap_random random = { 7 };

	for (int round = 0; round < 4000; round++) {
		struct tmap_topology literal;

		teardown();
		setup();
		add_at_random(&random, 0, 16, 0);
		for (int i = topo.object_count - 1; i > 0; i--) {
			int other = (int)tmap_random_below(&random, (uint64_t)i + 1);
			struct tmap_object held = topo.object[i];

			topo.object[i] = topo.object[other];
			topo.object[other] = held;
		}
		hold(tmap_topology_copy(&literal, &topo, &err) == 0);
		literal_classify(&literal);
		hold(tmap_localities_classify(&topo, &err) == 0);
		hold(topo.object_count == literal.object_count);
		for (int i = 0; i < topo.object_count; i++) {
			hold(topo.object[i].type == literal.object[i].type);
			hold(same_pus(&topo.object[i], &literal.object[i]));
			hold(topo.object[i].os == literal.object[i].os);
		}
		tmap_topology_fini(&literal);
	}
}
END_TEST

START_TEST(a_level_of_groups_stays_whole_if_one_is_no_controller)
{
	add(TMAP_PACKAGE, 0, 16, 0);
	for (int i = 0; i < 4; i++)
		add(TMAP_GROUP, 4 * i, 4 * i + 4, TMAP_NONE);
	for (int i = 0; i < 3; i++)
		add(TMAP_NUMA, 4 * i, 4 * i + 4, i);
	ck_assert_int_eq(tmap_localities_classify(&topo, &err), 0);
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
	tcase_add_test(tcase, random_nests_are_as_the_literal_rules_say);
	suite_add_tcase(suite, tcase);
	return suite;
}
