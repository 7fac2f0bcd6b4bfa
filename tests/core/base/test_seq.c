/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: sequences written out by hand beside their text, and, for what the writer makes,
 * the sequence itself: whatever it folds must read back the same. */
#include "core/base/sequence.h"
#include "core/base/wraps.h"
#include "tests/unit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

/* text, its numbers; canonical: what the writer makes of them. */
static const struct {
	const char *text;
	int count;
	int value[16];
	const char *canonical;
} rows[] = {
	{ "", 0, { 0 }, "" },
	{ "0", 1, { 0 }, "0" },
	{ "2147483647", 1, { 2147483647 }, "2147483647" },
	{ "0-3", 4, { 0, 1, 2, 3 }, "0-3" },
	{ "3-0", 4, { 3, 2, 1, 0 }, "3-0" },
	{ "3-3", 1, { 3 }, "3" },
	{ "0-7/3", 3, { 0, 3, 6 }, "0-6/3" },
	{ "6-0/2", 4, { 6, 4, 2, 0 }, "6-0/2" },
	{ "3,9", 2, { 3, 9 }, "3,9" },
	{ "3-9/6", 2, { 3, 9 }, "3,9" },
	{ "0*3", 3, { 0, 0, 0 }, "0*3" },
	{ "0x3", 3, { 0, 0, 0 }, "0*3" },
	{ "0-1*3", 6, { 0, 0, 0, 1, 1, 1 }, "0-1*3" },
	{ "0-1x3", 6, { 0, 1, 0, 1, 0, 1 }, "0-1x3" },
	{ "0-1*2x2", 8, { 0, 0, 1, 1, 0, 0, 1, 1 }, "0-1*2x2" },
	{ "(0,2)x3", 6, { 0, 2, 0, 2, 0, 2 }, "(0,2)x3" },
	{ "(0,2)", 2, { 0, 2 }, "0,2" },
	{ "((0,2)x2,5)x2", 10, { 0, 2, 0, 2, 5, 0, 2, 0, 2, 5 }, "((0,2)x2,5)x2" },
	{ "0-3x2,4-7x2", 16, { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7 }, "0-3x2,4-7x2" },
	{ "(0-4/4,1-5/4)x2", 8, { 0, 4, 1, 5, 0, 4, 1, 5 }, "(0,4,1,5)x2" },
	{ "7,0-2,7,0-2,0-2", 11, { 7, 0, 1, 2, 7, 0, 1, 2, 0, 1, 2 }, "7,0-2,7,0-2x2" },
	{ "9,(0,2)x2,8", 6, { 9, 0, 2, 0, 2, 8 }, "9,(0,2)x2,8" },
};

START_TEST(a_text_says_its_numbers)
{
	int *value = tmap_seq_parse(rows[_i].text, rows[_i].count, 0, &err);

	ck_assert_int_eq(tmap_seq_count(rows[_i].text, &err), rows[_i].count);
	ck_assert_ptr_nonnull(value);
	for (int k = 0; k < rows[_i].count; k++)
		ck_assert_int_eq(value[k], rows[_i].value[k]);
	free(value);
}
END_TEST

START_TEST(numbers_are_folded)
{
	char *text = tmap_seq_print(rows[_i].value, rows[_i].count, &err);

	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, rows[_i].canonical);
	free(text);
}
END_TEST

static const struct {
	const char *text, *message;
} malformed[] = {
	{ ",", "character 1 of the list, ',': a number is expected" },
	{ "1,", "the list ends at character 3: a number is expected" },
	{ "1,,2", "character 3 of the list, ',': a number is expected" },
	{ " 1", "character 1 of the list, ' ': a number is expected" },
	{ "1 ", "character 2 of the list, ' ': ',' or the end of the list is expected" },
	{ "-1", "character 1 of the list, '-': a number is expected" },
	{ "0-", "the list ends at character 3: a number is expected" },
	{ "0--1", "character 3 of the list, '-': a number is expected" },
	{ "0-3y", "character 4 of the list, 'y': ',' or the end of the list is expected" },
	{ "0-3/0", "character 5 of the list, '0': the number must be at least 1" },
	{ "0*0", "character 3 of the list, '0': the number must be at least 1" },
	{ "0x0", "character 3 of the list, '0': the number must be at least 1" },
	{ "0x2*2", "character 4 of the list, '*': ',' or the end of the list is expected" },
	{ "0/2", "character 2 of the list, '/': ',' or the end of the list is expected" },
	{ "(0", "the list ends at character 3: ',' or ')' is expected" },
	{ "(0))", "character 4 of the list, ')': ',' or the end of the list is expected" },
	{ "()", "character 2 of the list, ')': a number is expected" },
	{ "1\n2", "character 2 of the list: ',' or the end of the list is expected" },
	{ "2147483648", "character 1 of the list, '2': the number is above 2147483647" },
	{ "99999999999999999999999",
	  "character 1 of the list, '9': the number is above "
	  "2147483647" },
	{ "0-2147483647", "character 12 of the list: it says more than 2147483647 numbers" },
	{ "0*2147483647,0", "character 14 of the list: it says more than 2147483647 numbers" },
	{ "0-65535*65536", "character 13 of the list: it says more than 2147483647 numbers" },
	{ "((0x65536)x65536)x65536",
	  "character 16 of the list: it says more than 2147483647 numbers" },
};

START_TEST(a_malformed_list_is_refused_with_its_place)
{
	ck_assert_int_eq(tmap_seq_count(malformed[_i].text, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, malformed[_i].message);
	ck_assert_ptr_null(tmap_seq_parse(malformed[_i].text, 1, 0, &err));
	ck_assert_str_eq(err.text, malformed[_i].message);
}
END_TEST

START_TEST(another_length_is_refused_before_memory_is_asked_for)
{
	ck_assert_ptr_null(tmap_seq_parse("(0-99x1000)x20000", 12, 0, &err));
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "the list has 2000000000 numbers where there must be 12");
}
END_TEST

START_TEST(a_number_at_the_limit_is_refused)
{
	int *value = tmap_seq_parse("0-3,2", 5, 4, &err);

	ck_assert_ptr_nonnull(value);
	free(value);
	ck_assert_ptr_null(tmap_seq_parse("0-3,2", 5, 3, &err));
	ck_assert_str_eq(err.text, "character 3 of the list: 3 is not in 0-2");
	ck_assert_ptr_null(tmap_seq_parse("0-1,(7)", 3, 3, &err));
	ck_assert_str_eq(err.text, "character 6 of the list: 7 is not in 0-2");
}
END_TEST

START_TEST(brackets_are_not_nested_without_end)
{
	char text[2 * (TMAP_SEQ_DEPTH + 1) + 2];
	int depth = TMAP_SEQ_DEPTH;

	memset(text, '(', (size_t)depth);
	text[depth] = '5';
	memset(text + depth + 1, ')', (size_t)depth);
	text[2 * depth + 1] = '\0';
	ck_assert_int_eq(tmap_seq_count(text, &err), 1);
	memset(text, '(', (size_t)depth + 1);
	ck_assert_int_eq(tmap_seq_count(text, &err), -1);
	ck_assert_str_eq(err.text, "character 65 of the list, '(': brackets are nested too deep");
}
END_TEST

static char *check_round_trip(const int *value, int count)
{
	char *text = tmap_seq_print(value, count, &err);
	int *back;

	ck_assert_ptr_nonnull(text);
	back = tmap_seq_parse(text, count, 0, &err);
	ck_assert_msg(back != NULL, "%s: %s", text, err.text);
	ck_assert_mem_eq(back, value, (size_t)count * sizeof *value);
	free(back);
	return text;
}

static uint64_t state;

TMAP_WRAPS static int below(int limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int)((state >> 33) % (uint64_t)limit);
}

/* Pieces: random numbers, ranges, runs, and copies of what stands before. */
static int random_sequence(int *value, int room)
{
	int count = 0, values = 1 + below(12);

	while (count < room - 64 && below(40)) {
		int first = below(values), length = 1 + below(12), stride = 1 + below(4);
		int kind = below(4), back = count ? 1 + below(count < 32 ? count : 32) : 0;

		for (int i = 0; i < length; i++, count++)
			value[count] = kind == 0   ? below(values) :
				kind == 1          ? first + i * stride :
				kind == 2 || !back ? first :
						     value[count - back];
	}
	return count;
}

START_TEST(random_sequences_read_back_the_same)
{
	int value[2048];

	state = 20;
	for (int i = 0; i < 4000; i++)
		free(check_round_trip(value, random_sequence(value, 2048)));
}
END_TEST

START_TEST(every_short_sequence_of_few_numbers_reads_back_the_same)
{
	int value[9];

	for (int code = 0; code < 19683; code++) { /* 3^9 */
		for (int i = 0, rest = code; i < 9; i++, rest /= 3)
			value[i] = rest % 3;
		for (int count = 0; count <= 9; count += 3)
			free(check_round_trip(value, count));
	}
}
END_TEST

/* A job of 500 nodes with 12 cores each, in the orders that launchers know. */
static int block_node(int r)
{
	return r / 12;
}
static int block_place(int r)
{
	return r % 12;
}
static int cyclic_node(int r)
{
	return r % 500;
}
static int cyclic_place(int r)
{
	return r / 500;
}
static int plane_node(int r)
{
	return r / 4 % 500;
}
static int plane_place(int r)
{
	return r % 4 + r / 2000 * 4;
}
static int numa_place(int r)
{
	return r % 12 % 3 * 4 + r % 12 / 3;
}
static int every_other_place(int r)
{
	return r % 6 * 2;
}
static int two_places(int r)
{
	return r % 2 * 2;
}
static int odd_last_node(int r)
{
	return r < 5994 ? r % 12 : 40;
}

static const struct {
	int (*value)(int r);
	const char *text;
} orders[] = {
	{ block_node, "0-499*12" },
	{ block_place, "0-11x500" },
	{ cyclic_node, "0-499x12" },
	{ cyclic_place, "0-11*500" },
	{ plane_node, "0-499*4x3" },
	{ plane_place, "0-3x500,4-7x500,8-11x500" },
	{ numa_place, "(0-8/4,1-9/4,2-10/4,3-11/4)x500" },
	{ every_other_place, "0-10/2x1000" },
	{ two_places, "(0,2)x3000" },
	{ odd_last_node, "0-11x499,0-5,40*6" },
};

START_TEST(the_orders_of_launchers_are_short)
{
	int value[6000];
	char *text;

	for (int r = 0; r < 6000; r++)
		value[r] = orders[_i].value(r);
	text = check_round_trip(value, 6000);
	ck_assert_str_eq(text, orders[_i].text);
	free(text);
}
END_TEST

/* Words without order, or with a deceptive one, that cost a naive search quadratic time. */
START_TEST(long_sequences_without_order_take_linear_time)
{
	enum { COUNT = 1 << 20 };
	int *value = malloc(COUNT * sizeof *value);

	state = 4;
	for (int i = 0; i < COUNT; i++)
		value[i] = i;
	for (int i = COUNT - 1; i > 0; i--) {
		int j = below(i + 1), swap = value[i];

		value[i] = value[j];
		value[j] = swap;
	}
	free(check_round_trip(value, COUNT));
	for (int i = 0; i < COUNT; i++)
		value[i] = below(2);
	free(check_round_trip(value, COUNT));
	for (int i = 0; i < COUNT; i++) /* Thue and Morse: no cube */
		value[i] = __builtin_popcount((unsigned)i) & 1;
	free(check_round_trip(value, COUNT));
	value[0] = 0;
	value[1] = 5;
	for (int a = 1, b = 2; b < COUNT;) { /* Fibonacci: periodic at every scale */
		int length = b + a < COUNT ? a : COUNT - b;

		memcpy(value + b, value, (size_t)length * sizeof *value);
		a = b;
		b += length;
	}
	free(check_round_trip(value, COUNT));
	for (int i = 0; i < COUNT; i++) /* one deviation in the middle of a^n */
		value[i] = i % 2 * 7 + (i == COUNT / 2);
	free(check_round_trip(value, COUNT));
	free(value);
}
END_TEST

START_TEST(a_negative_number_is_refused)
{
	const int value[] = { 3, -1 };

	ck_assert_ptr_null(tmap_seq_print(value, 2, &err));
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

static int refuse_third(void *visitor, const char *text, size_t length, struct tmap_error *error)
{
	int *calls = visitor;

	ck_assert(text && length);
	return ++*calls < 3 ? 0 : tmap_fail(error, TMAP_SYSTEM, "the disk is full");
}

START_TEST(a_sink_that_refuses_stops_the_writer)
{
	int value[20000], calls = 0;

	for (int i = 0; i < 20000; i++)
		value[i] = i * i % 19997;
	ck_assert_int_eq(tmap_seq_stream(value, 20000, refuse_third, &calls, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(err.text, "the disk is full");
	ck_assert_int_eq(calls, 3);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table)[0])

Suite *test_suite(void)
{
	Suite *suite = suite_create("seq");
	TCase *tests = tcase_create("seq");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, a_text_says_its_numbers, 0, COUNT(rows));
	tcase_add_loop_test(tests, numbers_are_folded, 0, COUNT(rows));
	tcase_add_loop_test(tests, a_malformed_list_is_refused_with_its_place, 0, COUNT(malformed));
	tcase_add_test(tests, another_length_is_refused_before_memory_is_asked_for);
	tcase_add_test(tests, a_number_at_the_limit_is_refused);
	tcase_add_test(tests, brackets_are_not_nested_without_end);
	tcase_add_test(tests, random_sequences_read_back_the_same);
	tcase_add_test(tests, every_short_sequence_of_few_numbers_reads_back_the_same);
	tcase_add_loop_test(tests, the_orders_of_launchers_are_short, 0, COUNT(orders));
	tcase_add_test(tests, long_sequences_without_order_take_linear_time);
	tcase_add_test(tests, a_negative_number_is_refused);
	tcase_add_test(tests, a_sink_that_refuses_stops_the_writer);
	suite_add_tcase(suite, tests);
	return suite;
}
