/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: by hand, each mistake in a file of its own, after what mpirun of Open MPI 4.1 does with
 * such files and what its documentation says.
 */
#include "formats/launchers/file_lint.h"

#include "tests/support/rank_files.h"

/* The findings as "name line, name line"; on a machine if @p spec. */
static char *judge(const char *text, const char *launcher, const char *spec, int ranks)
{
	struct tmap_machine *machine = spec ? machine_of(spec) : NULL;
	int index = tmap_keywords_find(&tmap_launchers, launcher, &err);
	struct tmap_file_findings findings = { 0 };
	struct tmap_str found = TMAP_STR_INIT;

	write_text(text);
	ck_assert_msg(tmap_file_lint(&findings, path, index, machine, ranks, &err) == 0, "%s",
		      err.text);
	for (int i = 0; i < findings.count; i++)
		tmap_str_addf(&found, "%s%s %d", i ? ", " : "", findings.finding[i].name,
			      findings.finding[i].line);
	tmap_file_findings_fini(&findings);
	tmap_machine_free(machine);
	return tmap_str_take(&found, &err);
}

static const char two[] = "node:2 package:2 core:2 pu:2";

static const struct {
	const char *text, *launcher, *spec;
	int ranks;
	const char *found;
} cases[] = {
	{ "rank 0=a slot=0\nrank 1=b slot=0:0-1\n", "openmpi4", NULL, TMAP_NONE, "" },
	{ "rank 0=a slot=0\nrank 1=b slot=0:0-1\n", "openmpi4", two, 2, "" },
	{ "rank 1=a slot=0\nrank 0=a slot=1\n", "openmpi4", two, TMAP_NONE, "rank-0-first 1" },
	{ "rank 0=a slot=0\nrank 2=a slot=1\nrank 2=a slot=2\n", "openmpi4", NULL, TMAP_NONE,
	  "rank-missing 0, rank-twice 3" },
	{ "rank 0=a slot=0\nrank 9=a slot=1\n", "openmpi4", NULL, 4,
	  "rank-missing 0, rank-beyond-job 2" },
	{ "rank 0=a slot=0\n", "openmpi4", NULL, 2, "rank-missing 0" },
	{ "rank 0=a slot=0\nrank 2147483647=b slot=0\n", "openmpi4", NULL, TMAP_NONE,
	  "rank-missing 0" },
	{ "rank 0=a slot=0:0,1\n", "openmpi4", NULL, TMAP_NONE, "comma-after-pair 1" },
	{ "rank 0=a slot=0:0,1:1\n", "openmpi4", NULL, TMAP_NONE, "" },
	{ "rank 0=a slot=0,1:1\n", "openmpi4", NULL, TMAP_NONE, "comma-after-pair 1" },
	{ "rank 0=a slot=0:0,0:1,1\n", "openmpi4", NULL, TMAP_NONE, "comma-after-pair 1" },
	{ "rank 0=a slot=,0:0,,1:1,;1:0,\n", "openmpi4", NULL, TMAP_NONE, "" },
	{ "rank 0=a slot=0:0,1\n", "openmpi5", NULL, TMAP_NONE, "" },
	{ "rank 0=a slot=0:0,1-2\n", "openmpi5", two, TMAP_NONE, "comma-after-pair 1" },
	{ "# --map-by rankfile:file=F:hwtcpus\nrank 0=a slot=6\n", "openmpi5", two, TMAP_NONE, "" },
	{ "rank 0=a slot=6\n", "openmpi5", two, TMAP_NONE, "no-such-place 1" },
	{ "rank 0=a slot=3-1\n", "openmpi4", two, TMAP_NONE, "backwards 1" },
	{ "rank 0=+n0 slot=0\nrank 1=+n1 slot=0\n", "openmpi4", two, TMAP_NONE, "relative-host 1" },
	{ "rank 0=a.b.org slot=0\nrank 1=me@c.b.org slot=0\n", "openmpi4", two, TMAP_NONE,
	  "full-name 1" },
	{ "rank 0=10.0.0.1 slot=0\n", "openmpi4", NULL, TMAP_NONE, "" },
	{ "rank 0=a23456789012345678901234567890123456789012345678901234 slot=0,1\n", "openmpi4",
	  NULL, TMAP_NONE, "" },
	{ "rank 0=a234567890123456789012345678901234567890123456789012345 slot=0,1\n", "openmpi4",
	  NULL, TMAP_NONE, "entry-too-long 1" },
	{ "rank 0=\"a\" slot=0\nrank 1 =a slot=0\nrank 0=a slot 1\n", "openmpi4", NULL, TMAP_NONE,
	  "syntax 1, syntax 3" },
	{ "rank 0=a slot=0\nrank 1=a 7\nrank 3=a slot=1\nrank 9=\"a\"\n", "openmpi4", NULL, 10,
	  "rank-missing 0, syntax 2, syntax 4" },
	{ "rank 0=a slot=0\r\n", "openmpi4", NULL, TMAP_NONE, "syntax 1" },
	{ "rank 0=a slot=0\r\nrank 1=a slot=1\r\n", "openmpi4", NULL, TMAP_NONE, "syntax 1" },
	{ "rank 0=a slot=0\n/* never ends", "openmpi4", NULL, TMAP_NONE, "syntax 2" },
	{ "rank 0=n0 slot=0\nrank 1=x slot=0\nrank 2=x slot=1\n", "openmpi4", two, TMAP_NONE,
	  "unknown-host 2" },
	{ "rank 0=a slot=4\nrank 1=b slot=2:0\nrank 2=b slot=*\n", "openmpi4", two, TMAP_NONE,
	  "no-such-place 1, no-such-place 2, no-such-place 3" },
	{ "rank 0=a slot=0-1\nrank 1=b slot=1\nrank 2=a slot=1-2\n", "openmpi4", two, TMAP_NONE,
	  "overlap 3" },
	{ "rank 0=a slot=0-3\nrank 1=a slot=0-3\n", "openmpi4", two, TMAP_NONE, "whole-node 1" },
	{ "a 0\nb 9\n", "seq", two, TMAP_NONE, "unreadable 2" },
	{ "a 0\na 0\n", "seq", two, TMAP_NONE, "overlap 0" },
	{ "a 0\na 1\nb 0\n", "seq", two, TMAP_NONE, "" },
	{ "n0:8 binding=user:0,0,0,0,0,0,0,0\n", "hydra", two, TMAP_NONE, "overlap 0" },
	{ "n0:3 binding=user:0+2,2+4,6\n", "hydra", two, TMAP_NONE, "overlap 0" },
	{ "n0:2 binding=user:0,1\nn1:2 binding=user:0,2\n", "hydra", two, TMAP_NONE,
	  "shared-core 0" },
	{ "n0:2 binding=user:0+2,0+2\n", "hydra40", two, TMAP_NONE, "" },
	{ "# --cpu-bind=map_cpu:0,0\nn0*2\n", "slurm", two, TMAP_NONE, "overlap 0" },
	{ "n0\nn0*4\n", "slurm", two, TMAP_NONE, "unreadable 2" },
	{ "a\nb\n", "slurm", two, 3, "other-size 0" },
	{ "0,1,1\n", "cray", NULL, TMAP_NONE, "unreadable 1" },
	{ "0\n1\n", "permutation", NULL, 2, "" },
};

enum { CASES = sizeof cases / sizeof *cases };

START_TEST(each_mistake_is_found_in_its_line)
{
	char *found = judge(cases[_i].text, cases[_i].launcher, cases[_i].spec, cases[_i].ranks);

	ck_assert_str_eq(found, cases[_i].found);
	free(found);
}
END_TEST

START_TEST(a_hostfile_cannot_be_judged_without_a_machine)
{
	struct tmap_file_findings findings = { 0 };

	write_text("a\n");
	ck_assert_int_eq(tmap_file_lint(&findings, path,
					tmap_keywords_find(&tmap_launchers, "slurm", &err), NULL,
					TMAP_NONE, &err),
			 -1);
	ck_assert_int_eq(err.kind, TMAP_USAGE);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("file_lint");
	TCase *tc = tcase_create("file_lint");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, each_mistake_is_found_in_its_line, 0, CASES);
	tcase_add_test(tc, a_hostfile_cannot_be_judged_without_a_machine);
	suite_add_tcase(suite, tc);
	return suite;
}
