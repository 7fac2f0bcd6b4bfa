/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the definition of core/machine/node_fold.h, node against node, with sorted copies of
 * their places; for what ranks share, every pair of ranks of a node and their sets of PUs.
 */
#include "core/machine/node_fold.h"
#include "core/machine/overlap.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static int compare_ints(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

/* The places taken on a node, sorted; returns how many. */
static int places_of(const struct tmap_placement *p, int node, int *place)
{
	int count = 0;

	for (int r = 0; r < p->size; r++)
		if (p->node[r] == node)
			place[count++] = p->place[r];
	qsort(place, (size_t)count, sizeof *place, compare_ints);
	return count;
}

static bool literally_alike(const struct tmap_placement *p, int a, int b)
{
	int of_a[64], of_b[64];
	int count = places_of(p, a, of_a);

	return p->machine->node_topology[a] == p->machine->node_topology[b] &&
		count == places_of(p, b, of_b) &&
		memcmp(of_a, of_b, (size_t)count * sizeof of_a[0]) == 0;
}

static void check_ranks(const struct tmap_placement *p, const struct tmap_node_fold *fold)
{
	ck_assert_int_eq(fold->first[0], 0);
	ck_assert_int_eq(fold->first[p->machine->node_count], p->size);
	for (int n = 0; n < p->machine->node_count; n++)
		for (int i = fold->first[n]; i < fold->first[n + 1]; i++) {
			ck_assert_int_eq(p->node[fold->rank[i]], n);
			ck_assert(i == fold->first[n] || fold->rank[i - 1] < fold->rank[i]);
		}
}

static void check_classes(const struct tmap_placement *p, const struct tmap_node_fold *fold)
{
	int nodes = p->machine->node_count, used = 0, counted = 0;

	for (int a = 0; a < nodes; a++) {
		bool empty = fold->first[a] == fold->first[a + 1];

		ck_assert((fold->class_of[a] == TMAP_NONE) == empty);
		used += !empty;
		for (int b = 0; b < a && !empty; b++)
			if (fold->class_of[b] != TMAP_NONE)
				ck_assert((fold->class_of[a] == fold->class_of[b]) ==
					  literally_alike(p, a, b));
	}
	for (int c = 0; c < fold->class_count; c++) {
		ck_assert_int_eq(fold->class_of[fold->example[c]], c);
		counted += fold->nodes[c];
	}
	ck_assert_int_eq(counted, used);
}

static int core_of(const struct tmap_topology *topo, int pu)
{
	int core = tmap_topology_ancestor(topo, topo->pu[pu].object, TMAP_CORE);

	return core == TMAP_NONE ? topo->pu[pu].object : core;
}

static bool share(const struct tmap_placement *p, int a, int b, bool core)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, a);
	const struct tmap_place *of_a = &p->places[p->place[a]], *of_b = &p->places[p->place[b]];

	if (a == b || p->node[a] != p->node[b] || !of_a->bound || !of_b->bound)
		return false;
	for (int i = 0; i < topo->pu_count; i++)
		for (int j = 0; j < topo->pu_count; j++)
			if ((core ? core_of(topo, i) == core_of(topo, j) : i == j) &&
			    tmap_idset_contains(&of_a->pus, topo->pu[i].os) &&
			    tmap_idset_contains(&of_b->pus, topo->pu[j].os))
				return true;
	return false;
}

/* The PUs of a rank, or, @p whole, all PUs of its cores: marked by logical index. */
static int mark(const struct tmap_placement *p, int rank, bool whole, bool *marked)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	int count = 0;

	memset(marked, 0, (size_t)topo->pu_count);
	for (int i = 0; i < topo->pu_count; i++)
		for (int j = 0; j < topo->pu_count; j++)
			if (tmap_idset_contains(&p->places[p->place[rank]].pus, topo->pu[i].os) &&
			    (whole ? core_of(topo, i) == core_of(topo, j) : i == j))
				marked[j] = true;
	for (int i = 0; i < topo->pu_count; i++) {
		int first = i;

		while (whole && first && core_of(topo, first - 1) == core_of(topo, i))
			first--;
		count += marked[i] && first == i;
	}
	return count; /* of PUs, or of cores */
}

static bool is_inside(const struct tmap_placement *p, int rank, int other, bool whole)
{
	bool in[64], of[64];

	if (p->node[rank] != p->node[other] || !p->places[p->place[rank]].bound ||
	    !p->places[p->place[other]].bound)
		return false;
	mark(p, rank, whole, in);
	mark(p, other, whole, of);
	for (int i = 0; i < tmap_placement_topology(p, rank)->pu_count; i++)
		if (in[i] && !of[i])
			return false;
	return true;
}

/* Is rank a one of more ranks bound inside the PUs (or cores) of some rank than these are? */
static bool crowds(const struct tmap_placement *p, int a, bool whole)
{
	bool of[64];

	for (int set = 0; set < p->size; set++) {
		int inside = 0;

		if (!is_inside(p, a, set, whole))
			continue;
		for (int b = 0; b < p->size; b++)
			inside += is_inside(p, b, set, whole);
		if (inside > mark(p, set, whole, of))
			return true;
	}
	return false;
}

static void check_overlap(const struct tmap_placement *p, const struct tmap_node_fold *fold)
{
	unsigned char *shares = tmap_overlap_find(p, fold, &err);

	for (int a = 0; a < p->size; a++) {
		int expected = crowds(p, a, false) ? TMAP_CROWDS_PU | TMAP_CROWDS_CORE :
			crowds(p, a, true)         ? TMAP_CROWDS_CORE :
						     0;

		for (int b = 0; b < p->size; b++)
			expected |= (share(p, a, b, true) ? TMAP_SHARES_CORE : 0) |
				(share(p, a, b, false) ? TMAP_SHARES_PU : 0);
		ck_assert_int_eq(shares[a], expected);
	}
	free(shares);
}

/* The part of a rank's time that it has on the core of a PU, if it spreads evenly. */
static double part_on(const struct tmap_placement *p, int rank, int pu)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	bool bound = p->places[p->place[rank]].bound, of[64], on_it = false;
	int cores = 0;

	mark(p, rank, true, of);
	for (int i = 0; i < topo->pu_count; i++) {
		int first = i;
		bool runs = false;

		while (first && core_of(topo, first - 1) == core_of(topo, i))
			first--;
		if (first < i)
			continue;
		for (int j = i; j < topo->pu_count && core_of(topo, j) == core_of(topo, i); j++)
			runs |= bound ? of[j] : topo->pu[j].allowed;
		cores += runs;
		on_it |= runs && core_of(topo, pu) == core_of(topo, i);
	}
	return on_it ? 1.0 / cores : 0;
}

/* Oracle: each pair of ranks by itself: how much of the time of b is where a is. */
static void check_others(const struct tmap_placement *p)
{
	double *others = tmap_overlap_others(p, &err);

	for (int a = 0; a < p->size; a++) {
		const struct tmap_topology *topo = tmap_placement_topology(p, a);
		double expected = -1;

		for (int b = 0; b < p->size; b++)
			for (int pu = 0; pu < topo->pu_count && p->node[a] == p->node[b]; pu++)
				if (!pu || core_of(topo, pu - 1) != core_of(topo, pu))
					expected += part_on(p, a, pu) * part_on(p, b, pu);
		ck_assert_double_eq_tol(others[a], expected < 0 ? 0 : expected, 1e-6);
	}
	free(others);
}

START_TEST(random_nodes_are_folded_as_the_definition_says)
{
	struct dice dice = { 17 };

	for (int round = 0; round < 1000; round++) {
		struct tmap_machine *machine = machine_random(&dice, 12);
		struct tmap_placement p;
		struct tmap_node_fold fold;

		placement_random_take(&p, machine, 1 + dice_roll(&dice, 24), &dice);
		ck_assert_int_eq(tmap_node_fold_init(&fold, &p, &err), 0);
		check_ranks(&p, &fold);
		check_classes(&p, &fold);
		check_overlap(&p, &fold);
		check_others(&p);
		tmap_node_fold_fini(&fold);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(a_shuffled_regular_job_is_one_class)
{
	struct tmap_machine *machine = machine_regular(
		50, (const struct test_level[]){ { TMAP_PACKAGE, 2 }, { TMAP_CORE, 4 }, { 0 } });
	struct dice dice = { 3 };
	struct tmap_placement p;
	struct tmap_node_fold fold;
	int seat[400];

	for (int r = 0; r < 400; r++)
		seat[r] = r;
	dice_shuffle(&dice, seat, 400);
	placement_seats_take(&p, machine, seat, 400);
	ck_assert_int_eq(tmap_node_fold_init(&fold, &p, &err), 0);
	ck_assert_int_eq(fold.class_count, 1);
	ck_assert_int_eq(fold.nodes[0], 50);
	check_ranks(&p, &fold);
	tmap_node_fold_fini(&fold);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("node_fold");
	TCase *tests = tcase_create("fold");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, random_nodes_are_folded_as_the_definition_says);
	tcase_add_test(tests, a_shuffled_regular_job_is_one_class);
	suite_add_tcase(suite, tests);
	return suite;
}
