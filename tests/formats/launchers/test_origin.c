/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: origins as the probe recorded them under the launchers that run here (Open MPI 4.1.4 and
 * 5.0.7, MPICH 4.0.2 and 4.2.1, Slurm 22.05.8 and 24.11.5), and for the others as their manuals
 * say; the rows that their users would have named.
 */
#include "formats/launchers/origin.h"

#include "tests/unit.h"

#include <string.h>

static const struct {
	const char *launcher, *mpi; /* of the document; NULL: it has no such member */
	const char *row, *why;
} documents[] = {
	{ "mpirun (Open MPI) 4.1.4", "Open MPI v4.1.4", "openmpi4",
	  "the probe ran under Open MPI 4.1.4" },
	/* before the probe asked */
	{ "mpirun (Open MPI)", "Open MPI v4.1.4", "openmpi4",
	  "the probe ran under Open MPI 4.1.4" },
	{ "mpirun (Open MPI) 5.0.7", "Open MPI v5.0.7", "openmpi5",
	  "the probe ran under Open MPI 5.0.7" },
	{ "mpirun (Open MPI) 6.1.0rc1", "Open MPI v6.1.0rc1", "openmpi5",
	  "the probe ran under Open MPI 6.1.0" },
	{ "prterun (PRRTE)", "MPICH 4.2.1", "openmpi5", "the probe ran under PRRTE" },
	{ "mpiexec (Hydra) 4.0.2", "MPICH 4.0.2", "hydra40", "the probe ran under Hydra 4.0.2" },
	{ "mpiexec (Hydra)", "MPICH 4.0.2", "hydra40",
	  "the probe ran under Hydra with MPICH 4.0.2" },
	{ "mpiexec (Hydra)", "MPICH 5.1", "hydra", "the probe ran under Hydra with MPICH 5.1" },
	{ "mpiexec (Hydra) 4.2.1", "MPICH 4.2.1", "hydra40", "the probe ran under Hydra 4.2.1" },
	{ "mpiexec (Hydra) 5.0.0", "MPICH 5.0.0", "hydra40", "the probe ran under Hydra 5.0.0" },
	{ "mpiexec (Hydra) 5.1.0", "MPICH 5.1.0", "hydra", "the probe ran under Hydra 5.1.0" },
	{ "mpiexec (Hydra) 4.0.2", "MPICH 4.2.1", "hydra40", "the probe ran under Hydra 4.0.2" },
	{ "mpiexec (Hydra)", "MVAPICH2 2.3.7", "hydra40", "the probe ran under Hydra" },
	{ "mpiexec (Hydra)", "Intel(R) MPI Library 2021.10 for Linux* OS", "intel",
	  "the probe ran under Intel MPI with Intel(R) MPI Library 2021.10" },
	{ "srun (Slurm) 22.05.8", "Open MPI v4.1.4", "slurm", "the probe ran under Slurm 22.05.8" },
	{ "srun (Slurm) 22.05.8", "MPICH 4.0.2", "slurm", "the probe ran under Slurm 22.05.8" },
	{ "srun (Slurm) 23.02.7", "MPICH 4.0.2", "slurm", "the probe ran under Slurm 23.02.7" },
	{ "srun (Slurm) 23.11.1", "MPICH 4.2.1", "slurm23.11",
	  "the probe ran under Slurm 23.11.1" },
	{ "srun (Slurm) 24.11.5", "Open MPI v5.0.7", "slurm23.11",
	  "the probe ran under Slurm 24.11.5" },
	{ "srun (Slurm)", "Open MPI v4.1.4", "slurm", "the probe ran under Slurm" },
	{ "srun (Slurm)", "CRAY MPICH version 8.1.27.26 (ANL base 3.4a2)", "slurm",
	  "the probe ran under Slurm" },
	{ "flux run", "MPICH 4.2.1", "flux", "the probe ran under Flux" },
	{ "mpiexec (PALS)", "CRAY MPICH version 8.1.27.26 (ANL base 3.4a2)", "cray",
	  "the probe ran under Cray PALS with CRAY MPICH version 8.1.27.26" },
	{ "aprun (ALPS)", "CRAY MPICH version 7.7.20 (ANL base 3.2)", "cray",
	  "the probe ran under Cray ALPS with CRAY MPICH version 7.7.20" },
	{ "a PMI launcher", "MPICH 4.0.2", "hydra40", "the MPI of the job is MPICH 4.0.2" },
	{ "a PMIx launcher", "Open MPI v5.0.7", "openmpi5",
	  "the MPI of the job is Open MPI v5.0.7" },
	{ NULL, "MPICH 4.2.1", "hydra40", "the MPI of the job is MPICH 4.2.1" },
	/* what topomap place was asked for */
	{ "slurm", NULL, "slurm", "the placement was made for slurm" },
	{ "slurm23.11", NULL, "slurm23.11", "the placement was made for slurm23.11" },
	{ "hydra", NULL, "hydra", "the placement was made for hydra" },
	{ "openmpi5", NULL, "openmpi5", "the placement was made for openmpi5" },
	{ "prrte", NULL, "openmpi5", "the placement was made for prrte" },
	/* the library says which release it is, where it is of the launcher */
	{ "hydra", "MPICH 4.1.2", "hydra40", "the placement was made for hydra with MPICH 4.1.2" },
	{ "hydra", "MPICH 5.1.0", "hydra", "the placement was made for hydra with MPICH 5.1.0" },
	{ "hydra", "Open MPI v4.1.6", "hydra", "the placement was made for hydra" },
	{ "slurm23.11", "MPICH 4.1.2", "slurm23.11", "the placement was made for slurm23.11" },
	{ "flux", "MPICH 4.1.2", "flux", "the placement was made for flux" },
	{ "intel", "Intel(R) MPI Library 2021.10 for Linux* OS", "intel",
	  "the placement was made for intel with Intel(R) MPI Library 2021.10" },
	{ "prrte", "Open MPI v5.0.5", "openmpi5",
	  "the placement was made for prrte with Open MPI v5.0.5" },
	{ "slurm", "MPICH 4.0.2", "slurm", "the placement was made for slurm" },
	/* nobody's */
	{ NULL, NULL, NULL, "the placement names no launcher" },
	{ "a PMI launcher", "MVAPICH2 2.3.7", NULL, "the placement names no launcher" },
	{ "jsrun", "IBM Spectrum MPI v10.4", NULL,
	  "the placement's launcher is none that files are known of" },
	{ "jsrun", "MPICH 4.0.2", NULL,
	  "the placement's launcher is none that files are known of" },
	{ "mpirun_rsh (MVAPICH)", "MVAPICH2 2.3.7", NULL,
	  "the placement's launcher is none that files are known of" },
	{ "mpiexec (Hydra)x", "MPICH 4.0.2", NULL,
	  "the placement's launcher is none that files are known of" },
	{ "mpiexec (PALS)", "MPICH 4.0.2", NULL,
	  "the placement's launcher is none that files are known of" },
	{ "", "", NULL, "the placement's launcher is none that files are known of" },
	{ "hydr", "MPICH 4.0.2", NULL, "the placement's launcher is none that files are known of" },
	{ "report-bindings", NULL, NULL,
	  "the placement's launcher is none that files are known of" },
};

static struct tmap_origin origin_of(const char *launcher, const char *mpi)
{
	return (struct tmap_origin){ .launcher = (char *)(uintptr_t)launcher,
				     .mpi = (char *)(uintptr_t)mpi };
}

START_TEST(a_document_names_its_launcher_and_release)
{
	struct tmap_origin origin = origin_of(documents[_i].launcher, documents[_i].mpi);
	struct tmap_origin_launcher found = tmap_origin_launcher(&origin);

	ck_assert_str_eq(found.why, documents[_i].why);
	ck_assert_int_eq(found.is_known, documents[_i].row != NULL);
	ck_assert_str_eq(tmap_launcher_at(found.row)->word.name,
			 documents[_i].row ? documents[_i].row : "openmpi4");
	ck_assert_ptr_nonnull(tmap_launcher_at(found.row)->writes);
	if (found.is_known && tmap_launcher_at(found.row)->fixes)
		ck_assert_ptr_eq(found.fixes[0], tmap_launcher_at(found.row)->fixes);
	else if (!found.is_known)
		ck_assert_ptr_nonnull(found.fixes[2]);
}
END_TEST

/* What a hostile document has in its members does not get into files and commands. */
START_TEST(only_digits_of_a_document_get_into_the_sentence)
{
	struct tmap_origin origin = origin_of("srun (Slurm) 22.05\n-rankmap 0,1", "MPICH 4.0.2");
	char many[400] = "mpirun (Open MPI) ";
	struct tmap_origin_launcher found = tmap_origin_launcher(&origin);

	ck_assert_str_eq(found.why, "the probe ran under Slurm 22.05");
	memset(many + strlen(many), '9', 300);
	origin = origin_of(many, NULL);
	found = tmap_origin_launcher(&origin);
	ck_assert_str_eq(tmap_launcher_at(found.row)->word.name, "openmpi5");
	ck_assert_uint_lt(strlen(found.why), 60);
}
END_TEST

static const struct {
	const char *launcher, *mpi, *asked;
	bool is_other;
} requests[] = {
	{ "mpirun (Open MPI) 4.1.4", "Open MPI v4.1.4", "openmpi4", false },
	{ "mpirun (Open MPI) 4.1.4", "Open MPI v4.1.4", "openmpi5", true },
	{ "mpirun (Open MPI) 4.1.4", "Open MPI v4.1.4", "seq", false },
	{ "mpirun (Open MPI) 5.0.7", "Open MPI v5.0.7", "openmpi4", true },
	{ "mpirun (Open MPI) 5.0.7", "Open MPI v5.0.7", "seq", false },
	{ "mpirun (Open MPI) 5.0.7", "Open MPI v5.0.7", "slurm", true },
	{ "mpirun (Open MPI) 5.0.7", "Open MPI v5.0.7", "permutation", false },
	{ "mpirun (Open MPI) 5.0.7", "Open MPI v5.0.7", "c", false },
	{ "mpiexec (Hydra) 4.0.2", "MPICH 4.0.2", "hydra", true },
	{ "mpiexec (Hydra) 4.2.1", "MPICH 4.2.1", "hydra40", false },
	{ "srun (Slurm) 24.11.5", "MPICH 4.2.1", "slurm", false },
	{ "srun (Slurm) 22.05.8", "MPICH 4.2.1", "slurm23.11", true },
	{ "slurm", NULL, "hydra", true },
	{ "slurm", NULL, "slurm", false },
	{ "slurm", NULL, "slurm23.11", false },
	{ "hydra", NULL, "hydra40", false },
	{ "jsrun", "IBM Spectrum MPI v10.4", "slurm", false },
	{ NULL, NULL, "slurm", false },
};

START_TEST(the_launcher_that_is_asked_for_wins)
{
	struct tmap_origin origin = origin_of(requests[_i].launcher, requests[_i].mpi);
	struct tmap_error err;
	int asked = tmap_keywords_find(&tmap_launchers_written, requests[_i].asked, &err);
	struct tmap_origin_launcher found = tmap_origin_launcher_or(&origin, asked);

	ck_assert_int_eq(found.row, asked);
	ck_assert(found.is_asked);
	ck_assert_int_eq(found.is_other, requests[_i].is_other);
	ck_assert_ptr_eq(found.fixes[0], tmap_launcher_at(asked)->fixes);
}
END_TEST

START_TEST(every_written_row_that_is_a_launcher_is_found_by_its_name)
{
	for (int i = 0; tmap_launcher_at(i)->word.name; i++) {
		const struct tmap_launcher *row = tmap_launcher_at(i);
		struct tmap_origin origin = origin_of(row->word.name, NULL);
		struct tmap_origin_launcher found = tmap_origin_launcher(&origin);

		if (row->writer)
			ck_assert_ptr_nonnull(tmap_launcher_find(row->writer)->writes);
		if (row->mark[0].launcher)
			ck_assert(row->writes != NULL);
		if (row->writes)
			ck_assert_int_eq(found.row, i);
		for (const struct tmap_launcher_mark *mark = row->mark; mark->launcher; mark++)
			ck_assert(mark->name && (!mark->is_library_only || mark->library));
		if (row->fixes)
			ck_assert_ptr_nonnull(row->fixes->launcher);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("origin");
	TCase *tcase = tcase_create("documents");

	tcase_add_loop_test(tcase, a_document_names_its_launcher_and_release, 0,
			    sizeof documents / sizeof documents[0]);
	tcase_add_test(tcase, only_digits_of_a_document_get_into_the_sentence);
	tcase_add_loop_test(tcase, the_launcher_that_is_asked_for_wins, 0,
			    sizeof requests / sizeof requests[0]);
	tcase_add_test(tcase, every_written_row_that_is_a_launcher_is_found_by_its_name);
	suite_add_tcase(suite, tcase);
	return suite;
}
