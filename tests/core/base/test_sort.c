/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: qsort().
 */
#include "core/base/sort.h"

#include "core/base/random.h"
#include "tests/unit.h"

#include <stdlib.h>

static struct tmap_error err;

static int number_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

START_TEST(numbers_are_sorted_whatever_their_size)
{
	enum { MOST = 3000 };
	static int64_t number[MOST], wanted[MOST];
	struct tmap_random random = { 5 };

	for (int bits = 0; bits <= 63; bits++)
		for (size_t count = 0; count <= MOST; count = 2 * count + 1) {
			for (size_t i = 0; i < count; i++)
				wanted[i] = number[i] = bits ?
					(int64_t)(tmap_random_next(&random) >> (64 - bits)) :
					0;
			qsort(wanted, count, sizeof *wanted, number_compare);
			ck_assert_int_eq(tmap_sort_numbers(number, count, &err), 0);
			for (size_t i = 0; i < count; i++)
				hold(number[i] == wanted[i]);
		}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("sort");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, numbers_are_sorted_whatever_their_size);
	suite_add_tcase(suite, tc);
	return suite;
}
