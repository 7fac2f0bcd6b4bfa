/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/guideline_tests_report.h"

#include "formats/json/json_write.h"
#include "formats/report/times/guideline_totals.h"
#include "formats/report/times/times_caveats.h"
#include "formats/report/times/times_report.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"
#include "formats/text/text_profile.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	ADJUSTED,
	EXACT,
	DECIDABLE,
	VIOLATED,
	MARK,
	PREDICTED_NATIVE,
	PREDICTED_MOCKUP,
	PREDICTED,
};

static const struct tmap_column columns[] = {
	[NAME] = { "name", "guideline", "guideline", TMAP_COLUMN_STRING, .most = 37 },
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_SIZE },
	[ROOT] = { "root", "root", "root", TMAP_COLUMN_INT },
	[NATIVE_RUNS] = { "native_runs", "native_runs", NULL, TMAP_COLUMN_INT },
	[MOCKUP_RUNS] = { "mockup_runs", "mockup_runs", NULL, TMAP_COLUMN_INT },
	[NATIVE] = { "native_seconds", "native_seconds", "native", TMAP_COLUMN_SECONDS },
	[MOCKUP] = { "mockup_seconds", "mockup_seconds", "mock-up", TMAP_COLUMN_SECONDS },
	[RATIO] = { "ratio", "ratio", "ratio", TMAP_COLUMN_NUMBER, .digits = -3 },
	[P] = { "p", "p", "p", TMAP_COLUMN_NUMBER, .digits = -2 },
	[ADJUSTED] = { "adjusted_p", "adjusted_p", "adjusted", TMAP_COLUMN_NUMBER, .digits = -2 },
	[EXACT] = { "exact", "exact", NULL, TMAP_COLUMN_BOOL },
	[DECIDABLE] = { "decidable", "decidable", NULL, TMAP_COLUMN_BOOL },
	[VIOLATED] = { "violated", "violated", NULL, TMAP_COLUMN_BOOL },
	[MARK] = { NULL, NULL, "", TMAP_COLUMN_STRING },
	[PREDICTED_NATIVE] = { "predicted_native_seconds", "predicted_native_seconds", NULL,
			       TMAP_COLUMN_SECONDS },
	[PREDICTED_MOCKUP] = { "predicted_mockup_seconds", "predicted_mockup_seconds", NULL,
			       TMAP_COLUMN_SECONDS },
	[PREDICTED] = { "predicted_ratio", "predicted_ratio", "predicted\nratio",
			TMAP_COLUMN_NUMBER, .digits = -3 },
};

static int test_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_guideline_tests *tests = subject;
	const struct tmap_guideline_test *it = &tests->test[i];
	const struct tmap_slowdown *slowdown = &it->slowdown;

	(void)err;
	cell[NAME].string = tests->name[it->row];
	cell[BYTES].count = it->bytes;
	cell[ROOT].count = it->root;
	cell[ROOT].is_empty = !tmap_collective_rows[tmap_guideline_native(it->row)].has_root;
	cell[NATIVE_RUNS].count = it->left->run_count;
	cell[MOCKUP_RUNS].count = it->right->run_count;
	cell[NATIVE].number = slowdown->a_s;
	cell[MOCKUP].number = slowdown->b_s;
	cell[RATIO].number = slowdown->ratio;
	cell[RATIO].is_empty = isinf(slowdown->ratio);
	cell[P].number = slowdown->p;
	cell[ADJUSTED].number = it->adjusted_p;
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
	for (int i = 1; i < tests->mockup_count; i++)
		if (tests->test[i].root != tests->test[0].root &&
		    tmap_collective_rows[tmap_guideline_native(tests->test[i].row)].has_root)
			return true;
	return false;
}

/* An adjusted p is shown where it is another one. */
static uint64_t adjusted_hide(const struct tmap_guideline_tests *tests, int column)
{
	return tests->rule.correction == TMAP_CORRECT_NONE ? UINT64_C(1) << column : 0;
}

static struct tmap_table table_of(const struct tmap_guideline_tests *tests)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = tests->mockup_count,
				    .row = test_row,
				    .subject = tests,
				    .hidden = (roots_differ(tests) ? 0 : UINT64_C(1) << ROOT) |
					    adjusted_hide(tests, ADJUSTED),
				    .width = TMAP_TABLE_ANY_WIDTH };
}

/* A test on a virtual topology, which is that of its right side. */
enum {
	ON_NAME,
	ON_ALIKE,
	ON_CALL,
	ON_TOPOLOGY,
	ON_STENCIL,
	ON_RADIUS,
	ON_DIMENSIONS,
	ON_FINITE,
	ON_ORDER,
	ON_CONSTRUCTOR,
	ON_REORDER,
	ON_BYTES,
	ON_LEFT_RUNS,
	ON_RIGHT_RUNS,
	ON_LEFT,
	ON_RIGHT,
	ON_RATIO,
	ON_P,
	ON_ADJUSTED,
	ON_EXACT,
	ON_DECIDABLE,
	ON_VIOLATED,
	ON_MARK,
};

static const struct tmap_column on_columns[] = {
	[ON_NAME] = { "name", "guideline", NULL, TMAP_COLUMN_STRING },
	[ON_ALIKE] = { "alike", "alike", NULL, TMAP_COLUMN_BOOL },
	[ON_CALL] = { "call", "call", NULL, TMAP_COLUMN_STRING },
	[ON_TOPOLOGY] = { NULL, "topology", NULL, TMAP_COLUMN_STRING },
	[ON_STENCIL] = { "stencil", NULL, NULL, TMAP_COLUMN_STRING },
	[ON_RADIUS] = { "radius", NULL, NULL, TMAP_COLUMN_INT },
	[ON_DIMENSIONS] = { "dimensions", NULL, NULL, TMAP_COLUMN_INT },
	[ON_FINITE] = { "finite", NULL, NULL, TMAP_COLUMN_INT },
	[ON_ORDER] = { "order", NULL, NULL, TMAP_COLUMN_STRING },
	[ON_CONSTRUCTOR] = { "constructor", NULL, NULL, TMAP_COLUMN_STRING },
	[ON_REORDER] = { "reorder", NULL, NULL, TMAP_COLUMN_BOOL },
	[ON_BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_SIZE, .width = 12 },
	[ON_LEFT_RUNS] = { "left_runs", "left_runs", NULL, TMAP_COLUMN_INT },
	[ON_RIGHT_RUNS] = { "right_runs", "right_runs", NULL, TMAP_COLUMN_INT },
	[ON_LEFT] = { "left_seconds", "left_seconds", "left", TMAP_COLUMN_SECONDS },
	[ON_RIGHT] = { "right_seconds", "right_seconds", "right", TMAP_COLUMN_SECONDS },
	[ON_RATIO] = { "ratio", "ratio", "ratio", TMAP_COLUMN_NUMBER, .digits = -3 },
	[ON_P] = { "p", "p", "p", TMAP_COLUMN_NUMBER, .digits = -2 },
	[ON_ADJUSTED] = { "adjusted_p", "adjusted_p", "adjusted", TMAP_COLUMN_NUMBER,
			  .digits = -2 },
	[ON_EXACT] = { "exact", "exact", NULL, TMAP_COLUMN_BOOL },
	[ON_DECIDABLE] = { "decidable", "decidable", NULL, TMAP_COLUMN_BOOL },
	[ON_VIOLATED] = { "violated", "violated", NULL, TMAP_COLUMN_BOOL },
	[ON_MARK] = { NULL, NULL, "", TMAP_COLUMN_STRING },
};

/* Tests from @p first on. */
struct on_rows {
	const struct tmap_guideline_tests *tests;
	int first, count;
	char (*room)[TMAP_VIRTUAL_ROOM]; /* a row's text, until the next one */
};

static int on_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct on_rows *rows = subject;
	const struct tmap_guideline_test *it = &rows->tests->test[rows->first + i];
	const struct tmap_virtual_key *key = &it->right->on;
	const struct tmap_virtual_topology *on = &key->topology;
	const struct tmap_slowdown *slowdown = &it->slowdown;
	bool is_full = on->stencil == TMAP_STENCIL_FULL;

	(void)err;
	cell[ON_NAME].string = rows->tests->name[it->row];
	cell[ON_ALIKE].is_true = tmap_virtual_guideline_is_alike(it->row - tmap_guideline_rows());
	cell[ON_CALL].string = tmap_experiment_call(it->right);
	cell[ON_TOPOLOGY].string = tmap_virtual_print(on, *rows->room);
	cell[ON_STENCIL].string =
		tmap_keywords_at(&tmap_stencils, (size_t)tmap_stencil_row(on->stencil))->name;
	cell[ON_RADIUS].count = on->radius;
	cell[ON_DIMENSIONS].count = on->dimensions;
	cell[ON_FINITE].count = on->finite;
	cell[ON_RADIUS].is_empty = cell[ON_DIMENSIONS].is_empty = cell[ON_FINITE].is_empty =
		is_full;
	cell[ON_ORDER].string = tmap_keywords_at(&tmap_neighbor_orders, on->order)->name;
	cell[ON_CONSTRUCTOR].string = tmap_keywords_at(&tmap_constructors, on->constructor)->name;
	cell[ON_REORDER].is_true = on->reorder;
	cell[ON_BYTES].count = it->bytes;
	cell[ON_LEFT_RUNS].count = it->left->run_count;
	cell[ON_RIGHT_RUNS].count = it->right->run_count;
	cell[ON_LEFT].number = slowdown->a_s;
	cell[ON_RIGHT].number = slowdown->b_s;
	cell[ON_RATIO].number = slowdown->ratio;
	cell[ON_RATIO].is_empty = isinf(slowdown->ratio);
	cell[ON_P].number = slowdown->p;
	cell[ON_ADJUSTED].number = it->adjusted_p;
	cell[ON_EXACT].is_true = slowdown->is_exact;
	cell[ON_DECIDABLE].is_true = slowdown->is_decidable;
	cell[ON_VIOLATED].is_true = slowdown->is_violated;
	cell[ON_MARK].string = slowdown->is_violated ? "!" : NULL;
	return 0;
}

static struct tmap_table on_table(const struct on_rows *rows)
{
	return (struct tmap_table){ .column = on_columns,
				    .columns = TMAP_COLUMNS(on_columns),
				    .rows = rows->count,
				    .row = on_row,
				    .subject = rows,
				    .hidden = adjusted_hide(rows->tests, ON_ADJUSTED) };
}

static struct on_rows on_all(const struct tmap_guideline_tests *tests,
			     char (*room)[TMAP_VIRTUAL_ROOM])
{
	return (struct on_rows){ tests, tests->mockup_count, tests->count - tests->mockup_count,
				 room };
}

int tmap_csv_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				   struct tmap_error *err)
{
	char room[TMAP_VIRTUAL_ROOM];
	const struct on_rows rows = on_all(tests, &room);
	const struct tmap_table table = rows.count ? on_table(&rows) : table_of(tests);

	if (rows.count && tests->mockup_count)
		return tmap_fail(err, TMAP_USAGE,
				 "a table has mock-ups or virtual topologies, and these times have "
				 "both: --guideline mockups, or those of topologies");
	return tmap_table_write_csv(out, &table, err);
}

static int runs_least(const struct tmap_guideline_tests *tests)
{
	int least = INT_MAX;

	for (int i = 0; i < tests->count; i++) {
		const struct tmap_guideline_test *it = &tests->test[i];
		int left = it->left->run_count, right = it->right->run_count;
		int runs = left < right ? left : right;

		least = runs < least ? runs : least;
	}
	return least;
}

static int write_head(FILE *out, const struct tmap_guideline_tests *tests, struct tmap_error *err)
{
	char *where = tmap_text_where(&tests->times->placement, err);
	bool is_mockup = tests->mockup_count != 0;

	if (!where)
		return -1;
	fprintf(out, "Performance guidelines as measured: %s, %s\n", where, tests->times->mpi);
	free(where);
	fprintf(out,
		"violated (!) where the %s takes %g times as long as the %s or "
		"more,\nand p, Wilcoxon's rank sum test of the launches' medians, is at most %g\n",
		is_mockup ? "native collective" : "left side", tests->rule.ratio,
		is_mockup ? "mock-up" : "right", tests->rule.p);
	if (tests->rule.correction != TMAP_CORRECT_NONE)
		fprintf(out, "as adjusted for %d tests at once by --correction %s\n", tests->count,
			tmap_keywords_at(&tmap_corrections, (size_t)tests->rule.correction)->name);
	if (tmap_text_write_times_sharing(out, tests->times, err) < 0)
		return -1;
	if (is_mockup)
		tmap_text_write_profile(out, tests->request.profile);
	return 0;
}

/* What the table does not show. */
static void write_notes(FILE *out, const struct tmap_guideline_tests *tests)
{
	int runs = runs_least(tests);
	double p = tests->rule.p;

	if (tests->rule.correction == TMAP_CORRECT_HOLM)
		p /= tests->count;
	if (tests->rule.correction == TMAP_CORRECT_NONE && tests->expected_false > 0)
		fprintf(out,
			"\nIf nothing were slower, chance would still violate up to %.2g of %d tests\n"
			"(--correction adjusts p for that).\n",
			tests->expected_false, tests->count);
	if (tests->undecidable)
		fprintf(out,
			"\n%d of %d tests cannot be violated: %s of at most %g takes %d launches, and "
			"of some\nthere %s %d. Launch again, and topomap-bench join the documents.\n",
			tests->undecidable, tests->count,
			tests->rule.correction == TMAP_CORRECT_NONE ? "a p" : "an adjusted p",
			tests->rule.p, tmap_slowdown_launches(p), runs == 1 ? "is" : "are", runs);
	if (tests->wrong)
		fprintf(out, "\nNot tested, as a result was wrong: %d\n", tests->wrong);
	tmap_text_write_interrupted(out, tests->times);
}

/* The group that begins with a test on a topology; returns where the next one begins, or -1. */
static int write_group(FILE *out, const struct tmap_guideline_tests *tests, int first,
		       struct tmap_error *err)
{
	const struct tmap_guideline_test *it = &tests->test[first];
	char room[TMAP_VIRTUAL_ROOM];
	struct on_rows rows = { tests, first, 0, &room };
	struct tmap_table table;
	bool is_violated = false;
	int end = first;

	while (end < tests->count && tests->test[end].row == it->row &&
	       tmap_virtual_key_compare(&tests->test[end].right->on, &it->right->on) == 0)
		is_violated |= tests->test[end++].slowdown.is_violated;
	if (!is_violated)
		return end;
	rows.count = end - first;
	fprintf(out, "\n%s\n  %s on %s\n", tests->name[it->row], tmap_experiment_call(it->right),
		tmap_virtual_print(&it->right->on.topology, room));
	table = on_table(&rows);
	table.indent = 2;
	return tmap_table_write_text(out, &table, err) < 0 ? -1 : end;
}

int tmap_text_write_guideline_totals(FILE *out, const struct tmap_guideline_tests *tests,
				     struct tmap_error *err)
{
	if (write_head(out, tests, err) < 0 || tmap_text_write_totals(out, tests, err) < 0)
		return -1;
	write_notes(out, tests);
	return 0;
}

/* In 100 columns: where there are more of them, long names have a line of their own. */
static int write_mockups(FILE *out, const struct tmap_guideline_tests *tests,
			 struct tmap_error *err)
{
	struct tmap_column narrow[TMAP_COLUMNS(columns)];
	struct tmap_table table = table_of(tests);

	memcpy(narrow, columns, sizeof narrow);
	if (tests->rule.correction != TMAP_CORRECT_NONE)
		narrow[NAME].most = roots_differ(tests) ? 25 : 31;
	table.column = narrow;
	return tmap_table_write_text(out, &table, err);
}

int tmap_text_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err)
{
	if (write_head(out, tests, err) < 0)
		return -1;
	if (tests->mockup_count) {
		fputc('\n', out);
		if (write_mockups(out, tests, err) < 0)
			return -1;
	}
	for (int i = tests->mockup_count; i < tests->count;) {
		i = write_group(out, tests, i, err);
		if (i < 0)
			return -1;
	}
	if (tmap_text_write_totals(out, tests, err) < 0)
		return -1;
	write_notes(out, tests);
	return 0;
}

int tmap_json_write_guideline_tests(FILE *out, const struct tmap_guideline_tests *tests,
				    struct tmap_error *err)
{
	char room[TMAP_VIRTUAL_ROOM];
	const struct on_rows rows = on_all(tests, &room);
	const struct tmap_table table = table_of(tests), on = on_table(&rows);
	struct tmap_times_caveats caveats;
	struct tmap_json_writer w;
	int status;

	if (tmap_times_caveats_find(&caveats, tests->times, 1, err) < 0)
		return -1;
	tmap_json_begin(&w, out, "guideline_tests");
	tmap_json_put_int(&w, "size", tests->times->placement.size);
	tmap_json_put_string(&w, "mpi", tests->times->mpi);
	tmap_json_put_times_caveats(&w, &caveats);
	tmap_json_put_profile_choice(&w, tests->request.profile);
	tmap_json_put_double(&w, "p_threshold", tests->rule.p);
	tmap_json_put_double(&w, "ratio_threshold", tests->rule.ratio);
	tmap_json_put_string(
		&w, "correction",
		tmap_keywords_at(&tmap_corrections, (size_t)tests->rule.correction)->name);
	if (tests->rule.correction == TMAP_CORRECT_NONE)
		tmap_json_put_double(&w, "expected_false", tests->expected_false);
	else
		tmap_json_put_null(&w, "expected_false");
	tmap_json_put_int(&w, "wrong", tests->wrong);
	status = tmap_table_put_json(&w, "tests", &table, err);
	if (status == 0 && rows.count)
		status = tmap_table_put_json(&w, "topology_tests", &on, err);
	if (status == 0)
		status = tmap_json_put_totals(&w, "guidelines", tests, TMAP_TOTALS_GUIDELINES, err);
	if (status == 0 && rows.count)
		status = tmap_json_put_totals(&w, "neighborhoods", tests, TMAP_TOTALS_NEIGHBORHOODS,
					      err);
	return status < 0 ? -1 : tmap_json_end(&w, err);
}
