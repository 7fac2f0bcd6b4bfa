/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/guideline_tests_report.h"

#include "core/base/mem.h"
#include "formats/json/json_write.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_profile.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A test. */
enum {
	NAME,
	BYTES,
	ROOT,
	NATIVE_RUNS,
	MOCKUP_RUNS,
	NATIVE,
	MOCKUP,
	RATIO,
	P,
	EXACT,
	DECIDABLE,
	VIOLATED,
	MARK,
	PREDICTED_NATIVE,
	PREDICTED_MOCKUP,
	PREDICTED,
};

static const struct tmap_column columns[] = {
	[NAME] = { "name", "guideline", "guideline", TMAP_COLUMN_STRING },
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_SIZE },
	[ROOT] = { "root", "root", "root", TMAP_COLUMN_INT },
	[NATIVE_RUNS] = { "native_runs", "native_runs", NULL, TMAP_COLUMN_INT },
	[MOCKUP_RUNS] = { "mockup_runs", "mockup_runs", NULL, TMAP_COLUMN_INT },
	[NATIVE] = { "native_seconds", "native_seconds", "native", TMAP_COLUMN_SECONDS },
	[MOCKUP] = { "mockup_seconds", "mockup_seconds", "mock-up", TMAP_COLUMN_SECONDS },
	[RATIO] = { "ratio", "ratio", "ratio", TMAP_COLUMN_NUMBER, .digits = -3 },
	[P] = { "p", "p", "p", TMAP_COLUMN_NUMBER, .digits = -2 },
	[EXACT] = { "exact", "exact", NULL, TMAP_COLUMN_BOOL },
	[DECIDABLE] = { "decidable", "decidable", NULL, TMAP_COLUMN_BOOL },
	[VIOLATED] = { "violated", "violated", NULL, TMAP_COLUMN_BOOL },
	[MARK] = { NULL, NULL, "", TMAP_COLUMN_STRING },
	[PREDICTED_NATIVE] = { "predicted_native_seconds", "predicted_native_seconds", NULL,
			       TMAP_COLUMN_SECONDS },
	[PREDICTED_MOCKUP] = { "predicted_mockup_seconds", "predicted_mockup_seconds", NULL,
			       TMAP_COLUMN_SECONDS },
	[PREDICTED] = { "predicted_ratio", "predicted_ratio", "predicted ratio", TMAP_COLUMN_NUMBER,
			.digits = -3 },
};

static int test_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_guideline_tests *tests = subject;
	const struct tmap_guideline_test *it = &tests->test[i];
	const struct tmap_slowdown *slowdown = &it->slowdown;

	(void)err;
	cell[NAME].string = tests->total[it->row].name;
	cell[BYTES].count = it->bytes;
	cell[ROOT].count = it->root;
	cell[ROOT].is_empty = !tmap_collective_rows[tmap_guideline_native(it->row)].has_root;
	cell[NATIVE_RUNS].count = it->native_runs;
	cell[MOCKUP_RUNS].count = it->mockup_runs;
	cell[NATIVE].number = slowdown->a_s;
	cell[MOCKUP].number = slowdown->b_s;
	cell[RATIO].number = slowdown->ratio;
	cell[RATIO].is_empty = isinf(slowdown->ratio);
	cell[P].number = slowdown->p;
	cell[EXACT].is_true = slowdown->is_exact;
	cell[DECIDABLE].is_true = slowdown->is_decidable;
	cell[VIOLATED].is_true = slowdown->is_violated;
	cell[MARK].string = slowdown->is_violated ? "!" : NULL;
	cell[PREDICTED_NATIVE].number = it->predicted_native_s;
	cell[PREDICTED_MOCKUP].number = it->predicted_mockup_s;
	cell[PREDICTED].number =
		tmap_guideline_ratio(it->predicted_native_s, it->predicted_mockup_s);
	cell[PREDICTED_NATIVE].is_empty = cell[PREDICTED_MOCKUP].is_empty =
		cell[PREDICTED].is_empty = !it->is_predicted;
	return 0;
}

/* In text a root is shown where there are several. */
static bool roots_differ(const struct tmap_guideline_tests *tests)
{
	for (int i = 1; i < tests->count; i++)
		if (tests->test[i].root != tests->test[0].root &&
		    tmap_collective_rows[tmap_guideline_native(tests->test[i].row)].has_root)
			return true;
	return false;
}

static struct tmap_table table_of(const struct tmap_guideline_tests *tests)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = tests->count,
				    .row = test_row,
				    .subject = tests,
				    .hidden = roots_differ(tests) ? 0 : UINT64_C(1) << ROOT,
				    .width = TMAP_TABLE_ANY_WIDTH };
}

/* What was found of a guideline, and at the end of all: tables 3 and 4 of the paper. */
enum { TOTAL_NAME, TOTAL_VIOLATIONS, TOTAL_TESTS, TOTAL_VIOLATED_GROUPS, TOTAL_GROUPS, TOTAL_TEXT };

static const struct tmap_column total_columns[] = {
	[TOTAL_NAME] = { "name", NULL, "guideline", TMAP_COLUMN_STRING },
	[TOTAL_VIOLATIONS] = { "violations", NULL, NULL, TMAP_COLUMN_INT },
	[TOTAL_TESTS] = { "tests", NULL, NULL, TMAP_COLUMN_INT },
	[TOTAL_VIOLATED_GROUPS] = { "violated_groups", NULL, NULL, TMAP_COLUMN_INT },
	[TOTAL_GROUPS] = { "groups", NULL, NULL, TMAP_COLUMN_INT },
	[TOTAL_TEXT] = { NULL, NULL, "violations/tests (groups)", TMAP_COLUMN_STRING },
};

struct total_line {
	struct tmap_guideline_total total;
	char text[64]; /* "3/15 (1/1)" */
};

static void line_fill(struct total_line *line, const struct tmap_guideline_total *it)
{
	line->total = *it;
	snprintf(line->text, sizeof line->text, "%d/%d (%d/%d)", it->violations, it->tests,
		 it->violated_groups, it->groups);
}

static int total_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct total_line *line = (const struct total_line *)subject + i;
	const struct tmap_guideline_total *it = &line->total;

	(void)err;
	cell[TOTAL_NAME].string = it->name ? it->name : "all";
	cell[TOTAL_VIOLATIONS].count = it->violations;
	cell[TOTAL_TESTS].count = it->tests;
	cell[TOTAL_VIOLATED_GROUPS].count = it->violated_groups;
	cell[TOTAL_GROUPS].count = it->groups;
	cell[TOTAL_TEXT].string = line->text;
	return 0;
}

/* The lines of guidelines with tests, and of all; the caller's to free. */
static struct total_line *totals_new(const struct tmap_guideline_tests *tests, int *count,
				     struct tmap_error *err)
{
	const struct tmap_guideline_total all = tmap_guideline_tests_total(tests);
	int rows = tmap_guideline_rows();
	struct total_line *line = tmap_alloc((size_t)rows + 1, sizeof *line, err);

	*count = 0;
	if (!line)
		return NULL;
	for (int row = 0; row < rows; row++)
		if (tests->total[row].tests)
			line_fill(&line[(*count)++], &tests->total[row]);
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

int tmap_csv_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				   struct tmap_error *err)
{
	const struct tmap_table table = table_of(tests);

	return tmap_table_write_csv(out, &table, err);
}

static int runs_least(const struct tmap_guideline_tests *tests)
{
	int least = INT_MAX;

	for (int i = 0; i < tests->count; i++) {
		const struct tmap_guideline_test *it = &tests->test[i];
		int runs = it->native_runs < it->mockup_runs ? it->native_runs : it->mockup_runs;

		least = runs < least ? runs : least;
	}
	return least;
}

static int write_head(FILE *out, const struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	char *where = tmap_text_where(&tests->times->placement, err);

	if (!where)
		return -1;
	fprintf(out, "Performance guidelines as measured: %s, %s\n", where, tests->times->mpi);
	free(where);
	fprintf(out,
		"violated (!) where the native collective takes %g times as long as the mock-up or "
		"more,\nand p, Wilcoxon's rank sum test of the launches' medians, is at most %g\n",
		tests->rule.ratio, tests->rule.p);
	tmap_text_write_profile(out, tests->request.profile);
	return 0;
}

/* What the table does not show. */
static void write_notes(FILE *out, const struct tmap_guideline_tests *tests)
{
	int runs = runs_least(tests);

	if (tests->undecidable)
		fprintf(out,
			"\n%d of %d tests cannot be violated: a p of at most %g takes %d launches, and "
			"of some\nthere %s %d. Launch again, and topomap-bench join the documents.\n",
			tests->undecidable, tests->count, tests->rule.p,
			tmap_slowdown_launches(tests->rule.p), runs == 1 ? "is" : "are", runs);
	if (tests->wrong)
		fprintf(out, "\nNot tested, as a result was wrong: %d\n", tests->wrong);
}

int tmap_text_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err)
{
	const struct tmap_table table = table_of(tests);
	struct tmap_table totals;
	struct total_line *line;
	int count, status;

	if (write_head(out, tests, err) < 0)
		return -1;
	fputc('\n', out);
	if (tmap_table_write_text(out, &table, err) < 0)
		return -1;
	line = totals_new(tests, &count, err);
	if (!line)
		return -1;
	totals = totals_table(line, count);
	fputc('\n', out);
	status = tmap_table_write_text(out, &totals, err);
	free(line);
	write_notes(out, tests);
	return status;
}

int tmap_json_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err)
{
	const struct tmap_table table = table_of(tests);
	struct tmap_json_writer w;
	struct tmap_table totals;
	struct total_line *line;
	int count, status;

	line = totals_new(tests, &count, err);
	if (!line)
		return -1;
	totals = totals_table(line, count - 1);
	tmap_json_begin(&w, out, "guideline_tests");
	tmap_json_put_int(&w, "size", tests->times->placement.size);
	tmap_json_put_string(&w, "mpi", tests->times->mpi);
	tmap_json_put_profile_choice(&w, tests->request.profile);
	tmap_json_put_double(&w, "p_threshold", tests->rule.p);
	tmap_json_put_double(&w, "ratio_threshold", tests->rule.ratio);
	tmap_json_put_int(&w, "wrong", tests->wrong);
	status = tmap_table_put_json(&w, "tests", &table, err);
	if (status == 0)
		status = tmap_table_put_json(&w, "guidelines", &totals, err);
	free(line);
	return status < 0 ? -1 : tmap_json_end(&w, err);
}
