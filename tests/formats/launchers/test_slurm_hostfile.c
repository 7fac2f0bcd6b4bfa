/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: by hand, from what srun's manual says of -m arbitrary, and what srun 22.05 takes
 * (tests/policies/slurm_launcher.sh). */
#include "formats/launchers/launchers.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static int read_text(const char *spec, const char *text, int ranks)
{
	struct tmap_machine *machine = machine_of(spec);
	int status;

	write_text(text);
	tmap_placement_fini(&p);
	status = tmap_launcher_read(&p, machine, tmap_launcher_find("slurm"), path, ranks, &err);
	tmap_machine_free(machine);
	return status;
}

START_TEST(entry_i_is_the_node_of_rank_i)
{
	static const char text[] = "# hosts\nnode03*2,node01 # tail\n\nnode02\r\nnode03\n";
	const char *spec = "node:3 core:3 pu:2";

	ck_assert_msg(read_text(spec, text, TMAP_NONE) == 0, "%s", printed(&err));
	ck_assert_int_eq(p.size, 5);
	expect_rank(0, "node03", "0-1", true);
	expect_rank(1, "node03", "2-3", true);
	expect_rank(2, "node01", "0-1", true);
	expect_rank(3, "node02", "0-1", true);
	expect_rank(4, "node03", "4-5", true);
	ck_assert_int_eq(read_text(spec, text, 3), 0);
	ck_assert_int_eq(p.size, 3);
	ck_assert_int_eq(read_text(spec, "n2,n0\n", TMAP_NONE), 0);
	expect_rank(0, "n2", "0-1", true);
	expect_rank(1, "n0", "0-1", true);
	ck_assert_int_eq(read_text(spec, " \t\nn2 , n0,,n1,\t\n", TMAP_NONE), 0);
	ck_assert_int_eq(p.size, 3);
	expect_rank(1, "n0", "0-1", true);
}
END_TEST

START_TEST(what_slurm_does_not_read_is_refused)
{
	static const struct {
		const char *text;
		int ranks;
		const char *message;
	} cases[] = {
		{ "# none\n", TMAP_NONE, ": there is no entry" },
		{ "a,b\n", 3, ": there are 2 entries for 3 ranks" },
		{ "a\nnode[1-2]\n", TMAP_NONE,
		  ":2: 'node[1-2]': Slurm does not expand ranges in this file" },
		{ "a*0\n", TMAP_NONE, ":1: 'a*0' is neither a host nor HOST*COUNT" },
		{ "a*2x\n", TMAP_NONE, ":1: 'a*2x' is neither a host nor HOST*COUNT" },
		{ "a*--------------------\n", TMAP_NONE,
		  ":1: 'a*--------------------' is neither a host nor HOST*COUNT" },
		{ "a*\n", TMAP_NONE, ":1: 'a*' is neither a host nor HOST*COUNT" },
		{ "-a\n", TMAP_NONE, ":1: '-a' is neither a host nor HOST*COUNT" },
		{ "a\n*3\n", TMAP_NONE, ":2: '*3' is neither a host nor HOST*COUNT" },
		{ "a*99999999999999999999\n", TMAP_NONE,
		  ":1: 'a*99999999999999999999' is neither a host nor HOST*COUNT" },
		{ "a\nb\nc\n", TMAP_NONE,
		  ":3: host 'c' is one too many: the machine has 2 nodes and none of these names" },
		{ "The quick\n", TMAP_NONE,
		  ":1: 'quick' stands behind 'The' without a comma: a line has a host, or hosts "
		  "with commas between them" },
		{ "a\nb*2 c*2\n", TMAP_NONE,
		  ":2: 'c*2' stands behind 'b*2' without a comma: a line has a host, or hosts "
		  "with commas between them" },
		{ "a,b c\n", TMAP_NONE,
		  ":1: 'c' stands behind 'b' without a comma: a line has a host, or hosts with "
		  "commas between them" },
		{ "a\n b\n", TMAP_NONE,
		  ":2: the line begins with a blank, and srun refuses such a file" },
		{ "Hello,\nworld.\n", TMAP_NONE, ":2: 'world.' is neither a host nor HOST*COUNT" },
		{ "n0*3\n", TMAP_NONE,
		  ":1: rank 2 finds no core on node n0: all 2 that may be used have a rank" },
	};

	ck_assert_int_eq(read_text("node:2 core:2", cases[_i].text, cases[_i].ranks), -1);
	expect_message(cases[_i].message);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("slurm_hostfile");
	TCase *tc = tcase_create("slurm_hostfile");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, entry_i_is_the_node_of_rank_i);
	tcase_add_loop_test(tc, what_slurm_does_not_read_is_refused, 0, 17);
	suite_add_tcase(suite, tc);
	return suite;
}
