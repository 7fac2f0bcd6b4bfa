/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the rules of core/machine/placement.h, on a node of two packages of two 2-way cores. */
#include "core/machine/placement.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static struct tmap_machine *two_nodes(void)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_topology_init(&topo, 8, &err), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, 2 * i, 2 * i + 2, i, 0, &err),
				 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(
			tmap_topology_add(&topo, TMAP_PACKAGE, 4 * i, 4 * i + 4, i, 0, &err), 0);
	for (int i = 0; i < 8; i++)
		topo.pu[i].os = i % 2 * 4 + i / 2; /* as Linux numbers SMT siblings */
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "a", 0, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "b", 0, &err), 0);
	return machine;
}

static int add(struct tmap_placement *p, const char *pus, bool bound)
{
	struct tmap_idset set = { 0 };
	int place;

	ck_assert_int_eq(tmap_idset_parse(&set, pus, 1000, &err), 0);
	place = tmap_placement_intern(p, 0, &set, NULL, bound, &err);
	tmap_idset_fini(&set);
	return place;
}

static struct tmap_placement three_ranks(void)
{
	struct tmap_machine *machine = two_nodes();
	struct tmap_placement p;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 3, &err), 0);
	tmap_machine_free(machine);
	for (int r = 0; r < 3; r++)
		p.node[r] = r % 2;
	p.place[0] = add(&p, "0,4", true);
	p.place[1] = add(&p, "0-7", false);
	p.place[2] = add(&p, "1", true);
	return p;
}

START_TEST(a_rank_sits_on_the_smallest_object_that_covers_its_pus)
{
	struct tmap_placement p = three_ranks();
	const struct tmap_topology *topo = &p.machine->topology[0];

	ck_assert_int_eq(topo->object[tmap_placement_object(&p, 0)].type, TMAP_CORE);
	ck_assert_int_eq(topo->object[tmap_placement_object(&p, 1)].type, TMAP_NODE);
	ck_assert_int_eq(topo->object[tmap_placement_object(&p, 2)].type, TMAP_PU);
	ck_assert_int_eq(topo->object[p.places[add(&p, "4,5", true)].object].type, TMAP_PACKAGE);
	ck_assert_int_eq(topo->object[p.places[add(&p, "1,2", true)].object].type, TMAP_NODE);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(equal_places_are_interned_once)
{
	struct tmap_placement p = three_ranks();
	int places = p.place_count;

	ck_assert_int_eq(add(&p, "0,4", true), p.place[0]);
	ck_assert_int_eq(p.place_count, places);
	ck_assert_int_ne(add(&p, "0,4", false), p.place[0]);
	tmap_placement_fini(&p);
}
END_TEST

/* Oracle: a search through all places. */
START_TEST(the_first_of_equal_places_is_found_among_all_sets_of_eight_pus)
{
	struct tmap_placement p = three_ranks();
	const struct tmap_idset none = { 0 };

	for (int round = 0; round < 2; round++)
		for (int mask = 1; mask < 256; mask++) {
			struct tmap_idset pus = { 0 };
			int first = TMAP_NONE, found;

			for (int i = 0; i < 8; i++)
				if (mask >> i & 1)
					ck_assert_int_eq(tmap_idset_add(&pus, i, &err), 0);
			if (mask % 7 == 0) /* beside the equal one that may be there */
				ck_assert_int_ne(
					tmap_placement_add_place(&p, 0, &pus, NULL, true, &err),
					TMAP_NONE);
			for (int i = p.place_count - 1; i >= 0; i--)
				if (p.places[i].bound && tmap_idset_equal(&p.places[i].pus, &pus))
					first = i;
			found = tmap_placement_intern(&p, 0, &pus, mask % 2 ? &none : NULL, true,
						      &err);
			ck_assert_int_eq(found, first == TMAP_NONE ? p.place_count - 1 : first);
			tmap_idset_fini(&pus);
		}
	ck_assert_int_eq(p.place_count, 3 + 255 - 2 + 36);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_rank_is_not_bound_where_it_has_all_that_the_job_may_use)
{
	struct tmap_machine *machine = two_nodes();
	struct tmap_idset pus = { 0 };
	struct tmap_placement p;
	int place;

	machine->topology[0].pu[0].allowed = false;
	ck_assert_int_eq(tmap_placement_init(&p, machine, 1, &err), 0);
	tmap_machine_free(machine);
	ck_assert_int_eq(tmap_idset_add_range(&pus, 1, 6, &err), 0);
	place = tmap_placement_bind(&p, 0, &pus, &err);
	ck_assert(p.places[place].bound);
	ck_assert_int_eq(tmap_idset_add(&pus, 7, &err), 0);
	place = tmap_placement_bind(&p, 0, &pus, &err);
	ck_assert(!p.places[place].bound);
	ck_assert_int_eq(tmap_placement_bind(&p, 0, &pus, &err), place);
	tmap_idset_fini(&pus);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_pu_that_the_node_lacks_and_an_empty_place_are_refused)
{
	struct tmap_placement p = three_ranks();

	ck_assert_int_eq(add(&p, "3,8", true), TMAP_NONE);
	ck_assert_str_eq(err.text, "PU 8 does not exist on a node of 8 PUs");
	ck_assert_int_eq(add(&p, "", true), TMAP_NONE);
	ck_assert_str_eq(err.text, "a place has no PU");
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_rank_without_a_seat_is_refused)
{
	struct tmap_placement p = three_ranks();

	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	p.node[1] = TMAP_NONE;
	ck_assert_int_eq(tmap_placement_check(&p, &err), -1);
	ck_assert_str_eq(err.text, "rank 1 has no node among the 2 nodes");
	p.node[1] = 1;
	p.place[2] = 3;
	ck_assert_int_eq(tmap_placement_check(&p, &err), -1);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_selection_is_a_sub_communicator)
{
	struct tmap_placement p = three_ranks(), sub;
	static const int chosen[] = { 2, 0 }, wrong[] = { 3 };

	ck_assert_int_eq(tmap_placement_select(&sub, &p, chosen, 2, &err), 0);
	ck_assert_int_eq(sub.size, 2);
	ck_assert_int_eq(sub.node[0], p.node[2]);
	ck_assert_int_eq(tmap_placement_object(&sub, 0), tmap_placement_object(&p, 2));
	ck_assert_int_eq(tmap_placement_object(&sub, 1), tmap_placement_object(&p, 0));
	tmap_placement_fini(&p);
	ck_assert_int_eq(tmap_placement_check(&sub, &err), 0); /* the machine is still there */
	ck_assert_int_eq(tmap_placement_select(&p, &sub, wrong, 1, &err), -1);
	tmap_placement_fini(&sub);
}
END_TEST

START_TEST(a_sub_communicator_keeps_the_numbers_in_the_job)
{
	struct tmap_placement p = three_ranks(), sub, again, moved;
	static const int chosen[] = { 2, 0 }, last[] = { 1 }, turned[] = { 1, 0 },
			 twice[] = { 1, 1 };

	ck_assert_ptr_null(p.world);
	ck_assert_int_eq(tmap_placement_subset(&sub, &p, chosen, 2, &err), 0);
	ck_assert_int_eq(sub.world[0], 2);
	ck_assert_int_eq(sub.world[1], 0);
	ck_assert_int_eq(sub.node[0], p.node[2]);
	ck_assert_int_eq(tmap_placement_subset(&again, &sub, last, 1, &err), 0);
	ck_assert_int_eq(again.world[0], 0);
	ck_assert_int_eq(tmap_placement_select(&moved, &sub, turned, 2, &err), 0);
	ck_assert_int_eq(moved.world[0], 2); /* the same rank in another place */
	ck_assert_int_eq(moved.node[0], p.node[0]);
	tmap_placement_fini(&again);
	ck_assert_int_eq(tmap_placement_subset(&again, &p, twice, 2, &err), -1);
	ck_assert_str_eq(err.text, "rank 1 stands in the list twice");
	tmap_placement_fini(&moved);
	tmap_placement_fini(&sub);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_job_has_at_least_one_rank)
{
	struct tmap_machine *machine = two_nodes();
	struct tmap_placement p;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 0, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(ranks_are_counted_on_every_node)
{
	struct tmap_placement p = three_ranks();
	int *ranks = tmap_placement_count_ranks(&p, &err);

	ck_assert_int_eq(ranks[0], 2);
	ck_assert_int_eq(ranks[1], 1);
	free(ranks);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("placement");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, a_rank_sits_on_the_smallest_object_that_covers_its_pus);
	tcase_add_test(tc, equal_places_are_interned_once);
	tcase_add_test(tc, the_first_of_equal_places_is_found_among_all_sets_of_eight_pus);
	tcase_add_test(tc, a_rank_is_not_bound_where_it_has_all_that_the_job_may_use);
	tcase_add_test(tc, a_pu_that_the_node_lacks_and_an_empty_place_are_refused);
	tcase_add_test(tc, a_rank_without_a_seat_is_refused);
	tcase_add_test(tc, a_selection_is_a_sub_communicator);
	tcase_add_test(tc, a_sub_communicator_keeps_the_numbers_in_the_job);
	tcase_add_test(tc, a_job_has_at_least_one_rank);
	tcase_add_test(tc, ranks_are_counted_on_every_node);
	suite_add_tcase(suite, tc);
	return suite;
}
