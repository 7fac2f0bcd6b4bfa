/* SPDX-License-Identifier: BSD-3-Clause */
/* Help and manual pages of a small command. Oracle: literal texts. */
#include "options/docs.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

struct args {
	bool loud;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_FLAG(struct args, loud, 'l', "loud", "print more"), .other_name = "noisy" },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "a long line",
	  "topomap sing 'one word of many blanks, which a shell takes as it stands' "
	  "--loud | topomap hear",
	  NULL },
	{ NULL, NULL, NULL },
};

static const struct tmap_command command = {
	.name = "sing",
	.summary = "sing a song",
	.description = "It is a short one.",
	.options = options,
	.args_size = sizeof(struct args),
	.examples = examples,
};

static struct tmap_error err;

START_TEST(a_line_breaks_before_options_and_never_inside_quotes)
{
	const char *line = "topomap 'a b c' --for x y | z";

	ck_assert_uint_eq(tmap_docs_piece(line, 29), strlen(line));
	ck_assert_uint_eq(tmap_docs_piece(line, 28), strlen("topomap 'a b c' --for x y"));
	ck_assert_uint_eq(tmap_docs_piece(line, 26), strlen("topomap 'a b c'"));
	ck_assert_uint_eq(tmap_docs_piece(line, 16), strlen("topomap"));
	ck_assert_uint_eq(tmap_docs_piece(line, 4), strlen(line));
}
END_TEST

START_TEST(help_is_usage_text_options_and_examples)
{
	static const char expected[] =
		"Usage: topomap sing [OPTION]...\n"
		"Sing a song\n\n"
		"It is a short one.\n\n"
		"Options:\n"
		"  -l, --loud              print more\n"
		"  -h, --help              print this help\n"
		"      --version           print the version\n"
		"An option that is given again takes the place of the one before, unless it may\n"
		"be repeated.\n\n"
		"Examples:\n"
		"  # a long line\n"
		"  topomap sing 'one word of many blanks, which a shell takes as it stands' \\\n"
		"      --loud | topomap hear\n\n"
		"The manual has more: topomap-sing(1), topomap(7).\n";
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	ck_assert_int_eq(tmap_help_print_command(file, &command, &err), 0);
	fclose(file);
	ck_assert_str_eq(text, expected);
	free(text);
}
END_TEST

/* The page that @p source makes, the caller's; NULL with err set if it is refused. */
static char *page_of(const char *source)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	FILE *in = fmemopen((void *)source, strlen(source), "r");
	int status = tmap_man_print(out, in, &command, &err);

	fclose(in);
	fclose(out);
	if (status == 0)
		return text;
	free(text);
	return NULL;
}

START_TEST(a_page_is_its_source_with_what_the_table_has)
{
	char *page = page_of("@NAME@\n@SYNOPSIS@\n.Sh DESCRIPTION\nLa.\n@OPTIONS@\n"
			     "@EXIT STATUS@\n@EXAMPLES@\n```console\n$ a -b \\\n.c\n```\nEnd.\n");

	ck_assert_ptr_nonnull(page);
	ck_assert_ptr_nonnull(strstr(page, ".Sh NAME\n.Nm topomap-sing\n.Nd sing a song\n"));
	ck_assert_ptr_nonnull(strstr(page, ".Sh DESCRIPTION\nLa.\n.Sh OPTIONS\n"));
	ck_assert_ptr_nonnull(strstr(page,
				     ".It Fl l , Fl \\-loud\nprint more\n"
				     "(earlier name:\n.Fl \\-noisy )\n"));
	ck_assert_ptr_nonnull(strstr(page, ".Bd -literal\n$ a \\-b \\e\n\\&.c\n.Ed\nEnd.\n"));
	free(page);
}
END_TEST

START_TEST(a_page_without_its_options_is_refused)
{
	ck_assert_ptr_null(page_of("@NAME@\n@SYNOPSIS@\n@EXIT STATUS@\n@EXAMPLES@\n"));
	ck_assert_str_eq(err.text, "the page of sing has no line '@OPTIONS@'");
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("docs");
	TCase *tcase = tcase_create("docs");

	tcase_add_test(tcase, a_line_breaks_before_options_and_never_inside_quotes);
	tcase_add_test(tcase, help_is_usage_text_options_and_examples);
	tcase_add_test(tcase, a_page_is_its_source_with_what_the_table_has);
	tcase_add_test(tcase, a_page_without_its_options_is_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
