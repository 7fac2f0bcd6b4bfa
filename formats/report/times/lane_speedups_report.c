/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/lane_speedups_report.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/draw/plot.h"
#include "formats/json/json_write.h"
#include "formats/report/times/lane_times_report.h"
#include "formats/report/times/times_caveats.h"
#include "formats/report/times/times_report.h"
#include "formats/text/table.h"
#include "formats/text/text_profile.h"

#include <stdlib.h>

enum {
	BYTES,
	LANES,
	REPETITIONS,
	CORRECT,
	MEDIAN,
	SPEEDUP,
	LOW,
	HIGH,
	PREDICTED,
	PREDICTED_SPEEDUP,
};

static const struct tmap_column columns[] = {
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_SIZE },
	[LANES] = { "lanes", "lanes", "lanes", TMAP_COLUMN_INT },
	[REPETITIONS] = { "repetitions", "repetitions", "times", TMAP_COLUMN_INT },
	[CORRECT] = { "correct", "correct", NULL, TMAP_COLUMN_BOOL },
	[MEDIAN] = { "median_seconds", "median_seconds", "measured", TMAP_COLUMN_SECONDS },
	[SPEEDUP] = { "speedup", "speedup", "speed-up", TMAP_COLUMN_NUMBER, .digits = 2 },
	[LOW] = { "speedup_low", "speedup_low", "95 % from", TMAP_COLUMN_NUMBER, .digits = 2 },
	[HIGH] = { "speedup_high", "speedup_high", "to", TMAP_COLUMN_NUMBER, .digits = 2 },
	[PREDICTED] = { "predicted_seconds", "predicted_seconds", "predicted",
			TMAP_COLUMN_SECONDS },
	[PREDICTED_SPEEDUP] = { "predicted_speedup", "predicted_speedup", "speed-up",
				TMAP_COLUMN_NUMBER, .digits = 2 },
};

static int experiment_row(const void *subject, int i, struct tmap_cell *cell,
			  struct tmap_error *err)
{
	const struct tmap_lane_speedups *speedups = subject;
	const struct tmap_lane_experiment *it = &speedups->times->experiment[i];
	const struct tmap_lane_prediction *prediction = &speedups->predictions->prediction[i];

	(void)err;
	cell[BYTES].count = it->bytes;
	cell[LANES].count = it->lanes;
	cell[REPETITIONS].count = it->repetitions;
	cell[CORRECT].is_true = it->is_correct;
	cell[MEDIAN].number = it->seconds.median;
	cell[SPEEDUP].number = it->speedup.ratio;
	cell[SPEEDUP].is_empty = !it->has_speedup;
	cell[LOW].number = it->speedup.low;
	cell[HIGH].number = it->speedup.high;
	cell[LOW].is_empty = cell[HIGH].is_empty = !it->has_speedup || !it->speedup.has_interval;
	cell[PREDICTED].number = prediction->seconds;
	cell[PREDICTED].is_empty = !prediction->is_predicted;
	cell[PREDICTED_SPEEDUP].number = prediction->speedup;
	cell[PREDICTED_SPEEDUP].is_empty = !prediction->has_speedup;
	return 0;
}

static bool has_intervals(const struct tmap_lane_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].has_speedup && times->experiment[i].speedup.has_interval)
			return true;
	return false;
}

static struct tmap_table table_of(const struct tmap_lane_speedups *speedups)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = speedups->times->count,
				    .row = experiment_row,
				    .subject = speedups,
				    .hidden = has_intervals(speedups->times) ?
					    0 :
					    UINT64_C(1) << LOW | UINT64_C(1) << HIGH };
}

int tmap_csv_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				 struct tmap_error *err)
{
	const struct tmap_table table = table_of(speedups);

	return tmap_table_write_csv(out, &table, err);
}

int tmap_text_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				  struct tmap_error *err)
{
	const struct tmap_lane_predictions *predictions = speedups->predictions;
	const struct tmap_table table = table_of(speedups);

	if (tmap_text_write_lane_head(out, speedups->times, err) < 0 ||
	    tmap_table_write_text(out, &table, err) < 0)
		return -1;
	tmap_text_write_lane_notes(out, speedups->times);
	fputc('\n', out);
	if (predictions->reason)
		fprintf(out, "%s: %s.\n",
			predictions->count ? "Some are not predicted" : "Not predicted",
			predictions->reason);
	if (predictions->count || !predictions->reason)
		tmap_text_write_profile(out, speedups->profile);
	if (predictions->algorithm)
		fprintf(out,
			"predicted as what the library takes by itself: %s at the smallest size\n",
			predictions->algorithm);
	return 0;
}

int tmap_json_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				  struct tmap_error *err)
{
	const struct tmap_lane_times *times = speedups->times;
	const struct tmap_table table = table_of(speedups);
	struct tmap_times_caveats caveats;
	struct tmap_json_writer w;

	if (tmap_times_caveats_find(&caveats, times->job, 1, err) < 0)
		return -1;
	tmap_json_begin(&w, out, "lane_speedups");
	tmap_json_put_int(&w, "size", times->job->placement.size);
	tmap_json_put_string(&w, "mpi", times->job->mpi);
	tmap_json_put_profile_choice(&w, speedups->profile);
	tmap_json_put_times_caveats(&w, &caveats);
	tmap_json_put_string(
		&w, "collective",
		times->has_collective ? tmap_collective_rows[times->collective].word.name : NULL);
	tmap_json_put_int(&w, "exchanges", times->exchanges);
	tmap_json_put_string(&w, "predicted_as", speedups->predictions->algorithm);
	if (tmap_table_put_json(&w, "experiments", &table, err) < 0)
		return -1;
	return tmap_json_end(&w, err);
}

/* More are no picture. */
enum { SIZES_MOST = 100 };

/* The experiments of one size: [first, *end), as two lines. */
static int lines_fill(struct tmap_plot_line line[2], const struct tmap_lane_speedups *speedups,
		      int first, int *end, char name[TMAP_UNITS_ROOM], struct tmap_error *err)
{
	const struct tmap_lane_times *times = speedups->times;
	int64_t bytes = times->experiment[first].bytes;
	int last = first;

	while (last < times->count && times->experiment[last].bytes == bytes)
		last++;
	*end = last;
	for (int i = 0; i < 2; i++) {
		line[i].point = tmap_alloc((size_t)(last - first), sizeof *line->point, err);
		if (!line[i].point)
			return -1;
	}
	line[0].name = tmap_units_print_bytes(bytes, name);
	line[0].has_bars = true;
	for (int i = first; i < last; i++) {
		const struct tmap_lane_experiment *it = &times->experiment[i];
		const struct tmap_lane_prediction *predicted =
			&speedups->predictions->prediction[i];

		if (it->has_speedup)
			line[0].point[line[0].count++] =
				(struct tmap_plot_point){ .x = it->lanes,
							  .y = it->speedup.ratio,
							  .low = it->speedup.low,
							  .high = it->speedup.high,
							  .is_ringed = !it->is_correct };
		if (predicted->has_speedup)
			line[1].point[line[1].count++] =
				(struct tmap_plot_point){ .x = it->lanes, .y = predicted->speedup };
	}
	return 0;
}

static int panel_fill(struct tmap_plot_panel *panel, const struct tmap_lane_speedups *speedups,
		      char name[][TMAP_UNITS_ROOM], struct tmap_error *err)
{
	bool has_any = false;

	for (int i = 0; i < speedups->times->count;) {
		struct tmap_plot_line *line = &panel->line[panel->line_count];

		if (panel->line_count == 2 * SIZES_MOST)
			return tmap_fail(err, TMAP_INPUT,
					 "a picture shows %d sizes, and more were measured",
					 SIZES_MOST);
		panel->line_count += 2;
		if (lines_fill(line, speedups, i, &i, name[panel->line_count / 2 - 1], err) < 0)
			return -1;
		has_any |= line->count > 0;
	}
	return has_any ? 0 :
			 tmap_fail(err, TMAP_INPUT,
				   "nothing can be drawn: of no size was one lane measured, too");
}

int tmap_svg_write_lane_speedups(FILE *out, const struct tmap_lane_speedups *speedups,
				 struct tmap_error *err)
{
	const char *notes[3 + TMAP_CAVEATS_MOST] = {
		has_intervals(speedups->times) ?
			"lines: ratios of measured medians over one lane; bars: their 95 % intervals;" :
			"lines: ratios of measured medians over one lane, of too few times for bars;",
		"dashed, hollow markers: predicted; ringed: a result was wrong"
	};
	const struct tmap_lane_times *times = speedups->times;
	const struct tmap_plot_rule rule = { 1, "as one lane" };
	struct tmap_plot_panel panel = { .rule_count = 1, .rule = &rule };
	struct tmap_plot plot = { .x_label = "lanes: ranks of each node that communicate",
				  .y_label = "speed-up over one lane",
				  .x = TMAP_AXIS_COUNT,
				  .y = TMAP_AXIS_NUMBER,
				  .note = notes,
				  .count = 1,
				  .panel = &panel };
	char what[80], subtitle[160], name[SIZES_MOST][TMAP_UNITS_ROOM], *title;
	struct tmap_times_caveats caveats;
	int status = -1;

	if (tmap_times_caveats_find(&caveats, times->job, 1, err) < 0)
		return -1;
	tmap_note_times_caveats(notes, 2, &caveats);

	if (times->has_collective)
		snprintf(what, sizeof what, "%s on lanes at once",
			 tmap_collective_rows[times->collective].word.name);
	else
		snprintf(what, sizeof what, "bytes of a node over lanes");
	if (speedups->predictions->reason && !speedups->predictions->count)
		snprintf(subtitle, sizeof subtitle, "not predicted: %s",
			 speedups->predictions->reason);
	else
		snprintf(subtitle, sizeof subtitle, "predicted by %scosts of %.60s",
			 tmap_profile_adjective(speedups->profile), speedups->profile->word.name);
	title = tmap_times_title(times->job, what, err);
	plot.title = title;
	plot.subtitle = subtitle;
	panel.line = tmap_alloc(2 * (size_t)SIZES_MOST, sizeof *panel.line, err);
	if (title && panel.line)
		status = panel_fill(&panel, speedups, name, err);
	if (status == 0)
		status = tmap_plot_write_svg(out, &plot, err);
	for (int l = 0; l < panel.line_count; l++)
		free(panel.line[l].point);
	free(panel.line);
	free(title);
	return status;
}
