/* SPDX-License-Identifier: BSD-3-Clause */
/* Three modules that everything stands on: memory, strings, words. Oracle: literal
 * texts, and the arithmetic of size_t. */
#include "core/base/error.h"
#include "core/base/keyword.h"
#include "core/base/mem.h"
#include "core/base/string.h"

#include "tests/unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

START_TEST(sizes_that_overflow_are_refused)
{
	size_t capacity = 0;
	char *array = NULL;

	ck_assert_ptr_null(tmap_alloc(SIZE_MAX / 2, 4, &err));
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_null(tmap_alloc_raw(SIZE_MAX / 2, 4, &err));
	ck_assert_str_eq(err.text, "out of memory for 9223372036854775807 elements of 4 bytes");
	ck_assert_ptr_null(tmap_alloc(SIZE_MAX / 2, 1, &err));
	ck_assert_str_eq(err.text, "out of memory for 9223372036854775807 bytes");
	ck_assert_ptr_null(tmap_alloc(0, SIZE_MAX, &err));
	ck_assert_str_eq(err.text, "out of memory");
	ck_assert_int_eq(tmap_grow(&array, &capacity, SIZE_MAX / 2, 4, &err), -1);
	ck_assert_ptr_null(array);
	ck_assert_uint_eq(capacity, 0);
}
END_TEST

START_TEST(memory_is_zeroed_grows_and_may_be_empty)
{
	int *numbers = tmap_alloc(5, sizeof *numbers, &err), *none = tmap_alloc(0, 8, &err);
	size_t capacity = 5;

	ck_assert_ptr_nonnull(none);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(numbers[i]++, 0);
	ck_assert_int_eq(tmap_grow(&numbers, &capacity, 5, sizeof *numbers, &err), 0);
	ck_assert_uint_eq(capacity, 5);
	ck_assert_int_eq(tmap_grow(&numbers, &capacity, 100, sizeof *numbers, &err), 0);
	ck_assert_uint_ge(capacity, 100);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(numbers[i], 1);
	free(numbers);
	free(none);
}
END_TEST

START_TEST(texts_are_copied_and_formatted_to_any_length)
{
	char *copy = tmap_strdup("abc", &err), *part = tmap_strndup("abcdef", 2, &err);
	char *made = tmap_format(&err, "%s-%0500d", "x", 7);

	ck_assert_str_eq(copy, "abc");
	ck_assert_str_eq(part, "ab");
	ck_assert_uint_eq(strlen(made), 502);
	free(copy);
	free(part);
	free(made);
}
END_TEST

START_TEST(a_string_grows_and_is_taken_once)
{
	struct tmap_str str = TMAP_STR_INIT;
	char want[3001] = "", *text;

	for (int i = 0; i < 1000; i++) {
		tmap_str_addf(&str, "%d", i % 10);
		tmap_str_add(&str, "a");
		tmap_str_addc(&str, 'b');
		want[3 * i] = (char)('0' + i % 10);
		memcpy(want + 3 * i + 1, "ab", 3);
	}
	ck_assert_uint_eq(str.length, 3000);
	text = tmap_str_take(&str, &err);
	ck_assert_str_eq(text, want);
	free(text);
	text = tmap_str_take(&str, &err);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

START_TEST(a_string_that_was_refused_memory_says_so_in_the_end)
{
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_add(&str, "abc");
	str.failed = true;
	tmap_str_add(&str, "def");
	ck_assert_ptr_null(tmap_str_take(&str, &err));
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_null(str.text);
}
END_TEST

static const struct {
	struct tmap_keyword word;
	int more;
} rows[] = {
	{ { "text", "for people" }, 1 },
	{ { "json", "for programs" }, 2 },
	{ { "dot", "for Graphviz" }, 3 },
	{ { NULL, NULL }, 0 },
};
static const struct tmap_keywords words = TMAP_KEYWORDS("format", rows);

START_TEST(a_string_is_empty_unless_something_was_appended_or_refused_memory)
{
	struct tmap_str str = TMAP_STR_INIT, refused = { .failed = true };

	ck_assert(tmap_str_is_empty(&str));
	tmap_str_add(&str, "");
	ck_assert(tmap_str_is_empty(&str));
	tmap_str_addc(&str, 'a');
	ck_assert(!tmap_str_is_empty(&str));
	ck_assert(!tmap_str_is_empty(&refused));
	tmap_str_fini(&str);
}
END_TEST

START_TEST(a_word_is_found_by_its_whole_name)
{
	ck_assert_int_eq(tmap_keywords_find(&words, "dot", &err), 2);
	ck_assert_str_eq(tmap_keywords_at(&words, 1)->summary, "for programs");
	ck_assert_ptr_null(tmap_keywords_at(&words, 3));
	ck_assert_int_eq(tmap_keywords_find(&words, "do", &err), TMAP_NONE);
	ck_assert_str_eq(err.text,
			 "unknown format 'do' (did you mean 'dot'?); one of: text, json, dot");
	ck_assert_int_eq(tmap_keywords_find(&words, "svg", &err), TMAP_NONE);
	ck_assert_str_eq(err.text, "unknown format 'svg' (one of: text, json, dot)");
	ck_assert_int_eq(err.kind, TMAP_INPUT);
}
END_TEST

START_TEST(a_choice_among_some_words_knows_no_others)
{
	uint64_t among = TMAP_KEYWORDS_BIT(0) | TMAP_KEYWORDS_BIT(2);
	char *list = tmap_keywords_list_among(&words, among, " ", &err);

	ck_assert_str_eq(list, "text dot");
	free(list);
	ck_assert_int_eq(tmap_keywords_find_among(&words, among, "dot", &err), 2);
	ck_assert_int_eq(tmap_keywords_find_among(&words, among, "json", &err), TMAP_NONE);
	ck_assert_str_eq(err.text, "unknown format 'json' (one of: text, dot)");
	ck_assert_int_eq(tmap_keywords_find_among(&words, among, "jsn", &err), TMAP_NONE);
	ck_assert_str_eq(err.text, "unknown format 'jsn' (one of: text, dot)");
	ck_assert(tmap_keywords_among(TMAP_KEYWORDS_ALL, 70) && !tmap_keywords_among(among, 70));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("basics");
	TCase *tcase = tcase_create("basics");

	tcase_add_test(tcase, sizes_that_overflow_are_refused);
	tcase_add_test(tcase, memory_is_zeroed_grows_and_may_be_empty);
	tcase_add_test(tcase, texts_are_copied_and_formatted_to_any_length);
	tcase_add_test(tcase, a_string_grows_and_is_taken_once);
	tcase_add_test(tcase, a_string_that_was_refused_memory_says_so_in_the_end);
	tcase_add_test(tcase, a_string_is_empty_unless_something_was_appended_or_refused_memory);
	tcase_add_test(tcase, a_word_is_found_by_its_whole_name);
	tcase_add_test(tcase, a_choice_among_some_words_knows_no_others);
	suite_add_tcase(suite, tcase);
	return suite;
}
