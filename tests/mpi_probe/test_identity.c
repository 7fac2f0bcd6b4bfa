/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what MPI_Get_library_version says in Open MPI 4.1.4 and MPICH 4.0.2 (run), and in
 * others as they are documented; the environments that the installed launchers give their
 * ranks (run), and those of Open MPI 5, Slurm, Flux and PALS as they are documented.
 */
#include "mpi_probe/identity.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static const struct {
	const char *text, *name;
} libraries[] = {
	{ "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022",
	  "Open MPI v4.1.4" },
	{ "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n",
	  "MPICH 4.0.2" },
	{ "MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date : Wed March 02\n",
	  "MVAPICH2 2.3.7" },
	{ "MPI VERSION    : CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)\nMPI BUILD INFO : x\n",
	  "CRAY MPICH version 8.1.25.17 (ANL base 3.4a2)" },
	{ "Intel(R) MPI Library 2021.9 for Linux* OS\n",
	  "Intel(R) MPI Library 2021.9 for Linux* OS" },
	{ "\n  Some\t\tMPI  \nmore", "Some MPI" },
	{ "Version of \001 MPI", "Version of ? MPI" },
	{ "", "" },
};

START_TEST(the_library_is_named_in_short)
{
	char *name = tmap_library_name(libraries[_i].text, &err);

	ck_assert_str_eq(name, libraries[_i].name);
	free(name);
}
END_TEST

static const struct {
	const char *name; /* NULL: none */
	int rank;
	const char *environment[6];
} jobs[] = {
	{ "mpirun (Open MPI)", 3, { "PATH=/bin", "OMPI_COMM_WORLD_RANK=3", "PMIX_RANK=3", NULL } },
	{ "mpirun (Open MPI) 5.0.3",
	  12,
	  { "PRTE_LAUNCHED=1", "OMPI_VERSION=5.0.3", "OMPI_COMM_WORLD_RANK=12", "PMIX_RANK=12",
	    NULL } },
	{ "prterun (PRRTE)", 0, { "PRTE_LAUNCHED=1", "PMIX_RANK=0", NULL } },
	{ "mpiexec (Hydra)", 1, { "PMI_RANK=1", "MPI_LOCALNRANKS=2", "PMI_FD=6", NULL } },
	{ "srun (Slurm)", 7, { "SLURM_STEP_ID=0", "SLURM_PROCID=7", "PMI_RANK=7", NULL } },
	{ "mpirun (Open MPI)",
	  5,
	  { "SLURM_STEP_ID=0", "SLURM_PROCID=1", "OMPI_COMM_WORLD_RANK=5", NULL } },
	{ "mpiexec (Hydra)",
	  6,
	  { "SLURM_STEP_ID=0", "SLURM_PROCID=1", "MPI_LOCALNRANKS=4", "PMI_RANK=6", NULL } },
	{ "flux run", 2, { "FLUX_TASK_RANK=2", "PMI_RANK=2", NULL } },
	{ "mpiexec (PALS)", 9, { "PALS_RANKID=9", "PMI_RANK=9", NULL } },
	{ "a PMIx launcher", 4, { "PMIX_RANK=4", NULL } },
	{ "a PMI launcher", 8, { "PMI_RANK=8", NULL } },
	/* a batch script has a process number, but no step */
	{ NULL, TMAP_NONE, { "SLURM_PROCID=0", "SLURM_JOB_ID=1", NULL } },
	{ NULL, TMAP_NONE, { "PMI_RANKS=0", "XPMI_RANK=0", NULL } },
	{ NULL, TMAP_NONE, { NULL } },
};

START_TEST(the_launcher_is_known_by_its_marks)
{
	char *const *environment = (char *const *)jobs[_i].environment;
	const struct tmap_starter *starter = tmap_starter_find(environment);
	char *name;

	ck_assert_int_eq(tmap_starter_rank(starter, environment), jobs[_i].rank);
	if (!jobs[_i].name) {
		ck_assert_ptr_null(starter);
		return;
	}
	name = tmap_starter_describe(starter, environment, "", &err);
	ck_assert_str_eq(name, jobs[_i].name);
	free(name);
}
END_TEST

START_TEST(a_release_that_no_variable_has_is_the_one_that_was_asked_for)
{
	static const char *const srun[] = { "SLURM_STEP_ID=0", "SLURM_PROCID=7", NULL };
	static const char *const prte[] = { "PRTE_LAUNCHED=1", "OMPI_VERSION=5.0.3", NULL };
	char *const *environment = (char *const *)srun;
	char *name =
		tmap_starter_describe(tmap_starter_find(environment), environment, "22.05.8", &err);

	ck_assert_str_eq(name, "srun (Slurm) 22.05.8");
	free(name);
	environment = (char *const *)prte;
	name = tmap_starter_describe(tmap_starter_find(environment), environment, "9.9", &err);
	ck_assert_str_eq(name, "mpirun (Open MPI) 5.0.3");
	free(name);
}
END_TEST

START_TEST(a_rank_that_is_no_number_is_not_told)
{
	static const char *const bad[][2] = { { "PMI_RANK=", NULL },
					      { "PMI_RANK=-1", NULL },
					      { "PMI_RANK=1x", NULL },
					      { "PMI_RANK=99999999999", NULL },
					      { "PMI_RANK= 1", NULL } };
	char *const *environment = (char *const *)bad[_i];

	ck_assert_int_eq(tmap_starter_rank(tmap_starter_find(environment), environment), TMAP_NONE);
}
END_TEST

static const struct {
	int size;
	const char *environment[6];
} sizes[] = {
	{ 4, { "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4", "PMIX_RANK=3", NULL } },
	{ 12, { "PRTE_LAUNCHED=1", "OMPI_VERSION=5.0.3", "OMPI_COMM_WORLD_SIZE=12", NULL } },
	{ 3, { "PMI_RANK=1", "PMI_SIZE=3", "MPI_LOCALNRANKS=2", NULL } },
	{ 64,
	  { "SLURM_STEP_ID=0", "SLURM_PROCID=7", "SLURM_STEP_NUM_TASKS=64", "SLURM_NTASKS=99",
	    NULL } },
	{ 5, { "FLUX_TASK_RANK=2", "FLUX_JOB_SIZE=5", NULL } },
	{ TMAP_NONE, { "PMIX_RANK=4", "PMI_SIZE=8", NULL } },
	{ TMAP_NONE, { "PMI_RANK=1", "PMI_SIZE=many", NULL } },
	{ TMAP_NONE, { "PMI_SIZE=8", NULL } },
};

START_TEST(the_launcher_tells_how_many_it_started)
{
	char *const *environment = (char *const *)sizes[_i].environment;

	ck_assert_int_eq(tmap_starter_size(tmap_starter_find(environment), environment),
			 sizes[_i].size);
}
END_TEST

START_TEST(every_row_is_complete)
{
	for (const struct tmap_starter *row = tmap_starters; row->name; row++) {
		ck_assert_ptr_nonnull(row->mark);
		ck_assert_ptr_nonnull(row->rank);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("identity");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, the_library_is_named_in_short, 0,
			    sizeof libraries / sizeof libraries[0]);
	tcase_add_loop_test(tc, the_launcher_is_known_by_its_marks, 0,
			    sizeof jobs / sizeof jobs[0]);
	tcase_add_test(tc, a_release_that_no_variable_has_is_the_one_that_was_asked_for);
	tcase_add_loop_test(tc, a_rank_that_is_no_number_is_not_told, 0, 5);
	tcase_add_loop_test(tc, the_launcher_tells_how_many_it_started, 0,
			    sizeof sizes / sizeof sizes[0]);
	tcase_add_test(tc, every_row_is_complete);
	suite_add_tcase(suite, tc);
	return suite;
}
