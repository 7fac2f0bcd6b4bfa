/* SPDX-License-Identifier: BSD-3-Clause */
/* Oracle: what is written, line by line. */
#include "formats/base/wrap.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

static const char *const texts[] = {
	"",
	"word",
	"a word and a line that is a good deal wider than a screen, of which the first lines are "
	"wanted, and then some more words, so that there are three of them or four",
	"a-word-that-is-longer-than-a-line-of-a-screen-which-has-eighty-columns-as-all-of-them-had-once "
	"and another",
	"names\twith\x1b[1mescapes\x1b[0m, which\nare\nwider\nthan\nthey\nseem\nto\nbe, and\nend \x7f "
	"somewhere behind the end of the line",
	"two  blanks and one at the end ",
};

static int lines_of(int column, const char *text, size_t length, size_t *widest)
{
	char *copy = strndup(text, length), *wrote = NULL;
	size_t size = 0, width = 0;
	FILE *out = open_memstream(&wrote, &size);
	int lines = 0;

	ck_assert(copy && out);
	tmap_text_write_wrapped(out, column, "", copy);
	ck_assert_int_eq(fclose(out), 0);
	*widest = 0;
	for (const char *c = wrote; *c; c++) {
		lines += *c == '\n';
		width = *c == '\n' ? 0 : width + 1;
		*widest = width > *widest ? width : *widest;
	}
	free(wrote);
	free(copy);
	return lines;
}

START_TEST(what_fits_is_written_on_so_many_lines_and_no_word_more_is)
{
	const char *text = texts[_i];

	for (int column = 0; column <= 10; column += 5)
		for (int lines = 1; lines < 6; lines++) {
			size_t length = tmap_text_fit(column, text, lines), widest;
			size_t longer = length + strcspn(text + length, " ");

			ck_assert_int_le(lines_of(column, text, length, &widest), lines);
			ck_assert(!text[length] ||
				  lines_of(column, text, longer, &widest) == lines + 1);
		}
}
END_TEST

START_TEST(a_line_is_wider_than_the_screen_for_one_word_alone)
{
	size_t widest;

	lines_of(0, texts[_i], strlen(texts[_i]), &widest);
	ck_assert(widest <= COLUMNS || strchr(texts[_i], '-'));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("wrap");
	TCase *tests = tcase_create("wrap");
	int count = (int)(sizeof texts / sizeof texts[0]);

	tcase_add_loop_test(tests, what_fits_is_written_on_so_many_lines_and_no_word_more_is, 0,
			    count);
	tcase_add_loop_test(tests, a_line_is_wider_than_the_screen_for_one_word_alone, 0, count);
	suite_add_tcase(suite, tests);
	return suite;
}
