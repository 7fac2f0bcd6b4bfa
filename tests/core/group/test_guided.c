/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: for each pair of ranks on random machines, whether any object of the kind covers both,
 * or has PUs of both, by looking through all objects and PUs; the lists of each library by the
 * sentences in core/group/guided.h. What real libraries answer is in tests/mpi/splits.sh.
 */
#include "core/group/guided.h"
#include "core/machine/level_order.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { RANKS_MOST = 24 };

/* Has the place any of the PUs, or all of its PUs among them? */
static bool has_pus(const struct tmap_placement *p, int rank, int first, int end, bool all)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, rank);
	bool any = false, every = true;

	for (int i = 0; i < topo->pu_count; i++)
		if (tmap_idset_contains(&p->places[p->place[rank]].pus, topo->pu[i].os)) {
			any |= i >= first && i < end;
			every &= i >= first && i < end;
		}
	return all ? every : any;
}

static bool is_bound(const struct tmap_placement *p, int rank)
{
	return p->places[p->place[rank]].bound;
}

static struct tmap_level_kind kind_of(const struct tmap_resource *row)
{
	return (struct tmap_level_kind){ row->type, 0 };
}

static bool is_of(const struct tmap_object *object, struct tmap_level_kind kind)
{
	return object->type == kind.type && object->nest == kind.nest;
}

/* Do two ranks have a common object? */
static bool have_common(const struct tmap_placement *p, struct tmap_level_kind kind, int a, int b,
			bool all, bool implied)
{
	const struct tmap_topology *topo = tmap_placement_topology(p, a);

	if (p->node[a] != p->node[b])
		return false;
	if (implied && tmap_level_is_implied(topo, kind))
		return true;
	for (int i = 0; i < topo->object_count; i++) {
		int first = topo->object[i].first_pu, end = topo->object[i].end_pu;

		if (is_of(&topo->object[i], kind) && has_pus(p, a, first, end, all) &&
		    has_pus(p, b, first, end, all))
			return true;
	}
	return false;
}

/* Is b in the list that a is given? */
static bool is_given(const struct tmap_placement *p, const struct tmap_resource *row, char library,
		     int a, int b)
{
	bool whole = strcmp(row->word.name, "node") == 0 || strcmp(row->word.name, "board") == 0 ||
		strcmp(row->word.name, "mpi_shared_memory") == 0;
	bool here, there;

	if (library == 's')
		return have_common(p, kind_of(row), a, b, true, true);
	if (library == 'o' && whole)
		return p->node[a] == p->node[b];
	if (library == 'o')
		return a == b ||
			(is_bound(p, a) && is_bound(p, b) &&
			 have_common(p, kind_of(row), a, b, false, row->type == TMAP_NUMA));
	here = have_common(p, kind_of(row), a, a, true, true);
	there = have_common(p, kind_of(row), b, b, true, true);
	return p->node[a] == p->node[b] &&
		(have_common(p, kind_of(row), a, b, true, true) || (!here && !there));
}

/* MPICH: nothing where the list is the whole node. */
static bool is_whole(const struct tmap_placement *p, const struct tmap_resource *row, int a)
{
	for (int b = 0; b < p->size; b++)
		if (p->node[a] == p->node[b] && !is_given(p, row, 'm', a, b))
			return false;
	return strcmp(row->word.name, "mpi_shared_memory") != 0;
}

static void check_lists(const struct tmap_placement *p, const struct tmap_resource *row,
			char library, struct tmap_partition *got)
{
	int outside = 0, next = 0;

	ck_assert_int_eq(tmap_partition_list(got, &err), 0);
	for (int a = 0; a < p->size; a++) {
		bool null = (library == 's' && !is_given(p, row, 's', a, a)) ||
			(library == 'm' && is_whole(p, row, a));

		ck_assert_int_eq(got->of_rank[a] == TMAP_NONE, null);
		outside += null;
		for (int b = 0; b < p->size && !null; b++)
			ck_assert_int_eq(is_given(p, row, library, a, b),
					 got->of_rank[a] == got->of_rank[b]);
		if (got->of_rank[a] == next)
			next++;
		ck_assert_int_lt(got->of_rank[a], next);
	}
	ck_assert_int_eq(got->outside, outside);
	ck_assert_int_eq(got->count, next);
	for (int g = 0; g < got->count; g++)
		for (int i = got->first[g]; i < got->first[g + 1]; i++) {
			ck_assert_int_eq(got->of_rank[got->member[i]], g);
			ck_assert(i == got->first[g] || got->member[i - 1] < got->member[i]);
		}
}

/* Are the lists the same for all who are in one? */
static bool overlaps(const struct tmap_placement *p, const struct tmap_resource *row)
{
	for (int a = 0; a < p->size; a++)
		for (int b = 0; b < p->size; b++)
			for (int c = 0; c < p->size && is_given(p, row, 'o', a, b); c++)
				if (is_given(p, row, 'o', a, c) != is_given(p, row, 'o', b, c))
					return true;
	return false;
}

static void check_nulls(const struct tmap_placement *p, const struct tmap_resource *row,
			const struct tmap_guided *guided)
{
	int spanning = 0, without = 0;

	for (int r = 0; r < p->size; r++) {
		bool none = is_given(p, row, 's', r, r),
		     some = have_common(p, kind_of(row), r, r, false, true);

		if (!none && some && !spanning++)
			ck_assert_int_eq(guided->spanning.first, r);
		if (!none && !some && !without++)
			ck_assert_int_eq(guided->without.first, r);
	}
	ck_assert_int_eq(guided->spanning.count, spanning);
	ck_assert_int_eq(guided->without.count, without);
}

static void check_row(const struct tmap_placement *p, const struct tmap_resource *row)
{
	struct tmap_guided guided;

	ck_assert_int_eq(tmap_guided_init(&guided, p, row, &err), 0);
	check_lists(p, row, 's', &guided.standard);
	check_nulls(p, row, &guided);
	if (row->openmpi) {
		ck_assert(guided.overlaps == overlaps(p, row));
		if (!guided.overlaps)
			check_lists(p, row, 'o', &guided.openmpi);
		else
			ck_assert(is_given(p, row, 'o', guided.overlap[0], guided.overlap[1]) &&
				  is_given(p, row, 'o', guided.overlap[0], guided.overlap[2]) &&
				  !is_given(p, row, 'o', guided.overlap[1], guided.overlap[2]));
	}
	if (row->mpich)
		check_lists(p, row, 'm', &guided.mpich);
	tmap_guided_fini(&guided);
}

START_TEST(answers_are_those_of_all_pairs_of_ranks)
{
	struct dice dice = { 7 };

	for (int i = 0; i < 60; i++) {
		struct tmap_placement p;
		int size = 1 + dice_roll(&dice, RANKS_MOST);

		placement_random_take(&p, machine_random(&dice, 1 + dice_roll(&dice, 4)), size,
				      &dice);
		for (size_t k = 0; tmap_keywords_at(&tmap_resources, k); k++)
			check_row(
				&p,
				(const struct tmap_resource *)tmap_keywords_at(&tmap_resources, k));
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(three_ranks_in_a_chain_overlap_in_openmpi_only)
{
	struct tmap_placement p;
	struct tmap_guided guided;

	placement_on_take(&p,
			  machine_regular(1,
					  (const struct test_level[]){
						  { TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { 0 } }),
			  3);
	placement_seat_pu(&p, 0, 0, 0);
	placement_seat(&p, 1, 0, tmap_topology_find(&p.machine->topology[0], TMAP_PACKAGE, 0));
	placement_seat_pu(&p, 2, 0, 1);
	ck_assert_int_eq(tmap_guided_init(&guided, &p, tmap_resource_find("core"), &err), 0);
	ck_assert_int_eq(guided.standard.count, 2);
	ck_assert_int_eq(guided.standard.of_rank[1], TMAP_NONE);
	ck_assert_int_eq(guided.spanned, 2);
	ck_assert(guided.overlaps);
	ck_assert_int_eq(guided.overlap[0], 1);
	ck_assert_int_eq(guided.mpich.count, 3);
	tmap_guided_fini(&guided);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("guided");
	TCase *tests = tcase_create("guided");

	tcase_add_test(tests, answers_are_those_of_all_pairs_of_ranks);
	tcase_add_test(tests, three_ranks_in_a_chain_overlap_in_openmpi_only);
	suite_add_tcase(suite, tests);
	return suite;
}
