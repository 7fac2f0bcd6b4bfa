/* SPDX-License-Identifier: BSD-3-Clause */
/* The option parser, on a table that has one row of every type. Oracle: literal command lines
 * and sentences. */
#include "formats/base/format.h"
#include "options/opt.h"

#include "tests/unit.h"

#include <string.h>

struct args {
	bool loud, quiet;
	int root;
	int64_t seed, bytes;
	const char *text, *output, *operand;
	struct tmap_opt_list items, files;
	int format;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_FLAG(struct args, loud, 'l', "loud", "print more"), .other_name = "noisy" },
	{ TMAP_OPT_FLAG(struct args, quiet, 'q', "quiet", "print less") },
	{ TMAP_OPT_INT(struct args, root, 'r', "root", "RANK", "3", 0, 7, "where to start") },
	{ TMAP_OPT_INT64(struct args, seed, 0, "seed", "SEED", NULL, -5, INT64_MAX, "shuffle") },
	{ TMAP_OPT_SIZE(struct args, bytes, 'b', "bytes", "SIZE", "64KiB", "size of a block") },
	{ TMAP_OPT_STRING(struct args, text, 't', "text", "TEXT", NULL, "any text") },
	{ TMAP_OPT_LIST(struct args, items, 'i', "item", "ITEM", "one more") },
	{ TMAP_OPT_FORMAT(struct args, format, "json", TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON)) },
	{ TMAP_OPT_OUTPUT(struct args, output) },
	TMAP_OPT_END,
};

static const struct tmap_opt operands[] = {
	{ TMAP_OPERAND_FILE(struct args, operand, "INPUT", "-", "what to read") },
	{ TMAP_OPERAND_FILES(struct args, files, "FILE", "more to read") },
	TMAP_OPT_END,
};

static struct tmap_error err;

/* Splits @p line at blanks and parses it; "''" is an empty word. */
static int parse(struct args *args, const char *line, enum tmap_opt_request *request)
{
	static char words[256];
	char *argv[32] = { NULL }, *save, *word;
	int count = 0;

	strcpy(words, line);
	for (word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[count++] = strcmp(word, "''") == 0 ? word + 2 : word;
	memset(args, 0, sizeof *args);
	return tmap_opt_parse(options, operands, argv, args, request, &err);
}

static void must_parse(struct args *args, const char *line)
{
	enum tmap_opt_request request = TMAP_REQUEST_HELP;

	ck_assert_msg(parse(args, line, &request) == 0, "%s: %s", line, err.text);
	ck_assert_int_eq(request, TMAP_REQUEST_RUN);
}

START_TEST(what_is_not_given_has_its_default)
{
	struct args a;

	must_parse(&a, "");
	ck_assert(!a.loud && !a.quiet);
	ck_assert_int_eq(a.root, 3);
	ck_assert_int_eq(a.seed, TMAP_NONE);
	ck_assert_int_eq(a.bytes, 65536);
	ck_assert_ptr_null(a.text);
	ck_assert_str_eq(a.output, "-");
	ck_assert_str_eq(a.operand, "-");
	ck_assert_int_eq(a.format, TMAP_FORMAT_JSON);
	ck_assert_uint_eq(a.items.count, 0);
	ck_assert_uint_eq(a.files.count, 0);
	tmap_opt_fini(options, operands, &a);
}
END_TEST

static const char *const same[] = {
	"--root 5 --format text in",
	"--root=5 --format=text in",
	"-r 5 -f text in",
	"-r5 -ftext in",
	"in -r5 -ftext",
	"-r5 in -ftext",
	"-r5 -ftext -- in",
	"-r 1 -r 5 --format json -f text in",
};

START_TEST(an_option_has_a_long_and_a_short_form_anywhere)
{
	struct args a;

	must_parse(&a, same[_i]);
	ck_assert_int_eq(a.root, 5);
	ck_assert_int_eq(a.format, TMAP_FORMAT_TEXT);
	ck_assert_str_eq(a.operand, "in");
	tmap_opt_fini(options, operands, &a);
}
END_TEST

static const struct {
	const char *line;
	int format;
} endings[] = {
	{ "-o a.json -f text", TMAP_FORMAT_TEXT },
	{ "-f text -o a.json", TMAP_FORMAT_TEXT },
	{ "-o a.text", TMAP_FORMAT_TEXT },
	{ "-o a.b/c", TMAP_FORMAT_JSON },
	{ "-o a.svg.text", TMAP_FORMAT_TEXT },
	{ "-o a.rankfile", TMAP_FORMAT_JSON },
	{ "-o svg -l", TMAP_FORMAT_JSON },
	{ "-o a.", TMAP_FORMAT_JSON },
	{ "-o a.c", TMAP_FORMAT_JSON }, /* this table has no c: no more than a name */
};

START_TEST(the_ending_of_the_output_chooses_the_format)
{
	struct args a;

	must_parse(&a, endings[_i].line);
	ck_assert_int_eq(a.format, endings[_i].format);
	tmap_opt_fini(options, operands, &a);
}
END_TEST

START_TEST(an_earlier_name_is_as_good)
{
	struct args a;

	must_parse(&a, "--noisy");
	ck_assert(a.loud);
	tmap_opt_fini(options, operands, &a);
}
END_TEST

START_TEST(short_flags_bundle_and_end_with_one_that_takes_a_value)
{
	struct args a;

	must_parse(&a, "-lqr5");
	ck_assert(a.loud && a.quiet);
	ck_assert_int_eq(a.root, 5);
	tmap_opt_fini(options, operands, &a);
	must_parse(&a, "-lt -q");
	ck_assert(a.loud && !a.quiet);
	ck_assert_str_eq(a.text, "-q");
	tmap_opt_fini(options, operands, &a);
}
END_TEST

START_TEST(a_value_may_be_empty_or_begin_with_a_dash_or_hold_an_equals_sign)
{
	struct args a;

	must_parse(&a, "--text= --seed -3");
	ck_assert_str_eq(a.text, "");
	ck_assert_int_eq(a.seed, -3);
	tmap_opt_fini(options, operands, &a);
	must_parse(&a, "--text=a=b");
	ck_assert_str_eq(a.text, "a=b");
	tmap_opt_fini(options, operands, &a);
	must_parse(&a, "-t ''");
	ck_assert_str_eq(a.text, "");
	tmap_opt_fini(options, operands, &a);
}
END_TEST

START_TEST(lists_collect_in_order_and_a_double_dash_ends_the_options)
{
	struct args a;

	must_parse(&a, "-ione --item=two a b -i three -- -c --loud");
	ck_assert_uint_eq(a.items.count, 3);
	ck_assert_str_eq(a.items.items[0], "one");
	ck_assert_str_eq(a.items.items[1], "two");
	ck_assert_str_eq(a.items.items[2], "three");
	ck_assert_str_eq(a.operand, "a");
	ck_assert_uint_eq(a.files.count, 3);
	ck_assert_str_eq(a.files.items[0], "b");
	ck_assert_str_eq(a.files.items[1], "-c");
	ck_assert_str_eq(a.files.items[2], "--loud");
	ck_assert(!a.loud);
	tmap_opt_fini(options, operands, &a);
}
END_TEST

START_TEST(help_and_version_win_over_what_follows)
{
	enum tmap_opt_request request = TMAP_REQUEST_RUN;
	struct args a;

	ck_assert_int_eq(parse(&a, "-l --help --nonsense", &request), 0);
	ck_assert_int_eq(request, TMAP_REQUEST_HELP);
	tmap_opt_fini(options, operands, &a);
	ck_assert_int_eq(parse(&a, "-lh", &request), 0);
	ck_assert_int_eq(request, TMAP_REQUEST_HELP);
	tmap_opt_fini(options, operands, &a);
	ck_assert_int_eq(parse(&a, "--version", &request), 0);
	ck_assert_int_eq(request, TMAP_REQUEST_VERSION);
	tmap_opt_fini(options, operands, &a);
}
END_TEST

static const struct {
	const char *line, *sentence;
} wrong[] = {
	{ "--rooot 5", "unknown option '--rooot' (did you mean '--root'?)" },
	{ "--bytse=5", "unknown option '--bytse' (did you mean '--bytes'?)" },
	{ "--vresion", "unknown option '--vresion' (did you mean '--version'?)" },
	{ "--nonsense", "unknown option '--nonsense'" },
	{ "--ro 5", "unknown option '--ro'" },
	{ "--output=", "--output: the name of a file is empty" },
	{ "-x", "unknown option '-x'" },
	{ "-lx", "unknown option '-x'" },
	{ "-xyz 5", "unknown option '-xyz'" },
	{ "-root 5", "unknown option '-root' (did you mean '--root'?)" },
	{ "-version", "unknown option '-version' (did you mean '--version'?)" },
	{ "--root", "option '--root' needs a value RANK" },
	{ "-r", "option '--root' needs a value RANK" },
	{ "--loud=yes", "option '--loud' takes no value" },
	{ "--help=yes", "option '--help' takes no value" },
	{ "--root 8", "--root: 8 is not between 0 and 7" },
	{ "--root=", "--root: '' is not a whole number" },
	{ "-r5x", "--root: '5x' is not a whole number" },
	{ "--seed -6", "--seed: -6 is not between -5 and 9223372036854775807" },
	{ "-b 1qb",
	  "--bytes: size '1qb': unknown unit 'qb' (K, M, G, T, P and E are powers of 1024, as "
	  "are KB and KiB)" },
	{ "-f svg", "--format: unknown format 'svg' (one of: text, json)" },
	{ "-o a.svg", "--output a.svg: --format: unknown format 'svg' (one of: text, json)" },
	{ "-o a/b.html",
	  "--output a/b.html: --format: unknown format 'html' (one of: text, json)" },
	{ "--format", "option '--format' needs a value FORMAT" },
};

START_TEST(a_wrong_line_is_one_sentence)
{
	enum tmap_opt_request request = TMAP_REQUEST_RUN;
	struct args a;

	ck_assert_int_eq(parse(&a, wrong[_i].line, &request), -1);
	ck_assert_str_eq(err.text, wrong[_i].sentence);
	ck_assert_int_eq(err.kind, TMAP_USAGE);
	tmap_opt_fini(options, operands, &a);
}
END_TEST

START_TEST(what_is_required_must_be_there)
{
	static const struct tmap_opt one[] = { { TMAP_OPT_STRING(struct args, text, 0, "text",
								 "TEXT", NULL, "x"),
						 .required = true },
					       TMAP_OPT_END };
	static const struct tmap_opt many[] = {
		{ TMAP_OPERAND_FILES(struct args, files, "FILE", "x"), .required = true },
		TMAP_OPT_END
	};
	char *none[] = { NULL }, text[] = "--text=a", file[] = "f";
	char *only_text[] = { text, NULL }, *both[] = { file, text, NULL };
	enum tmap_opt_request request;
	struct args a = { 0 };

	ck_assert_int_eq(tmap_opt_parse(one, many, none, &a, &request, &err), -1);
	ck_assert_str_eq(err.text, "operand FILE is missing");
	tmap_opt_fini(one, many, &a);
	ck_assert_int_eq(tmap_opt_parse(one, NULL, none, &a, &request, &err), -1);
	ck_assert_str_eq(err.text, "--text is missing");
	ck_assert_int_eq(tmap_opt_parse(one, many, only_text, &a, &request, &err), -1);
	tmap_opt_fini(one, many, &a);
	ck_assert_int_eq(tmap_opt_parse(one, many, both, &a, &request, &err), 0);
	tmap_opt_fini(one, many, &a);
	ck_assert_int_eq(tmap_opt_parse(one, NULL, both, &a, &request, &err), -1);
	ck_assert_str_eq(err.text, "unexpected operand 'f'");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("opt");
	TCase *tcase = tcase_create("opt");

	tcase_add_test(tcase, what_is_not_given_has_its_default);
	tcase_add_loop_test(tcase, an_option_has_a_long_and_a_short_form_anywhere, 0,
			    sizeof same / sizeof same[0]);
	tcase_add_loop_test(tcase, the_ending_of_the_output_chooses_the_format, 0,
			    sizeof endings / sizeof endings[0]);
	tcase_add_test(tcase, an_earlier_name_is_as_good);
	tcase_add_test(tcase, short_flags_bundle_and_end_with_one_that_takes_a_value);
	tcase_add_test(tcase, a_value_may_be_empty_or_begin_with_a_dash_or_hold_an_equals_sign);
	tcase_add_test(tcase, lists_collect_in_order_and_a_double_dash_ends_the_options);
	tcase_add_test(tcase, help_and_version_win_over_what_follows);
	tcase_add_loop_test(tcase, a_wrong_line_is_one_sentence, 0, sizeof wrong / sizeof wrong[0]);
	tcase_add_test(tcase, what_is_required_must_be_there);
	suite_add_tcase(suite, tcase);
	return suite;
}
