/* Oracle: the rules of core/machine/placement.h, on a node of two packages of two 2-way cores. */
#include "core/machine/placement.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tm_error err;

static struct tm_machine *two_nodes(void)
{
	struct tm_machine *machine = tm_machine_new(&err);
	struct tm_topology topo;

	ck_assert_int_eq(tm_topology_init(&topo, 8, &err), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(tm_topology_add(&topo, TM_CORE, 2 * i, 2 * i + 2, i, 0, &err), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(tm_topology_add(&topo, TM_PACKAGE, 4 * i, 4 * i + 4, i, 0, &err),
				 0);
	for (int i = 0; i < 8; i++)
		topo.pu[i].os = i % 2 * 4 + i / 2; /* as Linux numbers SMT siblings */
	ck_assert_int_eq(tm_topology_finish(&topo, &err), 0);
	ck_assert_int_eq(tm_machine_add_topology_take(machine, &topo, &err), 0);
	ck_assert_int_eq(tm_machine_add_node(machine, "a", 0, &err), 0);
	ck_assert_int_eq(tm_machine_add_node(machine, "b", 0, &err), 0);
	return machine;
}

static int add(struct tm_placement *p, const char *pus, bool bound)
{
	struct tm_idset set = { 0 };
	int place;

	ck_assert_int_eq(tm_idset_parse(&set, pus, 1000, &err), 0);
	place = tm_placement_intern(p, 0, &set, NULL, bound, &err);
	tm_idset_fini(&set);
	return place;
}

static struct tm_placement three_ranks(void)
{
	struct tm_machine *machine = two_nodes();
	struct tm_placement p;

	ck_assert_int_eq(tm_placement_init(&p, machine, 3, &err), 0);
	tm_machine_free(machine);
	for (int r = 0; r < 3; r++)
		p.node[r] = r % 2;
	p.place[0] = add(&p, "0,4", true);
	p.place[1] = add(&p, "0-7", false);
	p.place[2] = add(&p, "1", true);
	return p;
}

START_TEST(a_rank_sits_on_the_smallest_object_that_covers_its_pus)
{
	struct tm_placement p = three_ranks();
	const struct tm_topology *topo = &p.machine->topology[0];

	ck_assert_int_eq(topo->object[tm_placement_object(&p, 0)].type, TM_CORE);
	ck_assert_int_eq(topo->object[tm_placement_object(&p, 1)].type, TM_NODE);
	ck_assert_int_eq(topo->object[tm_placement_object(&p, 2)].type, TM_PU);
	ck_assert_int_eq(topo->object[p.places[add(&p, "4,5", true)].object].type, TM_PACKAGE);
	ck_assert_int_eq(topo->object[p.places[add(&p, "1,2", true)].object].type, TM_NODE);
	tm_placement_fini(&p);
}
END_TEST

START_TEST(equal_places_are_interned_once)
{
	struct tm_placement p = three_ranks();
	int places = p.place_count;

	ck_assert_int_eq(add(&p, "0,4", true), p.place[0]);
	ck_assert_int_eq(p.place_count, places);
	ck_assert_int_ne(add(&p, "0,4", false), p.place[0]);
	tm_placement_fini(&p);
}
END_TEST

START_TEST(a_pu_that_the_node_lacks_and_an_empty_place_are_refused)
{
	struct tm_placement p = three_ranks();

	ck_assert_int_eq(add(&p, "3,8", true), TM_NONE);
	ck_assert_str_eq(err.text, "PU 8 does not exist on a node of 8 PUs");
	ck_assert_int_eq(add(&p, "", true), TM_NONE);
	ck_assert_str_eq(err.text, "a place has no PU");
	tm_placement_fini(&p);
}
END_TEST

START_TEST(a_rank_without_a_seat_is_refused)
{
	struct tm_placement p = three_ranks();

	ck_assert_int_eq(tm_placement_check(&p, &err), 0);
	p.node[1] = TM_NONE;
	ck_assert_int_eq(tm_placement_check(&p, &err), -1);
	ck_assert_str_eq(err.text, "rank 1 has no node among the 2 nodes");
	p.node[1] = 1;
	p.place[2] = 3;
	ck_assert_int_eq(tm_placement_check(&p, &err), -1);
	tm_placement_fini(&p);
}
END_TEST

START_TEST(a_selection_is_a_sub_communicator)
{
	struct tm_placement p = three_ranks(), sub;
	static const int chosen[] = { 2, 0 }, wrong[] = { 3 };

	ck_assert_int_eq(tm_placement_select(&sub, &p, chosen, 2, &err), 0);
	ck_assert_int_eq(sub.size, 2);
	ck_assert_int_eq(sub.node[0], p.node[2]);
	ck_assert_int_eq(tm_placement_object(&sub, 0), tm_placement_object(&p, 2));
	ck_assert_int_eq(tm_placement_object(&sub, 1), tm_placement_object(&p, 0));
	tm_placement_fini(&p);
	ck_assert_int_eq(tm_placement_check(&sub, &err), 0); /* the machine is still there */
	ck_assert_int_eq(tm_placement_select(&p, &sub, wrong, 1, &err), -1);
	tm_placement_fini(&sub);
}
END_TEST

START_TEST(a_job_has_at_least_one_rank)
{
	struct tm_machine *machine = two_nodes();
	struct tm_placement p;

	ck_assert_int_eq(tm_placement_init(&p, machine, 0, &err), -1);
	ck_assert_int_eq(err.kind, TM_INPUT);
	tm_machine_free(machine);
}
END_TEST

START_TEST(ranks_are_counted_on_every_node)
{
	struct tm_placement p = three_ranks();
	int *ranks = tm_placement_count_ranks(&p, &err);

	ck_assert_int_eq(ranks[0], 2);
	ck_assert_int_eq(ranks[1], 1);
	free(ranks);
	tm_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("placement");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, a_rank_sits_on_the_smallest_object_that_covers_its_pus);
	tcase_add_test(tc, equal_places_are_interned_once);
	tcase_add_test(tc, a_pu_that_the_node_lacks_and_an_empty_place_are_refused);
	tcase_add_test(tc, a_rank_without_a_seat_is_refused);
	tcase_add_test(tc, a_selection_is_a_sub_communicator);
	tcase_add_test(tc, a_job_has_at_least_one_rank);
	tcase_add_test(tc, ranks_are_counted_on_every_node);
	suite_add_tcase(suite, tc);
	return suite;
}
