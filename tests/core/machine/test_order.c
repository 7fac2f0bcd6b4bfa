/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the definitions of core/machine/order.h taken literally, rank by rank, with the nodes
 * numbered by their smallest rank; and lists written by hand.
 */
#include "core/machine/order.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* Ranks on nodes as a line of letters says: "aabb" is two on node a, two on node b. */
static struct tmap_placement seat(const char *nodes)
{
	struct tmap_machine *machine =
		machine_regular(26, (const struct test_level[]){ { TMAP_CORE, 4 }, { 0 } });
	struct tmap_placement p;

	placement_on_take(&p, machine, (int)strlen(nodes));
	for (int r = 0; r < p.size; r++)
		placement_seat_pu(&p, r, nodes[r] - 'a', 0);
	return p;
}

static const struct {
	const char *nodes, *order;
	int used, min, max;
	bool regular, consecutive;
} cases[] = {
	{ "a", "block", 1, 1, 1, true, true },
	{ "zzzz", "block", 1, 4, 4, true, true },
	{ "abcd", "block", 4, 1, 1, true, true },
	{ "dcba", "block", 4, 1, 1, true, true },
	{ "aabb", "block", 2, 2, 2, true, true },
	{ "aaab", "block", 2, 1, 3, false, true },
	{ "abab", "cyclic", 2, 2, 2, true, false },
	{ "cacaca", "cyclic", 2, 3, 3, true, false },
	{ "abcab", "cyclic", 3, 1, 2, false, false },
	{ "aabbaabb", "plane(2)", 2, 4, 4, true, false },
	{ "aaabbbaa", "plane(3)", 2, 3, 5, false, false },
	{ "aabba", "plane(2)", 2, 2, 3, false, false },
	{ "abba", "other", 2, 2, 2, true, false },
	{ "aabab", "other", 2, 2, 3, false, false },
	{ "abcacb", "other", 3, 2, 2, true, false },
};

START_TEST(hand_made_placements_have_their_order)
{
	struct tmap_placement p = seat(cases[_i].nodes);
	char text[TMAP_ORDER_ROOM];
	struct tmap_order order;

	ck_assert_int_eq(tmap_order_find(&order, &p, &err), 0);
	ck_assert_str_eq(tmap_order_print(&order, text), cases[_i].order);
	ck_assert_int_eq(order.used_nodes, cases[_i].used);
	ck_assert_int_eq(order.ranks_min, cases[_i].min);
	ck_assert_int_eq(order.ranks_max, cases[_i].max);
	ck_assert(order.regular == cases[_i].regular);
	ck_assert(order.consecutive == cases[_i].consecutive);
	tmap_placement_fini(&p);
}
END_TEST

/* The used nodes by their smallest rank. */
static int by_smallest_rank(const struct tmap_placement *p, int *node_at)
{
	int nodes = 0;

	for (int r = 0; r < p->size; r++) {
		int i = 0;

		while (i < nodes && node_at[i] != p->node[r])
			i++;
		if (i == nodes)
			node_at[nodes++] = p->node[r];
	}
	return nodes;
}

static bool literally_consecutive(const struct tmap_placement *p, const int *node_at, int nodes)
{
	int next = 0;

	for (int i = 0; i < nodes; i++)
		for (int r = 0; r < p->size; r++)
			if (p->node[r] == node_at[i] && r != next++)
				return false;
	return true;
}

/* The number of ranks that no other number beats: by nodes, then by itself. */
static int literally_usual(const struct tmap_placement *p, const int *node_at, int nodes)
{
	int usual = 0, most = 0;

	for (int count = 1; count <= p->size; count++) {
		int with = 0;

		for (int i = 0; i < nodes; i++) {
			int ranks = 0;

			for (int r = 0; r < p->size; r++)
				ranks += p->node[r] == node_at[i];
			with += ranks == count;
		}
		if (with >= most && with > 0) {
			usual = count;
			most = with;
		}
	}
	return usual;
}

static bool literally_plane(const struct tmap_placement *p, const int *node_at, int nodes, int k)
{
	for (int r = 0; r < p->size; r++)
		if (p->node[r] != node_at[r / k % nodes])
			return false;
	return true;
}

START_TEST(random_placements_have_the_order_of_the_definition)
{
	struct dice dice = { 5 };

	for (int round = 0; round < 20000; round++) {
		char nodes[12] = { 0 };
		int node_at[26], used, plane = 0, limit = 2 + dice_roll(&dice, 2);
		int k = 1 + dice_roll(&dice, 4), size = 1 + dice_roll(&dice, 11);
		struct tmap_placement p;
		struct tmap_order order;

		for (int r = 0; r < size && r + 1 < (int)sizeof nodes; r++)
			nodes[r] =
				(char)('a' + (round % 2 ? dice_roll(&dice, limit) : r / k % limit));
		p = seat(nodes);
		used = by_smallest_rank(&p, node_at);
		ck_assert_int_eq(tmap_order_find(&order, &p, &err), 0);
		ck_assert_int_eq(order.used_nodes, used);
		ck_assert_msg(order.consecutive == literally_consecutive(&p, node_at, used), "%s",
			      nodes);
		ck_assert_int_eq(order.ranks_usual, literally_usual(&p, node_at, used));
		for (int try = size; try >= 1; try--)
			if (literally_plane(&p, node_at, used, try))
				plane = try;
		if (order.consecutive)
			ck_assert_int_eq((int)order.kind, TMAP_ORDER_BLOCK);
		else if (plane == 1)
			ck_assert_int_eq((int)order.kind, TMAP_ORDER_CYCLIC);
		else if (plane)
			ck_assert(order.kind == TMAP_ORDER_PLANE && order.plane == plane);
		else
			ck_assert_int_eq((int)order.kind, TMAP_ORDER_OTHER);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(by_place_ranks_of_a_node_follow_each_other_as_their_places_lie)
{
	struct dice dice = { .state = (uint64_t)_i + 1 };
	int size = 1 + dice_roll(&dice, 30), *rank;
	struct tmap_placement p;
	bool met[30] = { false };

	placement_random_take(&p, machine_random(&dice, 4), size, &dice);
	rank = tmap_order_by_place(&p, &err);
	for (int i = 0; i < size; i++) {
		int r = rank[i], before = i ? rank[i - 1] : r;
		int object = tmap_placement_object(&p, r),
		    other = tmap_placement_object(&p, before);

		ck_assert(!met[r]);
		met[r] = true;
		ck_assert(p.node[before] <= p.node[r]);
		if (p.node[before] == p.node[r])
			ck_assert(other < object || (other == object && before <= r));
	}
	free(rank);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("order");
	TCase *tests = tcase_create("order");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, hand_made_placements_have_their_order, 0,
			    (int)(sizeof cases / sizeof cases[0]));
	tcase_add_test(tests, random_placements_have_the_order_of_the_definition);
	tcase_add_loop_test(tests, by_place_ranks_of_a_node_follow_each_other_as_their_places_lie,
			    0, test_cases(100));
	suite_add_tcase(suite, tests);
	return suite;
}
