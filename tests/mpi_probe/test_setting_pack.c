/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: an environment written down by hand; write-then-read. */
#include "mpi_probe/setting_pack.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static char *const environment[] = {
	(char *)"HOME=/home/me",
	(char *)"OMP_NUM_THREADS=4",
	(char *)"OMP_NUM_THREADS_X=9",
	(char *)"OMP_PLACES=a\x1b[2J",
	(char *)"SECRET_TOKEN=12345",
	(char *)"KMP_AFFINITY=",
	NULL,
};

START_TEST(only_the_named_variables_are_kept)
{
	struct tmap_setting setting;

	ck_assert_int_eq(tmap_setting_query(&setting, 2, "oc\nean", environment, &err), 0);
	ck_assert_int_eq(setting.part, 2);
	ck_assert_str_eq(setting.program, "oc_ean");
	ck_assert_str_eq(setting.variable[TMAP_OMP_NUM_THREADS], "4");
	ck_assert_str_eq(setting.variable[TMAP_OMP_PLACES], "a_[2J");
	ck_assert_str_eq(setting.variable[TMAP_KMP_AFFINITY], "");
	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		ck_assert(!setting.variable[i] || i == TMAP_OMP_NUM_THREADS ||
			  i == TMAP_OMP_PLACES || i == TMAP_KMP_AFFINITY);
	tmap_setting_fini(&setting);
	ck_assert_int_eq(tmap_setting_query(&setting, TMAP_NONE, NULL, NULL, &err), 0);
	ck_assert(!setting.environment && !setting.variable[TMAP_OMP_NUM_THREADS]);
	tmap_setting_fini(&setting);
}
END_TEST

START_TEST(long_values_are_cut)
{
	char text[4096] = "OMP_PLACES=";
	char *const one[] = { text, NULL };
	struct tmap_setting setting;

	memset(text + strlen(text), '1', 4000);
	ck_assert_int_eq(tmap_setting_query(&setting, 0, text, one, &err), 0);
	ck_assert_uint_eq(strlen(setting.variable[TMAP_OMP_PLACES]), TMAP_VALUE_LENGTH);
	ck_assert_uint_eq(strlen(setting.program), TMAP_PROGRAM_LENGTH);
	tmap_setting_fini(&setting);
}
END_TEST

START_TEST(a_setting_survives_the_journey_and_no_cut)
{
	struct tmap_setting setting, back;
	struct tmap_bytes bytes = { 0 };

	ck_assert_int_eq(tmap_setting_query(&setting, 5, "air", environment, &err), 0);
	tmap_setting_pack(&bytes, &setting);
	for (size_t length = 0; length <= bytes.length; length++) {
		struct tmap_cursor cursor = { .at = bytes.data, .left = length };

		ck_assert_int_eq(tmap_setting_unpack(&back, &cursor, &err), 0);
		ck_assert_int_eq(tmap_cursor_end(&cursor, "it", &err),
				 length == bytes.length ? 0 : -1);
		if (length == bytes.length)
			ck_assert_int_eq(tmap_setting_compare(&setting, &back), 0);
		tmap_setting_fini(&back);
	}
	tmap_setting_fini(&setting);
	tmap_bytes_fini(&bytes);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("setting_pack");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, only_the_named_variables_are_kept);
	tcase_add_test(tc, long_values_are_cut);
	tcase_add_test(tc, a_setting_survives_the_journey_and_no_cut);
	suite_add_tcase(suite, tc);
	return suite;
}
