/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters: which there are, and which are not printed raw. Oracle: RFC 3629's table for all of them,
 * encoded here from their numbers, and Unicode's names of the hidden ones. */
#include "core/base/utf8.h"

#include "core/base/string.h"
#include "tests/unit.h"

#include <string.h>

static int encode(char *out, uint32_t value)
{
	if (value < 0x80) {
		out[0] = (char)value;
		return 1;
	}
	if (value < 0x800) {
		out[0] = (char)(0xc0 | value >> 6);
		out[1] = (char)(0x80 | (value & 0x3f));
		return 2;
	}
	if (value < 0x10000) {
		out[0] = (char)(0xe0 | value >> 12);
		out[1] = (char)(0x80 | (value >> 6 & 0x3f));
		out[2] = (char)(0x80 | (value & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | value >> 18);
	out[1] = (char)(0x80 | (value >> 12 & 0x3f));
	out[2] = (char)(0x80 | (value >> 6 & 0x3f));
	out[3] = (char)(0x80 | (value & 0x3f));
	return 4;
}

START_TEST(every_character_is_one_and_its_number_comes_back)
{
	for (uint32_t value = 1; value < 0x120000; value++) {
		char text[8] = "";
		int length = encode(text, value);
		bool exists = value < 0xd800 || (value > 0xdfff && value < 0x110000);

		hold(tmap_utf8_length(text) == (exists ? length : 0));
		hold(!exists || tmap_utf8_character(text, length) == value);
		hold((tmap_utf8_find_wrong(text) == NULL) == exists);
		/* what is cut off is no character */
		text[length - 1] = '\0';
		hold(length == 1 || tmap_utf8_length(text) == 0);
	}
	ck_assert_int_eq(tmap_utf8_length("\xc0\xaf"), 0);
	ck_assert_int_eq(tmap_utf8_length("\xe0\x80\xaf"), 0);
	ck_assert_int_eq(tmap_utf8_length("\x80"), 0);
}
END_TEST

START_TEST(what_steers_or_deceives_has_an_escape)
{
	static const struct {
		const char *text, *shown;
	} rows[] = {
		{ "plain", "plain" },
		{ "n\xc3\xa4he \xe2\x82\xac \xf0\x9f\x98\x80", NULL },
		{ "C:\\name", NULL },
		{ "a\nb\tc", "a\\nb\\tc" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "\x7f", "\\x7f" },
		{ "\xc2\x9b"
		  "31m",
		  "\\u009b31m" },
		{ "\xe9t\xe9", "\\xe9t\\xe9" },
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xe2\x80\xae", "\\u202e" },      /* right-to-left override */
		{ "\xe2\x81\xa7", "\\u2067" },      /* right-to-left isolate */
		{ "\xe2\x80\x8b", "\\u200b" },      /* zero width space */
		{ "\xe2\x80\xa8", "\\u2028" },      /* line separator */
		{ "\xef\xbb\xbf", "\\ufeff" },      /* byte order mark */
		{ "\xc2\xad", "\\u00ad" },          /* soft hyphen */
		{ "\xf3\xa0\x81\x81", "\\ue0041" }, /* tag latin capital letter a */
	};
	char out[64];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *shown = rows[i].shown ? rows[i].shown : rows[i].text;
		struct tmap_str str = TMAP_STR_INIT;

		ck_assert_uint_eq(tmap_utf8_print(out, sizeof out, rows[i].text), strlen(shown));
		ck_assert_str_eq(out, shown);
		ck_assert_int_eq(tmap_utf8_is_plain(rows[i].text),
				 strcmp(shown, rows[i].text) == 0);
		/* what was printed once stays as it is */
		ck_assert(tmap_utf8_is_plain(out));
		tmap_str_add_printable(&str, rows[i].text);
		ck_assert_str_eq(str.text, shown);
		tmap_str_fini(&str);
	}
}
END_TEST

START_TEST(what_does_not_fit_is_cut_before_a_character)
{
	char out[16];

	for (size_t size = 1; size < sizeof out; size++) {
		memset(out, '#', sizeof out);
		ck_assert_uint_eq(tmap_utf8_print(out, size,
						  "a\x1b\xe2\x82\xac"
						  "b"),
				  9);
		ck_assert_uint_lt(strlen(out), size);
		ck_assert_ptr_null(tmap_utf8_find_wrong(out));
		ck_assert_int_eq(strncmp("a\\x1b\xe2\x82\xac"
					 "b",
					 out, strlen(out)),
				 0);
		ck_assert(strlen(out) == 0 || strlen(out) == 1 || strlen(out) == 5 ||
			  strlen(out) == 8 || strlen(out) == 9);
		ck_assert_int_eq(out[size], '#');
	}
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("utf8");
	TCase *tests = tcase_create("utf8");

	tcase_add_test(tests, every_character_is_one_and_its_number_comes_back);
	tcase_add_test(tests, what_steers_or_deceives_has_an_escape);
	tcase_add_test(tests, what_does_not_fit_is_cut_before_a_character);
	suite_add_tcase(suite, tests);
	return suite;
}
