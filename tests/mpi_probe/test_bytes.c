/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: bytes written down by hand. */
#include "mpi_probe/bytes.h"
#include "tests/unit.h"

#include <limits.h>
#include <string.h>

static struct tmap_error err;

START_TEST(integers_and_texts_are_little_endian_bytes)
{
	static const unsigned char wanted[] = {
		0x04, 0x03, 0x02, 0x01, 0xff, 0xff, 0xff, 0xff, 0x08, 0x07, 0x06,
		0x05, 0x04, 0x03, 0x02, 0x01, 2,    0,    0,    0,    'h',  'i',
	};
	struct tmap_bytes bytes = { 0 };

	tmap_bytes_add_int(&bytes, 0x01020304);
	tmap_bytes_add_int(&bytes, -1);
	tmap_bytes_add_int64(&bytes, 0x0102030405060708);
	tmap_bytes_add_text(&bytes, "hi");
	ck_assert_int_eq(tmap_bytes_check(&bytes, &err), 0);
	ck_assert_uint_eq(bytes.length, sizeof wanted);
	ck_assert_mem_eq(bytes.data, wanted, sizeof wanted);
	tmap_bytes_fini(&bytes);
}
END_TEST

START_TEST(what_was_written_is_read)
{
	struct tmap_bytes bytes = { 0 };
	struct tmap_cursor cursor;
	char text[8];

	tmap_bytes_add_int(&bytes, INT_MIN);
	tmap_bytes_add_int64(&bytes, INT64_MIN);
	tmap_bytes_add_text(&bytes, "");
	tmap_bytes_add_text(&bytes, "seven77");
	cursor = (struct tmap_cursor){ .at = bytes.data, .left = bytes.length };
	ck_assert_int_eq(tmap_cursor_int(&cursor), INT_MIN);
	ck_assert(tmap_cursor_int64(&cursor) == INT64_MIN);
	tmap_cursor_text(&cursor, text, sizeof text);
	ck_assert_str_eq(text, "");
	tmap_cursor_text(&cursor, text, sizeof text);
	ck_assert_str_eq(text, "seven77");
	ck_assert_int_eq(tmap_cursor_end(&cursor, "a note", &err), 0);
	tmap_bytes_fini(&bytes);
}
END_TEST

START_TEST(an_error_arrives_with_all_that_it_has_and_no_more)
{
	struct tmap_bytes bytes = { 0 };
	struct tmap_cursor cursor;
	struct tmap_error sent, got;
	char path[4001];

	memset(path, 'p', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	for (int spec = 0; spec < 2; spec++) {
		size_t texts;

		if (spec)
			tmap_fail_in_spec(&sent, TMAP_USAGE, "bad", "node:4 pak:2", 7, "here");
		else
			tmap_fail_at(&sent, TMAP_INPUT, 123456, 7, "why");
		if (!spec)
			tmap_at(&sent, path, 0);
		tmap_wrap(&sent, "rank 3");
		tmap_bytes_add_error(&bytes, &sent);
		texts = strlen(sent.text) + strlen(sent.context) + strlen(sent.path);
		ck_assert_uint_eq(bytes.length, 4 * 7 + texts);
		memset(&got, 'x', sizeof got);
		cursor = (struct tmap_cursor){ .at = bytes.data, .left = bytes.length };
		tmap_cursor_error(&cursor, &got);
		ck_assert_int_eq(tmap_cursor_end(&cursor, "an error", &err), 0);
		ck_assert_int_eq(got.kind, sent.kind);
		ck_assert_int_eq(got.line, sent.line);
		ck_assert_int_eq(got.column, sent.column);
		ck_assert_int_eq(got.is_in_spec, sent.is_in_spec);
		ck_assert_str_eq(got.text, sent.text);
		ck_assert_str_eq(got.context, sent.context);
		ck_assert_str_eq(got.path, sent.path);
		tmap_bytes_fini(&bytes);
	}
}
END_TEST

START_TEST(bytes_that_are_missing_read_as_zero_and_are_told_at_the_end)
{
	static const unsigned char three[] = { 1, 1, 1 };
	struct tmap_cursor cursor = { .at = three, .left = sizeof three };

	ck_assert_int_eq(tmap_cursor_int(&cursor), 0);
	ck_assert_int_eq(tmap_cursor_int(&cursor), 0);
	ck_assert_int_eq(tmap_cursor_end(&cursor, "a note", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(err.text,
			 "a note that came from another rank is damaged: it ends too "
			 "early or holds an impossible count");
}
END_TEST

START_TEST(bytes_that_are_left_over_are_told)
{
	static const unsigned char five[] = { 7, 0, 0, 0, 9 };
	struct tmap_cursor cursor = { .at = five, .left = sizeof five };

	ck_assert_int_eq(tmap_cursor_int(&cursor), 7);
	ck_assert_int_eq(tmap_cursor_end(&cursor, "a note", &err), -1);
	ck_assert_str_eq(err.text,
			 "a note that came from another rank is damaged: 1 bytes too "
			 "long");
}
END_TEST

START_TEST(a_text_that_does_not_fit_fails)
{
	static const unsigned char text[] = { 4, 0, 0, 0, 'a', 'b', 'c', 'd' };
	struct tmap_cursor cursor = { .at = text, .left = sizeof text };
	char room[4] = "xyz";

	tmap_cursor_text(&cursor, room, sizeof room);
	ck_assert_str_eq(room, "");
	ck_assert(cursor.failed);
}
END_TEST

START_TEST(a_count_of_more_than_can_follow_fails)
{
	static const unsigned char counts[][4] = { { 3, 0, 0, 0 },
						   { 0xff, 0xff, 0xff, 0xff },
						   { 0xff, 0xff, 0xff, 0x7f } };
	unsigned char room[4 + 16] = { 0 };
	struct tmap_cursor cursor = { .at = room, .left = sizeof room };

	memcpy(room, counts[_i], 4);
	ck_assert_int_eq(tmap_cursor_count(&cursor, 8), 0);
	ck_assert(cursor.failed);
	room[0] = 2;
	room[1] = room[2] = room[3] = 0;
	cursor = (struct tmap_cursor){ .at = room, .left = sizeof room };
	ck_assert_int_eq(tmap_cursor_count(&cursor, 8), 2);
	ck_assert(!cursor.failed);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("bytes");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, integers_and_texts_are_little_endian_bytes);
	tcase_add_test(tc, what_was_written_is_read);
	tcase_add_test(tc, an_error_arrives_with_all_that_it_has_and_no_more);
	tcase_add_test(tc, bytes_that_are_missing_read_as_zero_and_are_told_at_the_end);
	tcase_add_test(tc, bytes_that_are_left_over_are_told);
	tcase_add_test(tc, a_text_that_does_not_fit_fails);
	tcase_add_loop_test(tc, a_count_of_more_than_can_follow_fails, 0, 3);
	suite_add_tcase(suite, tc);
	return suite;
}
