/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: lists written down by hand.
 */
#include "formats/base/brief.h"

#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

#define LIST(...) \
	((const int[]){ __VA_ARGS__ }), (int)(sizeof(const int[]){ __VA_ARGS__ } / sizeof(int))

static void ranks_are(const int *rank, int count, int width, const char *expected)
{
	struct tmap_str str = TMAP_STR_INIT;
	char *text;

	tmap_brief_add_ranks(&str, rank, count, width);
	text = tmap_str_take(&str, &err);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(ranks_in_a_row_are_a_range)
{
	ranks_are(LIST(5), 40, "5");
	ranks_are(LIST(5, 6), 40, "5, 6");
	ranks_are(LIST(5, 6, 7), 40, "5-7");
	ranks_are(LIST(1, 2, 3, 9, 20, 21, 22, 23), 40, "1-3, 9, 20-23");
	ranks_are(LIST(3, 2, 1), 40, "3, 2, 1");
}
END_TEST

START_TEST(equal_steps_are_two_and_the_last)
{
	ranks_are(LIST(4, 8, 12, 16), 40, "4, 8, 12, 16");
	ranks_are(LIST(4, 8, 12, 16, 20), 40, "4, 8 .. 20");
	ranks_are(LIST(9, 7, 5, 3, 1), 40, "9, 7 .. 1");
	ranks_are(LIST(1, 3, 5, 7, 9, 8, 6, 4, 2, 0), 40, "1, 3 .. 9, 8, 6 .. 0");
}
END_TEST

START_TEST(a_long_list_is_cut_at_the_width)
{
	ranks_are(LIST(10, 11, 17, 20, 22, 29), 12, "10, 11, 17, ...");
	ranks_are(LIST(1000000, 5, 1), 3, "1000000, ...");
}
END_TEST

static void nodes_are(bool set, const int *rank, int count, const char *expected)
{
	struct tmap_placement p;
	struct tmap_str str = TMAP_STR_INIT;
	char *text;

	/* two ranks a node: ranks 2k and 2k + 1 are on node k */
	placement_block_take(
		&p,
		machine_regular(40,
				(const struct test_level[]){ { TMAP_CORE, 2 }, { TMAP_NODE, 0 } }));
	if (set)
		tmap_brief_add_node_set(&str, &p, rank, count, 40);
	else
		tmap_brief_add_nodes(&str, &p, rank, count, 40);
	text = tmap_str_take(&str, &err);
	ck_assert_str_eq(text, expected);
	free(text);
	tmap_placement_fini(&p);
}

START_TEST(nodes_keep_their_order_or_are_a_set)
{
	nodes_are(false, LIST(20, 21, 4, 5, 22), "n10, n2, n11");
	nodes_are(true, LIST(20, 21, 4, 5, 22, 24, 2), "n1, n2, n[10-12]");
	nodes_are(true, LIST(4, 6, 8, 9, 10), "n[2-5]");
	nodes_are(false, LIST(2, 6, 10, 14, 18), "n1, n3 .. n9");
}
END_TEST

static void names_are(char *const *name, const char *expected)
{
	struct tmap_placement p;
	struct tmap_str str = TMAP_STR_INIT;
	const int rank[] = { 0, 1, 2, 3 };
	struct tmap_machine *machine = machine_regular(
		4, (const struct test_level[]){ { TMAP_CORE, 1 }, { TMAP_NODE, 0 } });
	char *text;

	ck_assert_int_eq(tmap_machine_rename(machine, name, 4, &err), 0);
	placement_block_take(&p, machine);
	tmap_brief_add_nodes(&str, &p, rank, 4, 200);
	text = tmap_str_take(&str, &err);
	ck_assert_str_eq(text, expected);
	free(text);
	tmap_placement_fini(&p);
}

START_TEST(only_names_of_one_form_are_a_range)
{
	char n08[] = "n08", n09[] = "n09", n10[] = "n10", n11[] = "n11", n9[] = "n9";
	char login[] = "login", r1n1[] = "r1n1", r2n1[] = "r2n1", huge[] = "n123456789012";

	names_are((char *const[]){ n08, n09, n10, n11 }, "n[08-11]");
	names_are((char *const[]){ n9, n10, n11, login }, "n[9-11], login");
	names_are((char *const[]){ n08, n9, n10, n11 }, "n08, n[9-11]");
	names_are((char *const[]){ r1n1, r2n1, login, huge }, "r1n1, r2n1, login, n123456789012");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("brief");
	TCase *c = tcase_create("brief");

	tcase_add_test(c, ranks_in_a_row_are_a_range);
	tcase_add_test(c, equal_steps_are_two_and_the_last);
	tcase_add_test(c, a_long_list_is_cut_at_the_width);
	tcase_add_test(c, nodes_keep_their_order_or_are_a_set);
	tcase_add_test(c, only_names_of_one_form_are_a_range);
	suite_add_tcase(suite, c);
	return suite;
}
