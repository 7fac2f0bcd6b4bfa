/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: RFC 8259 and what stands in formats/json/json.h; numbers are checked with strtod. */
#include "core/base/random.h"
#include "formats/json/json.h"
#include "formats/json/json_write.h"
#include "tests/support/printed.h"
#include "tests/unit.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tmap_error err;

static struct tmap_json parse(const char *text)
{
	struct tmap_json doc;

	ck_assert_msg(tmap_json_parse(&doc, text, strlen(text), "a.json", &err) == 0, "%s",
		      printed(&err));
	return doc;
}

/* The reasons are the library's, which change; the line is what counts. */
static const struct {
	const char *text;
	int line;
	const char *beginning;
} broken[] = {
	{ "{\"a\": 1,\n \"b\": [1, 2", 2, "the document is cut off here" },
	{ "{\"a\": 1}\n{", 2, "the document ends, but something follows" },
	{ "{\"a\": 1,\n\n \"a\": 2}", 3, "duplicate object key" },
	{ "{\"a\":\n\n\n 01}", 4, "" },
	{ "{\"a\": 123456789012345678901}", 1, "too big integer" },
	{ "{\"a\": \"\xff\"}", 1, "" },
	{ "{\"a\": \"\\u0000\"}", 1, "" },
	{ "{'a': 1}", 1, "" },
	{ "\n nonsense", 2, "" },
	{ "", 0, "the document is empty" },
	{ " \n", 2, "the document is cut off here" },
	{ "{\"a\": 1,\n", 2, "" },
};

START_TEST(what_is_not_json_is_refused_with_its_line)
{
	struct tmap_json doc;

	ck_assert_int_eq(
		tmap_json_parse(&doc, broken[_i].text, strlen(broken[_i].text), "a.json", &err),
		-1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(err.path, "a.json");
	ck_assert_int_eq(err.line, broken[_i].line);
	ck_assert_msg(strncmp(err.text, broken[_i].beginning, strlen(broken[_i].beginning)) == 0,
		      "%s", err.text);
}
END_TEST

START_TEST(nesting_without_end_is_refused)
{
	enum { DEPTH = 100000 };
	char *text = malloc(DEPTH);
	struct tmap_json doc;

	memset(text, '[', DEPTH);
	ck_assert_int_eq(tmap_json_parse(&doc, text, DEPTH, "a.json", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	free(text);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_the_systems_fault)
{
	struct tmap_json doc;

	ck_assert_int_eq(tmap_json_read(&doc, "/no/such/file.json", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_nonnull(strstr(printed(&err), "/no/such/file.json"));
	ck_assert_int_eq(tmap_json_read(&doc, "/", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_ptr_nonnull(strstr(printed(&err), "Is a directory"));
}
END_TEST

static int read_bytes(struct tmap_json *doc, const char *bytes, size_t length)
{
	char path[] = "/tmp/topomap-json-XXXXXX";
	int file = mkstemp(path), status;

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, bytes, length), (ssize_t)length);
	ck_assert_int_eq(close(file), 0);
	status = tmap_json_read(doc, path, &err);
	unlink(path);
	return status;
}

START_TEST(zero_bytes_before_a_document_are_left_out)
{
	struct tmap_json doc;

	ck_assert_msg(read_bytes(&doc, "\0\0{\"kind\": \"tree\"}", 18) == 0, "%s", printed(&err));
	tmap_json_fini(&doc);
	ck_assert_int_eq(read_bytes(&doc, "{\"kind\": \"tree\"}\0", 17), -1);
	ck_assert_int_eq(read_bytes(&doc, "\0\0", 2), -1);
	ck_assert_ptr_nonnull(strstr(printed(&err), "the document is empty"));
}
END_TEST

/* So many bytes of the filler behind the text. */
static int read_long(struct tmap_json *doc, const char *text, char filler, size_t count)
{
	size_t length = strlen(text);
	char *bytes = malloc(length + count);
	int status;

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, text, length);
	memset(bytes + length, filler, count);
	status = read_bytes(doc, bytes, length + count);
	free(bytes);
	return status;
}

START_TEST(of_an_array_nothing_is_read)
{
	struct tmap_json doc;

	/* what follows is no JSON, and not looked at */
	ck_assert_msg(read_long(&doc, " \n[1,", '?', 9000000) == 0, "%s", printed(&err));
	ck_assert(tmap_json_is(&doc, TMAP_JSON_ARRAY));
	ck_assert_int_eq(tmap_json_count(&doc), 0);
	ck_assert_int_eq(tmap_json_check_kind(&doc, "tree", &err), -1);
	ck_assert_str_eq(printed(&err), "a tree document is expected, this is an array");
	tmap_json_fini(&doc);
}
END_TEST

START_TEST(blanks_without_end_are_no_document)
{
	struct tmap_json doc;

	ck_assert_int_eq(read_long(&doc, "", ' ', 2000000), -1);
	ck_assert_ptr_nonnull(strstr(
		printed(&err), "it begins with more than 1048576 blanks: this is no document"));
	ck_assert_int_eq(read_long(&doc, "\n", '\n', 1000), -1);
	ck_assert_ptr_nonnull(strstr(printed(&err), "the document is cut off here"));
}
END_TEST

static const struct {
	const char *text, *message;
} kinds[] = {
	{ "[1]", "a tree document is expected, this is an array" },
	{ "7", "a tree document is expected, this is a whole number" },
	{ "{}", "a tree document is expected, this object has no 'kind'" },
	{ "{\"kind\": 5}", "kind: a string is expected, this is a whole number" },
	{ "{\"kind\": \"ring\"}", "a tree document is expected, this is a ring document" },
	{ "{\"kind\": \"tree\"}", "the member 'format' is missing" },
	{ "{\"kind\": \"tree\", \"format\": \"1\"}",
	  "format: a whole number is expected, this is a string" },
	{ "{\"kind\": \"tree\", \"format\": 2}", "format: this version reads format 1, not 2" },
};

START_TEST(another_kind_or_format_is_refused)
{
	struct tmap_json doc = parse(kinds[_i].text);

	ck_assert_int_eq(tmap_json_check_kind(&doc, "tree", &err), -1);
	ck_assert_int_eq(err.kind, TMAP_INPUT);
	ck_assert_str_eq(printed(&err), kinds[_i].message);
	tmap_json_fini(&doc);
}
END_TEST

START_TEST(messages_name_the_way)
{
	struct tmap_json doc =
		parse("{\"a\": [{}, {\"b\": {\"c\": 7.5, \"d\": -1, \"e\": null}}]}");
	struct tmap_json a, element, b, e;
	int value;

	ck_assert_int_eq(tmap_json_get(&doc, "a", TMAP_JSON_ARRAY, &a, &err), 0);
	ck_assert_int_eq(tmap_json_count(&a), 2);
	ck_assert_int_eq(tmap_json_element(&a, 1, TMAP_JSON_STRING, &element, &err), -1);
	ck_assert_str_eq(printed(&err), "a[1]: a string is expected, this is an object");
	ck_assert_int_eq(tmap_json_element(&a, 1, TMAP_JSON_OBJECT, &element, &err), 0);
	ck_assert_int_eq(tmap_json_get(&element, "b", TMAP_JSON_OBJECT, &b, &err), 0);
	ck_assert_int_eq(tmap_json_get_int(&b, "c", 0, 9, &value, &err), -1);
	ck_assert_str_eq(printed(&err),
			 "a[1].b.c: a whole number is expected, this is a number with a "
			 "fraction or an exponent");
	ck_assert_int_eq(tmap_json_get_int(&b, "d", 0, 9, &value, &err), -1);
	ck_assert_str_eq(printed(&err), "a[1].b.d: -1 is not in 0-9");
	ck_assert_int_eq(tmap_json_get_index(&b, "d", 2, "nodes", &value, &err), -1);
	ck_assert_str_eq(printed(&err), "a[1].b.d: -1 is not one of the 2 nodes");
	ck_assert_int_eq(tmap_json_get_int(&b, "e", 0, 9, &value, &err), -1);
	ck_assert_str_eq(printed(&err), "a[1].b: the member 'e' is missing");
	value = 5;
	ck_assert_int_eq(tmap_json_find_int(&b, "e", 0, 9, &value, &err), 0);
	ck_assert_int_eq(value, 5);
	ck_assert_int_eq(tmap_json_find(&b, "e", TMAP_JSON_OBJECT, &e, &err), 0);
	ck_assert_ptr_null(e.value);
	tmap_json_fini(&doc);
}
END_TEST

START_TEST(a_list_is_a_text_or_an_array)
{
	struct tmap_json doc =
		parse("{\"a\": \"0-1x2\", \"b\": [0, 1, 0, 1], \"c\": [0, 1, 2, \"3\"], "
		      "\"d\": 4, \"e\": \"0-3,\"}");
	static const char *const members[] = { "a", "b" };
	static const int expected[] = { 0, 1, 0, 1 };

	for (int i = 0; i < 2; i++) {
		int *list = tmap_json_get_list(&doc, members[i], 4, 0, 1, &err);

		ck_assert_ptr_nonnull(list);
		ck_assert_mem_eq(list, expected, sizeof expected);
		free(list);
	}
	ck_assert_ptr_null(tmap_json_get_list(&doc, "a", 3, 0, 1, &err));
	ck_assert_str_eq(printed(&err), "a: the list has 4 numbers where there must be 3");
	ck_assert_ptr_null(tmap_json_get_list(&doc, "a", 4, 0, 0, &err));
	ck_assert_str_eq(printed(&err), "a: character 3 of the list: 1 is not in 0-0");
	ck_assert_ptr_null(tmap_json_get_list(&doc, "b", 4, 0, 0, &err));
	ck_assert_str_eq(printed(&err), "b[1]: 1 is not in 0-0");
	ck_assert_ptr_null(tmap_json_get_list(&doc, "c", 4, 0, 9, &err));
	ck_assert_str_eq(printed(&err), "c[3]: a whole number is expected, this is a string");
	ck_assert_ptr_null(tmap_json_get_list(&doc, "d", 4, 0, 9, &err));
	ck_assert_str_eq(printed(&err), "d: a list is expected, this is a whole number");
	ck_assert_ptr_null(tmap_json_get_list(&doc, "e", 4, 0, 9, &err));
	ck_assert_str_eq(printed(&err), "e: the list ends at character 5: a number is expected");
	ck_assert_ptr_null(tmap_json_get_list(&doc, "f", 4, 0, 9, &err));
	ck_assert_str_eq(printed(&err), "the member 'f' is missing");
	tmap_json_fini(&doc);
}
END_TEST

START_TEST(a_set_is_a_text_or_an_array)
{
	struct tmap_json doc = parse("{\"a\": \"1,3-4\", \"b\": [4, 1, 3], \"c\": [1, -3], "
				     "\"d\": \"9-\"}");
	struct tmap_idset a = { 0 }, b = { 0 }, none = { 0 };

	ck_assert_int_eq(tmap_json_find_set(&doc, "a", 9, &a, &err), 0);
	ck_assert_int_eq(tmap_json_find_set(&doc, "b", 9, &b, &err), 0);
	ck_assert_int_eq(tmap_idset_size(&a), 3);
	ck_assert(tmap_idset_equal(&a, &b));
	ck_assert_int_eq(tmap_json_find_set(&doc, "e", 9, &none, &err), 0);
	ck_assert_int_eq(none.count, 0);
	ck_assert_int_eq(tmap_json_find_set(&doc, "c", 9, &none, &err), -1);
	ck_assert_str_eq(printed(&err), "c[1]: -3 is not in 0-9");
	ck_assert_int_eq(tmap_json_find_set(&doc, "d", 9, &none, &err), -1);
	ck_assert_str_eq(printed(&err), "d: '9-': a number is missing at the end");
	tmap_idset_fini(&a);
	tmap_idset_fini(&b);
	tmap_json_fini(&doc);
}
END_TEST

/* What the calls write, as text. */
static char *written(void (*write)(struct tmap_json_writer *w))
{
	struct tmap_json_writer w;
	char *text;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	tmap_json_begin(&w, file, "test");
	write(&w);
	ck_assert_int_eq(tmap_json_end(&w, &err), 0);
	fclose(file);
	return text;
}

static void write_everything(struct tmap_json_writer *w)
{
	const int ints[] = { -1, 0, 2147483647, -2147483647 - 1 };
	const double doubles[] = { 0, 0.5, 1e300, INFINITY };

	tmap_json_put_int(w, "least", INT64_MIN);
	tmap_json_open(w, "empty", '{');
	tmap_json_close(w);
	tmap_json_open(w, "list", '[');
	tmap_json_open_line(w, NULL, '{');
	tmap_json_put_bool(w, "yes", true);
	tmap_json_open(w, "inner", '[');
	tmap_json_put_null(w, NULL);
	tmap_json_put_double(w, NULL, 2.25);
	tmap_json_close(w);
	tmap_json_put_string(w, "a\"b", "c");
	tmap_json_close(w);
	tmap_json_open_kind(w, NULL, "other");
	tmap_json_close(w);
	tmap_json_close(w);
	tmap_json_put_ints(w, "ints", ints, 4);
	tmap_json_put_doubles(w, "doubles", doubles, 4);
	tmap_json_put_ints(w, "none", ints, 0);
	ck_assert_int_eq(tmap_json_put_list(w, "seq", ints + 1, 1, &err), 0);
}

START_TEST(documents_are_indented_and_lines_stay_lines)
{
	char *text = written(write_everything);

	ck_assert_str_eq(text,
			 "{\n"
			 "  \"kind\": \"test\",\n"
			 "  \"format\": 1,\n"
			 "  \"least\": -9223372036854775808,\n"
			 "  \"empty\": {},\n"
			 "  \"list\": [\n"
			 "    {\"yes\": true, \"inner\": [null, 2.25], \"a\\\"b\": \"c\"},\n"
			 "    {\n"
			 "      \"kind\": \"other\",\n"
			 "      \"format\": 1\n"
			 "    }\n"
			 "  ],\n"
			 "  \"ints\": [-1,0,2147483647,-2147483648],\n"
			 "  \"doubles\": [0,0.5,1e+300,null],\n"
			 "  \"none\": [],\n"
			 "  \"seq\": \"0\"\n"
			 "}\n");
	free(text);
}
END_TEST

static const struct {
	const char *bytes, *read;
} strings[] = {
	{ "plain", "plain" },
	{ "tab\tquote\"back\\slash\nend", "tab\tquote\"back\\slash\nend" },
	{ "\x01\x1f\x7f", "\x01\x1f\x7f" },
	{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	  "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "caf\xe9", "caf\xc3\xa9" },                               /* Latin-1 */
	{ "\xc3", "\xc3\x83" },                                     /* cut short */
	{ "\xc0\xaf", "\xc3\x80\xc2\xaf" },                         /* overlong */
	{ "\xed\xa0\x80", "\xc3\xad\xc2\xa0\xc2\x80" },             /* half of a surrogate pair */
	{ "\xf4\x90\x80\x80", "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80" }, /* above U+10FFFF */
};

static int string_row;

static void write_string(struct tmap_json_writer *w)
{
	tmap_json_put_string(w, "s", strings[string_row].bytes);
}

START_TEST(any_bytes_become_valid_strings)
{
	struct tmap_json doc;
	const char *read;
	char *text;

	string_row = _i;
	text = written(write_string);
	doc = parse(text);
	ck_assert_int_eq(tmap_json_get_string(&doc, "s", &read, &err), 0);
	ck_assert_str_eq(read, strings[_i].read);
	tmap_json_fini(&doc);
	free(text);
}
END_TEST

START_TEST(doubles_read_back_the_same_and_whole_ones_are_integers)
{
	static const struct {
		double value;
		const char *text;
	} known[] = {
		{ 0, "0" },
		{ 7, "7" },
		{ -3, "-3" },
		{ 0.1, "0.1" },
		{ 1.5e-6, "1.5e-06" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 999999999999999, "999999999999999" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ 4.9406564584124654e-324, "4.94065645841247e-324" },
		{ NAN, "null" },
	};
	char text[TMAP_JSON_NUMBER_ROOM];
	struct tmap_random random = { 1 };

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		ck_assert_str_eq(tmap_json_print_double(known[i].value, text), known[i].text);
	for (int i = 0; i < 200000; i++) {
		uint64_t state = tmap_random_next(&random);
		double value;

		memcpy(&value, &state, sizeof value);
		if (!isfinite(value))
			continue;
		tmap_json_print_double(value, text);
		ck_assert_msg(strtod(text, NULL) == value, "%s", text);
	}
}
END_TEST

START_TEST(a_full_disk_is_told)
{
	FILE *full = fopen("/dev/full", "w");
	struct tmap_json_writer w;

	if (!full)
		return;
	tmap_json_begin(&w, full, "test");
	ck_assert_int_eq(tmap_json_end(&w, &err), -1);
	ck_assert_int_eq(err.kind, TMAP_SYSTEM);
	ck_assert_str_eq(printed(&err), "the document cannot be written: No space left on device");
	fclose(full);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof(table)[0])

Suite *test_suite(void)
{
	Suite *suite = suite_create("json");
	TCase *tests = tcase_create("json");

	tcase_add_test(tests, zero_bytes_before_a_document_are_left_out);
	tcase_add_test(tests, of_an_array_nothing_is_read);
	tcase_add_test(tests, blanks_without_end_are_no_document);
	tcase_add_loop_test(tests, what_is_not_json_is_refused_with_its_line, 0, COUNT(broken));
	tcase_add_test(tests, nesting_without_end_is_refused);
	tcase_add_test(tests, a_file_that_is_not_there_is_the_systems_fault);
	tcase_add_loop_test(tests, another_kind_or_format_is_refused, 0, COUNT(kinds));
	tcase_add_test(tests, messages_name_the_way);
	tcase_add_test(tests, a_list_is_a_text_or_an_array);
	tcase_add_test(tests, a_set_is_a_text_or_an_array);
	tcase_add_test(tests, documents_are_indented_and_lines_stay_lines);
	tcase_add_loop_test(tests, any_bytes_become_valid_strings, 0, COUNT(strings));
	tcase_add_test(tests, doubles_read_back_the_same_and_whole_ones_are_integers);
	tcase_add_test(tests, a_full_disk_is_told);
	suite_add_tcase(suite, tests);
	return suite;
}
