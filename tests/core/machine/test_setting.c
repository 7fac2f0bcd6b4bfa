/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: OpenMP 5.2, chapter 21, for the meaning of its variables; numbers worked out by hand. */
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
	{ "4,2", NULL, NULL, NULL, 4, "OMP_NUM_THREADS" },
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

	tcase_add_loop_test(tc, threads_are_what_the_variables_ask_for, 0,
			    sizeof rows / sizeof rows[0]);
	tcase_add_test(tc, a_copy_is_equal_and_each_difference_counts);
	suite_add_tcase(suite, tc);
	return suite;
}
