/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the units of each message, one by one, sorted.
 */
#include "mpi_run/executor/rows.h"

#include "core/base/random.h"
#include "core/base/sort.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS = 1 << 14, MOST_RUNS = 64, MESSAGES = 3 };

static struct tmap_error err;

/* All units of a message, ascending; their number. */
static size_t units_list(const struct tmap_message *message, int64_t unit[MOST_UNITS])
{
	size_t count = 0;

	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++) {
			hold(count < MOST_UNITS);
			unit[count++] = message->run[i].first + k * message->run[i].stride;
		}
	ck_assert_int_eq(tmap_sort_numbers(unit, count, &err), 0);
	return count;
}

/* Columns side by side, others, and what is no column. */
static int runs_draw(struct tmap_random *random, struct tmap_run *run)
{
	int count = 0, groups = (int)tmap_random_below(random, 4);

	for (int g = 0; g < groups; g++) {
		int64_t stride = 1 + (int64_t)tmap_random_below(random, 9);
		int64_t rows = 1 + (int64_t)tmap_random_below(random, 12);
		int columns = 1 + (int)tmap_random_below(random, (uint64_t)stride);

		for (int c = 0; c < columns; c++)
			run[count++] = (struct tmap_run){ 1000 * g + c, rows, stride };
	}
	return count;
}

START_TEST(rows_have_the_units_of_the_columns)
{
	static int64_t before[MESSAGES][MOST_UNITS], after[MOST_UNITS];
	struct tmap_random random = { 9 };
	size_t count[MESSAGES];

	for (int trial = 0; trial < 500; trial++) {
		struct tmap_collection messages = { .count = MESSAGES, .capacity = MESSAGES };

		messages.message = calloc(MESSAGES, sizeof *messages.message);
		messages.run = calloc(MESSAGES * MOST_RUNS, sizeof *messages.run);
		for (size_t m = 0; m < MESSAGES; m++) {
			struct tmap_run *run = messages.run + messages.run_count;

			messages.message[m].run_count = runs_draw(&random, run);
			messages.message[m].run = run;
			messages.run_count += (size_t)messages.message[m].run_count;
			count[m] = units_list(&messages.message[m], before[m]);
		}
		ck_assert_int_eq(tmap_rows_turn(&messages, &err), 0);
		for (size_t m = 0; m < MESSAGES; m++) {
			ck_assert_uint_eq(units_list(&messages.message[m], after), count[m]);
			ck_assert_mem_eq(after, before[m], count[m] * sizeof *after);
		}
		tmap_collection_fini(&messages);
	}
}
END_TEST

START_TEST(columns_that_fill_their_stride_are_one_run)
{
	static const struct tmap_run columns[] = { { 5, 4, 3 }, { 6, 4, 3 }, { 7, 4, 3 } };
	static const struct tmap_run two[] = { { 5, 4, 3 }, { 6, 4, 3 } };
	struct tmap_collection messages = { .count = 2, .capacity = 2, .run_count = 5 };

	messages.message = calloc(2, sizeof *messages.message);
	messages.run = calloc(5, sizeof *messages.run);
	memcpy(messages.run, columns, sizeof columns);
	memcpy(messages.run + 3, two, sizeof two);
	messages.message[0] = (struct tmap_message){ .run = messages.run, .run_count = 3 };
	messages.message[1] = (struct tmap_message){ .run = messages.run + 3, .run_count = 2 };
	ck_assert_int_eq(tmap_rows_turn(&messages, &err), 0);
	ck_assert_int_eq(messages.message[0].run_count, 1);
	ck_assert_int_eq(messages.message[0].run[0].first, 5);
	ck_assert_int_eq(messages.message[0].run[0].count, 12);
	ck_assert_int_eq(messages.message[1].run_count, 4);
	ck_assert_int_eq(messages.message[1].run[3].first, 14);
	ck_assert_int_eq(messages.message[1].run[3].count, 2);
	tmap_collection_fini(&messages);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("rows");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, rows_have_the_units_of_the_columns);
	tcase_add_test(tc, columns_that_fill_their_stride_are_one_run);
	suite_add_tcase(suite, tc);
	return suite;
}
