/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_report.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/report/times/left_out_report.h"
#include "formats/text/table.h"
#include "formats/text/text_edges.h"

#include <stdlib.h>
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

/* In text, of one collective, root and mode: an algorithm, or a topology. */
static const struct tmap_column text_columns[] = {
	[ALGORITHM] = { NULL, NULL, "algorithm", TMAP_COLUMN_STRING },
	[BYTES] = { NULL, NULL, "bytes", TMAP_COLUMN_SIZE },
	[REPETITIONS] = { NULL, NULL, "times", TMAP_COLUMN_INT },
	[RUNS] = { NULL, NULL, "runs", TMAP_COLUMN_INT },
	[MIN] = { NULL, NULL, "min", TMAP_COLUMN_SECONDS },
	[MEDIAN] = { NULL, NULL, "median", TMAP_COLUMN_SECONDS },
	[MAX] = { NULL, NULL, "max", TMAP_COLUMN_SECONDS },
	[LOW] = { NULL, NULL, "95 %\nfrom", TMAP_COLUMN_SECONDS, .is_optional = true },
	[HIGH] = { NULL, NULL, "to", TMAP_COLUMN_SECONDS, .is_optional = true },
	[OUTLIERS] = { NULL, NULL, "out-\nliers", TMAP_COLUMN_INT },
};

static bool times_have_runs(const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].run_count > 1)
			return true;
	return false;
}

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

/* Experiments in that order; NULL: in their own. */
struct ordered {
	const struct tmap_times *times;
	const int *order;
	int count;
	bool has_like;                   /* there are cells of what others measure */
	bool is_text;                    /* a topology stands in the algorithm's place */
	char (*room)[TMAP_VIRTUAL_ROOM]; /* a row's text, until the next one; NULL: none is on a
					     topology */
};

static int times_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct ordered *rows = subject;
	const struct tmap_experiment *it =
		&rows->times->experiment[rows->order ? rows->order[i] : i];
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
	if (rows->room && it->on.call != TMAP_NO_VIRTUAL)
		cell[rows->is_text ? ALGORITHM : TOPOLOGY].string =
			tmap_virtual_print(&it->on.topology, *rows->room);
	for (int way = 0; way < TMAP_LIKES && rows->has_like; way++)
		like_fill(&cell[LIKE_AT(way, 0)], &it->like[way]);
	return 0;
}

int tmap_csv_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	char room[TMAP_VIRTUAL_ROOM];
	const bool has_topologies = times_have_topologies(times);
	const struct ordered rows = { .times = times,
				      .count = times->count,
				      .has_like = !has_topologies && times_have_like(times),
				      .room = has_topologies ? &room : NULL };
	const struct tmap_table table = {
		.column = has_topologies ? topology_columns : columns,
		.columns = has_topologies ? TMAP_COLUMNS(topology_columns) :
			rows.has_like     ? TMAP_COLUMNS(columns) :
					    LIKE,
		.rows = rows.count,
		.row = times_row,
		.subject = &rows,
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

char *tmap_times_title(const struct tmap_times *times, const char *what, struct tmap_error *err)
{
	char *where = tmap_text_where(&times->placement, err), *title = NULL;

	if (where)
		title = tmap_format(err, "%s, measured: %s, %.80s", what, where, times->mpi);
	free(where);
	return title;
}

void tmap_text_write_interrupted(FILE *out, const struct tmap_times *times)
{
	if (times->is_interrupted)
		fputs("\nInterrupted: not all that was asked for was measured.\n", out);
}

/* Experiments with a wrong result. */
static void write_wrong(FILE *out, const struct tmap_times *times)
{
	bool is_first = true;

	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[i];
		const struct tmap_cell bytes = { .count = it->bytes };
		char room[TMAP_CELL_ROOM], on[TMAP_VIRTUAL_ROOM];

		if (it->is_correct)
			continue;
		fprintf(out, "%s  %s %s, %s, %s\n", is_first ? "\nWrong results:\n" : "",
			tmap_experiment_call(it),
			it->on.call == TMAP_NO_VIRTUAL ? it->algorithm :
							 tmap_virtual_print(&it->on.topology, on),
			tmap_keywords_at(&tmap_modes, it->mode)->name,
			tmap_cell_print(&columns[BYTES], &bytes, room));
		is_first = false;
	}
}

int tmap_text_write_times_ending(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	write_wrong(out, times);
	if (tmap_text_write_left_out(out, times, err) < 0)
		return -1;
	tmap_text_write_interrupted(out, times);
	return 0;
}

/* As many as a line has room for. */
static void write_seeds(FILE *out, const struct tmap_times *times)
{
	enum { WIDTH = 60 };
	int at;

	if (!times->seeds) {
		if (times->has_seed)
			fprintf(out, "measured in random order%s: --seed %lld\n",
				times_have_runs(times) ? ", of the first launch" : "",
				(long long)times->seed);
		return;
	}
	at = fprintf(out, "measured in random orders, launch by launch: --seed");
	for (int i = 0; i < times->seed_count; i++) {
		at += fprintf(out, "%s %lld", i ? "," : "", (long long)times->seeds[i]);
		if (at > WIDTH && i + 1 < times->seed_count) {
			fprintf(out, " and %d more", times->seed_count - i - 1);
			break;
		}
	}
	fputc('\n', out);
}

enum { FEW_REPETITIONS = 5 }; /* a median of fewer says little */

static int count_few(const struct tmap_times *times)
{
	int few = 0;

	for (int i = 0; i < times->count; i++)
		few += times->experiment[i].repetitions < FEW_REPETITIONS;
	return few;
}

static void write_late(FILE *out, const struct tmap_times *times)
{
	int few = count_few(times);

	if (!times->clock.late)
		return;
	fprintf(out, "%lld repetitions that began late do not count", (long long)times->clock.late);
	if (few)
		fprintf(out, ";\n%d experiment%s fewer than %d: their medians say little", few,
			few == 1 ? " has" : "s have", FEW_REPETITIONS);
	fputc('\n', out);
}

static void write_neighborhood(FILE *out, const struct tmap_times_neighborhood *it)
{
	fprintf(out, "neighbors: %s", it->stencil);
	if (it->cart)
		fprintf(out, " on a grid of %s", it->cart);
	if (it->periods)
		fprintf(out, ", periodic %s", it->periods);
	if (it->order)
		fprintf(out, ", in the order %s", it->order);
	fputc('\n', out);
}

void tmap_text_write_sync(FILE *out, const struct tmap_times *times)
{
	static const struct tmap_column seconds = { .kind = TMAP_COLUMN_SECONDS };
	const struct tmap_clock_use *clock = &times->clock;
	const struct tmap_cell uncertainty = { .number = clock->uncertainty_s };
	char room[TMAP_CELL_ROOM + TMAP_UNITS_ROOM];

	if (clock->clocks == 1)
		fputs(", from starts\nby a clock that all ranks share", out);
	else if (clock->clocks)
		fprintf(out, ", from starts\nby a common clock over %d, known within %s",
			clock->clocks, tmap_cell_print(&seconds, &uncertainty, room));
	else
		fprintf(out, ", from a %s on", times->sync);
	if (strcmp(times->sync, "slices") == 0)
		fputs(",\neach agreed on when the repetition before it was over", out);
	fputc('\n', out);
	write_late(out, times);
	if (times->off_cache)
		fprintf(out, "data in no cache: each rank writes %s before each (--off-cache)\n",
			tmap_units_print_bytes(times->off_cache, room));
	if (times->neighborhood.stencil)
		write_neighborhood(out, &times->neighborhood);
	if (times->by_rounds)
		fputs("topomap's algorithms end each round before the next one (--by-rounds)\n",
		      out);
	write_seeds(out, times);
}

void tmap_text_write_times_heading(FILE *out, const struct tmap_times *times)
{
	fprintf(out, "%d rank%s, %s; times of the slowest rank", times->placement.size,
		times->placement.size == 1 ? "" : "s", times->mpi);
	tmap_text_write_sync(out, times);
}

/* What one table of the text is of. */
static int table_compare(const struct tmap_experiment *a, const struct tmap_experiment *b)
{
	if (a->collective != b->collective)
		return a->collective < b->collective ? -1 : 1;
	if (a->on.call != b->on.call)
		return a->on.call < b->on.call ? -1 : 1;
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return (a->mode > b->mode) - (a->mode < b->mode);
}

static int compare_by_table(const void *a, const void *b, void *experiments)
{
	const struct tmap_experiment *left =
		(struct tmap_experiment *)experiments + *(const int *)a;
	const struct tmap_experiment *right =
		(struct tmap_experiment *)experiments + *(const int *)b;
	int order = table_compare(left, right);

	return order ? order : tmap_experiment_compare(left, right);
}

/* What a table has beside names, as wide as it can be; longer names go on a line of their own. */
enum { TEXT_WIDTH = 100, NUMBERS_WIDTH = 50, RUNS_WIDTH = 6, INTERVAL_WIDTH = 18 };

static bool rows_have_interval(const struct ordered *rows)
{
	for (int i = 0; i < rows->count; i++)
		if (rows->times->experiment[rows->order[i]].seconds.has_interval)
			return true;
	return false;
}

/* The table of one collective, root and mode. */
static int table_write(FILE *out, const struct ordered *rows, struct tmap_error *err)
{
	const struct tmap_experiment *it = &rows->times->experiment[*rows->order];
	const bool has_runs = times_have_runs(rows->times);
	struct tmap_column column[TMAP_COLUMNS(text_columns)];
	const struct tmap_table table = {
		.column = column,
		.columns = TMAP_COLUMNS(text_columns),
		.rows = rows->count,
		.row = times_row,
		.subject = rows,
		.hidden = has_runs ? 0 : UINT64_C(1) << RUNS,
		.width = TEXT_WIDTH,
	};

	memcpy(column, text_columns, sizeof text_columns);
	column[ALGORITHM].most = TEXT_WIDTH - NUMBERS_WIDTH - (has_runs ? RUNS_WIDTH : 0) -
		(rows_have_interval(rows) ? INTERVAL_WIDTH : 0);
	if (it->on.call != TMAP_NO_VIRTUAL)
		column[ALGORITHM].heading = "topology";
	fprintf(out, "\n%s, %s", tmap_experiment_call(it),
		tmap_keywords_at(&tmap_modes, it->mode)->name);
	if (it->on.call == TMAP_NO_VIRTUAL && tmap_collective_rows[it->collective].has_root)
		fprintf(out, ", root %d", it->root);
	fputc('\n', out);
	return tmap_table_write_text(out, &table, err);
}

int tmap_text_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	char room[TMAP_VIRTUAL_ROOM];
	int *order, status = tmap_times_sort(times, &order, err), end;

	if (status < 0)
		return -1;
	qsort_r(order, (size_t)times->count, sizeof *order, compare_by_table, times->experiment);
	tmap_text_write_times_heading(out, times);
	for (int i = 0; i < times->count && status == 0; i = end) {
		const struct tmap_experiment *first = &times->experiment[order[i]];

		for (end = i + 1; end < times->count &&
		     table_compare(first, &times->experiment[order[end]]) == 0;
		     end++)
			;
		status = table_write(out,
				     &(struct ordered){ .times = times,
							.order = order + i,
							.count = end - i,
							.is_text = true,
							.room = &room },
				     err);
	}
	free(order);
	if (status < 0)
		return -1;
	return tmap_text_write_times_ending(out, times, err);
}
