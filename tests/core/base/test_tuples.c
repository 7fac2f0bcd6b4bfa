/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: linear search among all tuples seen so far. */
#include "core/base/tuples.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

START_TEST(tuples_are_numbered_in_order_of_first_appearance)
{
	struct tmap_tuples tuples = { 0 };

	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 3, 1 }, 2, &err), 0);
	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 3 }, 1, &err), 1);
	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 3, 1 }, 2, &err), 0);
	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 1, 3 }, 2, &err), 2);
	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 1 }, 0, &err), 3);
	ck_assert_int_eq(tuples.count, 4);
	tmap_tuples_clear(&tuples);
	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 1, 3 }, 2, &err), 0);
	ck_assert_int_eq(tmap_tuples_intern(&tuples, (int64_t[]){ 3, 1 }, 2, &err), 1);
	tmap_tuples_fini(&tuples);
}
END_TEST

START_TEST(thousands_of_tuples_are_found_again)
{
	enum { COUNT = 4000, MOST = 3 };
	static int64_t seen[COUNT][MOST];
	static size_t length[COUNT];
	struct tmap_tuples tuples = { 0 };
	struct dice dice = { .state = 7 };
	int count = 0;

	for (int i = 0; i < 2 * COUNT; i++) {
		int64_t tuple[MOST];
		size_t its = (size_t)dice_roll(&dice, MOST + 1);
		int expected = 0;

		for (size_t k = 0; k < its; k++)
			tuple[k] = dice_roll(&dice, 12) - (INT64_C(1) << 40);
		while (expected < count &&
		       (length[expected] != its ||
			memcmp(seen[expected], tuple, its * sizeof *tuple) != 0))
			expected++;
		ck_assert_int_eq(tmap_tuples_intern(&tuples, tuple, its, &err), expected);
		if (expected < count)
			continue;
		memcpy(seen[count], tuple, its * sizeof *tuple);
		length[count++] = its;
	}
	ck_assert_int_eq(tuples.count, count);
	ck_assert_int_gt(count, 1000);
	tmap_tuples_fini(&tuples);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("tuples");
	TCase *tests = tcase_create("tuples");

	tcase_add_test(tests, tuples_are_numbered_in_order_of_first_appearance);
	tcase_add_test(tests, thousands_of_tuples_are_found_again);
	suite_add_tcase(suite, tests);
	return suite;
}
