/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: literal places. The forms of the lines are those of Slurm 20 to 23. */
#include "formats/launchers/launchers.h"
#include "tests/support/printed.h"
#include "tests/support/rank_files.h"

static int read_text(const char *spec, const char *text)
{
	struct tmap_machine *machine = machine_of(spec);
	int status;

	write_text(text);
	tmap_placement_fini(&p);
	status = tmap_launcher_read(&p, machine, tmap_launcher_find("cpu-bind-verbose"), path,
				    TMAP_NONE, &err);
	tmap_machine_free(machine);
	return status;
}

START_TEST(all_forms_are_read_in_any_order_among_other_output)
{
	ck_assert_msg(
		read_text("node:2 package:2 core:2 pu:2",
			  "hello, task 9  0 [1]: mask 0x1\n"
			  "cpu-bind=MASK - b, task  3  1 [4711]: mask 0xC0 set"
			  "1: cpu-bind-cores=UNK  - a, task  1  1 [4709]: mask 0x00000000f3 set\n"
			  "cpu_bind=NULL - b, task  2  0 [4710]: mask 0xff\n"
			  "cpu-bind-threads=MAP  - a, task  0  0 [4708]: mask 0x1 set\r\n"
			  "srun --cpu-bind=NONE ./app\n"
			  "cpu-bind is fine\n") == 0,
		"%s", printed(&err));
	ck_assert_int_eq(p.size, 4);
	expect_rank(0, "a", "0", true);
	expect_rank(1, "a", "0-1,4-7", true);
	expect_rank(2, "b", "0-7", false);
	expect_rank(3, "b", "6-7", true);
}
END_TEST

START_TEST(contradictions_and_failures_are_refused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", ": it is empty: nothing says where a rank is" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x1 set\n"
		  "cpu-bind=MASK - a, task  0  0 [1]: mask 0x1 set\n",
		  ": there are 2 jobs, of which topomap place --job N takes one: 1 of 1 rank (from line 1 on), 2 of "
		  "1 rank (from line 2 on)" },
		{ "cpu-bind=MASK - a, task  1  0 [1]: mask 0x1 set\n",
		  ": rank 0 is missing: there is 1 entry, and line 1 is for rank 1" },
		{ "\ncpu-bind=MASK - a, task  0  0 [1]: mask 0x100 set\n",
		  ":2: the mask has PU P8, which the node lacks" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x00 set\n",
		  ":1: the mask 0x00 has no PU" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0xZ set\n",
		  ":1: rank 0: 'Z set' stands where a hexadecimal digit is expected" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x10 set FAILED\n",
		  ":1: the binding of rank 0 to mask 0x10 failed" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x10 set"
		  "cpu-bind=MASK - a, task  1  1 [2]: mask 0x20 FAILED\n",
		  ":1: the binding of rank 1 to mask 0x20 failed" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask cpu-bind=MASK - a, task  1  1 [2]: mask 0x2 set\n",
		  ":1: rank 0: ']: mask cpu-bind=MASK - a, task  1  1 [2' stands where ']: mask 0x' is expected" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0xcpu-bind=MASK - a, task  1  1 [2]: mask 0x2 set\n",
		  ":1: rank 0: 'pu-bind=MASK - a, task  1  1 [2]: mask 0' stands where a hexadecimal digit is expected" },
		{ "cpu-bind=MASK - cpu-bind=MASK - a, task  1  1 [2]: mask 0x2 set\n",
		  ":1: ' - a, task  1  1 [2]: mask 0x2 set' stands where ', task' is expected" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x2zz\n",
		  ":1: rank 0: 'zz' stands where a hexadecimal digit is expected" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x1g set\n",
		  ":1: rank 0: 'g set' stands where a hexadecimal digit is expected" },
		{ "cpu-bind=MASK - a, task  0  0 [2]: mask 0x2 set\ncpu-bind=MASK - b, task  1  1 [2]: ma",
		  ":2: rank 1: ']: ma' stands where ']: mask 0x' is expected" },
		{ "cpu_bind_cores=UNK  - b, tas\n",
		  ":1: ', tas' stands where ', task' is expected" },
		{ "cpu-bind=MASK - a, task  0  0 [1]: mask 0x1",
		  ":1: rank 0: the line ends where a hexadecimal digit or ' set' is expected" },
		{ "cpu-bind=MASK", ":1: the line ends where '- ' is expected" },
	};

	ck_assert_int_eq(read_text("node:1 package:2 core:2 pu:2", cases[_i].text), -1);
	expect_message(cases[_i].message);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("cpu_bind");
	TCase *tc = tcase_create("cpu_bind");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, all_forms_are_read_in_any_order_among_other_output);
	tcase_add_loop_test(tc, contradictions_and_failures_are_refused, 0, 17);
	suite_add_tcase(suite, tc);
	return suite;
}
