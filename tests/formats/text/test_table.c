/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Oracle: tables drawn by hand.
 */
#include "formats/base/amount.h"
#include "formats/text/table.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

enum { NAME, FITS, WHY, COUNT, SECONDS, SPAN };

static const struct tmap_column columns[] = {
	[NAME] = { "name", "algorithm", "edges", TMAP_COLUMN_STRING, .most = 12 },
	[FITS] = { "fits", NULL, NULL, TMAP_COLUMN_BOOL },
	[WHY] = { "why", "why", "why", TMAP_COLUMN_STRING, .is_optional = true },
	[COUNT] = { "count", "count", "count\nof all", TMAP_COLUMN_INT, 7 },
	[SECONDS] = { "seconds", "seconds", "time", TMAP_COLUMN_SECONDS },
	[SPAN] = { "ranks", NULL, "ranks", TMAP_COLUMN_SPAN },
};

static const struct {
	const char *name, *why;
	int64_t count;
	double seconds;
	int least, most;
} rows[] = {
	{ "ours", NULL, 24, 0.25, 1, 1 },
	{ "a longer, \"name\"", NULL, 7, 1e-6, 2, 3 },
	{ "another", NULL, -1, 0, 4, 4 },
};

static int fill_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *e)
{
	(void)e;
	cell[NAME].string = rows[row].name;
	cell[FITS].is_true = row == 0;
	cell[WHY].string = subject;
	cell[COUNT].count = rows[row].count;
	cell[COUNT].is_empty = rows[row].count < 0;
	cell[SECONDS].number = rows[row].seconds;
	cell[SPAN].count = rows[row].least;
	cell[SPAN].most = rows[row].most;
	return 0;
}

static const struct tmap_table table = {
	.column = columns, .columns = TMAP_COLUMNS(columns), .rows = 3, .row = fill_row
};

typedef int table_writer(FILE *out, const struct tmap_table *table, struct tmap_error *err);

static char *text_of(const struct tmap_table *it, table_writer *write)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	ck_assert_int_eq(write(out, it, &err), 0);
	fclose(out);
	return text;
}

static void check_text(const struct tmap_table *it, table_writer *write, const char *expected)
{
	char *text = text_of(it, write);

	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(people_see_columns_as_wide_as_their_cells)
{
	check_text(&table, tmap_table_write_text,
		   "           count\n"
		   "edges     of all     time  ranks\n"
		   "ours          24   250 ms      1\n"
		   "a longer, \"name\"\n"
		   "               7  1.00 us   2..3\n"
		   "another               0 s      4\n");
}
END_TEST

START_TEST(columns_can_be_hidden_and_lines_indented)
{
	struct tmap_table some = table;

	some.hidden = 1 << COUNT | 1 << SPAN;
	some.indent = 2;
	some.rows = 1;
	some.subject = "so";
	check_text(&some, tmap_table_write_text,
		   "  edges  why    time\n"
		   "  ours   so   250 ms\n");
}
END_TEST

START_TEST(a_table_without_rows_has_its_headings)
{
	struct tmap_table none = table;

	none.rows = 0;
	check_text(&none, tmap_table_write_csv, "algorithm,why,count,seconds\n");
	check_text(&none, tmap_table_write_text,
		   "         count\n"
		   "edges   of all  time  ranks\n");
}
END_TEST

START_TEST(csv_has_quotes_where_it_must)
{
	check_text(&table, tmap_table_write_csv,
		   "algorithm,why,count,seconds\n"
		   "ours,,24,0.25\n"
		   "\"a longer, \"\"name\"\"\",,7,1e-06\n"
		   "another,,,0\n");
}
END_TEST

static int write_document(FILE *out, const struct tmap_table *it, struct tmap_error *e)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "test");
	if (tmap_table_put_json(&w, "rows", it, e) < 0)
		return -1;
	return tmap_json_end(&w, e);
}

START_TEST(documents_have_an_object_for_each_row)
{
	check_text(&table, write_document,
		   "{\n"
		   "  \"kind\": \"test\",\n"
		   "  \"format\": 1,\n"
		   "  \"rows\": [\n"
		   "    {\"name\": \"ours\", \"fits\": true, \"count\": 24, \"seconds\": 0.25, "
		   "\"ranks\": {\"least\": 1, \"most\": 1}},\n"
		   "    {\"name\": \"a longer, \\\"name\\\"\", \"fits\": false, \"count\": 7, "
		   "\"seconds\": 1e-06, \"ranks\": {\"least\": 2, \"most\": 3}},\n"
		   "    {\"name\": \"another\", \"fits\": false, \"count\": null, \"seconds\": 0, "
		   "\"ranks\": {\"least\": 4, \"most\": 4}}\n"
		   "  ]\n"
		   "}\n");
}
END_TEST

static int fill_side(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *e)
{
	(void)subject;
	(void)e;
	cell[0].string = row ? "new" : "old";
	cell[1].number = row ? 0.5 : 1;
	cell[3].number = row ? 2.6 : 1048576;
	return 0;
}

START_TEST(a_table_on_its_side_has_a_line_for_each_column)
{
	static const struct tmap_column some[] = {
		{ .heading = "", .kind = TMAP_COLUMN_STRING },
		{ .heading = "time", .kind = TMAP_COLUMN_SECONDS },
		{ .heading = "bytes to", .kind = TMAP_COLUMN_TITLE },
		{ .heading = "node", .kind = TMAP_COLUMN_BYTES, .is_real = true },
	};
	const struct tmap_table side = { .column = some, .columns = 4, .rows = 2, .row = fill_side };

	check_text(&side, tmap_table_write_text_sideways,
		   "             old     new\n"
		   "time      1.00 s  500 ms\n"
		   "bytes to\n"
		   "  node    1.00Mi       3\n");
}
END_TEST

/* Columns of numbers, each called by its own; the row has the numbers. */
enum { WIDE = 20 };

static int fill_wide(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *e)
{
	(void)subject;
	(void)row;
	(void)e;
	cell[0].string = "row";
	for (int c = 1; c < WIDE; c++)
		cell[c].count = c;
	return 0;
}

static char *wide_text(int joined, int width)
{
	struct tmap_column column[WIDE] = { { .heading = "label", .kind = TMAP_COLUMN_STRING } };
	const struct tmap_table wide = {
		.column = column, .columns = WIDE, .rows = 1, .row = fill_wide, .width = width
	};
	char heading[WIDE][16];

	for (int c = 1; c < WIDE; c++) {
		snprintf(heading[c], sizeof heading[c], "column%02d", c);
		column[c] = (struct tmap_column){ .heading = heading[c],
						  .kind = TMAP_COLUMN_INT,
						  .is_joined = c == joined };
	}
	return text_of(&wide, tmap_table_write_text);
}

START_TEST(what_does_not_fit_stands_below)
{
	char *text = wide_text(0, 0);

	for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
		ck_assert_uint_le(strcspn(at, "\n"), 80);
	ck_assert_ptr_nonnull(strstr(text, "column07\nrow "));
	ck_assert_ptr_nonnull(strstr(text, "\n\nlabel  column08"));
	ck_assert_ptr_nonnull(strstr(text, "column19\n"));
	free(text);
}
END_TEST

START_TEST(joined_columns_stay_side_by_side)
{
	char *text = wide_text(8, 0);

	ck_assert_ptr_nonnull(strstr(text, "column06\nrow "));
	ck_assert_ptr_nonnull(strstr(text, "\n\nlabel  column07  column08"));
	free(text);
}
END_TEST

START_TEST(a_table_of_any_width_is_one_block)
{
	char *text = wide_text(0, TMAP_TABLE_ANY_WIDTH);

	ck_assert_ptr_null(strstr(text, "\n\n"));
	free(text);
}
END_TEST

START_TEST(a_column_wider_than_the_page_stands_alone)
{
	char *text = wide_text(0, 10);

	ck_assert_ptr_nonnull(
		strstr(text, "label  column01\nrow           1\n\nlabel  column02\n"));
	free(text);
}
END_TEST

static int fill_long(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *e)
{
	(void)subject;
	(void)row;
	(void)e;
	cell[0].count = 1;
	cell[1].string = "between=ring,within=chain,bcast=tree,last";
	cell[2].count = 2;
	return 0;
}

START_TEST(a_long_text_is_broken_behind_commas_where_its_column_says_so)
{
	struct tmap_column column[] = {
		{ .heading = "n", .kind = TMAP_COLUMN_INT },
		{ .heading = "name", .kind = TMAP_COLUMN_STRING, .most = 5 },
		{ .heading = "m", .kind = TMAP_COLUMN_INT },
	};
	const struct tmap_table narrow = {
		.column = column, .columns = 3, .rows = 1, .row = fill_long, .width = 30
	};
	char *text = text_of(&narrow, tmap_table_write_text);

	ck_assert_str_eq(text,
			 "n  name  m\n1  between=ring,within=chain,bcast=tree,last\n"
			 "         2\n");
	free(text);
	column[1].is_broken = true;
	text = text_of(&narrow, tmap_table_write_text);
	ck_assert_str_eq(text,
			 "n  name  m\n1  between=ring,within=chain,\n   bcast=tree,last\n"
			 "         2\n");
	free(text);
}
END_TEST

START_TEST(cells_read_as_their_columns_say)
{
	static const struct {
		struct tmap_column column;
		struct tmap_cell cell;
		const char *text;
	} cases[] = {
		{ { .kind = TMAP_COLUMN_BOOL }, { .is_true = true }, "yes" },
		{ { .kind = TMAP_COLUMN_BOOL }, { .is_true = false }, "no" },
		{ { .kind = TMAP_COLUMN_INT }, { .count = -1234567 }, "-1234567" },
		{ { .kind = TMAP_COLUMN_INT }, { .is_empty = true }, "" },
		{ { .kind = TMAP_COLUMN_CHANGE }, { .count = 12 }, "+12" },
		{ { .kind = TMAP_COLUMN_CHANGE }, { .count = -3 }, "-3" },
		{ { .kind = TMAP_COLUMN_CHANGE }, { .count = 0 }, "0" },
		{ { .kind = TMAP_COLUMN_AMOUNT }, { .count = 1234567 }, "1.23M" },
		{ { .kind = TMAP_COLUMN_AMOUNT, .is_real = true }, { .number = 1e30 }, "9.22E" },
		{ { .kind = TMAP_COLUMN_BYTES }, { .count = 65011712 }, "62.0Mi" },
		{ { .kind = TMAP_COLUMN_SIZE }, { .count = 65536 }, "64KiB" },
		{ { .kind = TMAP_COLUMN_NUMBER }, { .number = 2.25 }, "2.25" },
		{ { .kind = TMAP_COLUMN_NUMBER, .digits = 1 }, { .number = 2.25 }, "2.2" },
		{ { .kind = TMAP_COLUMN_NUMBER, .digits = -3 }, { .number = 12.345 }, "12.3" },
		{ { .kind = TMAP_COLUMN_SECONDS }, { .number = 2e-6 }, "2.00 us" },
		{ { .kind = TMAP_COLUMN_SHARE }, { .number = 0.226 }, "22.6%" },
		{ { .kind = TMAP_COLUMN_SHARE }, { .number = 1e-5 }, "<0.1%" },
		{ { .kind = TMAP_COLUMN_SHARE }, { .number = 0.99999 }, ">99.9%" },
		{ { .kind = TMAP_COLUMN_SHARE }, { .number = 1 }, "100.0%" },
		{ { .kind = TMAP_COLUMN_SHARE }, { .number = 0 }, "0.0%" },
	};
	char room[TMAP_CELL_ROOM];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_str_eq(tmap_cell_print(&cases[i].column, &cases[i].cell, room),
				 cases[i].text);
}
END_TEST

START_TEST(times_have_three_digits_and_a_unit)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = { { 0, "0 s" },
		      { 6.6e-11, "0.0660 ns" },
		      { 4.8e-7, "480 ns" },
		      { 1.25e-6, "1.25 us" },
		      { 2e-6, "2.00 us" },
		      { 98e-6, "98.0 us" },
		      { 0.0123456, "12.3 ms" },
		      { 0.9994, "999 ms" },
		      { 0.9997, "1.00 s" },
		      { 1, "1.00 s" },
		      { 9.996, "10.0 s" },
		      { 999.4, "999 s" },
		      { 1123.4, "1123 s" },
		      { 1e9, "1000000000 s" },
		      { 1e300, "1.00e+300 s" } };
	char text[TMAP_SECONDS_ROOM];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_str_eq(tmap_seconds_print(cases[i].seconds, text), cases[i].text);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("table");
	TCase *c = tcase_create("table");

	tcase_add_test(c, people_see_columns_as_wide_as_their_cells);
	tcase_add_test(c, columns_can_be_hidden_and_lines_indented);
	tcase_add_test(c, a_table_without_rows_has_its_headings);
	tcase_add_test(c, csv_has_quotes_where_it_must);
	tcase_add_test(c, documents_have_an_object_for_each_row);
	tcase_add_test(c, a_table_on_its_side_has_a_line_for_each_column);
	tcase_add_test(c, what_does_not_fit_stands_below);
	tcase_add_test(c, joined_columns_stay_side_by_side);
	tcase_add_test(c, a_table_of_any_width_is_one_block);
	tcase_add_test(c, a_column_wider_than_the_page_stands_alone);
	tcase_add_test(c, a_long_text_is_broken_behind_commas_where_its_column_says_so);
	tcase_add_test(c, cells_read_as_their_columns_say);
	tcase_add_test(c, times_have_three_digits_and_a_unit);
	suite_add_tcase(suite, c);
	return suite;
}
