/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/error.h"
#include "core/base/utf8.h"

#include "tests/support/printed.h"
#include "tests/unit.h"

#include <string.h>

static struct tmap_error err;

START_TEST(a_failure_is_a_kind_and_a_sentence_and_returns_minus_one)
{
	ck_assert_int_eq(tmap_fail(&err, TMAP_SYSTEM, "rank %d of %s", 3, "a job"), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(err.text, "rank 3 of a job");
	ck_assert_str_eq(err.path, "");
	ck_assert_int_eq(err.line, 0);
	ck_assert_str_eq(printed(&err), "rank 3 of a job");
}
END_TEST

START_TEST(a_place_is_apart_from_the_sentence)
{
	ck_assert_int_eq(tmap_fail_at(&err, TMAP_INPUT, 12, 7, "a number is expected"), -1);
	ck_assert_str_eq(printed(&err), "line 12, column 7: a number is expected");
	ck_assert_int_eq(tmap_at(&err, "job.json", 0), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_int_eq(err.line, 12);
	ck_assert_int_eq(err.column, 7);
	ck_assert_str_eq(err.path, "job.json");
	ck_assert_str_eq(err.text, "a number is expected");
	ck_assert_str_eq(printed(&err), "job.json:12:7: a number is expected");
	tmap_fail(&err, TMAP_INPUT, "it is empty");
	tmap_at(&err, "job.json", 0);
	ck_assert_str_eq(printed(&err), "job.json: it is empty");
	tmap_at(&err, "job.json", 4);
	ck_assert_str_eq(printed(&err), "job.json:4: it is empty");
}
END_TEST

START_TEST(a_text_that_ends_too_early_is_unfinished)
{
	tmap_fail_at(&err, TMAP_INPUT, 2, 0, "the comment does not end");
	ck_assert(!err.is_unfinished);
	ck_assert_int_eq(tmap_unfinished(&err), -1);
	tmap_at(&err, "rankfile", 2);
	tmap_wrap(&err, "--from");
	ck_assert(err.is_unfinished);
	tmap_fail(&err, TMAP_INPUT, "another one");
	ck_assert(!err.is_unfinished);
}
END_TEST

START_TEST(words_stand_before_the_place_or_the_sentence)
{
	tmap_fail(&err, TMAP_INPUT, "it is empty");
	ck_assert_int_eq(tmap_wrap(&err, "the %s", "binding"), -1);
	ck_assert_str_eq(err.text, "the binding: it is empty");
	tmap_at(&err, "job.json", 3);
	ck_assert_int_eq(tmap_wrap(&err, "--profile"), -1);
	tmap_wrap(&err, "rank %d on '%s'", 3, "n1");
	ck_assert_str_eq(err.text, "the binding: it is empty");
	ck_assert_str_eq(err.context, "rank 3 on 'n1': --profile");
	ck_assert_str_eq(printed(&err),
			 "rank 3 on 'n1': --profile: job.json:3: the binding: it is empty");
}
END_TEST

START_TEST(of_nested_documents_the_innermost_is_the_place)
{
	tmap_fail_at(&err, TMAP_INPUT, 2, 0, "it ends here");
	tmap_at(&err, "hosts.sh", 0);
	tmap_at(&err, NULL, 9);
	tmap_at(&err, "hosts", 0);
	ck_assert_str_eq(err.path, "hosts.sh");
	ck_assert_int_eq(err.line, 2);
	ck_assert_str_eq(printed(&err), "hosts: line 9: hosts.sh:2: it ends here");
	tmap_at(&err, "job", 7);
	ck_assert_str_eq(printed(&err), "job:7: hosts: line 9: hosts.sh:2: it ends here");
}
END_TEST

START_TEST(a_path_of_4000_characters_costs_neither_line_nor_reason)
{
	char path[4001], reason[sizeof err.text];

	for (size_t i = 0; i < sizeof path - 1; i++)
		path[i] = "abc/"[i % 4];
	memcpy(path, "/first", 6);
	strcpy(path + sizeof path - sizeof "last.json", "last.json");
	memset(reason, 'r', sizeof reason - 1);
	reason[sizeof reason - 1] = '\0';
	tmap_fail_at(&err, TMAP_INPUT, 123456, 0, "%s", reason);
	tmap_at(&err, path, 0);
	ck_assert_str_eq(err.path, path);
	ck_assert_int_eq(err.line, 123456);
	ck_assert_str_eq(err.text, reason);
	ck_assert_uint_lt(strlen(printed(&err)), 256 + sizeof ":123456: " + sizeof reason);
	ck_assert_int_eq(strncmp(printed(&err), "/first", 6), 0);
	ck_assert_ptr_nonnull(strstr(printed(&err), "...c/abc"));
	ck_assert_ptr_nonnull(strstr(printed(&err), "last.json:123456: rrr"));
	ck_assert_str_eq(strstr(printed(&err), "rrr"), reason);
	/* as words in front, too */
	tmap_at(&err, "inner", 0);
	ck_assert_ptr_nonnull(strstr(printed(&err), "last.json:123456: rrr"));
	tmap_fail(&err, TMAP_INPUT, "why");
	tmap_wrap(&err, "%s", path);
	ck_assert_str_eq(err.text + strlen(err.text) - 8, "...: why");
}
END_TEST

START_TEST(a_path_is_cut_between_characters)
{
	char path[4000];

	for (size_t shift = 0; shift < 4; shift++) {
		const char *at;

		memset(path, 'a', shift);
		for (size_t i = shift; i < sizeof path - 1; i++)
			path[i] = "\xc3\xa4"[(i - shift) % 2];
		path[shift + (sizeof path - 1 - shift) / 2 * 2] = '\0';
		tmap_fail(&err, TMAP_INPUT, "why");
		tmap_at(&err, path, 0);
		at = strstr(printed(&err), "...");
		ck_assert_ptr_nonnull(at);
		ck_assert_int_eq(at[-1], '\xa4');
		ck_assert_int_eq(at[3], '\xc3');
	}
}
END_TEST

START_TEST(a_sentence_that_does_not_fit_says_so)
{
	char longer[2 * sizeof err.text];

	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	tmap_fail(&err, TMAP_INPUT, "%s", longer);
	ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
	ck_assert_str_eq(err.text + sizeof err.text - 4, "...");
	tmap_fail(&err, TMAP_INPUT, "short");
	tmap_wrap(&err, "%s", longer);
	ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
	ck_assert_str_eq(err.text + sizeof err.text - 11, "...: short");
	longer[sizeof err.text - 1] = '\0';
	tmap_fail(&err, TMAP_INPUT, "%s", longer);
	ck_assert_str_eq(err.text, longer);
	tmap_wrap(&err, "%s", longer);
	ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
	ck_assert_ptr_nonnull(strstr(err.text, "x...: xx"));
	ck_assert_str_eq(err.text + sizeof err.text - 4, "...");
}
END_TEST

START_TEST(an_error_steers_no_terminal)
{
	tmap_fail(&err, TMAP_INPUT, "unknown '%s': %s", "\x1b[31mred\x7f", "a\tb\r\n");
	ck_assert_str_eq(err.text, "unknown '\\x1b[31mred\\x7f': a\\tb\\x0d\\n");
	tmap_wrap(&err, "%s", "\x1b");
	ck_assert_str_eq(err.text, "\\x1b: unknown '\\x1b[31mred\\x7f': a\\tb\\x0d\\n");
	tmap_at(&err, "\x1b.json", 0);
	tmap_wrap(&err, "\a");
	ck_assert_str_eq(printed(&err),
			 "\\x07: \\x1b.json: \\x1b: unknown "
			 "'\\x1b[31mred\\x7f': a\\tb\\x0d\\n");
	tmap_fail(&err, TMAP_INPUT, "unknown '%s'", "n\xc3\xa4he");
	ck_assert_str_eq(err.text, "unknown 'n\xc3\xa4he'");
	/* a byte that is no UTF-8, C1's escape [, a right-to-left override, a joiner, an isolate */
	tmap_fail(&err, TMAP_INPUT, "'%s'", "\xe9\xc2\x9b\xe2\x80\xae\xe2\x80\x8d\xe2\x81\xa6");
	ck_assert_str_eq(err.text, "'\\xe9\\u009b\\u202e\\u200d\\u2066'");
	tmap_fail_in_spec(&err, TMAP_INPUT, "not a \x1b", "a\tb\x1b", 2, "no \a");
	ck_assert_str_eq(printed(&err), "not a \\x1b:\na\\tb\\x1b\n   ^ no \\x07");
}
END_TEST

START_TEST(what_is_cut_is_cut_between_characters)
{
	char longer[2 * sizeof err.text] = "";

	for (int ahead = 0; ahead < 4; ahead++) {
		memset(longer, 'x', (size_t)ahead);
		for (size_t at = (size_t)ahead; at + 3 < sizeof longer; at += 3)
			memcpy(longer + at, "\xe2\x82\xac", 4);
		tmap_fail(&err, TMAP_INPUT, "%s", longer);
		ck_assert_str_eq(err.text + strlen(err.text) - 3, "...");
		ck_assert_ptr_null(tmap_utf8_find_wrong(err.text));
		ck_assert_uint_ge(strlen(err.text) + 4, sizeof err.text - 1);
		tmap_wrap(&err, "%s", longer);
		ck_assert_ptr_null(tmap_utf8_find_wrong(err.text));
		ck_assert_ptr_null(strstr(err.text, "\\x"));
	}
}
END_TEST

START_TEST(a_mistake_in_a_specification_gets_a_caret)
{
	char line[5000];

	tmap_fail_in_spec(&err, TMAP_INPUT, "not a machine", "node:4 pak:2", 7,
			  "unknown level '%s'", "pak");
	ck_assert_int_eq(err.column, 8);
	ck_assert_str_eq(err.path, "node:4 pak:2");
	ck_assert_str_eq(err.text, "unknown level 'pak'");
	ck_assert_str_eq(printed(&err),
			 "not a machine:\nnode:4 pak:2\n"
			 "       ^ unknown level 'pak'");
	tmap_wrap(&err, "--machine");
	ck_assert_str_eq(err.context, "--machine: not a machine");
	memset(line, '-', sizeof line - 1);
	line[sizeof line - 1] = '\0';
	for (size_t at = 0; at < sizeof line; at += 499) {
		const char *shown;

		line[at] = at < sizeof line - 1 ? '!' : '\0';
		tmap_fail_in_spec(&err, TMAP_INPUT, "bad", line, at, "here");
		ck_assert_int_eq(err.path[err.column - 1], line[at]);
		shown = strchr(printed(&err), '\n') + 1;
		ck_assert_int_eq(shown[strcspn(strchr(shown, '\n') + 1, "^")],
				 line[at] ? '!' : '\n');
		line[at] = at < sizeof line - 1 ? '-' : '\0';
	}
}
END_TEST

START_TEST(the_kinds_are_the_exit_statuses_0_to_4)
{
	int count = 0;

	for (; tmap_error_rows[count].summary; count++)
		ck_assert_int_eq((int)tmap_error_rows[count].kind, count);
	ck_assert_int_eq(count, 5);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("error");
	TCase *tests = tcase_create("error");

	tcase_add_test(tests, a_failure_is_a_kind_and_a_sentence_and_returns_minus_one);
	tcase_add_test(tests, a_place_is_apart_from_the_sentence);
	tcase_add_test(tests, a_text_that_ends_too_early_is_unfinished);
	tcase_add_test(tests, words_stand_before_the_place_or_the_sentence);
	tcase_add_test(tests, of_nested_documents_the_innermost_is_the_place);
	tcase_add_test(tests, a_path_of_4000_characters_costs_neither_line_nor_reason);
	tcase_add_test(tests, a_path_is_cut_between_characters);
	tcase_add_test(tests, a_sentence_that_does_not_fit_says_so);
	tcase_add_test(tests, an_error_steers_no_terminal);
	tcase_add_test(tests, what_is_cut_is_cut_between_characters);
	tcase_add_test(tests, a_mistake_in_a_specification_gets_a_caret);
	tcase_add_test(tests, the_kinds_are_the_exit_statuses_0_to_4);
	suite_add_tcase(suite, tests);
	return suite;
}
