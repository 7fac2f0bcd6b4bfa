/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: numbers of 128 bits, which hold every sum and product of two of 64. */
#include "core/base/sum.h"
#include "tests/unit.h"

static const int64_t number[] = { 0,
				  1,
				  2,
				  3037000499,
				  3037000500,
				  INT64_C(1) << 60,
				  INT64_MAX / 2,
				  INT64_MAX / 2 + 1,
				  INT64_MAX - 1,
				  INT64_MAX };
enum { NUMBERS = sizeof number / sizeof *number };

__extension__ typedef __int128 wide;

START_TEST(what_does_not_fit_is_the_largest_number)
{
	for (int i = 0; i < NUMBERS; i++)
		for (int j = 0; j < NUMBERS; j++) {
			wide sum = (wide)number[i] + number[j];
			wide product = (wide)number[i] * number[j];
			int64_t found = number[i];

			ck_assert_int_eq(tmap_sum_add(&found, number[j]), sum <= INT64_MAX);
			ck_assert_int_eq(found, sum <= INT64_MAX ? (int64_t)sum : INT64_MAX);
			ck_assert_int_eq(tmap_sum_product(number[i], number[j]),
					 product <= INT64_MAX ? (int64_t)product : INT64_MAX);
		}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sum");
	TCase *tests = tcase_create("sum");

	tcase_add_test(tests, what_does_not_fit_is_the_largest_number);
	suite_add_tcase(suite, tests);
	return suite;
}
