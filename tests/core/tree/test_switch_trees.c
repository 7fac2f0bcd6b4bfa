/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPICH's trees over the switches. Oracles: the example in treeutil.c worked out by hand; a
 * literal k-ary tree per group of leaders; and, for the wave, its own rule watched rank by
 * rank: whoever could reach the next rank first is its parent.
 */
#include "core/tree/shapes.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* One rank on each of @p size nodes; node i hangs on switch_of[i], switch s on group_of[s]. */
static void place(struct tmap_placement *p, int size, const int *switch_of, int switch_count,
		  const int *group_of, int group_count)
{
	struct tmap_machine *machine =
		machine_regular(size, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });

	machine_add_tier(machine, switch_of, switch_count);
	if (group_of)
		machine_add_tier(machine, group_of, group_count);
	placement_block_take(p, machine);
}

static int build(struct tmap_tree *tree, const char *name, const struct tmap_placement *p, int root)
{
	struct tmap_spec choice;
	struct tmap_metric metric;
	int status;

	ck_assert_msg(tmap_spec_parse(&choice, &tmap_tree_shapes, name, &err) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_metric_init(&metric, p, TMAP_SCALE_PROCESS, &err), 0);
	status = tmap_shape_tree(tree, &choice, &metric, root, &err);
	tmap_metric_fini(&metric);
	return status;
}

static void tree_is(const char *name, const struct tmap_placement *p, int root, const int *parent)
{
	struct tmap_tree tree;

	ck_assert_msg(build(&tree, name, p, root) == 0, "%s", err.text);
	for (int r = 0; r < p->size; r++)
		ck_assert_msg(tree.parent[r] == parent[r], "%s: parent of %d is %d, by hand %d",
			      name, r, tree.parent[r], parent[r]);
	tmap_tree_fini(&tree);
}

/* treeutil.c: groups 68 {0 1 | 2}, 69 {3 | 4 5}, 70 {6 | 7}. */
static const int example_switch[] = { 0, 0, 1, 2, 3, 3, 4, 5 };
static const int example_group[] = { 0, 0, 1, 1, 2, 2 };

START_TEST(the_example_of_treeutil_is_as_worked_out_by_hand)
{
	static const int reordered[] = { -1, 0, 0, 4, 0, 4, 0, 6 };
	static const int in_rank_order[] = { 1, -1, 1, 1, 3, 4, 1, 6 };
	struct tmap_placement p;

	place(&p, 8, example_switch, 6, example_group, 3);
	tree_is("topology_aware", &p, 0, reordered);
	tree_is("topology_aware_k", &p, 0, reordered);
	tree_is("topology_aware,reorder=0", &p, 1, in_rank_order);
	tmap_placement_fini(&p);
}
END_TEST

/* 4 groups of 2 switches with 3 ranks each, k = 4: at the groups' leaders 4 - 2 children, at a
 * group's root 1, at a switch's root what is left of 4. */
START_TEST(the_k_tree_gives_no_rank_more_than_k_children)
{
	struct dice dice = { .state = 4 };

	for (int run = 0; run < 400; run++) {
		int switch_of[60], group_of[12], k = 3 + dice_roll(&dice, 6);
		int size = 1 + dice_roll(&dice, 60);
		struct tmap_tree_shape shape;
		struct tmap_placement p;
		struct tmap_tree tree;
		char name[48];

		for (int i = 0; i < 60; i++)
			switch_of[i] = dice_roll(&dice, 12);
		for (int i = 0; i < 12; i++)
			group_of[i] = dice_roll(&dice, 4);
		place(&p, size, switch_of, 12, group_of, 4);
		snprintf(name, sizeof name, "topology_aware_k,radix=%d", k);
		ck_assert_int_eq(build(&tree, name, &p, dice_roll(&dice, size)), 0);
		ck_assert_int_eq(tmap_tree_measure(&tree, &shape, &err), 0);
		ck_assert_int_le(shape.fanout, k);
		tmap_tree_shape_fini(&shape);
		tmap_tree_fini(&tree);
		tmap_placement_fini(&p);
	}
}
END_TEST

static int count_used(const int *of, int size, int count)
{
	bool used[64] = { false };
	int found = 0;

	for (int i = 0; i < size; i++)
		used[of[i]] = true;
	for (int i = 0; i < count; i++)
		found += used[i];
	return found;
}

/* Every border is crossed the least possible number of times, and each of the three trees
 * (leaders of groups, of a group's switches, ranks of a switch) is k-ary. */
static void is_topology_aware(const struct tmap_tree *tree, const int *switch_of,
			      const int *group_of, int k)
{
	int p = tree->size, group[64], crossings = 0, hops = 0;

	for (int r = 0; r < p; r++)
		group[r] = group_of ? group_of[switch_of[r]] : 0;
	for (int r = 0; r < p; r++) {
		int kind[3] = { 0 }, climbed = 0;

		for (int c = 0; c < p; c++)
			if (c != tree->root && tree->parent[c] == r)
				kind[group[c] != group[r]                 ? 0 :
					     switch_of[c] != switch_of[r] ? 1 :
									    2]++;
		ck_assert(kind[0] <= k && kind[1] <= k && kind[2] <= k);
		for (int at = r; at != tree->root; at = tree->parent[at])
			ck_assert_int_lt(climbed++, p);
		if (r == tree->root)
			continue;
		crossings += group[r] != group[tree->parent[r]];
		hops += switch_of[r] != switch_of[tree->parent[r]];
	}
	ck_assert_int_eq(crossings, count_used(group, p, 64) - 1);
	ck_assert_int_eq(hops, count_used(switch_of, p, 64) - 1);
}

START_TEST(random_networks_are_crossed_the_least_possible_number_of_times)
{
	struct dice dice = { .state = 8 };

	for (int run = 0; run < 400; run++) {
		int switch_of[60], group_of[12], k = 1 + dice_roll(&dice, 5);
		int size = 1 + dice_roll(&dice, 60);
		bool grouped = dice_roll(&dice, 4);
		struct tmap_placement p;
		struct tmap_tree tree;
		char name[48];

		for (int i = 0; i < 60; i++)
			switch_of[i] = dice_roll(&dice, 12);
		for (int i = 0; i < 12; i++)
			group_of[i] = dice_roll(&dice, 4);
		place(&p, size, switch_of, 12, grouped ? group_of : NULL, 4);
		snprintf(name, sizeof name, "topology_aware,radix=%d,reorder=%d", k,
			 dice_roll(&dice, 2));
		ck_assert_int_eq(build(&tree, name, &p, dice_roll(&dice, size)), 0);
		is_topology_aware(&tree, switch_of, grouped ? group_of : NULL, k);
		tmap_tree_fini(&tree);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* Oracle: MPICH's own loops, O(p^2 x switches): every rank waiting, every heap. Reached ranks
 * of a switch are a heap by time; among equal times any may stand on top, so the oracle
 * follows the parent that was chosen once it is shown to be one of the earliest. */
static void is_a_wave(const struct tmap_tree *tree, const int *switch_of, const int *group_of)
{
	int p = tree->size, left = p - 1, at_switch = switch_of[tree->root];
	int64_t time[64];
	bool done[16] = { false }, reached[64] = { false };
	int served[64] = { 0 };

	reached[tree->root] = true;
	time[tree->root] = 0;
	while (left) {
		for (int r = 0; r < p; r++) {
			int64_t best = INT64_MAX, taken = INT64_MAX;

			if (switch_of[r] != at_switch || reached[r])
				continue;
			for (int u = 0; u < p; u++) {
				int64_t when;

				if (!reached[u])
					continue;
				when = time[u] + 400 +
					(group_of[switch_of[u]] != group_of[at_switch] ? 2800 :
						 switch_of[u] != at_switch             ? 1900 :
											 1600);
				best = when < best ? when : best;
				if (u == tree->parent[r])
					taken = when;
			}
			ck_assert_int_eq(taken, best);
			ck_assert_int_eq(tree->turn[r], served[tree->parent[r]]++);
			time[tree->parent[r]] += 200;
			time[r] = best;
			reached[r] = true;
			left--;
		}
		done[at_switch] = true;
		/* the next switch is where a rank waits whose parent is reached: of the root's
		 * group first, then group by group, larger ones first */
		for (int pass = 0, found = 0; pass < 2 && !found && left; pass++) {
			int most = 0, group_most = 0;

			for (int s = 0; s < 12; s++) {
				int ranks = 0, group_ranks = 0, begun = 0;

				for (int r = 0; r < p; r++) {
					ranks += switch_of[r] == s;
					group_ranks += group_of[switch_of[r]] == group_of[s];
					begun |= reached[r] &&
						group_of[switch_of[r]] == group_of[s];
				}
				if (done[s] || !ranks || (pass == 0) != begun)
					continue;
				if (group_ranks > group_most ||
				    (group_ranks == group_most && ranks > most)) {
					group_most = group_ranks;
					most = ranks;
					at_switch = s;
					found = 1;
				}
			}
		}
	}
}

/* Switches and groups of distinct sizes, so that MPICH's order of them is no question. */
START_TEST(a_wave_reaches_each_rank_from_who_is_first)
{
	static const int switch_of[] = {
		0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5,
	};
	static const int group_of[] = { 0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3 };
	struct tmap_placement p;
	struct tmap_tree tree;

	place(&p, 28, switch_of, 6, group_of, 3);
	for (int root = 0; root < 28; root++) {
		ck_assert_msg(build(&tree, "topology_wave", &p, root) == 0, "%s", err.text);
		is_a_wave(&tree, switch_of, group_of);
		tmap_tree_fini(&tree);
	}
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(an_unknown_network_is_refused_with_what_mpich_would_do)
{
	static const int lone[] = { 0, 1, 1 };
	struct tmap_machine *machine =
		machine_regular(2, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });
	struct tmap_placement p;
	struct tmap_tree tree;

	placement_block_take(&p, machine);
	ck_assert_int_eq(build(&tree, "topology_aware", &p, 0), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text,
			 "topology_aware needs the switches of the network, and none are "
			 "known: MPICH would take another tree");
	tmap_placement_fini(&p);
	machine = machine_regular(2, (const struct test_level[]){ { TMAP_CORE, 1 }, { 0 } });
	machine_add_tier(machine, (const int[]){ 0, TMAP_NONE }, 1);
	placement_block_take(&p, machine);
	ck_assert_int_eq(build(&tree, "topology_wave", &p, 0), -1);
	ck_assert_str_eq(err.text,
			 "topology_wave needs the switch of every node, and that of 'n1' "
			 "in tier 'switch1' is unknown: MPICH would take another tree");
	tmap_placement_fini(&p);
	place(&p, 3, lone, 2, NULL, 0);
	ck_assert_int_eq(build(&tree, "topology_wave", &p, 0), -1);
	ck_assert_str_eq(err.text,
			 "topology_wave needs another rank under the switch of root 0: "
			 "MPICH would take another tree");
	ck_assert_int_eq(build(&tree, "topology_wave", &p, 1), 0);
	tmap_tree_fini(&tree);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(one_rank_is_a_tree)
{
	static const int parent[] = { -1 }, zero[] = { 0 };
	struct tmap_placement p;

	place(&p, 1, zero, 1, zero, 1);
	tree_is("topology_aware", &p, 0, parent);
	tree_is("topology_aware_k,radix=5", &p, 0, parent);
	tree_is("topology_wave", &p, 0, parent);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("switch_trees");
	TCase *tcase = tcase_create("switch_trees");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_example_of_treeutil_is_as_worked_out_by_hand);
	tcase_add_test(tcase, the_k_tree_gives_no_rank_more_than_k_children);
	tcase_add_test(tcase, random_networks_are_crossed_the_least_possible_number_of_times);
	tcase_add_test(tcase, a_wave_reaches_each_rank_from_who_is_first);
	tcase_add_test(tcase, an_unknown_network_is_refused_with_what_mpich_would_do);
	tcase_add_test(tcase, one_rank_is_a_tree);
	suite_add_tcase(suite, tcase);
	return suite;
}
