/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the rules of core/machine/machine.h, on machines small enough to check by eye. */
#include "core/machine/machine.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_topology flat(int pus)
{
	struct tmap_topology topo;

	ck_assert_int_eq(tmap_topology_init(&topo, pus, &err), 0);
	for (int i = 0; i < pus; i++)
		ck_assert_int_eq(tmap_topology_add(&topo, TMAP_CORE, i, i + 1, i, 0, &err), 0);
	ck_assert_int_eq(tmap_topology_finish(&topo, &err), 0);
	return topo;
}

static struct tmap_machine *cluster(int nodes)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology topo = flat(4);
	char name[16];

	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &topo, &err), 0);
	for (int n = 0; n < nodes; n++) {
		snprintf(name, sizeof name, "n%d", n);
		ck_assert_int_eq(tmap_machine_add_node(machine, name, 0, &err), 0);
	}
	return machine;
}

static struct tmap_tier tier(const char *name, int switches, const int *of, int nodes)
{
	struct tmap_tier made = { strdup(name), switches, calloc((size_t)switches, sizeof(char *)),
				  calloc((size_t)nodes, sizeof(int)) };

	for (int s = 0; s < switches; s++) {
		char text[16];

		snprintf(text, sizeof text, "s%d", s);
		made.switch_name[s] = strdup(text);
	}
	memcpy(made.switch_of, of, (size_t)nodes * sizeof *of);
	return made;
}

START_TEST(equal_topologies_are_kept_once)
{
	struct tmap_machine *machine = tmap_machine_new(&err);
	struct tmap_topology a = flat(4), b = flat(4), c = flat(5);

	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &a, &err), 0);
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &b, &err), 0);
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &c, &err), 1);
	ck_assert_int_eq(machine->topology_count, 2);
	ck_assert_ptr_null(a.object);
	ck_assert_ptr_null(b.object);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(the_last_holder_frees)
{
	struct tmap_machine *machine = cluster(2);

	ck_assert_ptr_eq(tmap_machine_ref(machine), machine);
	tmap_machine_free(machine);
	ck_assert_int_eq(machine->node_count, 2);
	tmap_machine_free(machine);
	tmap_machine_free(NULL);
}
END_TEST

START_TEST(two_nodes_of_one_name_and_an_empty_machine_are_refused)
{
	struct tmap_machine *machine = cluster(3);

	ck_assert_int_eq(tmap_machine_check_names(machine, &err), 0);
	ck_assert_int_eq(tmap_machine_add_node(machine, "n1", 0, &err), 0);
	ck_assert_int_eq(tmap_machine_check_names(machine, &err), -1);
	ck_assert_str_eq(err.text, "nodes 1 and 3 are both called 'n1'");
	tmap_machine_free(machine);
	machine = tmap_machine_new(&err);
	ck_assert_int_eq(tmap_machine_check_names(machine, &err), -1);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_name_that_could_steer_a_terminal_is_refused)
{
	struct tmap_machine *machine = cluster(2);
	char plain[] = "a", escape[] = "\x1b[2J", *names[] = { plain, escape };

	ck_assert_int_eq(tmap_machine_rename(machine, names, 2, &err), -1);
	ck_assert_str_eq(err.text, "the name '\\x1b[2J' of node 1 has a control character");
	ck_assert_int_eq(tmap_machine_add_node(machine, "n\n", 0, &err), 0);
	ck_assert_int_eq(tmap_machine_check_names(machine, &err), -1);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(renaming_is_all_or_nothing)
{
	struct tmap_machine *machine = cluster(2);
	char a[] = "a", b[] = "b", *good[] = { b, a }, *twice[] = { a, a };

	ck_assert_int_eq(tmap_machine_rename(machine, twice, 2, &err), -1);
	ck_assert_int_eq(tmap_machine_rename(machine, good, 1, &err), -1);
	ck_assert_str_eq(err.text, "1 host names are given for 2 nodes");
	ck_assert_str_eq(machine->node_name[0], "n0");
	ck_assert_int_eq(tmap_machine_rename(machine, good, 2, &err), 0);
	ck_assert_str_eq(machine->node_name[0], "b");
	ck_assert_int_eq(tmap_machine_add_node(machine, "c", 0, &err), 0);
	ck_assert_str_eq(machine->node_name[2], "c");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(switches_form_a_tree)
{
	static const int leaf[] = { 0, 0, 1, 1 }, top[] = { 0, 0, 0, 0 }, torn[] = { 0, 1, 1, 1 };
	struct tmap_machine *machine = cluster(4);
	struct tmap_tier low = tier("switch1", 2, leaf, 4), bad = tier("switch2", 2, torn, 4),
			 high = tier("switch2", 1, top, 4);

	ck_assert_int_eq(tmap_machine_add_tier_take(machine, &low, &err), 0);
	ck_assert_ptr_null(low.name);
	ck_assert_int_eq(tmap_machine_add_tier_take(machine, &bad, &err), -1);
	ck_assert_str_eq(err.text,
			 "nodes 'n0' and 'n1' share the switch1 's0', but not their switch2");
	ck_assert_int_eq(machine->tier_count, 1);
	ck_assert_int_eq(tmap_machine_add_tier_take(machine, &high, &err), 0);
	tmap_tier_fini(&bad);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_switch_that_does_not_exist_is_refused)
{
	static const int of[] = { 0, 2 };
	struct tmap_machine *machine = cluster(2);
	struct tmap_tier low = tier("switch1", 2, of, 2);

	ck_assert_int_eq(tmap_machine_add_tier_take(machine, &low, &err), -1);
	ck_assert_str_eq(err.text, "node 'n1' lies under switch 2 of level 'switch1', which has 2");
	tmap_tier_fini(&low);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(cores_are_counted_over_nodes_of_several_kinds)
{
	struct tmap_machine *machine = cluster(3);
	struct tmap_topology big = flat(10);

	big.pu[0].allowed = false;
	ck_assert_int_eq(tmap_machine_add_topology_take(machine, &big, &err), 1);
	ck_assert_int_eq(tmap_machine_add_node(machine, "big", 1, &err), 0);
	ck_assert_int_eq(tmap_machine_core_count(machine), 3 * 4 + 9);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("machine");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, equal_topologies_are_kept_once);
	tcase_add_test(tc, the_last_holder_frees);
	tcase_add_test(tc, two_nodes_of_one_name_and_an_empty_machine_are_refused);
	tcase_add_test(tc, a_name_that_could_steer_a_terminal_is_refused);
	tcase_add_test(tc, renaming_is_all_or_nothing);
	tcase_add_test(tc, switches_form_a_tree);
	tcase_add_test(tc, a_switch_that_does_not_exist_is_refused);
	tcase_add_test(tc, cores_are_counted_over_nodes_of_several_kinds);
	suite_add_tcase(suite, tc);
	return suite;
}
