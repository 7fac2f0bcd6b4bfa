/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: the bytes that were written.
 */
#include "formats/base/input.h"

#include "tests/unit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct tmap_error err;

/* "rank 0=n0 slot=0" so many times, in a pipe that ends behind it. */
static void pipe_fill(char path[32], int lines)
{
	static const char line[] = "rank 0=n0 slot=0\n";
	int end[2];

	ck_assert_int_eq(pipe(end), 0);
	for (int i = 0; i < lines; i++)
		ck_assert_int_eq(write(end[1], line, sizeof line - 1), sizeof line - 1);
	close(end[1]);
	snprintf(path, 32, "/dev/fd/%d", end[0]);
}

/* Bytes that a pipe of @p lines gives before it ends or is refused, of which @p most are read. */
static int64_t take_all(int lines, int64_t most, int *status)
{
	struct tmap_input in;
	char path[32], buffer[100];
	int64_t length = 0;
	size_t got;

	pipe_fill(path, lines);
	ck_assert_int_eq(tmap_input_init(&in, path, &err), 0);
	in.most = most;
	while ((got = tmap_input_take(&in, buffer, sizeof buffer)))
		length += (int64_t)got;
	*status = tmap_input_check(&in, &err);
	tmap_input_fini(&in);
	return length;
}

START_TEST(as_many_bytes_as_are_read_are_taken)
{
	int status;

	ck_assert_int_eq(take_all(100, 1700, &status), 1700);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(take_all(0, 0, &status), 0);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(one_byte_more_is_refused_when_it_comes)
{
	int status;

	ck_assert_int_le(take_all(100, 1699, &status), 1699);
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.text, "it has more than 1699 bytes, which are the most that are read");
	/* the rest is not waited for */
	ck_assert_int_le(take_all(1000, 200, &status), 200);
	ck_assert_int_eq(status, -1);
	ck_assert_int_eq(take_all(1, 0, &status), 0);
	ck_assert_int_eq(status, -1);
}
END_TEST

START_TEST(a_pipe_has_what_its_lines_may_need_and_a_file_all)
{
	struct tmap_input in;
	char path[32];

	pipe_fill(path, 1);
	ck_assert_int_eq(tmap_input_init(&in, path, &err), 0);
	tmap_input_limit_pipe(&in, 3);
	ck_assert_int_eq(in.most, TMAP_INPUT_MOST_PIPE + 3 * TMAP_INPUT_LINE);
	in.taken = in.most;
	ck_assert_int_eq(tmap_input_check(&in, &err), 0);
	in.taken++;
	ck_assert_int_eq(tmap_input_check(&in, &err), -1);
	ck_assert_str_eq(err.text,
			 "it has more than 100003072 bytes, which are the most that are "
			 "read of a pipe; of a file 4000000000 are");
	/* never more than was to be read */
	tmap_input_limit_pipe(&in, INT64_MAX);
	ck_assert_int_eq(in.most, TMAP_INPUT_MOST_PIPE + 3 * TMAP_INPUT_LINE);
	in.most = 5;
	tmap_input_limit_pipe(&in, 0);
	ck_assert_int_eq(in.most, 5);
	tmap_input_fini(&in);
	ck_assert_int_eq(tmap_input_init(&in, "/proc/self/exe", &err), 0);
	tmap_input_limit_pipe(&in, 3);
	ck_assert_int_eq(in.most, TMAP_INPUT_MOST);
	tmap_input_fini(&in);
}
END_TEST

START_TEST(bytes_are_read_whole_or_refused)
{
	struct tmap_input in;
	char path[32], *bytes;
	size_t length;

	pipe_fill(path, 10);
	ck_assert_int_eq(tmap_input_init(&in, path, &err), 0);
	in.most = 170;
	ck_assert_int_eq(tmap_input_take_all(&in, &bytes, &length, &err), 0);
	ck_assert_uint_eq(length, 170);
	free(bytes);
	tmap_input_fini(&in);
	pipe_fill(path, 10);
	ck_assert_int_eq(tmap_input_init(&in, path, &err), 0);
	in.most = 169;
	ck_assert_int_eq(tmap_input_take_all(&in, &bytes, &length, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	tmap_input_fini(&in);
}
END_TEST

START_TEST(how_it_begins_is_seen_before_it_is_taken)
{
	struct tmap_input in;
	char path[32], *bytes;
	size_t length;

	pipe_fill(path, 1);
	ck_assert_int_eq(tmap_input_init(&in, path, &err), 0);
	ck_assert(tmap_input_begins(&in, "rank", 4));
	ck_assert(tmap_input_begins(&in, "rank 0=n", 8));
	ck_assert(!tmap_input_begins(&in, "rank 1=n", 8));
	ck_assert_int_eq(tmap_input_take_all(&in, &bytes, &length, &err), 0);
	ck_assert_str_eq(bytes, "rank 0=n0 slot=0\n");
	free(bytes);
	tmap_input_fini(&in);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("input");
	TCase *c = tcase_create("most");

	tcase_add_test(c, as_many_bytes_as_are_read_are_taken);
	tcase_add_test(c, one_byte_more_is_refused_when_it_comes);
	tcase_add_test(c, a_pipe_has_what_its_lines_may_need_and_a_file_all);
	tcase_add_test(c, bytes_are_read_whole_or_refused);
	tcase_add_test(c, how_it_begins_is_seen_before_it_is_taken);
	suite_add_tcase(suite, c);
	return suite;
}
