/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: the numbers, 8 bytes each. */
#include "core/cost/clock_sizes.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

enum { MOST = 300 };

static struct tmap_error err;

/* Numbers that are apart by less than two to so many bits. */
static void fill(int64_t *bytes, int count, int bits, struct dice *dice)
{
	int64_t first = dice_roll(dice, 2) ? INT64_MAX / 2 : 1000;

	for (int i = 0; i < count; i++) {
		int64_t apart =
			bits ? (int64_t)dice_roll(dice, 1 << 15) << (bits > 15 ? bits - 15 : 0) : 0;

		bytes[i] = first + (bits < 15 ? apart % (1 << bits) : apart);
		if (first > 1000 && dice_roll(dice, 2))
			bytes[i] = first - (bytes[i] - first);
	}
}

START_TEST(sizes_are_those_that_were_added_however_far_apart)
{
	static const int bits[] = { 0, 3, 15, 16, 31, 32, 40, 61 };
	struct tmap_message_sizes sizes = { 0 };
	struct dice dice = { .state = 3 };

	for (int trial = 0; trial < 2000; trial++) {
		int64_t bytes[MOST];
		int had = 0, lists = 1 + dice_roll(&dice, 5);

		for (int l = 0; l < lists; l++) {
			int count = 1 + dice_roll(&dice, MOST / 5);

			fill(bytes + had, count, bits[dice_roll(&dice, 1 + trial % 8)], &dice);
			ck_assert_int_eq(tmap_message_sizes_add(&sizes, (size_t)had, bytes + had,
								count, &err),
					 0);
			had += count;
		}
		for (int i = 0; i < had; i++)
			ck_assert_int_eq(tmap_message_sizes_at(&sizes, (size_t)i), bytes[i]);
	}
	tmap_message_sizes_fini(&sizes);
}
END_TEST

START_TEST(sizes_that_are_alike_take_no_memory_and_those_that_are_near_two_bytes)
{
	static const int64_t alike[] = { 7, 7, 7 }, near[] = { 7, 32774 }, far[] = { 32775 },
			     widest[] = { 0, INT64_MAX };
	struct tmap_message_sizes sizes = { 0 };

	ck_assert_int_eq(tmap_message_sizes_add(&sizes, 0, alike, 3, &err), 0);
	ck_assert_int_eq(sizes.width, 0);
	ck_assert_ptr_null(sizes.apart);
	ck_assert_int_eq(tmap_message_sizes_add(&sizes, 3, near, 2, &err), 0);
	ck_assert_int_eq(sizes.width, 2);
	ck_assert_int_eq(tmap_message_sizes_add(&sizes, 5, far, 1, &err), 0);
	ck_assert_int_eq(sizes.width, 4);
	ck_assert_int_eq(tmap_message_sizes_at(&sizes, 4), 32774);
	ck_assert_int_eq(tmap_message_sizes_add(&sizes, 0, widest, 2, &err), 0);
	ck_assert_int_eq(sizes.width, 8);
	ck_assert_int_eq(tmap_message_sizes_at(&sizes, 1), INT64_MAX);
	tmap_message_sizes_fini(&sizes);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("clock_sizes");
	TCase *tests = tcase_create("clock_sizes");

	tcase_add_test(tests, sizes_are_those_that_were_added_however_far_apart);
	tcase_add_test(tests,
		       sizes_that_are_alike_take_no_memory_and_those_that_are_near_two_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
