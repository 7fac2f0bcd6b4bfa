/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: all pairs of ranks, one by one, and all ranks, by the names of their nodes and their
 * sets of PUs.
 */
#include "core/lint/compare.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void check_moves(const struct tmap_comparison *it)
{
	for (int r = 0; r < it->a->size; r++) {
		const struct tmap_place *a = &it->a->places[it->a->place[r]];
		const struct tmap_place *b = &it->b->places[it->b->place[r]];
		bool node = strcmp(it->a->machine->node_name[it->a->node[r]],
				   it->b->machine->node_name[it->b->node[r]]) != 0;
		bool pus = !node && !tmap_idset_equal(&a->pus, &b->pus);

		ck_assert(tmap_idset_contains(&it->other_node, r) == node);
		ck_assert(tmap_idset_contains(&it->other_pus, r) == pus);
		ck_assert(tmap_idset_contains(&it->other_binding, r) ==
			  (!node && !pus && a->bound != b->bound));
	}
}

static void check_pairs(const struct tmap_comparison *it)
{
	int64_t closer = 0, further = 0, same = 0, next_closer = 0, next_further = 0;

	for (int a = 0; a < it->a->size; a++)
		for (int b = a + 1; b < it->a->size; b++) {
			double before = tmap_metric_distance(&it->metric_a, a, b);
			double after = tmap_metric_distance(&it->metric_b, a, b);

			closer += after < before;
			further += after > before;
			same += after == before;
			next_closer += b == a + 1 && after < before;
			next_further += b == a + 1 && after > before;
		}
	ck_assert_int_eq(it->closer, closer);
	ck_assert_int_eq(it->further, further);
	ck_assert_int_eq(it->same, same);
	ck_assert_int_eq(it->next_closer, next_closer);
	ck_assert_int_eq(it->next_further, next_further);
}

START_TEST(random_placements_are_compared_as_pair_by_pair)
{
	struct dice dice = { 13 };

	for (int round = 0; round < 1000; round++) {
		int size = 1 + dice_roll(&dice, 20);
		struct tmap_placement a, b;
		struct tmap_comparison it;

		placement_random_take(&a, machine_random(&dice, 6), size, &dice);
		if (round % 2)
			placement_random_take(&b, machine_random(&dice, 6), size, &dice);
		else
			placement_random_take(&b, tmap_machine_ref(a.machine), size, &dice);
		ck_assert_int_eq(tmap_comparison_init(
					 &it, &a, &b,
					 round % 3 ? TMAP_SCALE_PROCESS : TMAP_SCALE_LEVEL, &err),
				 0);
		check_moves(&it);
		check_pairs(&it);
		tmap_comparison_fini(&it);
		tmap_placement_fini(&a);
		tmap_placement_fini(&b);
	}
}
END_TEST

START_TEST(a_placement_is_equal_to_itself)
{
	struct dice dice = { 14 };
	struct tmap_placement p;
	struct tmap_comparison it;

	placement_random_take(&p, machine_random(&dice, 6), 20, &dice);
	ck_assert_int_eq(tmap_comparison_init(&it, &p, &p, TMAP_SCALE_PROCESS, &err), 0);
	ck_assert_int_eq(tmap_comparison_moved(&it), 0);
	ck_assert_int_eq(it.same, 190);
	tmap_comparison_fini(&it);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(different_sizes_are_refused)
{
	struct dice dice = { 15 };
	struct tmap_placement a, b;
	struct tmap_comparison it;

	placement_random_take(&a, machine_random(&dice, 2), 4, &dice);
	placement_random_take(&b, machine_random(&dice, 2), 5, &dice);
	ck_assert_int_eq(tmap_comparison_init(&it, &a, &b, TMAP_SCALE_PROCESS, &err), -1);
	ck_assert_str_eq(err.text, "the first placement has 4 ranks, the second 5");
	tmap_placement_fini(&a);
	tmap_placement_fini(&b);
}
END_TEST

static struct tmap_machine *named(const char *first, const char *second)
{
	struct tmap_machine *machine =
		machine_regular(2, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });
	char *name[] = { strdup(first), strdup(second) };

	ck_assert_int_eq(tmap_machine_rename(machine, name, 2, &err), 0);
	free(name[0]);
	free(name[1]);
	return machine;
}

static void check_match(const char *a0, const char *a1, const char *b0, const char *b1, int m0,
			int m1)
{
	struct tmap_machine *a = named(a0, a1), *b = named(b0, b1);
	int *node_of;

	ck_assert_int_eq(tmap_match_nodes(a, b, &node_of, &err), 0);
	ck_assert_int_eq(node_of[0], m0);
	ck_assert_int_eq(node_of[1], m1);
	free(node_of);
	tmap_machine_free(a);
	tmap_machine_free(b);
}

START_TEST(nodes_are_matched_by_name_with_or_without_domain)
{
	check_match("a", "b", "b", "a", 1, 0);
	check_match("a", "b", "b.x", "a.x", 1, 0);
	check_match("a.x", "b.x", "c", "a", 1, TMAP_NONE);
	check_match("a.x", "a.y", "a.y", "a.x", 1, 0);
	check_match("10.0.0.1", "10.0.0.2", "10.0.0.2", "10.1.0.1", TMAP_NONE, 0);
}
END_TEST

/* Both ranks on the first node of a, one on each of b: how many of them have moved? */
static int count_moved(const char *a0, const char *a1, const char *b0, const char *b1)
{
	struct tmap_placement a, b;
	struct tmap_comparison it;
	int moved;

	placement_block_take(&a, named(a0, a1));
	placement_block_take(&b, named(b0, b1));
	a.node[1] = a.node[0];
	ck_assert_int_eq(tmap_comparison_init(&it, &a, &b, TMAP_SCALE_PROCESS, &err), 0);
	moved = (int)tmap_comparison_moved(&it);
	tmap_comparison_fini(&it);
	tmap_placement_fini(&a);
	tmap_placement_fini(&b);
	return moved;
}

START_TEST(parts_of_a_host_that_a_probe_tells_apart_are_that_host)
{
	ck_assert_int_eq(count_moved("a", "b", "a", "a#2"), 0);
	ck_assert_int_eq(count_moved("a", "b", "a", "b"), 1);
	ck_assert_int_eq(count_moved("a", "a#2", "a", "a#2"), 1);
	ck_assert_int_eq(count_moved("a", "b", "a", "a#x"), 1);
	ck_assert_int_eq(count_moved("a", "b", "b#2", "a"), 1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("compare");
	TCase *tests = tcase_create("compare");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, random_placements_are_compared_as_pair_by_pair);
	tcase_add_test(tests, a_placement_is_equal_to_itself);
	tcase_add_test(tests, different_sizes_are_refused);
	tcase_add_test(tests, nodes_are_matched_by_name_with_or_without_domain);
	tcase_add_test(tests, parts_of_a_host_that_a_probe_tells_apart_are_that_host);
	suite_add_tcase(suite, tests);
	return suite;
}
