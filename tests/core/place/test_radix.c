/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the definition, asked of every core: its numbers at the levels of the order, found
 * by looking at all cores before it, and an insertion sort by them.
 */
#include "core/machine/level_order.h"
#include "core/place/permute.h"
#include "core/place/radix.h"
#include "core/place/usable.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/machines.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *read_machine(const char *line)
{
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);

	ck_assert_msg(machine != NULL, "%s", err.text);
	return machine;
}

static const struct by_hand {
	const char *line, *order, *seats;
} by_hand[] = {
	{ "node:2 package:2 core:2", "core,package,node", "0:0 0:1 0:2 0:3 1:0 1:1 1:2 1:3" },
	{ "node:2 package:2 core:2", "core", "0:0 0:1 0:2 0:3 1:0 1:1 1:2 1:3" },
	{ "node:2 package:2 core:2", "node,core,package", "0:0 1:0 0:1 1:1 0:2 1:2 0:3 1:3" },
	{ "node:2 package:2 core:2", "node", "0:0 1:0 0:1 1:1 0:2 1:2 0:3 1:3" },
	{ "node:2 package:2 core:2", "package,core,node", "0:0 0:2 0:1 0:3 1:0 1:2 1:1 1:3" },
	{ "node:2 package:2 core:2", "package,node", "0:0 0:2 1:0 1:2 0:1 0:3 1:1 1:3" },
	{ "node:2 package:2 core:2", "package", "0:0 0:2 1:0 1:2 0:1 0:3 1:1 1:3" },
	{ "node:2 package:2 core:2", "node,package,core", "0:0 1:0 0:2 1:2 0:1 1:1 0:3 1:3" },
	{ "node:1 package:2 core:1 pu:2", "socket,hwthread", "0:0 0:2 0:1 0:3" },
	{ "node:1 package:2 core:2 pu:2", "core,pu,package", "0:0 0:2 0:1 0:3 0:4 0:6 0:5 0:7" },
	{ "node:2 pu:2", "node", "0:0 1:0 0:1 1:1" },
	{ "node:1 package:2 numa:2 l3:1 core:2", "numa,core,package",
	  "0:0 0:2 0:1 0:3 0:4 0:6 0:5 0:7" },
};

START_TEST(orders_by_hand)
{
	struct tmap_machine *machine = read_machine(by_hand[_i].line);
	struct tmap_placement p;
	char *seats;

	ck_assert_msg(tmap_radix_place(&p, machine, by_hand[_i].order, TMAP_NONE, &err) == 0, "%s",
		      err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, by_hand[_i].seats);
	free(seats);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(nodes_of_different_size_are_skipped_when_full)
{
	static const char *const lines[] = { "node:1 core:2", "node:2 core:3" };
	struct tmap_machine *machine = tmap_machine_read_specs(lines, 2, &err);
	struct tmap_placement p;
	char *seats;

	ck_assert_int_eq(tmap_radix_place(&p, machine, "node", TMAP_NONE, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0 1:0 2:0 0:1 1:1 2:1 1:2 2:2");
	free(seats);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(switches_are_levels)
{
	static const struct test_level node_levels[] = { { TMAP_CORE, 2 }, { TMAP_NODE, 0 } };
	struct tmap_machine *machine = machine_regular(4, node_levels);
	struct tmap_placement p;
	char *seats;

	machine_add_switches(machine, 2);
	ck_assert_int_eq(tmap_radix_place(&p, machine, "switch1,core,node", TMAP_NONE, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0 2:0 0:1 2:1 1:0 3:0 1:1 3:1");
	free(seats);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

/* A core of the machine, and the object that it is in at each of three levels. */
struct core {
	int node, object;
	long key[4]; /* [0] is the job */
	int digit[4];
};

/* The object at level l of the order "b,a,node"-like lists: node, then two kinds inside. */
static void set_keys(struct core *core, const struct tmap_machine *machine,
		     const struct tmap_level_kind *kind)
{
	const struct tmap_topology *topo = tmap_machine_topology(machine, core->node);

	core->key[0] = 0;
	core->key[1] = core->node;
	for (int l = 2; l < 4; l++)
		core->key[l] =
			core->node * 100000L + tmap_level_object(topo, kind[l - 2], core->object);
}

/* How many different objects of the level begin before this core within the outer object. */
static void set_digits(struct core *all, int count)
{
	for (int i = 0; i < count; i++)
		for (int l = 1; l < 4; l++) {
			int first = i;

			for (int k = i - 1; k >= 0; k--)
				if (all[k].key[l] == all[i].key[l])
					first = k;
			if (first < i) {
				all[i].digit[l] = all[first].digit[l];
				continue;
			}
			all[i].digit[l] = 0;
			for (int k = 0; k < i; k++)
				if (all[k].key[l - 1] == all[i].key[l - 1] &&
				    all[k].digit[l] >= all[i].digit[l])
					all[i].digit[l] = all[k].digit[l] + 1;
		}
}

static bool is_before(const struct core *a, const struct core *b, const int *slowest_first)
{
	for (int i = 0; i < 3; i++) {
		int l = slowest_first[i];

		if (a->digit[l] != b->digit[l])
			return a->digit[l] < b->digit[l];
	}
	return false;
}

static void sort_cores(struct core *all, int count, const int *slowest_first)
{
	for (int i = 1; i < count; i++) {
		struct core held = all[i];
		int k = i;

		for (; k > 0 && is_before(&held, &all[k - 1], slowest_first); k--)
			all[k] = all[k - 1];
		all[k] = held;
	}
}

START_TEST(orders_are_sorts_by_the_numbers_of_the_cores)
{
	static const int slowest[][3] = {
		{ 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 },
	};
	static const char *const lines[] = {
		"node:3 package:2 numa:2 l3:2 core:3",
		"node:2 package:3 l2:2 core:2 pu:2",
	};

	const int *order = slowest[_i % 6];
	struct tmap_machine *machine = tmap_machine_read_specs(lines, 2, &err);
	const struct tmap_level_kind kind[2] = { { TMAP_PACKAGE, 0 }, { TMAP_CORE, 0 } };
	const char *const level[4] = { "", "node", "package", "core" };
	struct tmap_usable seats;
	struct tmap_placement p;
	struct core *all;
	char text[64];

	ck_assert_int_eq(tmap_usable_init(&seats, machine, TMAP_CORE, &err), 0);
	all = calloc((size_t)seats.count, sizeof *all);
	for (int n = 0, i = 0; n < machine->node_count; n++)
		for (int s = 0; s < tmap_usable_kind(&seats, n)->count; s++, i++) {
			all[i].node = n;
			all[i].object = tmap_usable_kind(&seats, n)->object[s];
			set_keys(&all[i], machine, kind);
		}
	set_digits(all, seats.count);
	sort_cores(all, seats.count, order);
	snprintf(text, sizeof text, "%s,%s,%s", level[order[2]], level[order[1]], level[order[0]]);
	ck_assert_int_eq(tmap_radix_place(&p, machine, text, TMAP_NONE, &err), 0);
	ck_assert_int_eq(p.size, seats.count);
	for (int r = 0; r < p.size; r++) {
		const struct tmap_topology *topo = tmap_placement_topology(&p, r);
		int core = tmap_topology_ancestor(topo, tmap_placement_object(&p, r), TMAP_CORE);

		ck_assert_int_eq(p.node[r], all[r].node);
		ck_assert_int_eq(core, all[r].object);
	}
	free(all);
	tmap_placement_fini(&p);
	tmap_usable_fini(&seats);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_part_of_the_ranks_takes_the_first_seats)
{
	struct tmap_machine *machine = read_machine("node:2 core:3");
	struct tmap_placement p;
	char *seats;

	ck_assert_int_eq(tmap_radix_place(&p, machine, "node", 3, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0 1:0 0:1");
	free(seats);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

static const struct refused {
	const char *order, *reason;
	int ranks;
	bool on_all; /* machines */
} refused[] = {
	{ "", "no level ''", 1, true },
	{ "core,", "no level ''", 1, true },
	{ "l3,core", "no level 'l3' (it has: node, numa, package, core, pu)", 1, false },
	{ "core,node,core", "level 'core' is named twice", 1, true },
	{ "core,switch1", "no level 'switch1'", 1, false },
	{ "core", "9 ranks do not fit on the 8 cores of 2 nodes", 9, false },
	{ "pu", "17 ranks do not fit on the 16 PUs of 2 nodes", 17, false },
};

START_TEST(impossible_orders_are_refused)
{
	struct tmap_machine *machine = read_machine("node:2 package:2 core:2 pu:2");
	struct tmap_placement p;

	ck_assert_int_eq(tmap_radix_place(&p, machine, refused[_i].order, refused[_i].ranks, &err),
			 -1);
	ck_assert_int_eq(err.kind, refused[_i].on_all ? TMAP_USAGE : TMAP_INPUT);
	ck_assert_msg(strstr(err.text, refused[_i].reason) != NULL, "%s", err.text);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(ranks_are_bound_to_what_is_around_their_seats)
{
	struct tmap_machine *machine = read_machine("node:2 package:2 core:2 pu:2");
	struct tmap_placement p;
	char *seats;

	ck_assert_int_eq(tmap_radix_place(&p, machine, "core", 3, &err), 0);
	ck_assert_int_eq(tmap_rebind(&p, TMAP_PACKAGE, &err), 0);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:0-3 0:0-3 0:4-7");
	free(seats);
	ck_assert_int_eq(tmap_rebind(&p, TMAP_NODE, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, "0:* 0:* 0:*");
	free(seats);
	ck_assert_int_eq(tmap_rebind(&p, TMAP_L3, &err), -1);
	tmap_placement_fini(&p);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("radix");
	TCase *tcase = tcase_create("orders");

	tcase_add_loop_test(tcase, orders_by_hand, 0, sizeof by_hand / sizeof by_hand[0]);
	tcase_add_loop_test(tcase, orders_are_sorts_by_the_numbers_of_the_cores, 0, 6);
	tcase_add_loop_test(tcase, impossible_orders_are_refused, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_test(tcase, nodes_of_different_size_are_skipped_when_full);
	tcase_add_test(tcase, switches_are_levels);
	tcase_add_test(tcase, a_part_of_the_ranks_takes_the_first_seats);
	tcase_add_test(tcase, ranks_are_bound_to_what_is_around_their_seats);
	suite_add_tcase(suite, tcase);
	return suite;
}
