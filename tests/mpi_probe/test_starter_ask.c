/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: what the launchers print with --version, copied from them. */
#include "mpi_probe/starter_ask.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
	const char *printed, *says, *version;
} programs[] = {
	{ "mpirun.openmpi (OpenRTE) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n",
	  "Open", "4.1.4" },
	{ "HYDRA build details:\n    Version:                                 4.0.2\n"
	  "    Release Date:                            Thu Apr  7 12:34:45 CDT 2022\n",
	  "HYDRA", "4.0.2" },
	{ "slurm-wlm 22.05.8\n", "slurm", "22.05.8" },
	{ "slurm 24.11.5-1\n", "slurm", "24.11.5" },
	{ "Intel(R) MPI Library for Linux* OS, Version 2021.10 Build 20230619\n", "HYDRA", "" },
	{ "slurm of v3.2, release 24.05.\n", "slurm", "24.05" },
	{ "HYDRA 7 build 5\n", "HYDRA", "" },
	{ "HYDRA 1.234567890123456789012345678901\n", "HYDRA", "" },
	{ "", "slurm", "" },
};

START_TEST(the_release_is_the_first_number_with_a_point)
{
	char version[TMAP_STARTER_VERSION];

	tmap_starter_read(version, programs[_i].printed, programs[_i].says);
	ck_assert_str_eq(version, programs[_i].version);
}
END_TEST

/* A program in a folder of the test's own, which stands in for srun. */
static void ask_program(char version[TMAP_STARTER_VERSION], const char *script)
{
	static const struct tmap_starter starter = { .name = "x",
						     .program = "topomap-test-srun",
						     .says = "slurm" };
	char folder[] = "/tmp/topomap-ask-XXXXXX", path[64];
	char *before = strdup(getenv("PATH"));
	FILE *file;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/topomap-test-srun", folder);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fprintf(file, "#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n", script);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(path, 0755), 0);
	setenv("PATH", folder, 1);
	tmap_starter_ask(version, &starter);
	setenv("PATH", before, 1);
	remove(path);
	remove(folder);
	free(before);
}

START_TEST(a_program_is_asked_for_its_release)
{
	char version[TMAP_STARTER_VERSION];

	ask_program(version, "test \"$1\" = --version && echo slurm 24.11.5");
	ck_assert_str_eq(version, "24.11.5");
	ask_program(version, "echo slurm 24.11.5 >&2");
	ck_assert_str_eq(version, "");
	ask_program(version, "exit 1");
	ck_assert_str_eq(version, "");
}
END_TEST

START_TEST(a_program_that_does_not_answer_is_not_waited_for)
{
	char version[TMAP_STARTER_VERSION];

	ask_program(version, "exec sleep 60");
	ck_assert_str_eq(version, "");
	ask_program(version, "echo slurm 24.11.5; exec sleep 60");
	ck_assert_str_eq(version, "24.11.5");
}
END_TEST

START_TEST(a_program_that_is_not_there_says_nothing)
{
	static const struct tmap_starter nowhere = { .program = "topomap-test-nowhere",
						     .says = "x" };
	static const struct tmap_starter no_ancestor = { .program = "sh",
							 .says = "x",
							 .process = "topomap-test-nobody" };
	char version[TMAP_STARTER_VERSION] = "?";

	tmap_starter_ask(version, &nowhere);
	ck_assert_str_eq(version, "");
	tmap_starter_ask(version, &no_ancestor);
	ck_assert_str_eq(version, "");
	tmap_starter_ask(version, NULL);
	ck_assert_str_eq(version, "");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("starter_ask");
	TCase *tcase = tcase_create("releases");

	tcase_set_timeout(tcase, 30);
	tcase_add_loop_test(tcase, the_release_is_the_first_number_with_a_point, 0,
			    sizeof programs / sizeof programs[0]);
	tcase_add_test(tcase, a_program_is_asked_for_its_release);
	tcase_add_test(tcase, a_program_that_does_not_answer_is_not_waited_for);
	tcase_add_test(tcase, a_program_that_is_not_there_says_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}
