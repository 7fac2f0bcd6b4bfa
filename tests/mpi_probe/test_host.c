/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: names written down by hand. */
#include "mpi_probe/host.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void expect_distinct(const char *const *given, const char *const *wanted, int count)
{
	char **name = calloc((size_t)count, sizeof *name);

	for (int i = 0; i < count; i++)
		name[i] = strdup(given[i]);
	ck_assert_int_eq(tmap_host_make_distinct(name, count, &err), 0);
	for (int i = 0; i < count; i++) {
		ck_assert_str_eq(name[i], wanted[i]);
		free(name[i]);
	}
	free(name);
}

START_TEST(distinct_names_stay)
{
	static const char *const names[] = { "b", "a", "a.cluster", "A" };

	expect_distinct(names, names, 4);
}
END_TEST

START_TEST(equal_names_are_numbered_in_the_order_of_the_nodes)
{
	static const char *const given[] = { "vm", "x", "vm", "vm", "x" };
	static const char *const wanted[] = { "vm", "x", "vm#2", "vm#3", "x#2" };

	expect_distinct(given, wanted, 5);
}
END_TEST

START_TEST(a_number_that_a_node_has_by_itself_is_passed_over)
{
	static const char *const given[] = { "vm", "vm", "vm#2", "vm#2" };
	static const char *const wanted[] = { "vm", "vm#3", "vm#2", "vm#2#2" };

	expect_distinct(given, wanted, 4);
}
END_TEST

START_TEST(names_become_printable)
{
	char name[][12] = { "node-01.x", "two words", "tab\tnl\n", "", "\xc3\xa4" };
	static const char *const wanted[] = { "node-01.x", "two_words", "tab_nl_", "_", "__" };

	tmap_host_clean(name[_i]);
	ck_assert_str_eq(name[_i], wanted[_i]);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("host");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, distinct_names_stay);
	tcase_add_test(tc, equal_names_are_numbered_in_the_order_of_the_nodes);
	tcase_add_test(tc, a_number_that_a_node_has_by_itself_is_passed_over);
	tcase_add_loop_test(tc, names_become_printable, 0, 5);
	suite_add_tcase(suite, tc);
	return suite;
}
