/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: looks written down by hand; on random panels the properties: one name has one look, two names
 * have two, and in a panel no colour stands twice where the plot has no more names than colours.
 */
#include "formats/draw/palette.h"
#include "formats/draw/plot_looks.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

START_TEST(one_name_has_one_look_in_all_panels)
{
	static struct tmap_plot_line first[] = { { .name = "ring" },
						 { .name = NULL },
						 { .name = "knomial" } };
	static struct tmap_plot_line second[] = { { .name = "knomial" },
						  { .is_faint = true },
						  { .name = "chain" },
						  { .name = NULL },
						  { .name = "ring" } };
	struct tmap_plot_panel panel[] = { { .line_count = 3, .line = first },
					   { .line_count = 5, .line = second } };
	static const int by_name[] = { 0, 0, 1, 1, TMAP_NONE, 2, 2, 0 };
	static const int by_place[] = { 0, 0, 1, 0, TMAP_NONE, 1, 1, 2 };

	for (int is_by_name = 0; is_by_name < 2; is_by_name++) {
		struct tmap_plot plot = { .count = 2, .panel = panel, .is_by_name = is_by_name };
		int *look;

		ck_assert_int_eq(tmap_plot_looks_make(&look, &plot, &err), 0);
		for (int i = 0; i < 8; i++)
			ck_assert_int_eq(look[i], is_by_name ? by_name[i] : by_place[i]);
		free(look);
	}
}
END_TEST

enum { PANELS = 4, LINES = 7 };

/* Some of the names, none twice. */
static void names_draw(struct tmap_plot_line *line, int names)
{
	static const char *const name[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k" };
	int from = rand() % names, step = 1 + rand() % 2;

	for (int l = 0; l < LINES; l++)
		line[l] = (struct tmap_plot_line){ .name = l < names / step ?
							   name[(from + l * step) % names] :
							   NULL };
}

START_TEST(names_that_are_few_differ_in_colour)
{
	int names = 2 + _i % 10;
	struct tmap_plot_line line[PANELS][LINES];
	struct tmap_plot_panel panel[PANELS];
	struct tmap_plot plot = { .count = PANELS, .panel = panel, .is_by_name = true };
	int *look;

	srand((unsigned)_i);
	for (int p = 0; p < PANELS; p++) {
		names_draw(line[p], names);
		panel[p] = (struct tmap_plot_panel){ .line_count = LINES, .line = line[p] };
	}
	ck_assert_int_eq(tmap_plot_looks_make(&look, &plot, &err), 0);
	for (int i = 0; i < PANELS * LINES; i++)
		for (int k = 0; k < i; k++) {
			const char *a = line[i / LINES][i % LINES].name;
			const char *b = line[k / LINES][k % LINES].name;

			if (!a || !b)
				continue;
			ck_assert((strcmp(a, b) == 0) == (look[i] == look[k]));
			if (names <= 7 && i / LINES == k / LINES)
				ck_assert_str_ne(tmap_palette_line(look[i]),
						 tmap_palette_line(look[k]));
		}
	free(look);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("plot_looks");
	TCase *c = tcase_create("plot_looks");

	tcase_add_test(c, one_name_has_one_look_in_all_panels);
	tcase_add_loop_test(c, names_that_are_few_differ_in_colour, 0, 60);
	suite_add_tcase(suite, c);
	return suite;
}
