/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the sets of two nodes, one after the other. */
#include "core/cost/node_codes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

enum { NODES = 60, TIERS = 3, JOINS = 3 };

static struct tmap_error err;

/* How many of two nodes' sets differ, of nested ones. */
static int count_apart(const int *set, int count, int a, int b)
{
	int apart = 0;

	for (int i = 0; i < count; i++)
		apart += set[a * count + i] != set[b * count + i];
	return apart;
}

static void compare(const int *tier, int tiers, const int *join, int joins)
{
	struct tmap_node_codes codes;

	ck_assert_int_eq(tmap_node_codes_init(&codes, NODES, tier, tiers, join, joins, &err), 0);
	ck_assert_ptr_nonnull(codes.code);
	for (int a = 0; a < NODES; a++)
		for (int b = 0; b < NODES; b++) {
			int differ = tmap_codes_differ(codes.code[a], codes.code[b]);

			ck_assert_int_eq(codes.tiers[differ], count_apart(tier, tiers, a, b));
			ck_assert_int_eq(codes.joins[differ], count_apart(join, joins, a, b));
		}
	tmap_node_codes_fini(&codes);
}

/* Nested partitions, the inner ones first; their numbers are any. */
static void sets_fill(int *set, int count, const int *leaf, int first, int step)
{
	for (int n = 0; n < NODES; n++)
		for (int i = 0, size = first; i < count; i++, size *= step)
			set[n * count + i] = leaf[n] / size * 7 - 30;
}

START_TEST(the_highest_bit_says_which_sets_differ)
{
	struct dice dice = { .state = 1 };

	for (int turn = 0; turn < 100; turn++) {
		int leaf[NODES], tier[NODES * TIERS], join[NODES * JOINS];
		int tiers = dice_roll(&dice, TIERS + 1), joins = dice_roll(&dice, JOINS + 1);
		int step = 1 + dice_roll(&dice, 4);

		for (int n = 0; n < NODES; n++)
			leaf[n] = turn % 2 ? dice_roll(&dice, NODES) : n;
		sets_fill(tier, tiers, leaf, 1 + dice_roll(&dice, 3), step);
		sets_fill(join, joins, leaf, step, step);
		if (turn % 3 ==
		    0) /* nested in one way only if one kind's sets are in the other's */
			joins = 0;
		else if (tiers)
			for (int n = 0; n < NODES; n++)
				for (int i = 0; i < joins; i++)
					join[n * joins + i] =
						tier[n * tiers + (i < tiers ? i : tiers - 1)];
		compare(tier, tiers, join, joins);
	}
}
END_TEST

START_TEST(sets_that_are_not_nested_have_no_codes)
{
	int tier[NODES], join[NODES];
	struct tmap_node_codes codes;

	for (int n = 0; n < NODES; n++) {
		tier[n] = n / 6;
		join[n] = n / 4;
	}
	ck_assert_int_eq(tmap_node_codes_init(&codes, NODES, tier, 1, join, 1, &err), 0);
	ck_assert_ptr_null(codes.code);
	tmap_node_codes_fini(&codes);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("node_codes");
	TCase *tests = tcase_create("node_codes");

	tcase_add_test(tests, the_highest_bit_says_which_sets_differ);
	tcase_add_test(tests, sets_that_are_not_nested_have_no_codes);
	suite_add_tcase(suite, tests);
	return suite;
}
