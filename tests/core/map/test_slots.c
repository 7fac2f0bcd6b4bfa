/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the seats that a literal walk over nodes and objects finds, and the PUs of each.
 */
#include "core/map/slots.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;
static const struct tmap_slots_excluded none;

static int kind(const char *name)
{
	return tmap_keywords_find(&tmap_slot_kinds, name, &err);
}

/* 2 nodes of 2 packages of 2 cores of 2 PUs; ranks on PUs 0, 2 of n0 and 9 of n1. */
static void three_ranks(struct tmap_placement *p)
{
	struct tmap_machine *machine = machine_regular(
		2,
		(const struct test_level[]){
			{ TMAP_PACKAGE, 2 }, { TMAP_CORE, 2 }, { TMAP_PU, 2 }, { TMAP_NODE, 0 } });

	placement_seats_take(p, machine, (const int[]){ 0, 2, 9 }, 3);
}

START_TEST(given_slots_are_the_places_of_the_ranks)
{
	struct tmap_placement p;
	struct tmap_slots slots;

	three_ranks(&p);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("given"), &none, &err), 0);
	ck_assert_ptr_eq(slots.placement, &p);
	for (int r = 0; r < 3; r++) {
		ck_assert_int_eq(slots.now[r], r);
		ck_assert_int_eq(slots.fixed[r], TMAP_NONE);
	}
	ck_assert_ptr_null(slots.group);
	tmap_slots_fini(&slots);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(slots_of_a_kind_are_what_a_walk_over_the_machine_finds)
{
	static const struct {
		const char *kind;
		int slots, pus, now[3];
	} cases[] = {
		{ "core", 8, 2, { 0, 1, 4 } },
		{ "hwthread", 16, 1, { 0, 2, 9 } },
		{ "package", 4, 4, { 0, TMAP_NONE, 2 } },
		{ "numa", 2, 8, { 0, TMAP_NONE, 1 } },
		{ "node", 2, 8, { 0, TMAP_NONE, 1 } },
	};
	struct tmap_placement p;
	struct tmap_slots slots;

	three_ranks(&p);
	if (cases[_i].slots < 3) {
		ck_assert_int_eq(tmap_slots_init(&slots, &p, kind(cases[_i].kind), &none, &err),
				 -1);
		ck_assert_ptr_nonnull(strstr(err.text, "3 ranks do not fit on 2 slots"));
		tmap_placement_fini(&p);
		return;
	}
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind(cases[_i].kind), &none, &err), 0);
	ck_assert_int_eq(slots.placement->size, cases[_i].slots);
	for (int s = 0; s < cases[_i].slots; s++) {
		const struct tmap_idset *pus = &slots.own.places[slots.own.place[s]].pus;
		int on_node = cases[_i].slots / 2;

		ck_assert_int_eq(slots.own.node[s], s / on_node);
		ck_assert_int_eq(pus->count, 1);
		ck_assert_int_eq(pus->range[0].first, s % on_node * cases[_i].pus);
		ck_assert_int_eq(pus->range[0].last, (s % on_node + 1) * cases[_i].pus - 1);
	}
	for (int r = 0; r < 3; r++)
		ck_assert_int_eq(slots.now[r], cases[_i].now[r]);
	tmap_slots_fini(&slots);
	tmap_placement_fini(&p);
}
END_TEST

/* Every PU that is not excluded and may be used is in one core's slot; no other is. */
START_TEST(spared_slots_are_left_out_on_every_kind_of_node)
{
	struct dice dice = { 3 };

	for (int round = 0; round < 200; round++) {
		struct tmap_slots_excluded excluded = { .count = dice_roll(&dice, 2) };
		struct tmap_placement p;
		struct tmap_slots slots;
		int seen = 0;

		placement_random_take(&p, machine_random(&dice, 6), 1, &dice);
		ck_assert_int_eq(tmap_idset_add(&excluded.pus, dice_roll(&dice, 4), &err), 0);
		if (tmap_slots_init(&slots, &p, kind("hwthread"), &excluded, &err) == 0) {
			for (int n = 0; n < p.machine->node_count; n++) {
				const struct tmap_topology *topo =
					tmap_machine_topology(p.machine, n);
				int last = TMAP_NONE;

				for (int i = 0; i < topo->pu_count; i++)
					if (topo->pu[i].allowed &&
					    !tmap_idset_contains(&excluded.pus, topo->pu[i].os))
						last = i;
				for (int i = 0; i < topo->pu_count; i++) {
					if (!topo->pu[i].allowed ||
					    tmap_idset_contains(&excluded.pus, topo->pu[i].os) ||
					    (excluded.count && i == last))
						continue;
					ck_assert_int_eq(slots.own.node[seen], n);
					ck_assert(tmap_idset_contains(
						&slots.own.places[slots.own.place[seen]].pus,
						topo->pu[i].os));
					seen++;
				}
			}
			ck_assert_int_eq(slots.own.size, seen);
			tmap_slots_fini(&slots);
		}
		tmap_idset_fini(&excluded.pus);
		tmap_placement_fini(&p);
	}
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
	struct tmap_placement p;
	struct tmap_slots slots;
	struct tmap_idset all = { 0 }, two = { 0 };
	struct tmap_slots_excluded excluded = { .count = 1 };

	three_ranks(&p);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("given"), &excluded, &err), -1);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("l3"), &none, &err), -1);
	ck_assert_str_eq(err.text, "not every node has an object of kind l3");
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("given"), &none, &err), 0);
	ck_assert_int_eq(tmap_slots_pin(&slots, 3, 0, &err), -1);
	ck_assert_str_eq(err.text, "rank 3 is not one of the 3 ranks");
	ck_assert_int_eq(tmap_slots_pin(&slots, 0, 3, &err), -1);
	ck_assert_str_eq(err.text, "slot 3 is not one of the 3 slots");
	ck_assert_int_eq(tmap_slots_pin(&slots, 0, 2, &err), 0);
	ck_assert_int_eq(tmap_slots_pin(&slots, 0, 1, &err), -1);
	ck_assert_int_eq(tmap_slots_resolve(&slots, &err), 0);
	ck_assert_int_eq(tmap_slots_pin(&slots, 1, 2, &err), 0);
	ck_assert_int_eq(tmap_slots_resolve(&slots, &err), -1);
	ck_assert_str_eq(err.text, "ranks 0 and 1 are both pinned to slot 2");
	tmap_slots_fini(&slots);

	ck_assert_int_eq(tmap_idset_add_range(&two, 0, 1, &err), 0);
	ck_assert_int_eq(tmap_idset_add_range(&all, 0, 2, &err), 0);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("given"), &none, &err), 0);
	ck_assert_int_eq(tmap_slots_join(&slots, &two, &err), 0);
	ck_assert_int_eq(tmap_slots_resolve(&slots, &err), 0);
	ck_assert_int_eq(tmap_slots_join(&slots, &all, &err), -1);
	ck_assert_int_eq(tmap_slots_pin(&slots, 0, 0, &err), 0);
	ck_assert_int_eq(tmap_slots_pin(&slots, 1, 2, &err), 0);
	ck_assert_int_eq(tmap_slots_resolve(&slots, &err), -1);
	ck_assert_str_eq(err.text, "ranks 0 and 1 must be together, but are on n0 and n1");
	tmap_slots_fini(&slots);

	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("given"), &none, &err), 0);
	ck_assert_int_eq(tmap_slots_join(&slots, &all, &err), 0);
	ck_assert_int_eq(tmap_slots_resolve(&slots, &err), -1);
	ck_assert_str_eq(err.text, "3 ranks cannot be together: no node has more than 2 slots");
	tmap_slots_fini(&slots);
	tmap_idset_fini(&two);
	tmap_idset_fini(&all);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(a_mapping_is_checked_in_every_respect)
{
	struct tmap_placement p;
	struct tmap_slots slots;
	struct tmap_idset two = { 0 };

	three_ranks(&p);
	ck_assert_int_eq(tmap_idset_add_range(&two, 0, 1, &err), 0);
	ck_assert_int_eq(tmap_slots_init(&slots, &p, kind("core"), &none, &err), 0);
	ck_assert_int_eq(tmap_slots_pin(&slots, 2, 5, &err), 0);
	ck_assert_int_eq(tmap_slots_join(&slots, &two, &err), 0);
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 3, 0, 5 }, &err), 0);
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 7, 6, 5 }, &err), 0);
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 3, 3, 5 }, &err), -1);
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 3, 8, 5 }, &err), -1);
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 3, -1, 5 }, &err), -1);
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 3, 0, 6 }, &err), -1);
	ck_assert_str_eq(err.text, "rank 2 has slot 6, but must have 5");
	ck_assert_int_eq(tmap_slots_check(&slots, (const int[]){ 3, 4, 5 }, &err), -1);
	ck_assert_str_eq(err.text, "ranks 0 and 1 must be together, but are on n0 and n1");
	ck_assert_int_eq(tmap_slots_on_node(&slots, 1, 2), 6);
	ck_assert_int_eq(tmap_slots_on_node(&slots, 1, 4), TMAP_NONE);
	tmap_slots_fini(&slots);
	tmap_idset_fini(&two);
	tmap_placement_fini(&p);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("slots");
	TCase *tests = tcase_create("slots");

	tcase_add_test(tests, given_slots_are_the_places_of_the_ranks);
	tcase_add_loop_test(tests, slots_of_a_kind_are_what_a_walk_over_the_machine_finds, 0, 5);
	tcase_add_test(tests, spared_slots_are_left_out_on_every_kind_of_node);
	tcase_add_test(tests, what_cannot_be_is_refused);
	tcase_add_test(tests, a_mapping_is_checked_in_every_respect);
	suite_add_tcase(suite, tests);
	return suite;
}
