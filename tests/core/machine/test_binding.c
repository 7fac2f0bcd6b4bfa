/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: names worked out by hand on a node of 2 packages x 2 NUMA nodes x 2 L2 x 2 cores of
 * 2 PUs, OS indexes as Linux gives them (the second threads from 16 on).
 */
#include "core/machine/binding.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

static struct tmap_error err;

static struct tmap_machine *sixteen_cores(void)
{
	struct tmap_machine *machine =
		machine_regular(1,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_NUMA, 2 },
							     { TMAP_L3, 1 },
							     { TMAP_L2, 2 },
							     { TMAP_CORE, 2 },
							     { TMAP_L1, 1 },
							     { TMAP_PU, 2 },
							     { 0 } });
	struct tmap_topology *topo = &machine->topology[0];

	for (int i = 0; i < topo->pu_count; i++)
		topo->pu[i].os = i % 2 * 16 + i / 2;
	ck_assert_int_eq(tmap_topology_sort_pus(topo, &err), 0);
	return machine;
}

static void check(struct tmap_machine *machine, const char *pus, bool bound, const char *expected)
{
	char text[TMAP_BINDING_ROOM];
	struct tmap_idset set = { 0 };
	struct tmap_placement p;

	ck_assert_int_eq(tmap_placement_init(&p, machine, 1, &err), 0);
	ck_assert_int_eq(tmap_idset_parse(&set, pus, 1000, &err), 0);
	ck_assert_int_eq(tmap_placement_add_place(&p, 0, &set, NULL, bound, &err), 0);
	ck_assert_str_eq(
		tmap_binding_print(tmap_binding_of(&machine->topology[0], &p.places[0]), text),
		expected);
	tmap_idset_fini(&set);
	tmap_placement_fini(&p);
}

static const struct {
	const char *pus;
	bool bound;
	const char *expected;
} cases[] = {
	{ "0-31", false, "unbound" },
	{ "0-31", true, "whole node" },
	{ "0-7,16-23", true, "package" },
	{ "0-3,16-19", true, "NUMA node" },
	{ "0-1,16-17", true, "L2" },
	{ "5,21", true, "core" },
	{ "5", true, "PU" },
	{ "5,6", true, "2 PUs" },
	{ "5,6,21,22", true, "2 cores" },
	{ "5,6,21", true, "3 PUs" },
	{ "0-2,16-18", true, "3 cores" },
	{ "0-3,8-11,16-19,24-27", true, "2 NUMA nodes" },
};

START_TEST(bindings_have_the_names_that_people_use)
{
	struct tmap_machine *machine = sixteen_cores();

	check(machine, cases[_i].pus, cases[_i].bound, cases[_i].expected);
	tmap_machine_free(machine);
}
END_TEST

START_TEST(only_pus_that_the_job_may_use_count)
{
	struct tmap_machine *machine = sixteen_cores();

	for (int i = 0; i < 6; i++)
		machine->topology[0].pu[i].allowed = false; /* cores 0 to 2 */
	check(machine, "3,19", true, "NUMA node");          /* all that is left of it */
	check(machine, "4,20", true, "core");
	check(machine, "3-7,19-23", true, "package");
	check(machine, "3-15,19-31", true, "whole node");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(several_caches_are_so_many_cores)
{
	struct tmap_machine *machine =
		machine_regular(1,
				(const struct test_level[]){ { TMAP_PACKAGE, 2 },
							     { TMAP_L3, 6 },
							     { TMAP_CORE, 2 },
							     { TMAP_PU, 1 },
							     { 0 } });

	check(machine, "0-1", true, "L3");
	check(machine, "0-9", true, "10 cores");
	check(machine, "0-8", true, "9 cores");
	check(machine, "0-11", true, "package");
	tmap_machine_free(machine);
}
END_TEST

/* as hwloc shows a POWER7 whose firmware names each core as a package */
START_TEST(a_package_of_one_core_is_a_core)
{
	struct tmap_machine *machine =
		machine_regular(1,
				(const struct test_level[]){ { TMAP_NUMA, 2 },
							     { TMAP_PACKAGE, 4 },
							     { TMAP_CORE, 1 },
							     { TMAP_PU, 4 },
							     { 0 } });

	check(machine, "0-3", true, "core");
	check(machine, "4-11", true, "2 cores");
	check(machine, "0-15", true, "NUMA node");
	check(machine, "0-31", true, "whole node");
	check(machine, "1", true, "PU");
	machine->topology[0].pu[1].allowed = false;
	check(machine, "0,2-3", true, "core");
	tmap_machine_free(machine);
	machine = machine_regular(
		2, (const struct test_level[]){ { TMAP_PACKAGE, 1 }, { TMAP_CORE, 1 }, { 0 } });
	check(machine, "0", true, "whole node");
	tmap_machine_free(machine);
}
END_TEST

START_TEST(a_single_package_is_the_whole_node)
{
	struct tmap_machine *machine = machine_regular(
		1, (const struct test_level[]){ { TMAP_PACKAGE, 1 }, { TMAP_CORE, 4 }, { 0 } });

	check(machine, "0-3", true, "whole node");
	check(machine, "0-2", true, "3 cores");
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("binding");
	TCase *tests = tcase_create("binding");

	tcase_add_loop_test(tests, bindings_have_the_names_that_people_use, 0,
			    (int)(sizeof cases / sizeof cases[0]));
	tcase_add_test(tests, only_pus_that_the_job_may_use_count);
	tcase_add_test(tests, several_caches_are_so_many_cores);
	tcase_add_test(tests, a_package_of_one_core_is_a_core);
	tcase_add_test(tests, a_single_package_is_the_whole_node);
	suite_add_tcase(suite, tests);
	return suite;
}
