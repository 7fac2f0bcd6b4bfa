/*
 * Oracle: the placements by hand; for the shuffle, that it is a permutation of the seats and
 * the one that core/random.h defines.
 */
#include "core/policy.h"
#include "core/random.h"
#include "tests/core/machines.h"
#include "tests/unit.h"

static struct tm_error err;

/* 2 nodes of 2 packages of 2 cores of 2 PUs. */
static struct tm_machine *small(void)
{
	static const struct rung rungs[] = {
		{ TM_PACKAGE, 2 }, { TM_CORE, 2 }, { TM_PU, 2 }, { TM_NODE, 0 },
	};

	return machine_regular(2, rungs);
}

static void expect(const struct tm_placement *p, const int (*want)[2])
{
	for (int r = 0; r < p->size; r++) {
		const struct tm_object *object;

		object = &tm_placement_topology(p, r)->object[tm_placement_object(p, r)];
		ck_assert_int_eq(p->node[r], want[r][0]);
		ck_assert_int_eq(object->type, TM_CORE);
		ck_assert_int_eq(object->logical, want[r][1]);
		ck_assert(p->places[p->place[r]].bound);
		ck_assert_int_eq(tm_idset_size(&p->places[p->place[r]].pus), 2);
	}
}

START_TEST(by_core_fills_node_after_node)
{
	static const int want[][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 0 }, { 1, 1 } };
	struct tm_machine *machine = small();
	struct tm_placement p;

	ck_assert_int_eq(tm_policy_place(&p, machine, 6, TM_MAP_BY_CORE, &err), 0);
	ck_assert_int_eq(tm_placement_check(&p, &err), 0);
	expect(&p, want);
	tm_placement_fini(&p);
	tm_machine_free(machine);
}
END_TEST

START_TEST(by_node_deals_in_turn)
{
	static const int want[][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 0, 2 } };
	struct tm_machine *machine = small();
	struct tm_placement p;

	ck_assert_int_eq(tm_policy_place(&p, machine, 5, TM_MAP_BY_NODE, &err), 0);
	expect(&p, want);
	tm_placement_fini(&p);
	tm_machine_free(machine);
}
END_TEST

START_TEST(without_a_number_every_core_gets_a_rank)
{
	struct tm_machine *machine = small();
	struct tm_placement p;

	ck_assert_int_eq(tm_policy_place(&p, machine, TM_NONE, TM_MAP_BY_CORE, &err), 0);
	ck_assert_int_eq(p.size, 8);
	tm_placement_fini(&p);
	tm_machine_free(machine);
}
END_TEST

START_TEST(pus_that_are_not_allowed_are_not_used)
{
	struct tm_machine *machine = small();
	struct tm_placement p;

	for (int pu = 0; pu < 3; pu++)
		machine->topology[0].pu[pu].allowed = false;
	ck_assert_int_eq(tm_policy_place(&p, machine, TM_NONE, TM_MAP_BY_CORE, &err), 0);
	ck_assert_int_eq(p.size, 6);
	ck_assert_int_eq(tm_idset_size(&p.places[p.place[0]].pus), 1);
	ck_assert_int_eq(tm_idset_next(&p.places[p.place[0]].pus, TM_NONE), 3);
	ck_assert_int_eq(tm_idset_next(&p.places[p.place[3]].pus, TM_NONE), 3);
	tm_placement_fini(&p);
	for (int pu = 3; pu < 8; pu++)
		machine->topology[0].pu[pu].allowed = false;
	ck_assert_int_eq(tm_policy_place(&p, machine, TM_NONE, TM_MAP_BY_CORE, &err), -1);
	ck_assert_str_eq(err.text, "no core of the machine may be used");
	tm_machine_free(machine);
}
END_TEST

START_TEST(a_node_without_cores_gives_its_pus)
{
	static const struct rung rungs[] = { { TM_PACKAGE, 2 }, { TM_PU, 3 }, { TM_NODE, 0 } };
	struct tm_machine *machine = machine_regular(2, rungs);
	struct tm_placement p;

	ck_assert_int_eq(tm_policy_place(&p, machine, TM_NONE, TM_MAP_BY_NODE, &err), 0);
	ck_assert_int_eq(p.size, 12);
	tm_placement_fini(&p);
	tm_machine_free(machine);
}
END_TEST

START_TEST(more_ranks_than_cores_are_refused)
{
	struct tm_machine *machine = small();
	struct tm_placement p;

	ck_assert_int_eq(tm_policy_place(&p, machine, 9, TM_MAP_BY_CORE, &err), -1);
	ck_assert_int_eq(err.kind, TM_INPUT);
	ck_assert_str_eq(err.text, "9 ranks do not fit on the 8 cores of 2 nodes");
	tm_machine_free(machine);
}
END_TEST

START_TEST(a_shuffle_deals_the_same_seats)
{
	struct tm_random random = { .state = 99 };
	struct tm_machine *machine = small();
	struct tm_placement p, q;
	int order[8];

	ck_assert_int_eq(tm_policy_place(&p, machine, 8, TM_MAP_BY_NODE, &err), 0);
	ck_assert_int_eq(tm_policy_place(&q, machine, 8, TM_MAP_BY_NODE, &err), 0);
	ck_assert_int_eq(tm_policy_shuffle(&q, 99, &err), 0);
	for (int i = 0; i < 8; i++)
		order[i] = i;
	tm_random_shuffle(&random, order, 8);
	for (int r = 0; r < 8; r++) {
		ck_assert_int_eq(q.node[r], p.node[order[r]]);
		ck_assert_int_eq(q.place[r], p.place[order[r]]);
	}
	tm_placement_fini(&p);
	tm_placement_fini(&q);
	tm_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("policy");
	TCase *tcase = tcase_create("placements");

	tcase_add_test(tcase, by_core_fills_node_after_node);
	tcase_add_test(tcase, by_node_deals_in_turn);
	tcase_add_test(tcase, without_a_number_every_core_gets_a_rank);
	tcase_add_test(tcase, pus_that_are_not_allowed_are_not_used);
	tcase_add_test(tcase, a_node_without_cores_gives_its_pus);
	tcase_add_test(tcase, more_ranks_than_cores_are_refused);
	tcase_add_test(tcase, a_shuffle_deals_the_same_seats);
	suite_add_tcase(suite, tcase);
	return suite;
}
