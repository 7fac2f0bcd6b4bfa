/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: a full matrix to which every entry is added as it comes. */
#include "core/pattern/pattern.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static void build(struct tmap_pattern *pattern, double *matrix, int size, int entries,
		  struct dice *dice)
{
	struct tmap_pattern_builder b;

	hold(tmap_pattern_builder_init(&b, size, &err) == 0);
	for (int i = 0; i < entries; i++) {
		int from = dice_roll(dice, size), to = dice_roll(dice, size);
		int bytes = dice_roll(dice, 1000);

		hold(tmap_pattern_add(&b, from, to, bytes, &err) == 0);
		if (from != to)
			matrix[from * size + to] += bytes;
	}
	b.everyone = 7;
	hold(tmap_pattern_finish(pattern, &b, &err) == 0);
	hold(!b.entry);
	tmap_pattern_builder_fini(&b);
}

START_TEST(entries_add_up_to_the_matrix_that_they_were_taken_from)
{
	struct dice dice = { 1 };

	for (int round = 0; round < 300; round++) {
		int size = 1 + dice_roll(&dice, 20);
		double *matrix = calloc((size_t)(size * size), sizeof *matrix), sum = 0;
		struct tmap_pattern pattern;

		build(&pattern, matrix, size, dice_roll(&dice, 120), &dice);
		hold(pattern.size == size && pattern.start[0] == 0 && pattern.everyone == 7);
		for (int r = 0; r < size; r++)
			for (int64_t i = pattern.start[r]; i < pattern.start[r + 1]; i++) {
				int peer = pattern.peer[i];

				hold(i == pattern.start[r] || pattern.peer[i - 1] < peer);
				hold(pattern.sent[i] == matrix[r * size + peer]);
				sum += pattern.sent[i];
				matrix[r * size + peer] = 0;
			}
		for (int i = 0; i < size * size; i++)
			hold(matrix[i] == 0);
		hold(tmap_pattern_bytes(&pattern) == sum);
		free(matrix);
		tmap_pattern_fini(&pattern);
	}
}
END_TEST

static bool lists(const struct tmap_pattern *pattern, int rank, int peer)
{
	for (int64_t i = pattern->start[rank]; i < pattern->start[rank + 1]; i++)
		if (pattern->peer[i] == peer)
			return true;
	return false;
}

START_TEST(who_lists_a_peer_is_listed_by_it)
{
	struct dice dice = { 2 };

	for (int round = 0; round < 100; round++) {
		int size = 1 + dice_roll(&dice, 20);
		double *matrix = calloc((size_t)(size * size), sizeof *matrix);
		struct tmap_pattern pattern;

		build(&pattern, matrix, size, dice_roll(&dice, 60), &dice);
		for (int r = 0; r < size; r++)
			for (int64_t i = pattern.start[r]; i < pattern.start[r + 1]; i++) {
				hold(pattern.peer[i] != r);
				hold(lists(&pattern, pattern.peer[i], r));
			}
		free(matrix);
		tmap_pattern_fini(&pattern);
	}
}
END_TEST

START_TEST(the_pattern_of_the_header)
{
	static const int64_t start[] = { 0, 2, 3, 4 };
	static const int peer[] = { 1, 2, 0, 0 };
	static const double sent[] = { 800, 10, 790, 0 };
	struct tmap_pattern_builder b;
	struct tmap_pattern pattern;

	ck_assert_int_eq(tmap_pattern_builder_init(&b, 3, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 1, 0, 790, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 2, 10, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, 500, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 2, 2, 99, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, 300, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), 0);
	ck_assert_mem_eq(pattern.start, start, sizeof start);
	ck_assert_mem_eq(pattern.peer, peer, sizeof peer);
	ck_assert_mem_eq(pattern.sent, sent, sizeof sent);
	tmap_pattern_fini(&pattern);
}
END_TEST

START_TEST(what_is_no_traffic_is_refused)
{
	struct tmap_pattern_builder b = { 0 };
	struct tmap_pattern pattern = { 0 };

	ck_assert_int_eq(tmap_pattern_builder_init(&b, 0, &err), -1);
	ck_assert_int_eq(tmap_pattern_builder_init(&b, 4, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 4, 0, 1, &err), -1);
	ck_assert_str_eq(err.text, "rank 4 is not one of the 4 ranks");
	ck_assert_int_eq(tmap_pattern_add(&b, 0, -1, 1, &err), -1);
	ck_assert_str_eq(err.text, "rank -1 is not one of the 4 ranks");
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, -5, &err), -1);
	ck_assert_str_eq(err.text,
			 "-5 bytes from rank 0 to rank 1: they must be finite, and not "
			 "negative");
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, (double)NAN, &err), -1);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, (double)INFINITY, &err), -1);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 1, DBL_MAX, &err), 0);
	ck_assert_int_eq(tmap_pattern_add(&b, 0, 2, DBL_MAX, &err), 0);
	ck_assert_int_eq(tmap_pattern_finish(&pattern, &b, &err), -1);
	ck_assert_ptr_null(pattern.start);
	tmap_pattern_builder_fini(&b);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("pattern");
	TCase *tests = tcase_create("pattern");

	tcase_add_test(tests, entries_add_up_to_the_matrix_that_they_were_taken_from);
	tcase_add_test(tests, who_lists_a_peer_is_listed_by_it);
	tcase_add_test(tests, the_pattern_of_the_header);
	tcase_add_test(tests, what_is_no_traffic_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
