/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: literal places; the first text is what Hydra 4.0.2 printed for -bind-to
 * user:0+2,5,7-9 -n 4 on such a node. tests/mpi/test_hydra_debug.c asks it again.
 */
#include "formats/launchers/launchers.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static int read_text(const char *spec, const char *text, int ranks)
{
	struct tmap_machine *machine = machine_of(spec);
	int status;

	write_text(text);
	tmap_placement_fini(&p);
	status = tmap_launcher_read(&p, machine, tmap_launcher_find("hydra-topo-debug"), path,
				    ranks, &err);
	tmap_machine_free(machine);
	return status;
}

START_TEST(the_processes_of_one_node_are_read)
{
	static const char text[] = "process 0 binding: 101000000000\n"
				   "process 1 binding: 000001000000\n"
				   "process 2 binding: 000000011100\n";
	const char *spec = "node:1 package:2 core:3 pu:2";

	ck_assert_msg(read_text(spec, text, 4) == 0, "%s", printed(&err));
	ck_assert_int_eq(p.size, 4);
	expect_rank(0, "n0", "0,2", true);
	expect_rank(1, "n0", "5", true);
	expect_rank(2, "n0", "7-9", true);
	expect_rank(3, "n0", "0-11", false);
	ck_assert_int_eq(read_text(spec, text, TMAP_NONE), 0);
	ck_assert_int_eq(p.size, 3);
}
END_TEST

START_TEST(nodes_are_filled_one_after_the_other)
{
	ck_assert_msg(read_text("node:4 core:4",
				"process 1 binding: 0 1 0 0 \n"
				"x\nprocess 0 binding: 1 0 0 0 \nprocess 0 binding: 1 0 0 0 \n"
				"process 2 binding: 1 1 1 1 \nprocess 1 binding: 0 1 0 0\r\n",
				TMAP_NONE) == 0,
		      "%s", printed(&err));
	ck_assert_int_eq(p.size, 5);
	expect_rank(0, "n0", "0", true);
	expect_rank(2, "n0", "0-3", false);
	expect_rank(3, "n1", "0", true);
	expect_rank(4, "n1", "1", true);
}
END_TEST

START_TEST(contradictions_are_refused)
{
	static const struct {
		const char *text;
		int ranks;
		const char *message;
	} cases[] = {
		{ "hello\n", TMAP_NONE, ": no line gives a process its binding" },
		{ "process 0 binding: 10\nprocess 1 bind", TMAP_NONE,
		  ":2: process 1: the line is cut before 'binding:'" },
		{ "process 0 bindprocess 1 binding: 10\n", TMAP_NONE,
		  ":1: process 0: the line is cut before 'binding:'" },
		{ "process 0 binding: 10x\n", TMAP_NONE,
		  ":1: the binding of process 0 is no row of 0 and 1" },
		{ "process 0 binding: \n", TMAP_NONE,
		  ":1: the binding of process 0 is no row of 0 and 1" },
		{ "process 0 binding: 10\nprocess 1 binding:", TMAP_NONE,
		  ":2: the binding of process 1 is no row of 0 and 1" },
		{ "process 1 binding: 10\nprocess 1 binding: 10\n", TMAP_NONE,
		  ": process 0 has no line" },
		{ "process 5 binding: 10\n", TMAP_NONE,
		  ":1: process 5, though there is only 1 line" },
		{ "process 0 binding: 10\n\nprocess 0 binding: 01\n", TMAP_NONE,
		  ":3: process 0 is bound differently in line 1, and the lines do not name their nodes" },
		{ "process 0 binding: 10\nprocess 0 binding: 10\nprocess 0 binding: 10\n",
		  TMAP_NONE,
		  ": process 0 has 3 lines, one for each node, but the machine has 2 nodes" },
		{ "process 0 binding: 10\nprocess 1 binding: 10\n", 1,
		  ": process 1 has a line, but 1 rank on 1 node makes at most 1 on each" },
		{ "process 0 binding: 10\nprocess 2 binding: 10\nprocess 0 binding: 10\n",
		  TMAP_NONE, ": process 0 has 2 lines, but 3 ranks, 3 on each node, make 1" },
		{ "process 0 binding: 100\n", TMAP_NONE,
		  ":1: the binding has 3 bits, but the node has 2 PUs that the job may use" },
		{ "process 0 binding: 00\n", TMAP_NONE, ":1: the binding has no PU" },
	};

	ck_assert_int_eq(read_text("node:2 core:2", cases[_i].text, cases[_i].ranks), -1);
	expect_message(cases[_i].message);
}
END_TEST

/* What Hydra 4.0.2 prints on a node of PUs P1 to P4 with -bind-to hwthread: the fourth process has
 * no bit. */
START_TEST(pus_beyond_the_bits_are_not_made_up)
{
	static const char *const text[] = { "process 0 binding: 0100\nprocess 1 binding: 0010\n",
					    "process 0 binding: 0100\nprocess 1 binding: 0000\n" };
	struct tmap_machine *machine = machine_of("node:1 core:4 pu:1(indexes=1,2,3,4)");
	struct tmap_launcher_file file = { .launcher = tmap_launcher_find("hydra-topo-debug"),
					   .path = path,
					   .text = text[0],
					   .ranks = TMAP_NONE,
					   .node_count = 1,
					   .machine = machine };
	const char *note;

	ck_assert_msg(tmap_launcher_read_text(&p, machine, &file, &note, &err) == 0, "%s",
		      printed(&err));
	expect_rank(1, "n0", "2", true);
	ck_assert_str_eq(note,
			 "Hydra prints as many bits as a node has PUs: bindings to PUs with "
			 "higher numbers, which this machine has, are not seen");
	tmap_placement_fini(&p);
	file.text = text[1];
	ck_assert_int_eq(tmap_launcher_read_text(&p, machine, &file, &note, &err), -1);
	expect_message(":2: the binding has no PU: Hydra prints 4 bits, and the node has PU P4, "
		       "which is not among them");
	tmap_machine_free(machine);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hydra_debug");
	TCase *tc = tcase_create("hydra_debug");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_processes_of_one_node_are_read);
	tcase_add_test(tc, nodes_are_filled_one_after_the_other);
	tcase_add_test(tc, pus_beyond_the_bits_are_not_made_up);
	tcase_add_loop_test(tc, contradictions_are_refused, 0, 14);
	suite_add_tcase(suite, tc);
	return suite;
}
