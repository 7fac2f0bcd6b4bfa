/*
 * Oracle: tables drawn by hand.
 */
#include "formats/report/baseline/text_baselines.h"
#include "formats/text/text_table.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

static char *text_of(const struct tmap_table *table)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(tmap_table_write(out, table, &err), 0);
	fclose(out);
	return text;
}

START_TEST(columns_are_as_wide_as_their_cells)
{
	struct tmap_table table;
	char *text;

	ck_assert_int_eq(tmap_table_init(&table, 3, 4, &err), 0);
	tmap_table_set(&table, 0, 0, "edges");
	tmap_table_set(&table, 0, 1, "%d", 1);
	tmap_table_set(&table, 0, 3, "weight");
	tmap_table_set(&table, 1, 0, "ours");
	tmap_table_set(&table, 1, 1, "%d", 24);
	tmap_table_set(&table, 1, 2, "%s", "x");
	tmap_table_set(&table, 2, 0, "another");
	tmap_table_set(&table, 2, 3, "%d", 7);
	text = text_of(&table);
	ck_assert_str_eq(text,
			 "edges     1     weight\n"
			 "ours     24  x\n"
			 "another              7\n");
	free(text);
	tmap_table_fini(&table);
}
END_TEST

START_TEST(what_does_not_fit_stands_below)
{
	struct tmap_table table;
	char *text;

	ck_assert_int_eq(tmap_table_init(&table, 2, 20, &err), 0);
	tmap_table_set(&table, 0, 0, "label");
	tmap_table_set(&table, 1, 0, "row");
	for (int column = 1; column < 20; column++) {
		tmap_table_set(&table, 0, column, "column%02d", column);
		tmap_table_set(&table, 1, column, "%d", column);
	}
	text = text_of(&table);
	for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
		ck_assert_uint_le(strcspn(at, "\n"), 80);
	ck_assert_ptr_nonnull(strstr(text, "column07\nrow "));
	ck_assert_ptr_nonnull(strstr(text, "\n\nlabel  column08"));
	ck_assert_ptr_nonnull(strstr(text, "column19\n"));
	free(text);
	tmap_table_fini(&table);
}
END_TEST

START_TEST(a_column_wider_than_the_page_stands_alone)
{
	struct tmap_table table;
	char *text, wide[100];

	memset(wide, 'w', 99);
	wide[99] = '\0';
	ck_assert_int_eq(tmap_table_init(&table, 1, 3, &err), 0);
	tmap_table_set(&table, 0, 0, "a");
	tmap_table_set(&table, 0, 1, "%s", wide);
	tmap_table_set(&table, 0, 2, "c");
	text = text_of(&table);
	ck_assert_ptr_nonnull(strstr(text, "w\n\na  c\n"));
	free(text);
	tmap_table_fini(&table);
}
END_TEST

START_TEST(times_have_three_digits_and_a_unit)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = { { 0, "0 s" },           { 4.8e-7, "480 ns" },
		      { 1.25e-6, "1.25 us" }, { 0.0123456, "12.3 ms" },
		      { 0.9997, "1000 ms" },  { 1, "1 s" },
		      { 999.4, "999 s" },     { 1123.4, "1123 s" },
		      { 1e9, "1000000000 s" } };
	char text[TMAP_SECONDS_ROOM];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_str_eq(tmap_text_seconds(cases[i].seconds, text), cases[i].text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("text_table");
	TCase *c = tcase_create("text_table");

	tcase_add_test(c, columns_are_as_wide_as_their_cells);
	tcase_add_test(c, what_does_not_fit_stands_below);
	tcase_add_test(c, a_column_wider_than_the_page_stands_alone);
	tcase_add_test(c, times_have_three_digits_and_a_unit);
	suite_add_tcase(suite, c);
	return suite;
}
