/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: what a terminal shows of each sequence (ECMA-48 5.4 and 8.3; XTerm Control Sequences),
 * and the same log without them.
 */
#include "formats/launchers/common/log_text.h"
#include "formats/launchers/recognise.h"
#include "formats/logs/rank_lines.h"
#include "tests/support/rank_files.h"

#include <ctype.h>

static const struct {
	const char *text, *shown;
} texts[] = {
	{ "\x1b[31mred\x1b[0m", "red" },
	{ "\x1b[01;31m\x1b[Kgrep\x1b[m\x1b[K", "grep" },
	{ "\x1b[38;2;255;0;0m24\x1b[38:5:1mbits", "24bits" },
	{ "\x1b[?25lcursor\x1b[?2004h", "cursor" },
	{ "\x1b[2 qshape", "shape" },
	{ "\x1b]0;a title\abehind\n", "behind\n" },
	{ "\x1b]8;;http://a/b\x1b\\link\x1b]8;;\x1b\\", "link" },
	{ "\x1bP1$r0m\x1b\\\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\strings", "strings" },
	{ "\x1b(B\x1b)0\x1b=\x1b>\x1b"
	  "7\x1b"
	  "8\x1b"
	  "c\x1bMshort",
	  "short" },
	/* what does not end takes nothing of the next line, and no line away */
	{ "a\x1b[\nb", "a\nb" },
	{ "a\x1b[31\nb", "a\nb" },
	{ "a\x1b[31", "a" },
	{ "a\x1b]0;title\nb", "a\nb" },
	{ "a\x1b]0;title", "a" },
	{ "a\x1b\nb", "a\nb" },
	{ "a\x1b(\nb", "a\nb" },
	{ "a\x1b", "a" },
	{ "a\x1b\x1b[1mb", "ab" },
	{ "a\x1b[1\x1b[1mb", "ab" },
	{ "a\x1b]0;t\x1b[1mb", "ab" },
	{ "\x1b[31m\xc3\xa9\x1b[0m", "\xc3\xa9" },
};

START_TEST(what_steers_a_terminal_is_no_text)
{
	char *made;

	ck_assert_str_eq(tmap_log_text_plain(&made, texts[_i].text, &err), texts[_i].shown);
	free(made);
}
END_TEST

START_TEST(a_text_without_is_not_copied)
{
	static const char text[] = "[a:1] MCW rank 0 is not bound\n";
	char *made;

	ck_assert_ptr_eq(tmap_log_text_plain(&made, text, &err), text);
	ck_assert_ptr_null(made);
}
END_TEST

/* The text with a colour round every word and within it, a title in front of each line and a link
 * at its end, which does not end. */
static char *colour(const char *text)
{
	struct tmap_str made = TMAP_STR_INIT;
	bool is_new = true, was_word = false;

	for (; *text; text++) {
		bool is_word = isalnum((unsigned char)*text);

		if (is_new)
			tmap_str_add(&made, "\x1b]0;rank 7 bound to\a");
		if (is_word && !was_word)
			tmap_str_add(&made, "\x1b[1;38;5;196m");
		if (!is_word && was_word)
			tmap_str_add(&made, "\x1b[0m\x1b[K");
		is_new = *text == '\n';
		if (is_new && text[1])
			tmap_str_add(&made, "\x1b(B\x1b]8;;http://rank 8");
		tmap_str_addc(&made, *text);
		was_word = is_word;
	}
	return tmap_str_take(&made, &err);
}

static char *read_seed(const char *seed)
{
	char *text = tmap_alloc(1 << 16, 1, &err);
	FILE *file = fopen(seed, "r");

	ck_assert_msg(file != NULL, "there is no %s", seed);
	ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, file), 0);
	fclose(file);
	return text;
}

static int read_places(const struct tmap_launcher *row, const char *text)
{
	struct tmap_machine *machine = machine_of("node:1 package:2 core:2 pu:2");
	struct tmap_launcher_file file = { .launcher = row,
					   .path = path,
					   .text = text,
					   .ranks = TMAP_NONE,
					   .node_count = machine->node_count,
					   .machine = machine };
	const char *note;
	int status = tmap_launcher_read_text(&p, machine, &file, &note, &err);

	tmap_machine_free(machine);
	return status;
}

static void parse(struct tmap_entries *entries, const struct tmap_launcher *row, const char *text)
{
	struct tmap_launcher_file file = { .launcher = row,
					   .path = path,
					   .text = text,
					   .ranks = TMAP_NONE,
					   .node_count = row->lines && row->lines->is_by_node ? 2 :
												1 };
	int line;

	ck_assert_msg(tmap_launcher_parse(entries, &file, &line, &err) == 0, "%s:%d: %s",
		      row->word.name, line, printed(&err));
}

static void expect_equal(const struct tmap_entries *a, const struct tmap_entries *b)
{
	ck_assert_int_gt(b->count, 0);
	ck_assert_int_eq(a->count, b->count);
	for (int i = 0; i < a->count; i++) {
		const struct tmap_entry *one = &a->entry[i], *other = &b->entry[i];

		ck_assert_int_eq(one->rank, other->rank);
		ck_assert_int_eq(one->line, other->line);
		ck_assert_str_eq(a->hosts.name[one->host], b->hosts.name[other->host]);
		ck_assert_str_eq(a->words.name[one->words], b->words.name[other->words]);
	}
}

/* The seeds are a file of each form that topomap reads. */
static bool is_seen_in_terminals(const struct tmap_launcher *row)
{
	return row->is_log || strcmp(row->word.name, "table") == 0;
}

START_TEST(every_log_is_read_in_colour)
{
	const struct tmap_launcher *row = tmap_launcher_at(_i), *found = NULL;
	struct tmap_entries expected = { 0 }, entries = { 0 };
	char *seed = tmap_format(&err, "tests/fuzz/seeds/launchers/%s", row->word.name);
	char *file = is_seen_in_terminals(row) ? read_seed(seed) : NULL;
	char *text = file ? strchr(file, '\n') + 1 : NULL, *coloured = text ? colour(text) : NULL;

	if (text) {
		parse(&expected, row, text);
		ck_assert_ptr_nonnull(strchr(coloured, '\x1b'));
		parse(&entries, row, coloured);
		expect_equal(&entries, &expected);
		ck_assert_msg(tmap_launcher_recognise(&found, coloured, &err) == 0, "%s: %s", seed,
			      printed(&err));
		ck_assert_ptr_eq(found, row);
	}
	tmap_entries_fini(&entries);
	tmap_entries_fini(&expected);
	free(coloured);
	free(file);
	free(seed);
}
END_TEST

START_TEST(every_log_is_refused_in_colour_as_without)
{
	static const struct {
		const char *name, *text, *message;
	} logs[] = {
		{ "report-bindings", "\n[a:1] MCW rank 0 bound to \n",
		  ":2: the line ends where a binding is expected" },
		{ "cpu-bind-verbose", "cpu-bind=MASK - n0, task  0  0 [1]: mask 0x100 set\n",
		  ":1: the mask has PU P8, which the node lacks" },
		{ "hydra-topo-debug", "\n\nprocess 0 binding: 10x0\n",
		  ":3: the binding of process 0 is no row of 0 and 1" },
		{ "taskset", "0: pid 9's current affinity list: 4-\n",
		  ":1: rank 0: the line ends where a list of PUs such as 0-3,8 is expected" },
	};
	const struct tmap_launcher *row = tmap_launcher_find(logs[_i].name);
	char *coloured = colour(logs[_i].text);

	ck_assert_int_eq(read_places(row, logs[_i].text), -1);
	expect_message(logs[_i].message);
	ck_assert_int_eq(read_places(row, coloured), -1);
	expect_message(logs[_i].message);
	free(coloured);
}
END_TEST

/* mpirun would not read this file, so that topomap must not either. */
START_TEST(a_launcher_reads_no_colours)
{
	ck_assert_int_eq(
		read_places(tmap_launcher_find("openmpi4"), "\x1b[1mrank 0=a slot=1\x1b[0m\n"), -1);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("log_text");
	TCase *tc = tcase_create("log_text");
	int rows = 0;

	while (tmap_keywords_at(&tmap_launchers, (size_t)rows))
		rows++;
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, what_steers_a_terminal_is_no_text, 0, sizeof texts / sizeof *texts);
	tcase_add_test(tc, a_text_without_is_not_copied);
	tcase_add_loop_test(tc, every_log_is_read_in_colour, 0, rows);
	tcase_add_loop_test(tc, every_log_is_refused_in_colour_as_without, 0, 4);
	tcase_add_test(tc, a_launcher_reads_no_colours);
	suite_add_tcase(suite, tc);
	return suite;
}
