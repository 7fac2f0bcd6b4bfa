/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: OpenMP 5.2, chapter 21, for the meaning of its variables; numbers worked out by hand, those
 * of nested regions counted in programs that GNU's OpenMP (12.2) ran. */
#include "core/machine/setting.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

static const struct {
	const char *omp, *limit, *mkl, *blas;
	int threads;
	const char *why;
} rows[] = {
	{ NULL, NULL, NULL, NULL, 0, NULL },
	{ "4", NULL, NULL, NULL, 4, "OMP_NUM_THREADS" },
	{ " 4 ", NULL, NULL, NULL, 4, "OMP_NUM_THREADS" },
	{ "4,2", NULL, NULL, NULL, 8, "OMP_NUM_THREADS" },
	{ "4 , 2,3", NULL, NULL, NULL, 24, "OMP_NUM_THREADS" },
	{ "4,2", "6", NULL, NULL, 6, "OMP_NUM_THREADS" },
	{ "1048576,2", NULL, NULL, NULL, 1048576, "OMP_NUM_THREADS" },
	{ "1048576,2", "3", NULL, NULL, 3, "OMP_NUM_THREADS" },
	{ "8", "6", NULL, NULL, 6, "OMP_NUM_THREADS" },
	{ "8", "60", NULL, NULL, 8, "OMP_NUM_THREADS" },
	{ NULL, "6", NULL, NULL, 0, NULL },
	{ "1", NULL, "8", "2", 8, "MKL_NUM_THREADS" },
	{ "4", NULL, "1", "4", 4, "OMP_NUM_THREADS" },
	{ NULL, NULL, NULL, "3", 3, "OPENBLAS_NUM_THREADS" },
	{ "", NULL, "x", "-4", 0, NULL },
	{ "0", NULL, NULL, NULL, 0, NULL },
	{ "99999999999999999999", NULL, NULL, NULL, 0, NULL },
};

START_TEST(threads_are_what_the_variables_ask_for)
{
	struct tmap_setting setting = { .environment = true };
	const char *why;

	setting.variable[TMAP_OMP_NUM_THREADS] = (char *)rows[_i].omp;
	setting.variable[TMAP_OMP_THREAD_LIMIT] = (char *)rows[_i].limit;
	setting.variable[TMAP_MKL_NUM_THREADS] = (char *)rows[_i].mkl;
	setting.variable[TMAP_OPENBLAS_NUM_THREADS] = (char *)rows[_i].blas;
	ck_assert_int_eq(tmap_setting_threads(&setting, &why), rows[_i].threads);
	ck_assert(!why == !rows[_i].why && (!why || strcmp(why, rows[_i].why) == 0));
	setting.threads = 7;
	ck_assert_int_eq(tmap_setting_threads(&setting, &why), 7);
	ck_assert_ptr_null(why);
}
END_TEST

static const struct {
	const char *omp, *levels, *nested;
	int threads;
} nests[] = {
	{ "4,2,3", NULL, "true", 24 }, { "4,2,3", NULL, "false", 4 }, { "4,2,3", "2", NULL, 8 },
	{ "4,2,3", " 1", NULL, 4 },    { "4,2,3", "0", NULL, 1 },     { "4,2,3", "9", NULL, 24 },
	{ "4,2,3", "2", "false", 8 },  { "4", "3", NULL, 4 },         { "4,2", "x", NULL, 8 },
};

START_TEST(threads_of_nested_regions_multiply)
{
	struct tmap_setting setting = { .environment = true };

	setting.variable[TMAP_OMP_NUM_THREADS] = (char *)nests[_i].omp;
	setting.variable[TMAP_OMP_MAX_ACTIVE_LEVELS] = (char *)nests[_i].levels;
	setting.variable[TMAP_OMP_NESTED] = (char *)nests[_i].nested;
	ck_assert_int_eq(tmap_setting_threads(&setting, NULL), nests[_i].threads);
}
END_TEST

START_TEST(of_two_numbers_of_cpus_the_larger_one_counts)
{
	struct tmap_setting setting = { .environment = true };
	const char *why;

	ck_assert_int_eq(tmap_setting_cpus(&setting, &why), 0);
	setting.variable[TMAP_SLURM_CPUS_PER_TASK] = (char *)"4";
	ck_assert_int_eq(tmap_setting_cpus(&setting, &why), 4);
	ck_assert_str_eq(why, "SLURM_CPUS_PER_TASK");
	setting.variable[TMAP_SRUN_CPUS_PER_TASK] = (char *)"8";
	ck_assert_int_eq(tmap_setting_cpus(&setting, &why), 8);
	ck_assert_str_eq(why, "SRUN_CPUS_PER_TASK");
}
END_TEST

START_TEST(a_copy_is_equal_and_each_difference_counts)
{
	struct tmap_setting setting = { .part = 1, .program = (char *)"ocean", .threads = 3 }, copy;

	setting.variable[TMAP_OMP_PLACES] = (char *)"cores";
	ck_assert_int_eq(tmap_setting_copy(&copy, &setting, &err), 0);
	ck_assert_int_eq(tmap_setting_compare(&copy, &setting), 0);
	ck_assert(tmap_setting_binds_threads(&copy));
	for (int i = 0; i < 5; i++) {
		struct tmap_setting other = setting;

		other.part += i == 0;
		other.program = i == 1 ? NULL : other.program;
		other.threads -= i == 2;
		other.environment = i == 3;
		other.variable[TMAP_OMP_PLACES] = (char *)(i == 4 ? "threads" : "cores");
		ck_assert_int_ne(tmap_setting_compare(&other, &setting), 0);
		ck_assert((tmap_setting_compare(&other, &setting) < 0) !=
			  (tmap_setting_compare(&setting, &other) < 0));
	}
	tmap_setting_fini(&copy);
	ck_assert_int_eq(copy.part, TMAP_NONE);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("setting");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, threads_of_nested_regions_multiply, 0,
			    sizeof nests / sizeof nests[0]);
	tcase_add_test(tc, of_two_numbers_of_cpus_the_larger_one_counts);
	tcase_add_loop_test(tc, threads_are_what_the_variables_ask_for, 0,
			    sizeof rows / sizeof rows[0]);
	tcase_add_test(tc, a_copy_is_equal_and_each_difference_counts);
	suite_add_tcase(suite, tc);
	return suite;
}
