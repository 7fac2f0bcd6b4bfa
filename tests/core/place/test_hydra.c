/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what mpiexec.hydra 4.0.2 printed for the same options, recorded
 * (tests/policies/hydra.sh compares many others where it is installed).
 */
#include "core/place/hydra.h"
#include "formats/machine/machine_spec.h"
#include "tests/support/usable_text.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static struct tmap_machine *read_machine(const char *line)
{
	struct tmap_machine *machine = tmap_machine_read_specs(&line, 1, &err);

	ck_assert_msg(machine != NULL, "%s", err.text);
	return machine;
}

static int place(struct tmap_placement *p, const char *line, int ranks, int slots, const char *bind,
		 const char *map)
{
	struct tmap_hydra_request rq = { .ranks = ranks, .slots = slots };
	struct tmap_machine *machine = read_machine(line);
	int rc;

	ck_assert_int_eq(tmap_hydra_parse(&rq.bind_to, bind, TMAP_HYDRA_BIND_WORDS, &err), 0);
	rq.map_by = rq.bind_to;
	if (strcmp(map, "-") != 0)
		ck_assert_int_eq(tmap_hydra_parse(&rq.map_by, map, TMAP_HYDRA_MAP_WORDS, &err), 0);
	rc = tmap_hydra_place(p, machine, &rq, &err);
	tmap_machine_free(machine);
	return rc;
}

static void expect(const char *line, int ranks, int slots, const char *bind, const char *map,
		   const char *want)
{
	struct tmap_placement p;
	char *seats;

	ck_assert_msg(place(&p, line, ranks, slots, bind, map) == 0, "%s", err.text);
	ck_assert_int_eq(tmap_placement_check(&p, &err), 0);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, want);
	free(seats);
	tmap_placement_fini(&p);
}

static const struct recorded {
	const char *bind, *map, *seats;
} recorded[] = {
	{ "core", "-", "0:0-1 0:2-3 0:4-5 0:6-7 0:8-9" },
	{ "core", "socket", "0:0-1 0:16-17 0:2-3 0:18-19 0:4-5" },
	{ "hwthread", "numa", "0:0 0:8 0:16 0:24 0:1" },
	{ "socket:2", "core", "0:* 0:* 0:* 0:* 0:*" },
	{ "core:2", "numa", "0:0-3 0:8-11 0:16-19 0:24-27 0:4-7" },
	{ "hwthread:3", "core:2", "0:0-2 0:4-6 0:8-10 0:12-14 0:16-18" },
	{ "l2cache", "-", "0:0-3 0:4-7 0:8-11 0:12-15 0:16-19" },
	{ "machine", "-", "0:* 0:* 0:* 0:* 0:*" },
	{ "none", "-", "0:* 0:* 0:* 0:* 0:*" },
};

START_TEST(processes_are_bound_as_hydra_binds_them)
{
	expect("node:1 package:2 numa:2 l2:2 core:2 pu:2", 5, TMAP_NONE, recorded[_i].bind,
	       recorded[_i].map, recorded[_i].seats);
}
END_TEST

START_TEST(nodes_are_filled_slot_by_slot_and_again)
{
	expect("node:2 core:3", 8, 2, "core", "-", "0:0 0:1 1:0 1:1 0:2 0:0 1:2 1:0");
}
END_TEST

START_TEST(rr_follows_the_indexes_of_the_system)
{
	expect("node:1 core:2 pu:2(indexes=0,2,1,3)", 4, TMAP_NONE, "rr", "-", "0:0 0:1 0:2 0:3");
}
END_TEST

START_TEST(without_a_number_every_slot_gets_a_rank)
{
	expect("node:2 core:2 pu:2", TMAP_NONE, TMAP_NONE, "core", "-", "0:0-1 0:2-3 1:0-1 1:2-3");
}
END_TEST

/* As mpiexec.hydra bound them on this machine: 4.2.1, and 4.0.2 where that has other devices. Its
 * devices are ib0, mlx5_0 and nvme0n1 on package 0, ze0, card1, ib1 and hfi1_0 on package 1. */
static const struct on_devices {
	bool is_4_0;
	const char *bind, *map, *seats; /* NULL: refused, and why */
	const char *reason;
} on_devices[] = {
	{ false, "ib", "-", "0:0-3 0:4-7 0:0-3 0:4-7 0:0-3", NULL },
	{ false, "ib1", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "ib:2", "-", "0:* 0:* 0:* 0:* 0:*", NULL },
	{ false, "ib", "ib1", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "gpu", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "gpu3", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ true, "gpu", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ true, "gpu4", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "hfi", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "hfi1_0", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "en", "-", "0:0-3 0:0-3 0:0-3 0:4-7 0:4-7", NULL },
	{ false, "eth0", "en", "0:0-3 0:0-3 0:0-3 0:4-7 0:4-7", NULL },
	{ false, "pci:41:01.0", "-", "0:4-7 0:4-7 0:4-7 0:4-7 0:4-7", NULL },
	{ false, "pci:0000:01:00.0", "-", "0:0-3 0:0-3 0:0-3 0:0-3 0:0-3", NULL },
	{ false, "gpu0", "-", NULL,
	  "a node has no gpu0, which is a co-processor with a name of three letters, such as ze0; "
	  "only those of MPICH 4.0, hydra40, are other GPUs" },
	{ false, "gpu-subdev", "-", NULL,
	  "a node has no gpu-subdev, which is a part of a co-processor of Level Zero, such as "
	  "ze0.0" },
	{ true, "gpu3", "-", NULL,
	  "a node has no gpu3, which is a GPU; co-processors such as cuda0 are none for Hydra" },
	{ false, "ib2", "-", NULL, "a node has no ib2" },
	{ false, "hsn", "-", NULL, "a node has no hsn" },
	{ false, "pci:42:00.0", "-", NULL, "a node has no pci:42:00.0" },
	{ false, "ib:3", "-", NULL, "3 ibs to bind to are more than a node has" },
	{ false, "ib", "core", NULL,
	  "binding to ib does not go with mapping by core: who is bound to devices is mapped by "
	  "the same ones" },
	{ false, "core", "ib", NULL,
	  "binding to core does not go with mapping by ib: who is bound to devices is mapped by "
	  "the same ones" },
	{ false, "pci:41:00.0", "pci:0000:41:00.0", NULL,
	  "binding to pci:41:00.0 does not go with mapping by pci:0000:41:00.0: who is bound to "
	  "devices is mapped by the same ones" },
};

START_TEST(processes_are_bound_to_what_devices_hang_on)
{
	const struct on_devices *row = &on_devices[_i];
	const char *file = "tests/data/2package-devices.xml";
	struct tmap_hydra_request rq = { .ranks = 5, .slots = TMAP_NONE };
	uint64_t words = row->is_4_0 ? TMAP_HYDRA40_BIND_WORDS : TMAP_HYDRA_BIND_WORDS;
	struct tmap_machine *machine = tmap_machine_read_specs_io(&file, 1, &err);
	struct tmap_placement p;
	char *seats;
	int rc;

	ck_assert_msg(machine != NULL, "%s", err.text);
	ck_assert_int_eq(tmap_hydra_parse(&rq.bind_to, row->bind, words, &err), 0);
	rq.map_by = rq.bind_to;
	if (strcmp(row->map, "-") != 0)
		ck_assert_int_eq(tmap_hydra_parse(&rq.map_by, row->map,
						  words & ~TMAP_HYDRA_NO_MAP_WORDS, &err),
				 0);
	rc = tmap_hydra_place(&p, machine, &rq, &err);
	tmap_machine_free(machine);
	if (row->reason) {
		ck_assert_int_eq(rc, -1);
		ck_assert_str_eq(err.text, row->reason);
		return;
	}
	ck_assert_msg(rc == 0, "%s", err.text);
	seats = seats_print(&p);
	ck_assert_str_eq(seats, row->seats);
	free(seats);
	tmap_placement_fini(&p);
}
END_TEST

START_TEST(devices_that_were_not_read_are_no_missing_ones)
{
	const char *file = "tests/data/2package-devices.xml";
	struct tmap_machine *machine = tmap_machine_read_specs(&file, 1, &err);
	struct tmap_hydra_request rq = { .ranks = 1, .slots = 1 };
	struct tmap_placement p;

	ck_assert_int_eq(tmap_hydra_parse(&rq.bind_to, "ib", TMAP_HYDRA_BIND_WORDS, &err), 0);
	rq.map_by = rq.bind_to;
	ck_assert_int_eq(tmap_hydra_place(&p, machine, &rq, &err), -1);
	ck_assert_str_eq(err.text,
			 "the devices that 'ib' may mean are known where a machine is "
			 "read from hwloc's XML, not from a placement");
	tmap_machine_free(machine);
}
END_TEST

static const struct refused {
	const char *bind, *map, *reason;
} refused[] = {
	{ "l3cache", "-", "a node has no l3cache" },
	{ "core", "l5cache", "a node has no l5cache" },
	{ "core", "socket:3", "3 sockets to map by are more than a node has" },
};

START_TEST(what_a_node_lacks_is_refused)
{
	struct tmap_placement p;

	ck_assert_int_eq(place(&p, "node:1 package:2 core:4", 3, TMAP_NONE, refused[_i].bind,
			       refused[_i].map),
			 -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, refused[_i].reason);
}
END_TEST

START_TEST(bad_words_are_refused)
{
	static const char *const words[] = {
		"",       "cores",     "core:",
		"core:0", "core:x",    "none:2",
		"rr:2",   "user:0,1",  "averyveryveryveryverylongwordindeed",
		"gpux",   "gpu:0",     "gpu99999999999",
		"pci",    "pci:",      "pci:41",
		"pci:0",  "pci:41:0",  "pci:1:2:41:00.0",
		"ib:x",   "pci:x:0.0", "pci:41:00.0:2",
	};
	struct tmap_hydra_objects objects;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		ck_assert_msg(tmap_hydra_parse(&objects, words[i], TMAP_HYDRA_BIND_WORDS, &err) ==
				      -1,
			      "%s", words[i]);
		ck_assert_int_eq(err.kind, TMAP_INPUT);
	}
	ck_assert_int_eq(tmap_hydra_parse(&objects, "none", TMAP_HYDRA_MAP_WORDS, &err), -1);
	ck_assert_int_eq(tmap_hydra_parse(&objects, "rr", TMAP_HYDRA_MAP_WORDS, &err), -1);
}
END_TEST

/* As mpiexec.hydra -f printed for "localhost:3 binding=core:3" and others. */
START_TEST(a_process_of_a_node_gets_the_next_binding_of_the_list)
{
	static const struct {
		const char *bind;
		int process;
		const char *pus;
	} cases[] = {
		{ "core:3", 0, "0-5" }, { "core:3", 1, "6-11" }, { "core:3", 2, "0-1,12-15" },
		{ "numa", 1, "8-15" },  { "numa", 2, "0-7" },    { "hwthread:3", 3, "9-11" },
		{ "rr", 3, "3" },       { "none", 1, "0-15" },
	};
	struct tmap_machine *machine = read_machine("node:1 numa:2 core:4 pu:2");
	struct tmap_hydra_objects objects;
	struct tmap_idset pus = { 0 };
	char *text;

	ck_assert_int_eq(tmap_hydra_parse(&objects, cases[_i].bind, TMAP_HYDRA_BIND_WORDS, &err),
			 0);
	ck_assert_msg(tmap_hydra_bind(&pus, &machine->topology[0], &objects, cases[_i].process,
				      &err) == 0,
		      "%s", err.text);
	text = tmap_idset_print(&pus, &err);
	ck_assert_str_eq(text, cases[_i].pus);
	free(text);
	tmap_idset_fini(&pus);
	ck_assert_int_eq(tmap_hydra_parse(&objects, "l4cache", TMAP_HYDRA_BIND_WORDS, &err), 0);
	ck_assert_int_eq(tmap_hydra_bind(&pus, &machine->topology[0], &objects, 0, &err), -1);
	ck_assert_int_eq(pus.count, 0);
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hydra");
	TCase *tcase = tcase_create("placements");

	tcase_add_loop_test(tcase, processes_are_bound_as_hydra_binds_them, 0,
			    sizeof recorded / sizeof recorded[0]);
	tcase_add_loop_test(tcase, what_a_node_lacks_is_refused, 0,
			    sizeof refused / sizeof refused[0]);
	tcase_add_loop_test(tcase, processes_are_bound_to_what_devices_hang_on, 0,
			    sizeof on_devices / sizeof on_devices[0]);
	tcase_add_test(tcase, devices_that_were_not_read_are_no_missing_ones);
	tcase_add_test(tcase, nodes_are_filled_slot_by_slot_and_again);
	tcase_add_test(tcase, rr_follows_the_indexes_of_the_system);
	tcase_add_test(tcase, without_a_number_every_slot_gets_a_rank);
	tcase_add_test(tcase, bad_words_are_refused);
	tcase_add_loop_test(tcase, a_process_of_a_node_gets_the_next_binding_of_the_list, 0, 8);
	suite_add_tcase(suite, tcase);
	return suite;
}
