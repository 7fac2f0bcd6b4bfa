/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: by hand, from what mpiexec.hydra 4.0.2 printed with HYDRA_TOPO_DEBUG=1 for files like
 * these on an imitated node of 2 x 4 cores of 2 PUs.
 */
#include "formats/launchers/launchers.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static const char spec[] = "node:2 numa:2 core:4 pu:2";

static int read_text(const char *text, int ranks)
{
	struct tmap_machine *machine = machine_of(spec);
	int status;

	write_text(text);
	tmap_placement_fini(&p);
	status = tmap_launcher_read(&p, machine, tmap_launcher_find("hydra"), path, ranks, &err);
	tmap_machine_free(machine);
	return status;
}

START_TEST(processes_fill_the_lines_in_order)
{
	static const char text[] = "# hosts\nb:2 # tail\n\n\ta user=me\r\nb\n";

	ck_assert_msg(read_text(text, TMAP_NONE) == 0, "%s", printed(&err));
	ck_assert_int_eq(p.size, 4);
	expect_rank(0, "b", "0-1", true);
	expect_rank(1, "b", "2-3", true);
	expect_rank(2, "a", "0-1", true);
	expect_rank(3, "b", "4-5", true);
	ck_assert_int_eq(read_text(text, 1), 0);
	ck_assert_int_eq(p.size, 1);
	expect_rank(0, "b", "0-1", true);
}
END_TEST

/* One rank a line: the PUs of ranks 0 to 5, "" where it is not bound. */
START_TEST(each_process_gets_its_entry)
{
	static const struct {
		const char *text, *pus[6];
	} cases[] = {
		{ "n0:4 binding=user:0,1-3x3\n", { "0", "1-3", "1-3", "1-3" } },
		{ "n0:5 binding=user:0+4,1-2x2,9-10+12x1\n",
		  { "0,4", "1-2", "1-2", "9-10,12", "" } },
		{ "n0:2 binding=user:0,1,2\nn0:2\n", { "0", "1", "2", "" } },
		{ "n0:1\nn0:2 user=me binding=user:0,1,2\n", { "0", "1", "2" } },
		{ "n0\nn1:2\nn0 binding=user:5,6\n", { "0-1", "0-1", "2-3", "5" } },
		{ "n0:2 binding=none\nn1 binding=user:7\n", { "", "", "7" } },
		{ "n0 binding=core:2\nn1:3 binding=numa\n", { "0-3", "0-7", "8-15", "0-7" } },
		{ "n0:3 binding=rr user=me\n", { "0", "1", "2" } },
	};
	const char *const *pus = cases[_i].pus;

	ck_assert_msg(read_text(cases[_i].text, TMAP_NONE) == 0, "%s", printed(&err));
	for (int r = 0; r < p.size; r++)
		expect_rank(r, p.machine->node_name[p.node[r]], *pus[r] ? pus[r] : "0-15",
			    *pus[r] != '\0');
	ck_assert_ptr_null(pus[p.size]);
}
END_TEST

START_TEST(what_hydra_does_not_read_is_refused)
{
	static const struct {
		const char *text;
		int ranks;
		const char *message;
	} cases[] = {
		{ "# none\n", TMAP_NONE, ": there is no process" },
		{ "a:2\nb\n", 4, ": there are 3 processes for 4 ranks" },
		{ "a\nb:0\n", TMAP_NONE, ":2: 'b:0' is neither a host nor HOST:PROCESSES" },
		{ "a:\n", TMAP_NONE, ":1: 'a:' is neither a host nor HOST:PROCESSES" },
		{ "a:2x\n", TMAP_NONE, ":1: 'a:2x' is neither a host nor HOST:PROCESSES" },
		{ "a:99999999999999999999\n", TMAP_NONE,
		  ":1: 'a:99999999999999999999' is neither a host nor HOST:PROCESSES" },
		{ "a:131072\nb\n", TMAP_NONE,
		  ":2: there are more than 131072 processes: 4096 for each PU of the nodes" },
		{ "a 2\n", TMAP_NONE, ":1: '2' is neither binding=SPEC nor user=NAME" },
		{ "a binding=\n", TMAP_NONE,
		  ":1: 'binding=' is neither binding=SPEC nor user=NAME" },
		{ "a binding=user:0\na binding=user:5\n", TMAP_NONE,
		  ":2: host 'a' already has a binding, in line 1" },
		{ "a\na binding=user:\n", TMAP_NONE,
		  ":2: '' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:3,,4\n", TMAP_NONE,
		  ":1: '' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:3,3-1\n", TMAP_NONE,
		  ":1: '3-1' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:0+,1\n", TMAP_NONE,
		  ":1: '0+' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:0x0,1\n", TMAP_NONE,
		  ":1: '0x0' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:0,1x2y\n", TMAP_NONE,
		  ":1: '1x2y' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:0,999999999999\n", TMAP_NONE,
		  ":1: '999999999999' is no entry of user:, such as 3 or 0+4-6 or 0-3x2" },
		{ "a binding=user:0,\n", TMAP_NONE, ":1: the list of user: ends with a comma" },
		{ "a:2 binding=user:3,14-16\n", TMAP_NONE,
		  ":1: the node has no PU 16 that the job may use" },
		{ "a\nb binding=none:2\n", TMAP_NONE, ":2: 'none' takes no number" },
		{ "a\nb\n\nc\n", TMAP_NONE,
		  ":4: host 'c' is one too many: the machine has 2 nodes and none of these names" },
		{ "a\nb:9\n", TMAP_NONE,
		  ":2: rank 9 finds no core on node b: all 8 that may be used have a rank" },
	};

	ck_assert_int_eq(read_text(cases[_i].text, cases[_i].ranks), -1);
	expect_message(cases[_i].message);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hydra_hostfile");
	TCase *tc = tcase_create("hydra_hostfile");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, processes_fill_the_lines_in_order);
	tcase_add_loop_test(tc, each_process_gets_its_entry, 0, 8);
	tcase_add_loop_test(tc, what_hydra_does_not_read_is_refused, 0, 22);
	suite_add_tcase(suite, tc);
	return suite;
}
