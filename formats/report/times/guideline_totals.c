/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/guideline_totals.h"

#include "core/base/mem.h"
#include "formats/report/times/guideline_tests_report.h"
#include "formats/text/table.h"

#include <stdlib.h>

/* What was found of a guideline, of its neighborhoods, and at the end of all: tables 3 and 4 of the
 * paper. */
enum {
	TOTAL_NAME,
	TOTAL_ON,
	TOTAL_VIOLATIONS,
	TOTAL_TESTS,
	TOTAL_VIOLATED_GROUPS,
	TOTAL_GROUPS,
	TOTAL_LABEL,
	TOTAL_TEXT
};

static const struct tmap_column total_columns[] = {
	[TOTAL_NAME] = { "name", "guideline", NULL, TMAP_COLUMN_STRING },
	[TOTAL_ON] = { "neighborhood", "neighborhood", NULL, TMAP_COLUMN_STRING,
		       .is_optional = true },
	[TOTAL_VIOLATIONS] = { "violations", "violations", NULL, TMAP_COLUMN_INT },
	[TOTAL_TESTS] = { "tests", "tests", NULL, TMAP_COLUMN_INT },
	[TOTAL_VIOLATED_GROUPS] = { "violated_groups", "violated_groups", NULL, TMAP_COLUMN_INT },
	[TOTAL_GROUPS] = { "groups", "groups", NULL, TMAP_COLUMN_INT },
	[TOTAL_LABEL] = { NULL, NULL, "guideline", TMAP_COLUMN_STRING },
	[TOTAL_TEXT] = { NULL, NULL, "violations/tests (groups)", TMAP_COLUMN_STRING },
};

struct total_line {
	struct tmap_guideline_total total;
	char on[TMAP_VIRTUAL_ROOM];        /* "moore:1 2d", or "" */
	char label[TMAP_VIRTUAL_ROOM + 2]; /* in text: the name, or the neighborhood below it */
	char text[64];                     /* "3/15 (1/1)" */
};

static void line_fill(struct total_line *line, const struct tmap_guideline_total *it)
{
	line->total = *it;
	if (it->on)
		tmap_virtual_print_neighbors(it->on, line->on);
	snprintf(line->label, sizeof line->label, "%s%s", it->on ? "  " : "",
		 it->on           ? line->on :
			 it->name ? it->name :
				    "all");
	snprintf(line->text, sizeof line->text, "%d/%d (%d/%d)", it->violations, it->tests,
		 it->violated_groups, it->groups);
}

static int total_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct total_line *line = (const struct total_line *)subject + i;
	const struct tmap_guideline_total *it = &line->total;

	(void)err;
	cell[TOTAL_NAME].string = it->name ? it->name : "all";
	cell[TOTAL_ON].string = line->on;
	cell[TOTAL_ON].is_empty = !it->on;
	cell[TOTAL_VIOLATIONS].count = it->violations;
	cell[TOTAL_TESTS].count = it->tests;
	cell[TOTAL_VIOLATED_GROUPS].count = it->violated_groups;
	cell[TOTAL_GROUPS].count = it->groups;
	cell[TOTAL_LABEL].string = line->label;
	cell[TOTAL_TEXT].string = line->text;
	return 0;
}

/* The lines of guidelines with tests, of each one's neighborhoods below it, and of all; the caller's
 * to free. */
static struct total_line *totals_new(const struct tmap_guideline_tests *tests, unsigned of,
				     int *count, struct tmap_error *err)
{
	const struct tmap_guideline_total all = tmap_guideline_tests_total(tests);
	int rows = tmap_guideline_test_rows(), on = 0;
	struct total_line *line =
		tmap_alloc((size_t)rows + (size_t)tests->on_count + 1, sizeof *line, err);

	*count = 0;
	if (!line)
		return NULL;
	for (int row = 0; row < rows; row++) {
		if ((of & TMAP_TOTALS_GUIDELINES) && tests->total[row].tests)
			line_fill(&line[(*count)++], &tests->total[row]);
		for (; on < tests->on_count && tests->on[on].name == tests->name[row]; on++)
			if (of & TMAP_TOTALS_NEIGHBORHOODS)
				line_fill(&line[(*count)++], &tests->on[on]);
	}
	if (of & TMAP_TOTALS_ALL)
		line_fill(&line[(*count)++], &all);
	return line;
}

static struct tmap_table totals_table(const struct total_line *line, int count)
{
	return (struct tmap_table){ .column = total_columns,
				    .columns = TMAP_COLUMNS(total_columns),
				    .rows = count,
				    .row = total_row,
				    .subject = line };
}

/* All totals, by the writer of a table. */
static int totals_write(FILE *out, const struct tmap_guideline_tests *tests,
			int (*write)(FILE *, const struct tmap_table *, struct tmap_error *),
			struct tmap_error *err)
{
	int count, status;
	struct total_line *line = totals_new(
		tests, TMAP_TOTALS_GUIDELINES | TMAP_TOTALS_NEIGHBORHOODS | TMAP_TOTALS_ALL, &count,
		err);
	struct tmap_table table;

	if (!line)
		return -1;
	table = totals_table(line, count);
	status = write(out, &table, err);
	free(line);
	return status;
}

int tmap_csv_write_guideline_totals(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err)
{
	return totals_write(out, tests, tmap_table_write_csv, err);
}

int tmap_text_write_totals(FILE *out, const struct tmap_guideline_tests *tests,
			   struct tmap_error *err)
{
	fputc('\n', out);
	return totals_write(out, tests, tmap_table_write_text, err);
}

int tmap_json_put_totals(struct tmap_json_writer *w, const char *member,
			 const struct tmap_guideline_tests *tests, unsigned of,
			 struct tmap_error *err)
{
	int count, status;
	struct total_line *line = totals_new(tests, of, &count, err);
	struct tmap_table table;

	if (!line)
		return -1;
	table = totals_table(line, count);
	status = tmap_table_put_json(w, member, &table, err);
	free(line);
	return status;
}
