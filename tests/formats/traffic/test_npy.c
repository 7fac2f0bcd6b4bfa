/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: arrays put together byte by byte after NumPy's description of the format (NEP 1), and struct
 * members of the machine's own floats. */
#include "formats/traffic/npy.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct tmap_error err;

enum { ROOM = 4096 };

struct file {
	unsigned char bytes[ROOM];
	size_t length;
};

static void file_begin(struct file *file, int version, const char *header)
{
	size_t width = strlen(header) + 1;

	memcpy(file->bytes, "\x93NUMPY", 6);
	file->bytes[6] = (unsigned char)version;
	file->bytes[7] = 0;
	file->length = 8;
	for (int i = 0; i < (version > 1 ? 4 : 2); i++)
		file->bytes[file->length++] = (unsigned char)(width >> 8 * i);
	memcpy(file->bytes + file->length, header, width - 1);
	file->length += width;
	file->bytes[file->length - 1] = '\n';
}

/* A whole number of @p width bytes. */
static void file_add(struct file *file, uint64_t number, int width, bool is_big)
{
	for (int i = 0; i < width; i++)
		file->bytes[file->length++] =
			(unsigned char)(number >> 8 * (is_big ? width - 1 - i : i));
}

static int parse(struct tmap_pattern *pattern, const struct file *file, int size, bool is_cut)
{
	unsigned char bytes[ROOM];
	struct tmap_input in = { .keeps_ends = true, .has_zeros = true };
	struct tmap_pattern_builder b;
	int status;

	memcpy(bytes, file->bytes, file->length);
	in.file = fmemopen(bytes, file->length, "r");
	ck_assert_ptr_nonnull(in.file);
	ck_assert(tmap_npy_is(&in));
	ck_assert_int_eq(tmap_pattern_builder_init(&b, size, &err), 0);
	b.is_cut = is_cut;
	status = tmap_npy_read(&b, &in, &err);
	tmap_input_fini(&in);
	if (status == 0)
		status = tmap_pattern_finish(pattern, &b, &err);
	tmap_pattern_builder_fini(&b);
	return status;
}

static double sent(const struct tmap_pattern *pattern, int from, int to)
{
	for (int64_t i = pattern->start[from]; i < pattern->start[from + 1]; i++)
		if (pattern->peer[i] == to)
			return pattern->sent[i];
	return 0;
}

static const struct {
	const char *descr;
	int version, width;
	bool is_big, is_float, is_fortran;
} types[] = {
	{ "<f8", 1, 8, false, true, false },  { ">f8", 2, 8, true, true, false },
	{ "<f4", 3, 4, false, true, true },   { ">f4", 1, 4, true, true, true },
	{ "<i8", 1, 8, false, false, false }, { ">i8", 1, 8, true, false, true },
	{ "<i4", 1, 4, false, false, false }, { ">u4", 1, 4, true, false, false },
	{ "<u2", 1, 2, false, false, false }, { "|u1", 1, 1, false, false, false },
	{ "|i1", 2, 1, false, false, false }, { "<u8", 1, 8, false, false, false },
};

START_TEST(numbers_of_every_type_and_order_are_read)
{
	static const int numbers[9] = { 9, 1, 2, 3, 0, 5, 6, 7, 100 };
	struct tmap_pattern pattern;
	struct file file;
	char header[128];

	snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (3, 3), }",
		 types[_i].descr, types[_i].is_fortran ? "True" : "False");
	file_begin(&file, types[_i].version, header);
	for (int i = 0; i < 9; i++) {
		double wide = numbers[i];
		float narrow = (float)numbers[i];
		uint64_t raw = (uint64_t)numbers[i];
		uint32_t half;

		if (types[_i].is_float && types[_i].width == 8) {
			memcpy(&raw, &wide, sizeof raw);
		} else if (types[_i].is_float) {
			memcpy(&half, &narrow, sizeof half);
			raw = half;
		}
		file_add(&file, raw, types[_i].width, types[_i].is_big);
	}
	ck_assert_msg(parse(&pattern, &file, 3, false) == 0, "%s", printed(&err));
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			if (r != c)
				ck_assert_double_eq(
					sent(&pattern, r, c),
					numbers[types[_i].is_fortran ? 3 * c + r : 3 * r + c]);
	tmap_pattern_fini(&pattern);
	ck_assert_int_eq(parse(&pattern, &file, 2, false), -1);
	ck_assert_str_eq(printed(&err), "it is of 3 ranks, but the job has 2");
	ck_assert_int_eq(parse(&pattern, &file, 2, true), 0);
	ck_assert_int_eq(pattern.entries, 2);
	tmap_pattern_fini(&pattern);
}
END_TEST

#define HEADER(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }"

static const struct {
	const char *header, *sentence;
	int numbers;
} bads[] = {
	{ HEADER("<i4", "(2, 2)"),
	  "the NumPy array is cut off: it has 12 bytes of 2 x 2 numbers of 4 bytes", 3 },
	{ HEADER("<i4", "(3000000000, 3000000000)"), "it is of 3000000000 ranks, but the job has 2",
	  4 },
	{ HEADER("<c16", "(2, 2)"),
	  "the NumPy array is of the type <c16: integers, and floats of 4 or 8 bytes, are read",
	  4 },
	{ HEADER("|O", "(2, 2)"),
	  "the NumPy array is of the type |O: integers, and floats of 4 or 8 bytes, are read", 4 },
	{ HEADER("<i4", "(4,)"),
	  "the NumPy array has the shape (4,): there must be a row and a column for each rank", 4 },
	{ HEADER("<i4", "(1, 4)"),
	  "the NumPy array has the shape (1, 4): there must be a row and a column for each rank",
	  4 },
	{ HEADER("<i4", "(2, 2, 1)"),
	  "the NumPy array has the shape (2, 2, 1): there must be a row and a column for each rank",
	  4 },
	{ HEADER("<i4", "(2, x)"), "the header of the NumPy array has a shape that is none", 4 },
	{ HEADER("<i4", "2"), "the header of the NumPy array does not say its shape", 4 },
	{ "{'shape': (2, 2)}", "the header of the NumPy array does not say the type of its numbers",
	  4 },
	{ "", "the header of the NumPy array does not say the type of its numbers", 4 },
};

/* The same, of which the job has two ranks. */
static const struct {
	const char *header, *sentence;
} large[] = {
	{ HEADER("|u1", "(1048576, 1048576)"),
	  "the NumPy array is cut off: it has 16 bytes of 1048576 x 1048576 numbers of 1 bytes" },
	{ HEADER("|u1", "(1048577, 1048577)"),
	  "it has more than 1099511627776 bytes, which are the most that are read" },
	{ HEADER("<f8", "(9999999999, 9999999999)"),
	  "it has more than 1099511627776 bytes, which are the most that are read" },
};

START_TEST(a_large_array_is_cut_without_memory_for_it)
{
	struct tmap_pattern pattern;
	struct file file;

	file_begin(&file, 1, large[_i].header);
	for (int i = 0; i < 16; i++)
		file_add(&file, 1, 1, false);
	ck_assert_int_eq(parse(&pattern, &file, 2, true), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), large[_i].sentence);
}
END_TEST

START_TEST(what_is_no_matrix_is_refused)
{
	struct tmap_pattern pattern;
	struct file file;

	file_begin(&file, 1, bads[_i].header);
	for (int i = 0; i < bads[_i].numbers; i++)
		file_add(&file, 1, 4, false);
	ck_assert_int_eq(parse(&pattern, &file, 2, false), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), bads[_i].sentence);
}
END_TEST

START_TEST(negative_numbers_and_headers_that_are_cut_off_are_refused)
{
	struct tmap_pattern pattern;
	struct file file;

	file_begin(&file, 1, HEADER("<i4", "(2, 2)"));
	for (int i = 0; i < 4; i++)
		file_add(&file, i == 2 ? 0xfffffffb : 0, 4, false);
	ck_assert_int_eq(parse(&pattern, &file, 2, false), -1);
	ck_assert_str_eq(printed(&err),
			 "row 1, column 0 of the NumPy array is not a number of bytes, at least 0");
	for (size_t length = 6; length < 60; length++) {
		file.length = length;
		ck_assert_int_eq(parse(&pattern, &file, 2, false), -1);
		ck_assert_str_eq(printed(&err), "the header of the NumPy array is cut off");
	}
}
END_TEST

START_TEST(what_begins_otherwise_is_still_there)
{
	static const char *const texts[] = { "", "1", "\x93NUMP", "\x93NUMPX0 1 8\n", "0 1 8\n" };
	char text[32], taken[32];

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct tmap_input in = { .keeps_ends = true, .most = ROOM };
		size_t length = 0, got = 1;

		strcpy(text, texts[i]);
		in.file = fmemopen(text, strlen(text) + 1, "r");
		ck_assert(!tmap_npy_is(&in));
		for (; got; length += got)
			got = tmap_input_take(&in, taken + length, sizeof taken - length);
		ck_assert_mem_eq(taken, texts[i], strlen(texts[i]));
		tmap_input_fini(&in);
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("npy");
	TCase *tests = tcase_create("npy");

	tcase_add_loop_test(tests, numbers_of_every_type_and_order_are_read, 0,
			    sizeof types / sizeof types[0]);
	tcase_add_loop_test(tests, what_is_no_matrix_is_refused, 0, sizeof bads / sizeof bads[0]);
	tcase_add_loop_test(tests, a_large_array_is_cut_without_memory_for_it, 0,
			    sizeof large / sizeof large[0]);
	tcase_add_test(tests, what_begins_otherwise_is_still_there);
	tcase_add_test(tests, negative_numbers_and_headers_that_are_cut_off_are_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
