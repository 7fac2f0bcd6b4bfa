/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/lane_times_report.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"
#include "formats/report/times/latency_columns.h"
#include "formats/report/times/times_report.h"
#include "formats/text/comment.h"
#include "formats/text/text_edges.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	BYTES,
	LANES,
	REPETITIONS,
	CORRECT,
	MIN,
	Q1,
	MEDIAN,
	Q3,
	MAX,
	MEAN,
	LOW,
	HIGH,
	OUTLIERS,
	SPEEDUP,
	SPEEDUP_LOW,
	SPEEDUP_HIGH,
};

static const struct tmap_column columns[] = {
	[BYTES] = { NULL, "bytes", TMAP_LATENCY_HEADING, TMAP_COLUMN_INT, .width = 7,
		    .side = TMAP_SIDE_LEFT },
	[LANES] = { NULL, "lanes", "Lanes", TMAP_COLUMN_INT },
	[REPETITIONS] = { NULL, "repetitions", "Iterations", TMAP_COLUMN_INT },
	[CORRECT] = { NULL, "correct", NULL, TMAP_COLUMN_BOOL },
	[MIN] = { NULL, "min_seconds", "Min(us)", TMAP_COLUMN_LATENCY },
	[Q1] = { NULL, "q1_seconds", NULL, TMAP_COLUMN_SECONDS },
	[MEDIAN] = { NULL, "median_seconds", "Median(us)", TMAP_COLUMN_LATENCY },
	[Q3] = { NULL, "q3_seconds", NULL, TMAP_COLUMN_SECONDS },
	[MAX] = { NULL, "max_seconds", "Max(us)", TMAP_COLUMN_LATENCY },
	[MEAN] = { NULL, "mean_seconds", "Mean(us)", TMAP_COLUMN_LATENCY },
	[LOW] = { NULL, "ci_low_seconds", NULL, TMAP_COLUMN_SECONDS },
	[HIGH] = { NULL, "ci_high_seconds", NULL, TMAP_COLUMN_SECONDS },
	[OUTLIERS] = { NULL, "outliers", "Outliers", TMAP_COLUMN_INT },
	[SPEEDUP] = { NULL, "speedup", "Speed-up", TMAP_COLUMN_NUMBER, .digits = 2 },
	[SPEEDUP_LOW] = { NULL, "speedup_low", "95%From", TMAP_COLUMN_NUMBER, .digits = 2 },
	[SPEEDUP_HIGH] = { NULL, "speedup_high", "To", TMAP_COLUMN_NUMBER, .digits = 2 },
};

static int experiment_row(const void *subject, int i, struct tmap_cell *cell,
			  struct tmap_error *err)
{
	const struct tmap_lane_experiment *it =
		&((const struct tmap_lane_times *)subject)->experiment[i];

	(void)err;
	cell[BYTES].count = it->bytes;
	cell[LANES].count = it->lanes;
	cell[REPETITIONS].count = it->repetitions;
	cell[CORRECT].is_true = it->is_correct;
	cell[MIN].number = it->seconds.min;
	cell[Q1].number = it->seconds.q1;
	cell[MEDIAN].number = it->seconds.median;
	cell[Q3].number = it->seconds.q3;
	cell[MAX].number = it->seconds.max;
	cell[MEAN].number = it->seconds.mean;
	cell[LOW].number = it->seconds.low;
	cell[HIGH].number = it->seconds.high;
	cell[LOW].is_empty = cell[HIGH].is_empty = !it->seconds.has_interval;
	cell[OUTLIERS].count = it->seconds.outliers;
	cell[SPEEDUP].number = it->speedup.ratio;
	cell[SPEEDUP].is_empty = !it->has_speedup;
	cell[SPEEDUP_LOW].number = it->speedup.low;
	cell[SPEEDUP_HIGH].number = it->speedup.high;
	cell[SPEEDUP_LOW].is_empty = cell[SPEEDUP_HIGH].is_empty = !it->has_speedup ||
		!it->speedup.has_interval;
	return 0;
}

static struct tmap_table table_of(const struct tmap_lane_times *times)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = times->count,
				    .row = experiment_row,
				    .subject = times,
				    .width = TMAP_TABLE_ANY_WIDTH,
				    .blank = TMAP_LATENCY_BLANK };
}

int tmap_csv_write_lane_times(FILE *out, const struct tmap_lane_times *times,
			      struct tmap_error *err)
{
	const struct tmap_table table = table_of(times);

	return tmap_table_write_csv(out, &table, err);
}

int tmap_text_write_lane_head(FILE *out, const struct tmap_lane_times *times,
			      struct tmap_error *err)
{
	char *where = tmap_text_where(&times->job->placement, err);

	if (!where)
		return -1;
	fprintf(out, "%s, %s; times of the slowest rank", where, times->job->mpi);
	free(where);
	if (tmap_text_write_sync(out, times->job, err) < 0)
		return -1;
	if (times->has_collective)
		fprintf(out,
			"%s of that size on each of so many lane communicators at once;\n"
			"speed-up: so many times the median of one, over that of all at once\n\n",
			tmap_collective_rows[times->collective].word.name);
	else
		fprintf(out,
			"%" PRId64
			" exchanges of so many bytes of each node, by so many of its ranks;\n"
			"speed-up: the median of one lane over that of so many\n\n",
			times->exchanges);
	return 0;
}

void tmap_text_write_lane_notes(FILE *out, const struct tmap_lane_times *times)
{
	int wrong = 0;

	for (int i = 0; i < times->count; i++)
		wrong += !times->experiment[i].is_correct;
	if (wrong)
		fprintf(out, "\nWrong results: %d of %d experiments\n", wrong, times->count);
	tmap_text_write_interrupted(out, times->job);
}

int tmap_text_write_lane_times(FILE *out, const struct tmap_lane_times *times,
			       struct tmap_error *err)
{
	const struct tmap_table table = table_of(times);

	struct tmap_comment comment;
	FILE *words = tmap_comment_begin(&comment, out, err);

	if (!words ||
	    tmap_comment_end(&comment, tmap_text_write_lane_head(words, times, err), err) < 0 ||
	    tmap_table_write_text(out, &table, err) < 0)
		return -1;
	words = tmap_comment_begin(&comment, out, err);
	if (!words)
		return -1;
	tmap_text_write_lane_notes(words, times);
	return tmap_comment_end(&comment, 0, err);
}

static void put_experiment(struct tmap_json_writer *w, const struct tmap_lane_experiment *it,
			   bool has_raw)
{
	const struct tmap_speedup *speedup = &it->speedup;

	tmap_json_open(w, NULL, '{');
	tmap_json_put_int(w, "bytes", it->bytes);
	tmap_json_put_int(w, "lanes", it->lanes);
	tmap_json_put_int(w, "repetitions", it->repetitions);
	tmap_json_put_bool(w, "correct", it->is_correct);
	tmap_json_put_seconds(w, &it->seconds);
	tmap_json_put_int(w, "outliers", it->seconds.outliers);
	if (it->has_speedup)
		tmap_json_put_double(w, "speedup", speedup->ratio);
	else
		tmap_json_put_null(w, "speedup");
	if (it->has_speedup && speedup->has_interval)
		tmap_json_put_doubles(w, "speedup_ci",
				      (const double[]){ speedup->low, speedup->high }, 2);
	else
		tmap_json_put_null(w, "speedup_ci");
	if (has_raw)
		tmap_json_put_doubles(w, "raw", it->time, (int)it->repetitions);
	tmap_json_close(w);
}

int tmap_json_write_lane_times(FILE *out, const struct tmap_lane_times *times, bool has_raw,
			       struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "lane_times");
	if (tmap_json_put_placement(&w, "placement", &times->job->placement, NULL, err) < 0)
		return -1;
	tmap_json_put_string(&w, "mpi", times->job->mpi);
	tmap_json_put_string(&w, "date", times->job->date);
	tmap_json_put_sync(&w, times->job);
	tmap_json_put_interrupted(&w, times->job);
	tmap_json_put_string(
		&w, "collective",
		times->has_collective ? tmap_collective_rows[times->collective].word.name : NULL);
	tmap_json_put_int(&w, "exchanges", times->exchanges);
	tmap_json_open(&w, "experiments", '[');
	for (int i = 0; i < times->count; i++)
		put_experiment(&w, &times->experiment[i], has_raw);
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
