/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: lists written by hand.
 */
#include "core/base/series.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

#define CASE(text, ...) \
	{ \
		text, (int)(sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)), \
		{ \
			__VA_ARGS__ \
		} \
	}

START_TEST(lists_and_ranges_are_read)
{
	static const struct {
		const char *text;
		int count;
		int64_t item[12];
	} cases[] = {
		CASE("8", 8),
		CASE("8,1KiB,64", 8, 64, 1024),
		CASE("1..16", 1, 2, 4, 8, 16),
		CASE("1..17", 1, 2, 4, 8, 16, 17),
		CASE("1..1KiB*4", 1, 4, 16, 64, 256, 1024),
		CASE("3..3", 3),
		CASE("5..80*4,20,0", 0, 5, 20, 80),
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t *item;
		int count;

		ck_assert_msg(tmap_series_parse(cases[i].text, 0, 1 << 20, &item, &count, &err) ==
				      0,
			      "%s: %s", cases[i].text, err.text);
		ck_assert_int_eq(count, cases[i].count);
		ck_assert_mem_eq(item, cases[i].item, (size_t)count * sizeof *item);
		free(item);
	}
}
END_TEST

START_TEST(a_range_may_end_with_the_largest_number)
{
	int64_t *item;
	int count;

	ck_assert_int_eq(
		tmap_series_parse("1..9223372036854775807", 1, INT64_MAX, &item, &count, &err), 0);
	ck_assert_int_eq(count, 64);
	ck_assert_int_eq(item[62], INT64_C(1) << 62);
	ck_assert_int_eq(item[63], INT64_MAX);
	free(item);
}
END_TEST

START_TEST(other_words_are_refused)
{
	static const char *const cases[] = {
		"",      ",",   "8,",     "8,,9", "1..",    "..8",     "8..1", "0..8",    "1..8*1",
		"1..8*", "8*2", "1*2..8", "x",    "1..8*x", "2097152", "-1",   "1..8..9",
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t *item = NULL;
		int count = 7;

		ck_assert_msg(tmap_series_parse(cases[i], 0, 1 << 20, &item, &count, &err) == -1,
			      "%s", cases[i]);
		ck_assert_int_eq(err.kind, TMAP_USAGE);
		ck_assert_ptr_null(item);
		ck_assert_int_eq(count, 7);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("series");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, lists_and_ranges_are_read);
	tcase_add_test(tc, a_range_may_end_with_the_largest_number);
	tcase_add_test(tc, other_words_are_refused);
	suite_add_tcase(suite, tc);
	return suite;
}
