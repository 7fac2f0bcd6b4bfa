/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_report.h"

#include "formats/json/json_write.h"
#include "formats/machine/json_placement.h"
#include "formats/text/table.h"

enum {
	COLLECTIVE,
	ALGORITHM,
	MODE,
	BYTES,
	ROOT,
	REPETITIONS,
	RUNS,
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
};

static const struct tmap_column columns[] = {
	[COLLECTIVE] = { NULL, "collective", "collective", TMAP_COLUMN_STRING },
	[ALGORITHM] = { NULL, "algorithm", "algorithm", TMAP_COLUMN_STRING },
	[MODE] = { NULL, "mode", "mode", TMAP_COLUMN_STRING },
	[BYTES] = { NULL, "bytes", "bytes", TMAP_COLUMN_SIZE },
	[ROOT] = { NULL, "root", NULL, TMAP_COLUMN_INT },
	[REPETITIONS] = { NULL, "repetitions", "times", TMAP_COLUMN_INT },
	[RUNS] = { NULL, "runs", "runs", TMAP_COLUMN_INT, .is_optional = true },
	[CORRECT] = { NULL, "correct", NULL, TMAP_COLUMN_BOOL },
	[MIN] = { NULL, "min_seconds", "min", TMAP_COLUMN_SECONDS },
	[Q1] = { NULL, "q1_seconds", NULL, TMAP_COLUMN_SECONDS },
	[MEDIAN] = { NULL, "median_seconds", "median", TMAP_COLUMN_SECONDS },
	[Q3] = { NULL, "q3_seconds", NULL, TMAP_COLUMN_SECONDS },
	[MAX] = { NULL, "max_seconds", "max", TMAP_COLUMN_SECONDS },
	[MEAN] = { NULL, "mean_seconds", NULL, TMAP_COLUMN_SECONDS },
	[LOW] = { NULL, "ci_low_seconds", "95 % from", TMAP_COLUMN_SECONDS },
	[HIGH] = { NULL, "ci_high_seconds", "to", TMAP_COLUMN_SECONDS },
	[OUTLIERS] = { NULL, "outliers", "outliers", TMAP_COLUMN_INT },
};

static bool times_have_runs(const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].run_count > 1)
			return true;
	return false;
}

static int times_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_experiment *it = &((const struct tmap_times *)subject)->experiment[i];
	const struct tmap_sample_statistics *seconds = &it->seconds;

	(void)err;
	cell[COLLECTIVE].string = tmap_collective_rows[it->collective].word.name;
	cell[ALGORITHM].string = it->algorithm;
	cell[MODE].string = tmap_keywords_at(&tmap_modes, it->mode)->name;
	cell[BYTES].count = it->bytes;
	cell[ROOT].count = it->root;
	cell[REPETITIONS].count = it->repetitions;
	cell[RUNS].count = it->run_count;
	cell[CORRECT].is_true = it->is_correct;
	cell[MIN].number = seconds->min;
	cell[Q1].number = seconds->q1;
	cell[MEDIAN].number = seconds->median;
	cell[Q3].number = seconds->q3;
	cell[MAX].number = seconds->max;
	cell[MEAN].number = seconds->mean;
	cell[LOW].number = seconds->low;
	cell[HIGH].number = seconds->high;
	cell[LOW].is_empty = cell[HIGH].is_empty = !seconds->has_interval;
	cell[OUTLIERS].count = seconds->outliers;
	return 0;
}

static struct tmap_table table_of(const struct tmap_times *times)
{
	return (struct tmap_table){ .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .rows = times->count,
				    .row = times_row,
				    .subject = times,
				    .hidden = times_have_runs(times) ? 0 : UINT64_C(1) << RUNS,
				    .width = TMAP_TABLE_ANY_WIDTH };
}

int tmap_csv_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	const struct tmap_table table = table_of(times);

	return tmap_table_write_csv(out, &table, err);
}

void tmap_text_write_wrong(FILE *out, const struct tmap_times *times)
{
	bool is_first = true;

	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[i];
		const struct tmap_cell bytes = { .count = it->bytes };
		char room[TMAP_CELL_ROOM];

		if (it->is_correct)
			continue;
		fprintf(out, "%s  %s %s, %s, %s\n", is_first ? "\nWrong results:\n" : "",
			tmap_collective_rows[it->collective].word.name, it->algorithm,
			tmap_keywords_at(&tmap_modes, it->mode)->name,
			tmap_cell_print(&columns[BYTES], &bytes, room));
		is_first = false;
	}
}

int tmap_text_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	const struct tmap_table table = table_of(times);

	fprintf(out, "%d ranks, %s; times of the slowest rank\n\n", times->placement.size,
		times->mpi);
	if (tmap_table_write_text(out, &table, err) < 0)
		return -1;
	tmap_text_write_wrong(out, times);
	return 0;
}

void tmap_json_put_seconds(struct tmap_json_writer *w, const struct tmap_sample_statistics *it)
{
	tmap_json_open_line(w, "seconds", '{');
	tmap_json_put_double(w, "min", it->min);
	tmap_json_put_double(w, "q1", it->q1);
	tmap_json_put_double(w, "median", it->median);
	tmap_json_put_double(w, "q3", it->q3);
	tmap_json_put_double(w, "max", it->max);
	tmap_json_put_double(w, "mean", it->mean);
	if (it->has_interval)
		tmap_json_put_doubles(w, "ci", (const double[]){ it->low, it->high }, 2);
	else
		tmap_json_put_null(w, "ci");
	tmap_json_close(w);
}

static void put_experiment(struct tmap_json_writer *w, const struct tmap_experiment *it)
{
	tmap_json_open(w, NULL, '{');
	tmap_json_put_string(w, "collective", tmap_collective_rows[it->collective].word.name);
	tmap_json_put_string(w, "algorithm", it->algorithm);
	tmap_json_put_string(w, "mode", tmap_keywords_at(&tmap_modes, it->mode)->name);
	tmap_json_put_int(w, "bytes", it->bytes);
	tmap_json_put_int(w, "root", it->root);
	tmap_json_put_int(w, "repetitions", it->repetitions);
	tmap_json_put_bool(w, "correct", it->is_correct);
	tmap_json_put_seconds(w, &it->seconds);
	tmap_json_put_int(w, "outliers", it->seconds.outliers);
	tmap_json_put_doubles(w, "runs", it->run, it->run_count);
	if (it->raw)
		tmap_json_put_doubles(w, "raw", it->raw, (int)it->repetitions);
	tmap_json_close(w);
}

int tmap_json_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "times");
	if (tmap_json_put_placement(&w, "placement", &times->placement, NULL, err) < 0)
		return -1;
	tmap_json_put_string(&w, "mpi", times->mpi);
	tmap_json_put_string(&w, "date", times->date);
	tmap_json_put_string(&w, "sync", times->sync);
	tmap_json_open(&w, "experiments", '[');
	for (int i = 0; i < times->count; i++)
		put_experiment(&w, &times->experiment[i]);
	tmap_json_close(&w);
	return tmap_json_end(&w, err);
}
