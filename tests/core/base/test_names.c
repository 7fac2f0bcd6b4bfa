/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: linear search among all names seen so far. */
#include "core/base/names.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct tmap_error err;

START_TEST(names_are_numbered_in_order_of_first_appearance)
{
	struct tmap_names names = { 0 };

	ck_assert_int_eq(tmap_names_intern(&names, "b", 1, &err), 0);
	ck_assert_int_eq(tmap_names_intern(&names, "a", 1, &err), 1);
	ck_assert_int_eq(tmap_names_intern(&names, "b", 1, &err), 0);
	ck_assert_int_eq(tmap_names_intern(&names, "cab", 1, &err), 2);
	ck_assert_int_eq(names.count, 3);
	ck_assert_str_eq(names.name[2], "c");
	tmap_names_fini(&names);
}
END_TEST

START_TEST(a_prefix_is_another_name)
{
	struct tmap_names names = { 0 };

	ck_assert_int_eq(tmap_names_find(&names, "n1", 2), TMAP_NONE);
	ck_assert_int_eq(tmap_names_intern(&names, "n12", 3, &err), 0);
	ck_assert_int_eq(tmap_names_find(&names, "n1", 2), TMAP_NONE);
	ck_assert_int_eq(tmap_names_find(&names, "n123", 4), TMAP_NONE);
	ck_assert_int_eq(tmap_names_find(&names, "n12", 3), 0);
	ck_assert_int_eq(tmap_names_find(&names, "", 0), TMAP_NONE);
	ck_assert_int_eq(tmap_names_intern(&names, "", 0, &err), 1);
	ck_assert_int_eq(tmap_names_find(&names, "", 0), 1);
	tmap_names_fini(&names);
}
END_TEST

START_TEST(thousands_of_names_are_found_again)
{
	struct tmap_names names = { 0 };
	char text[16];

	for (int i = 0; i < 20000; i++) {
		int number = i * 7919 % 5000, length = snprintf(text, sizeof text, "n%d", number);
		int expected = names.count;

		if (i >= 5000)
			for (expected = 0; strcmp(names.name[expected], text) != 0;)
				expected++;
		ck_assert_int_eq(tmap_names_intern(&names, text, (size_t)length, &err), expected);
		i += i >= 5000 ? 97 : 0;
	}
	ck_assert_int_eq(names.count, 5000);
	tmap_names_fini(&names);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("names");
	TCase *tc = tcase_create("names");

	tcase_add_test(tc, names_are_numbered_in_order_of_first_appearance);
	tcase_add_test(tc, a_prefix_is_another_name);
	tcase_add_test(tc, thousands_of_names_are_found_again);
	suite_add_tcase(suite, tc);
	return suite;
}
