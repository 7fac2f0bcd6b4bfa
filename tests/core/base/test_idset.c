/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of numbers. Oracle: a plain array of bools, and literal texts. */
#include "core/base/idset.h"

#include "tests/unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 48 };

static struct tmap_error err;

static struct tmap_idset parse(const char *text)
{
	struct tmap_idset set = { 0 };

	ck_assert_int_eq(tmap_idset_parse(&set, text, INT_MAX, &err), 0);
	return set;
}

/* a text, and how its set is printed */
static const char *const texts[][2] = {
	{ "", "" },
	{ "0", "0" },
	{ "0-3,8,10-12", "0-3,8,10-12" },
	{ "3,2,1,0", "0-3" },
	{ "0-1,2-3", "0-3" },
	{ "5-9,0-20", "0-20" },
	{ "1,3,5,2-4", "1-5" },
	{ "7,7,7", "7" },
	{ "007", "7" },
	{ "2147483647", "2147483647" },
	{ "0-2147483646,2147483647", "0-2147483647" },
	{ "0,2147483646-2147483647", "0,2147483646-2147483647" },
};

START_TEST(texts_are_read_and_printed_sorted_and_joined)
{
	struct tmap_idset set = parse(texts[_i][0]), back;
	char *text = tmap_idset_print(&set, &err);

	ck_assert_str_eq(text, texts[_i][1]);
	back = parse(text);
	ck_assert(tmap_idset_equal(&set, &back));
	free(text);
	tmap_idset_fini(&set);
	tmap_idset_fini(&back);
}
END_TEST

static const struct {
	const char *text;
	int limit;
	const char *sentence;
} wrong[] = {
	{ "x", 9, "'x': a number is missing at 'x'" },
	{ "1,", 9, "'1,': a number is missing at the end" },
	{ ",1", 9, "',1': a number is missing at ',1'" },
	{ "1-", 9, "'1-': a number is missing at the end" },
	{ "-1", 9, "'-1': a number is missing at '-1'" },
	{ "1 ,2", 9, "'1 ,2': ' ' where a comma is expected" },
	{ "1-2-3", 9, "'1-2-3': '-' where a comma is expected" },
	{ "3-1", 9, "'3-1': the range 3-1 runs backwards" },
	{ "0-10", 9, "'0-10': a number is above 9" },
	{ "2147483648", INT_MAX, "'2147483648': a number is above 2147483647" },
	{ "99999999999999999999999999", INT_MAX,
	  "'99999999999999999999999999': a number is above 2147483647" },
};

START_TEST(what_is_no_set_is_refused_with_its_place)
{
	struct tmap_idset set = { 0 };

	ck_assert_int_eq(tmap_idset_parse(&set, wrong[_i].text, wrong[_i].limit, &err), -1);
	ck_assert_str_eq(err.text, wrong[_i].sentence);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(set.count, 0);
}
END_TEST

static void draw(struct tmap_idset *set, bool plain[SIZE])
{
	memset(plain, 0, SIZE * sizeof plain[0]);
	for (int n = rand() % 8; n; n--) {
		int first = rand() % SIZE, last = first + rand() % 6;

		last = last < SIZE ? last : SIZE - 1;
		if (rand() % 2)
			ck_assert_int_eq(tmap_idset_add_range(set, first, last, &err), 0);
		else
			for (int i = last; i >= first; i--)
				ck_assert_int_eq(tmap_idset_add(set, i, &err), 0);
		for (int i = first; i <= last; i++)
			plain[i] = true;
	}
}

static void check_members(const struct tmap_idset *set, const bool plain[SIZE])
{
	int64_t size = 0;

	for (int i = -1, next = 0; i < SIZE; i++) {
		size += i >= 0 && plain[i];
		ck_assert(tmap_idset_contains(set, i) == (i >= 0 && plain[i]));
		for (next = i + 1; next < SIZE && !plain[next];)
			next++;
		ck_assert_int_eq(tmap_idset_next(set, i), next < SIZE ? next : TMAP_NONE);
	}
	ck_assert_int_eq(tmap_idset_size(set), size);
	for (int i = 0; i < set->count; i++) {
		ck_assert_int_le(set->range[i].first, set->range[i].last);
		ck_assert(i == 0 || set->range[i - 1].last + 1 < set->range[i].first);
	}
}

START_TEST(masks_have_a_bit_for_each_member)
{
	static const char *const masks[][2] = { { "", "0x0" },
						{ "0", "0x1" },
						{ "0-3,8", "0x10f" },
						{ "4", "0x10" },
						{ "63-64", "0x18000000000000000" } };

	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		struct tmap_idset set = { 0 };
		char *mask;

		ck_assert_int_eq(tmap_idset_parse(&set, masks[i][0], 100, &err), 0);
		mask = tmap_idset_print_mask(&set, &err);
		ck_assert_str_eq(mask, masks[i][1]);
		free(mask);
		tmap_idset_fini(&set);
	}
}
END_TEST

START_TEST(sets_are_what_an_array_of_bools_says)
{
	bool plain_a[SIZE], plain_b[SIZE], part = true, equal = true;
	struct tmap_idset a = { 0 }, b = { 0 }, copy = { 0 };

	srand((unsigned)_i);
	draw(&a, plain_a);
	draw(&b, plain_b);
	check_members(&a, plain_a);
	for (int i = 0; i < SIZE; i++) {
		part &= !plain_a[i] || plain_b[i];
		equal &= plain_a[i] == plain_b[i];
	}
	ck_assert(tmap_idset_is_subset(&a, &b) == part);
	ck_assert(tmap_idset_equal(&a, &b) == equal);
	ck_assert_int_eq(tmap_idset_copy(&copy, &a, &err), 0);
	ck_assert(tmap_idset_equal(&a, &copy) && tmap_idset_is_subset(&copy, &a));
	ck_assert_int_eq(tmap_idset_add(&copy, SIZE + 1, &err), 0);
	ck_assert(!tmap_idset_contains(&a, SIZE + 1) && !tmap_idset_is_subset(&copy, &a));
	tmap_idset_fini(&a);
	tmap_idset_fini(&b);
	tmap_idset_fini(&copy);
}
END_TEST

START_TEST(the_largest_number_has_no_next)
{
	struct tmap_idset set = parse("5,2147483640-2147483647");

	ck_assert_int_eq(tmap_idset_next(&set, 5), 2147483640);
	ck_assert_int_eq(tmap_idset_next(&set, INT_MAX), TMAP_NONE);
	ck_assert_int_eq(tmap_idset_add(&set, INT_MAX, &err), 0);
	ck_assert_int_eq(tmap_idset_size(&set), 9);
	tmap_idset_fini(&set);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("idset");
	TCase *tcase = tcase_create("idset");

	tcase_add_loop_test(tcase, texts_are_read_and_printed_sorted_and_joined, 0,
			    sizeof texts / sizeof texts[0]);
	tcase_add_loop_test(tcase, what_is_no_set_is_refused_with_its_place, 0,
			    sizeof wrong / sizeof wrong[0]);
	tcase_add_test(tcase, masks_have_a_bit_for_each_member);
	tcase_add_loop_test(tcase, sets_are_what_an_array_of_bools_says, 0, 400);
	tcase_add_test(tcase, the_largest_number_has_no_next);
	suite_add_tcase(suite, tcase);
	return suite;
}
