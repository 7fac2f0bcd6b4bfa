/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_report.h"

#include "formats/text/table.h"

#include <string.h>

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
	LIKE,            /* of each benchmark these: */
	TOPOLOGY = LIKE, /* or, of times on virtual topologies, this */
};

enum { LIKE_REPETITIONS, LIKE_MIN, LIKE_AVG, LIKE_MAX, LIKE_COLUMNS };

#define LIKE_AT(way, column) (LIKE + (way)*LIKE_COLUMNS + (column))
#define LIKE_FIELDS(way, name) \
	[LIKE_AT(way, LIKE_REPETITIONS)] = { NULL, name "_repetitions", NULL, TMAP_COLUMN_INT }, \
		      [LIKE_AT(way, LIKE_MIN)] = { NULL, name "_min_seconds", NULL, \
						   TMAP_COLUMN_SECONDS }, \
		      [LIKE_AT(way, LIKE_AVG)] = { NULL, name "_avg_seconds", NULL, \
						   TMAP_COLUMN_SECONDS }, \
		      [LIKE_AT(way, LIKE_MAX)] = { NULL, name "_max_seconds", NULL, \
						   TMAP_COLUMN_SECONDS }

/* Of all times. */
#define COMMON_COLUMNS \
	[COLLECTIVE] = { NULL, "collective", NULL, TMAP_COLUMN_STRING }, \
	[ALGORITHM] = { NULL, "algorithm", NULL, TMAP_COLUMN_STRING }, \
	[MODE] = { NULL, "mode", NULL, TMAP_COLUMN_STRING }, \
	[BYTES] = { NULL, "bytes", NULL, TMAP_COLUMN_SIZE }, \
	[ROOT] = { NULL, "root", NULL, TMAP_COLUMN_INT }, \
	[REPETITIONS] = { NULL, "repetitions", NULL, TMAP_COLUMN_INT }, \
	[RUNS] = { NULL, "runs", NULL, TMAP_COLUMN_INT }, \
	[CORRECT] = { NULL, "correct", NULL, TMAP_COLUMN_BOOL }, \
	[MIN] = { NULL, "min_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[Q1] = { NULL, "q1_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[MEDIAN] = { NULL, "median_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[Q3] = { NULL, "q3_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[MAX] = { NULL, "max_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[MEAN] = { NULL, "mean_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[LOW] = { NULL, "ci_low_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[HIGH] = { NULL, "ci_high_seconds", NULL, TMAP_COLUMN_SECONDS }, \
	[OUTLIERS] = { NULL, "outliers", NULL, TMAP_COLUMN_INT }

static const struct tmap_column columns[] = {
	COMMON_COLUMNS,
	LIKE_FIELDS(TMAP_LIKE_OSU, "osu"),
	LIKE_FIELDS(TMAP_LIKE_IMB, "imb"),
	LIKE_FIELDS(TMAP_LIKE_IMB_NOSYNC, "imb_nosync"),
};

static const struct tmap_column topology_columns[] = {
	COMMON_COLUMNS,
	[TOPOLOGY] = { NULL, "topology", NULL, TMAP_COLUMN_STRING },
};

static bool times_have_like(const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		for (int way = 0; way < TMAP_LIKES; way++)
			if (times->experiment[i].like[way].repetitions)
				return true;
	return false;
}

static void like_fill(struct tmap_cell *cell, const struct tmap_like_times *it)
{
	for (int i = 0; i < LIKE_COLUMNS; i++)
		cell[i].is_empty = !it->repetitions;
	cell[LIKE_REPETITIONS].count = it->repetitions;
	cell[LIKE_MIN].number = it->min_s;
	cell[LIKE_AVG].number = it->avg_s;
	cell[LIKE_MAX].number = it->max_s;
}

static bool times_have_topologies(const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].on.call != TMAP_NO_VIRTUAL)
			return true;
	return false;
}

struct lines {
	const struct tmap_times *times;
	bool has_like;                   /* there are cells of what others measure */
	char (*room)[TMAP_VIRTUAL_ROOM]; /* a row's text, until the next one; NULL: none is on a
					     topology */
};

static int times_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct lines *lines = subject;
	const struct tmap_experiment *it = &lines->times->experiment[i];
	const struct tmap_sample_statistics *seconds = &it->seconds;

	(void)err;
	cell[COLLECTIVE].string = tmap_experiment_call(it);
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
	if (lines->room && it->on.call != TMAP_NO_VIRTUAL)
		cell[TOPOLOGY].string = tmap_virtual_print(&it->on.topology, *lines->room);
	for (int way = 0; way < TMAP_LIKES && lines->has_like; way++)
		like_fill(&cell[LIKE_AT(way, 0)], &it->like[way]);
	return 0;
}

int tmap_csv_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	char room[TMAP_VIRTUAL_ROOM];
	const bool has_topologies = times_have_topologies(times);
	const struct lines lines = { .times = times,
				     .has_like = !has_topologies && times_have_like(times),
				     .room = has_topologies ? &room : NULL };
	const struct tmap_table table = {
		.column = has_topologies ? topology_columns : columns,
		.columns = has_topologies ? TMAP_COLUMNS(topology_columns) :
			lines.has_like    ? TMAP_COLUMNS(columns) :
					    LIKE,
		.rows = times->count,
		.row = times_row,
		.subject = &lines,
	};

	return tmap_table_write_csv(out, &table, err);
}

bool tmap_csv_times_has(const char *heading)
{
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (columns[i].field && strcmp(columns[i].field, heading) == 0)
			return true;
	return false;
}
