/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracles: pairs of ranks one by one, and what they share looked up in the machine itself: the
 * names of switches, the ancestors of objects. Numbers are checked by the first ranks of sets.
 */
#include "core/machine/partition.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

enum { RANKS = 30 };

/* Sets are packages; ranks that span several are in none. */
static int number_packages(int *local, const struct tmap_topology *topo, const void *context,
			   struct tmap_error *e)
{
	(void)context;
	(void)e;
	for (int o = 0; o < topo->object_count; o++) {
		int package = tmap_topology_ancestor(topo, o, TMAP_PACKAGE);

		local[o] = package == TMAP_NONE ? TMAP_NONE : topo->object[package].logical;
	}
	return tmap_topology_count(topo, TMAP_PACKAGE);
}

static int package_of(const struct tmap_placement *p, int rank)
{
	return tmap_topology_ancestor(tmap_placement_topology(p, rank),
				      tmap_placement_object(p, rank), TMAP_PACKAGE);
}

/* What the accessors of a whole partition give is what asking rank by rank gives. */
static void check_counts(const struct tmap_partition *sets, const struct tmap_placement *p,
			 int size)
{
	int *first = calloc((size_t)sets->count + 1, sizeof *first), rank[RANKS], seen = 0;
	int *ranks = tmap_partition_count_ranks(sets, p, &err);

	ck_assert_ptr_nonnull(ranks);
	tmap_partition_sort(sets, p, first, rank);
	for (int s = 0; s < sets->count; s++) {
		int held = 0;

		ck_assert_int_eq(first[s], seen);
		for (int r = 0; r < size; r++)
			if (tmap_partition_set(sets, p, r) == s) {
				ck_assert_int_eq(rank[seen++], r);
				held++;
			}
		ck_assert_int_eq(ranks[s], held);
	}
	ck_assert_int_eq(first[sets->count], seen);
	for (int r = 0; r < size; r++) {
		ck_assert_int_lt(tmap_partition_set(sets, p, r), sets->count);
		if (tmap_partition_set(sets, p, r) == TMAP_NONE)
			ck_assert_int_eq(rank[seen++], r);
	}
	ck_assert_int_eq(seen, size);
	free(ranks);
	free(first);
}

START_TEST(objects_separate_ranks_as_the_topologies_do)
{
	struct dice dice = { 3 };

	for (int i = 0; i < 200; i++) {
		int size = 1 + dice_roll(&dice, RANKS);
		struct tmap_placement p;
		struct tmap_partition sets;

		placement_random_take(&p, machine_random(&dice, 6), size, &dice);
		ck_assert_int_eq(tmap_partition_init_objects(&sets, p.machine, number_packages,
							     NULL, "package", &err),
				 0);
		for (int a = 0; a < size; a++)
			for (int b = 0; b < size; b++) {
				bool same = p.node[a] == p.node[b] &&
					package_of(&p, a) == package_of(&p, b) &&
					package_of(&p, a) != TMAP_NONE;

				ck_assert_int_eq(tmap_partition_separates(&sets, &p, a, b), !same);
			}
		check_counts(&sets, &p, size);
		tmap_partition_fini(&sets);
		tmap_placement_fini(&p);
	}
}
END_TEST

/* Do two nodes share a switch of a tier, or of one below, where theirs is unknown? */
static bool share_switch(const struct tmap_machine *machine, int tier, int a, int b)
{
	for (int t = tier; t >= 0; t--) {
		int of_a = machine->tier[t].switch_of[a], of_b = machine->tier[t].switch_of[b];

		if (of_a != TMAP_NONE || of_b != TMAP_NONE)
			return of_a == of_b;
	}
	return a == b;
}

START_TEST(switches_separate_nodes_as_the_tiers_do)
{
	struct dice dice = { 4 };
	int tiers = 0;

	for (int i = 0; i < 300; i++) {
		struct tmap_machine *machine = machine_random(&dice, 12);
		struct tmap_partition sets[8] = { { 0 } };

		ck_assert_int_le(machine->tier_count, 8);
		for (int t = 0; t < machine->tier_count; t++, tiers++) {
			int most = TMAP_NONE;

			ck_assert_int_eq(tmap_partition_init_switches(&sets[t], machine, t,
								      t ? &sets[t - 1] : NULL,
								      &err),
					 0);
			for (int a = 0; a < machine->node_count; a++) {
				int of_a = tmap_partition_of_object(
					&sets[t], machine->node_topology[a], a, 0);

				ck_assert_int_le(of_a, most + 1); /* numbered by first nodes */
				most = of_a > most ? of_a : most;
				for (int b = 0; b < a; b++)
					ck_assert_int_eq(sets[t].node_base[b] == of_a,
							 share_switch(machine, t, a, b));
			}
			ck_assert_int_eq(sets[t].count, most + 1);
		}
		for (int t = 0; t < machine->tier_count; t++)
			tmap_partition_fini(&sets[t]);
		tmap_machine_free(machine);
	}
	ck_assert_int_gt(tiers, 100);
}
END_TEST

START_TEST(listed_sets_are_numbered_by_their_smallest_ranks)
{
	struct dice dice = { 5 };

	for (int i = 0; i < 300; i++) {
		int size = 1 + dice_roll(&dice, RANKS), limit = 1 + dice_roll(&dice, RANKS);
		int *key = calloc((size_t)size, sizeof *key), was[RANKS], sets = 0, outside = 0;
		int least, most;
		struct tmap_partition p;

		for (int r = 0; r < size; r++)
			was[r] = key[r] = dice_roll(&dice, limit + 1) - 1;
		ck_assert_int_eq(tmap_partition_init_take(&p, key, size, limit, &err), 0);
		ck_assert_int_eq(tmap_partition_list(&p, &err), 0);
		for (int r = 0; r < size; r++) {
			ck_assert_int_eq(p.of_rank[r] == TMAP_NONE, was[r] == TMAP_NONE);
			ck_assert_int_le(p.of_rank[r], sets);
			sets += p.of_rank[r] == sets;
			outside += was[r] == TMAP_NONE;
			for (int q = 0; q < size; q++)
				ck_assert_int_eq(was[q] == was[r], p.of_rank[q] == p.of_rank[r]);
		}
		ck_assert(p.count == sets && p.outside == outside);
		tmap_partition_sizes(&p, &least, &most);
		for (int s = 0; s < sets; s++) {
			ck_assert_int_ge(p.first[s + 1] - p.first[s], least);
			ck_assert_int_le(p.first[s + 1] - p.first[s], most);
			for (int m = p.first[s]; m < p.first[s + 1]; m++)
				ck_assert_int_eq(p.of_rank[p.member[m]], s);
		}
		check_counts(&p, NULL, size);
		tmap_partition_fini(&p);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("partition");
	TCase *tests = tcase_create("partition");

	tcase_add_test(tests, objects_separate_ranks_as_the_topologies_do);
	tcase_add_test(tests, switches_separate_nodes_as_the_tiers_do);
	tcase_add_test(tests, listed_sets_are_numbered_by_their_smallest_ranks);
	suite_add_tcase(suite, tests);
	return suite;
}
