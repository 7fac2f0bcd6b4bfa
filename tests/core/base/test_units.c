/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes and whole numbers as text. Oracle: literal values, and print-then-parse is the identity. */
#include "core/base/units.h"

#include "tests/unit.h"

#include <stdint.h>
#include <string.h>

static struct tmap_error err;

static const struct {
	const char *text;
	int64_t bytes;
} sizes[] = {
	{ "0", 0 },
	{ "4096", 4096 },
	{ "007", 7 },
	{ "1KiB", 1024 },
	{ "64KiB", 65536 },
	{ "3MiB", 3145728 },
	{ "2GiB", INT64_C(2147483648) },
	{ "1TiB", INT64_C(1) << 40 },
	{ "5PiB", INT64_C(5) << 50 },
	{ "7EiB", INT64_C(7) << 60 },
	{ "1k", 1024 },
	{ "64k", 65536 },
	{ "64K", 65536 },
	{ "64kb", 65536 },
	{ "64KB", 65536 },
	{ "64kib", 65536 },
	{ "64KIB", 65536 },
	{ "5M", 5242880 },
	{ "5mB", 5242880 },
	{ "7G", INT64_C(7516192768) },
	{ "7gb", INT64_C(7516192768) },
	{ "3t", INT64_C(3) << 40 },
	{ "3p", INT64_C(3) << 50 },
	{ "3e", INT64_C(3) << 60 },
	{ "9223372036854775807", INT64_MAX },
	{ "8589934591GiB", INT64_C(9223372035781033984) },
	{ "8589934591G", INT64_C(9223372035781033984) },
};

START_TEST(units_are_powers_of_1024_in_any_case)
{
	int64_t bytes;

	ck_assert_int_eq(tmap_units_parse_bytes(sizes[_i].text, &bytes, &err), 0);
	ck_assert_int_eq(bytes, sizes[_i].bytes);
}
END_TEST

static const struct {
	const char *text, *sentence;
} not_sizes[] = {
	{ "", "'' is not a size such as 4096, 64KiB or 1M" },
	{ "-1", "'-1' is not a size such as 4096, 64KiB or 1M" },
	{ " 1", "' 1' is not a size such as 4096, 64KiB or 1M" },
	{ "KiB", "'KiB' is not a size such as 4096, 64KiB or 1M" },
	{ "1.5MiB", "size '1.5MiB': sizes are whole numbers" },
	{ "1.MiB",
	  "size '1.MiB': unknown unit '.MiB' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1 KiB",
	  "size '1 KiB': unknown unit ' KiB' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1B",
	  "size '1B': unknown unit 'B' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1i",
	  "size '1i': unknown unit 'i' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1KiBs",
	  "size '1KiBs': unknown unit 'KiBs' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1KBB",
	  "size '1KBB': unknown unit 'KBB' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1Kb ",
	  "size '1Kb ': unknown unit 'Kb ' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "1q",
	  "size '1q': unknown unit 'q' (K, M, G, T, P and E are powers of "
	  "1024, as are KB and KiB)" },
	{ "9223372036854775808", "size '9223372036854775808' is above 2^63-1 bytes" },
	{ "99999999999999999999999", "size '99999999999999999999999' is above 2^63-1 bytes" },
	{ "8EiB", "size '8EiB' is above 2^63-1 bytes" },
	{ "8388608TiB", "size '8388608TiB' is above 2^63-1 bytes" },
	{ "8589934592GiB", "size '8589934592GiB' is above 2^63-1 bytes" },
	{ "8589934592g", "size '8589934592g' is above 2^63-1 bytes" },
};

START_TEST(what_is_no_size_is_refused_with_a_sentence)
{
	int64_t bytes = 42;

	ck_assert_int_eq(tmap_units_parse_bytes(not_sizes[_i].text, &bytes, &err), -1);
	ck_assert_str_eq(err.text, not_sizes[_i].sentence);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(bytes, 42);
}
END_TEST

START_TEST(sizes_are_printed_in_the_largest_unit_that_is_exact)
{
	char text[TMAP_UNITS_ROOM];

	ck_assert_str_eq(tmap_units_print_bytes(0, text), "0");
	ck_assert_str_eq(tmap_units_print_bytes(1000, text), "1000");
	ck_assert_str_eq(tmap_units_print_bytes(1024, text), "1KiB");
	ck_assert_str_eq(tmap_units_print_bytes(65537, text), "65537");
	ck_assert_str_eq(tmap_units_print_bytes(64000, text), "64000");
	ck_assert_str_eq(tmap_units_print_size(64000, text), "64000 B");
	ck_assert_str_eq(tmap_units_print_size(1024, text), "1KiB");
	ck_assert_str_eq(tmap_units_print_size(INT64_MAX, text), "9223372036854775807 B");
	ck_assert_str_eq(tmap_units_print_bytes(1536 * 1024, text), "1536KiB");
	ck_assert_str_eq(tmap_units_print_bytes(INT64_C(5) << 30, text), "5GiB");
	ck_assert_str_eq(tmap_units_print_bytes(INT64_C(5) << 40, text), "5TiB");
	ck_assert_str_eq(tmap_units_print_bytes(INT64_C(3) << 60, text), "3EiB");
	ck_assert_str_eq(tmap_units_print_bytes(INT64_MAX, text), "9223372036854775807");
}
END_TEST

START_TEST(a_printed_size_is_read_back_to_the_same_number)
{
	char text[TMAP_UNITS_ROOM];
	int64_t back;

	for (int shift = 0; shift < 62; shift++)
		for (int64_t near = -1; near <= 1; near++) {
			int64_t bytes = (INT64_C(1) << shift) + near;

			ck_assert_int_eq(tmap_units_parse_bytes(tmap_units_print_bytes(bytes, text),
								&back, &err),
					 0);
			ck_assert_int_eq(back, bytes);
		}
}
END_TEST

static const struct {
	const char *text;
	int64_t min, max;
	int status;
	int64_t number;
	const char *sentence;
} numbers[] = {
	{ "0", 0, 7, 0, 0, NULL },
	{ "7", 0, 7, 0, 7, NULL },
	{ "-3", -5, 7, 0, -3, NULL },
	{ "9223372036854775807", 0, INT64_MAX, 0, INT64_MAX, NULL },
	{ "8", 0, 7, -1, 0, "8 is not between 0 and 7" },
	{ "-1", 0, 7, -1, 0, "-1 is not between 0 and 7" },
	{ "9223372036854775808", 0, INT64_MAX, -1, 0,
	  "9223372036854775808 is not between 0 and 9223372036854775807" },
	{ "", 0, 7, -1, 0, "'' is not a whole number" },
	{ "-", 0, 7, -1, 0, "'-' is not a whole number" },
	{ "--1", 0, 7, -1, 0, "'--1' is not a whole number" },
	{ "+1", 0, 7, -1, 0, "'+1' is not a whole number" },
	{ "0x1", 0, 7, -1, 0, "'0x1' is not a whole number" },
	{ "1 ", 0, 7, -1, 0, "'1 ' is not a whole number" },
};

START_TEST(whole_numbers_are_read_within_their_range)
{
	int64_t number = 0;

	ck_assert_int_eq(tmap_units_parse_int(numbers[_i].text, numbers[_i].min, numbers[_i].max,
					      &number, &err),
			 numbers[_i].status);
	ck_assert_int_eq(number, numbers[_i].number);
	if (numbers[_i].sentence)
		ck_assert_str_eq(err.text, numbers[_i].sentence);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("units");
	TCase *tcase = tcase_create("units");

	tcase_add_loop_test(tcase, units_are_powers_of_1024_in_any_case, 0,
			    sizeof sizes / sizeof sizes[0]);
	tcase_add_loop_test(tcase, what_is_no_size_is_refused_with_a_sentence, 0,
			    sizeof not_sizes / sizeof not_sizes[0]);
	tcase_add_test(tcase, sizes_are_printed_in_the_largest_unit_that_is_exact);
	tcase_add_test(tcase, a_printed_size_is_read_back_to_the_same_number);
	tcase_add_loop_test(tcase, whole_numbers_are_read_within_their_range, 0,
			    sizeof numbers / sizeof numbers[0]);
	suite_add_tcase(suite, tcase);
	return suite;
}
