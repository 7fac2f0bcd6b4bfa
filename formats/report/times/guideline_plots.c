/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/guideline_plots.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/draw/plot.h"
#include "formats/report/times/times_caveats.h"
#include "formats/report/times/times_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct tmap_keyword plots[] = {
	[TMAP_PLOT_OVERVIEW] = { "overview",
				 "time over size, native and mock-up, a panel for each guideline "
				 "and root; violations are ringed" },
	[TMAP_PLOT_FOCUS] = { "focus",
			      "the guideline and size with the largest ratio, of those violated if "
			      "some are: a box of each launch, over the native collective's median "
			      "of medians" },
	[TMAP_PLOT_FOCUS + 1] = { NULL, NULL },
};

const struct tmap_keywords tmap_guideline_plots = TMAP_KEYWORDS("plot", plots);

/* More are no picture. */
enum { PANELS_MOST = 60, LAUNCHES_MOST = 200 };

/* One panel: a group of tests, and the words of its sides. */
struct group {
	const struct tmap_guideline_test *test;
	int count;
	char *title, *left, *right;
	struct tmap_plot_line line[2];
};

static void group_fini(struct group *it)
{
	free(it->title);
	free(it->left);
	free(it->right);
	free(it->line[0].point);
	free(it->line[1].point);
}

/* "bcast" and "scatter + allgather" of "bcast <= scatter + allgather". */
static int sides_split(const char *name, char **left, char **right, struct tmap_error *err)
{
	const char *between = strstr(name, " <= ");

	*left = between ? tmap_format(err, "%.*s", (int)(between - name), name) :
			  tmap_strdup("native", err);
	*right = *left ? tmap_strdup(between ? between + strlen(" <= ") : "mock-up", err) : NULL;
	return *right ? 0 : -1;
}

static struct tmap_plot_point point_of(const struct tmap_experiment *it, double seconds,
				       bool is_ringed)
{
	return (struct tmap_plot_point){ .x = (double)it->bytes,
					 .y = seconds,
					 .low = fmin(it->seconds.q1, seconds),
					 .high = fmax(it->seconds.q3, seconds),
					 .is_ringed = is_ringed };
}

static int group_fill(struct group *it, const char *name, struct tmap_error *err)
{
	bool has_root = tmap_collective_rows[tmap_guideline_native(it->test->row)].has_root;
	size_t count = (size_t)it->count;

	it->title = has_root ? tmap_format(err, "%s, root %d", name, it->test->root) :
			       tmap_strdup(name, err);
	it->line[0].point = tmap_alloc(count, sizeof *it->line->point, err);
	it->line[1].point = tmap_alloc(count, sizeof *it->line->point, err);
	if (!it->title || !it->line[0].point || !it->line[1].point ||
	    sides_split(name, &it->left, &it->right, err) < 0)
		return -1;
	it->line[0].name = it->left;
	it->line[1].name = it->right;
	it->line[0].count = it->line[1].count = it->count;
	for (int i = 0; i < it->count; i++) {
		const struct tmap_guideline_test *test = &it->test[i];

		it->line[0].point[i] =
			point_of(test->left, test->slowdown.a_s, test->slowdown.is_violated);
		it->line[1].point[i] = point_of(test->right, test->slowdown.b_s, false);
	}
	return 0;
}

/* Tests that differ in size alone are next to each other. */
static int groups_fill(struct group *group, int *count, const struct tmap_guideline_tests *tests,
		       struct tmap_error *err)
{
	*count = 0;
	for (int i = 0; i < tests->count; i++) {
		const struct tmap_guideline_test *test = &tests->test[i];

		if (i > 0 && test->row == test[-1].row && test->root == test[-1].root) {
			group[*count - 1].count++;
			continue;
		}
		if (*count == PANELS_MOST)
			return tmap_fail(err, TMAP_INPUT,
					 "a picture shows %d guidelines and roots, and more were "
					 "measured: --collective or --guideline chooses",
					 PANELS_MOST);
		group[(*count)++] = (struct group){ .test = test, .count = 1 };
	}
	for (int g = 0; g < *count; g++)
		if (group_fill(&group[g], tests->total[group[g].test->row].name, err) < 0)
			return -1;
	return 0;
}

static void rule_print(const struct tmap_guideline_tests *tests, char *text, size_t room)
{
	const char *correction =
		tmap_keywords_at(&tmap_corrections, (size_t)tests->rule.correction)->name;
	bool is_adjusted = tests->rule.correction != TMAP_CORRECT_NONE;

	snprintf(
		text, room,
		"violated: native takes %g times as long or more, and p, Wilcoxon's, is at most %g%s%s",
		tests->rule.ratio, tests->rule.p, is_adjusted ? ", adjusted by " : "",
		is_adjusted ? correction : "");
}

int tmap_svg_write_guideline_overview(FILE *out, const struct tmap_guideline_tests *tests,
				      struct tmap_error *err)
{
	const char *notes[3 + TMAP_CAVEATS_MOST] = {
		"lines: medians of the launches' medians; bands: their quartiles; ringed: violated",
		"all axes are logarithmic, and each panel has its own"
	};
	struct group *group = tmap_alloc(PANELS_MOST, sizeof *group, err);
	struct tmap_plot_panel *panel = tmap_alloc(PANELS_MOST, sizeof *panel, err);
	char *title = tmap_times_title(tests->times, "guidelines", err);
	char rule[160];
	struct tmap_plot plot = { .title = title,
				  .subtitle = rule,
				  .x_label = "bytes, as the native call counts them",
				  .y_label = "time of the slowest rank",
				  .x = TMAP_AXIS_BYTES,
				  .y = TMAP_AXIS_SECONDS,
				  .note = notes,
				  .panel = panel };
	struct tmap_times_caveats caveats = { 0 };
	int status = tmap_times_caveats_find(&caveats, tests->times, 1, err);

	tmap_note_times_caveats(notes, 2, &caveats);
	rule_print(tests, rule, sizeof rule);
	if (status == 0)
		status = group && panel && title ? 0 : -1;
	if (status == 0)
		status = groups_fill(group, &plot.count, tests, err);
	for (int g = 0; g < plot.count; g++)
		panel[g] = (struct tmap_plot_panel){ .title = group[g].title,
						     .line_count = 2,
						     .line = group[g].line };
	if (status == 0)
		status = tmap_plot_write_svg(out, &plot, err);
	for (int g = 0; g < plot.count; g++)
		group_fini(&group[g]);
	free(group);
	free(panel);
	free(title);
	return status;
}

/* Boxes of an experiment, beginning behind @p x; whiskers as far as Tukey's fences, outliers are
 * beyond. Returns whether all have quartiles. */
static bool boxes_fill(struct tmap_plot_box *box, const struct tmap_experiment *it, int index,
		       int x, double unit)
{
	bool has_all = true;

	for (int i = 0; i < it->run_count; i++) {
		struct tmap_box of;
		bool known = tmap_experiment_box(it, i, &of);

		has_all = has_all && known;
		box[i] = (struct tmap_plot_box){ .index = index,
						 .x = x + i + 1,
						 .median = it->run[i] / unit,
						 .has_quartiles = known };
		if (!known)
			continue;
		box[i].q1 = of.q1 / unit;
		box[i].q3 = of.q3 / unit;
		box[i].low = fmax(of.min, of.q1 - 1.5 * (of.q3 - of.q1)) / unit;
		box[i].high = fmin(of.max, of.q3 + 1.5 * (of.q3 - of.q1)) / unit;
	}
	return has_all;
}

/* Where the largest value is many times the smallest, steps are no longer even; with a 0 they must be. */
static enum tmap_axis_kind axis_choose(const struct tmap_plot_box *box, int count)
{
	double least = INFINITY, most = 0;

	for (int i = 0; i < count; i++) {
		least = fmin(least, box[i].has_quartiles ? box[i].low : box[i].median);
		most = fmax(most, box[i].has_quartiles ? box[i].high : box[i].median);
	}
	return least > 0 && most > 8 * least ? TMAP_AXIS_RATIO : TMAP_AXIS_NUMBER;
}

/* Violated ones are before others. */
static bool test_is_larger(const struct tmap_guideline_test *a, const struct tmap_guideline_test *b)
{
	return a->slowdown.is_violated != b->slowdown.is_violated ?
		a->slowdown.is_violated :
		a->slowdown.ratio > b->slowdown.ratio;
}

static const struct tmap_guideline_test *largest_find(const struct tmap_guideline_tests *tests)
{
	const struct tmap_guideline_test *largest = NULL;

	for (int i = 0; i < tests->count; i++) {
		const struct tmap_guideline_test *it = &tests->test[i];

		if (it->slowdown.a_s > 0 && (!largest || test_is_larger(it, largest)))
			largest = it;
	}
	return largest;
}

/* One panel with the boxes of both. */
static int focus_draw(FILE *out, const struct tmap_guideline_tests *tests,
		      const struct tmap_guideline_test *test, struct tmap_plot_box *box, char *left,
		      char *right, struct tmap_error *err)
{
	const char *name = tests->total[test->row].name;
	int count = test->left->run_count + test->right->run_count;
	bool has_boxes = boxes_fill(box, test->left, 0, 0, test->slowdown.a_s);
	struct tmap_plot_rule rule[] = { { 1, "native" },
					 { test->slowdown.b_s / test->slowdown.a_s, "mock-up" } };
	char *left_text = tmap_format(err, "%s (%d)", left, test->left->run_count);
	char *right_text = tmap_format(err, "%s (%d)", right, test->right->run_count);
	struct tmap_plot_group group[] = {
		{ (test->left->run_count + 1) / 2.0, left_text },
		{ test->left->run_count + 1 + (test->right->run_count + 1) / 2.0, right_text },
	};
	struct tmap_plot_panel panel = { .box_count = count,
					 .box = box,
					 .rule_count = 2,
					 .rule = rule,
					 .group_count = 2,
					 .group = group };
	char bytes[TMAP_UNITS_ROOM], verdict[200], ratio[32] = "", root[32] = "";
	char *title = tmap_times_title(tests->times, name, err);
	const char *notes[3 + TMAP_CAVEATS_MOST] = { NULL,
						     "dashed: medians of the launches' medians" };
	struct tmap_plot plot = { .title = title,
				  .subtitle = verdict,
				  .x_label = "launches",
				  .y_label = "time over the native collective's median of medians",
				  .x = TMAP_AXIS_NUMBER,
				  .note = notes,
				  .count = 1,
				  .panel = &panel };
	struct tmap_times_caveats caveats = { 0 };
	int status = tmap_times_caveats_find(&caveats, tests->times, 1, err);

	tmap_note_times_caveats(notes, 2, &caveats);
	has_boxes &= boxes_fill(box + test->left->run_count, test->right, 1,
				test->left->run_count + 1, test->slowdown.a_s);
	notes[0] = has_boxes ? "boxes: quartiles and median of each launch; whiskers: at most 1.5 "
			       "boxes long; outliers beyond are not drawn" :
			       "medians of the launches: of some nothing else is in the document";
	plot.y = axis_choose(box, count);
	if (tmap_collective_rows[tmap_guideline_native(test->row)].has_root)
		snprintf(root, sizeof root, ", root %d", test->root);
	if (isfinite(test->slowdown.ratio)) /* as in tables, where the cell is empty else */
		snprintf(ratio, sizeof ratio, "ratio %.3g, ", test->slowdown.ratio);
	snprintf(verdict, sizeof verdict, "%s%s: %s%s %.2g: %s",
		 tmap_units_print_bytes(test->bytes, bytes), root, ratio,
		 tests->rule.correction == TMAP_CORRECT_NONE ? "p" : "adjusted p", test->adjusted_p,
		 test->slowdown.is_violated          ? "violated" :
			 test->slowdown.is_decidable ? "not violated" :
						       "too few launches to be violated");
	if (status == 0)
		status = title && left_text && right_text ? 0 : -1;
	if (status == 0)
		status = tmap_plot_write_svg(out, &plot, err);
	free(title);
	free(left_text);
	free(right_text);
	return status;
}

int tmap_svg_write_guideline_focus(FILE *out, const struct tmap_guideline_tests *tests,
				   struct tmap_error *err)
{
	const struct tmap_guideline_test *test = largest_find(tests);
	struct tmap_plot_box *box;
	char *left = NULL, *right = NULL;
	int count, status = -1;

	if (!test)
		return tmap_fail(err, TMAP_INPUT,
				 "nothing can be drawn: the native collectives took no time");
	if (test->left->run_count > LAUNCHES_MOST || test->right->run_count > LAUNCHES_MOST)
		return tmap_fail(err, TMAP_INPUT, "a picture shows %d launches, and there are more",
				 LAUNCHES_MOST);
	count = test->left->run_count + test->right->run_count;
	box = tmap_alloc((size_t)count, sizeof *box, err);
	if (box && sides_split(tests->total[test->row].name, &left, &right, err) == 0)
		status = focus_draw(out, tests, test, box, left, right, err);
	free(left);
	free(right);
	free(box);
	return status;
}
