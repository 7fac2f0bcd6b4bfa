/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/times_report.h"

#include "core/base/mem.h"
#include "formats/report/times/latency_columns.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE, MIN, MEDIAN, MAX, ITERATIONS, OUTLIERS, LOW, HIGH, RUNS, ALGORITHM };

/* Of one collective, root and mode; names are as long as they are, so they come last. */
static const struct tmap_column columns[] = {
	[SIZE] = { TMAP_LATENCY_SIZE },
	[MIN] = { TMAP_LATENCY("Min(us)") },
	[MEDIAN] = { TMAP_LATENCY("Median(us)") },
	[MAX] = { TMAP_LATENCY("Max(us)") },
	[ITERATIONS] = { NULL, NULL, "Iterations", TMAP_COLUMN_INT },
	[OUTLIERS] = { NULL, NULL, "Outliers", TMAP_COLUMN_INT },
	[LOW] = { TMAP_LATENCY("95%From(us)") },
	[HIGH] = { TMAP_LATENCY("To(us)") },
	[RUNS] = { NULL, NULL, "Runs", TMAP_COLUMN_INT },
	[ALGORITHM] = { NULL, NULL, "Algorithm", TMAP_COLUMN_STRING },
};

/* What one table is of, in this order. */
struct lines {
	const struct tmap_times *times;
	const int *order;
	int count;
	char (*room)[TMAP_VIRTUAL_ROOM]; /* a topology's text, until the next row */
};

/* "moore:1,2d,reorder": one word. */
static const char *topology_print(const struct tmap_virtual_topology *topology,
				  char room[TMAP_VIRTUAL_ROOM])
{
	tmap_virtual_print(topology, room);
	for (char *blank = room; (blank = strchr(blank, ' '));)
		*blank = ',';
	return room;
}

static int line_fill(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct lines *lines = subject;
	const struct tmap_experiment *it = &lines->times->experiment[lines->order[i]];
	const struct tmap_sample_statistics *seconds = &it->seconds;

	(void)err;
	cell[SIZE].count = it->bytes;
	cell[MIN].number = seconds->min;
	cell[MEDIAN].number = seconds->median;
	cell[MAX].number = seconds->max;
	cell[ITERATIONS].count = it->repetitions;
	cell[OUTLIERS].count = seconds->outliers;
	cell[LOW].number = seconds->low;
	cell[HIGH].number = seconds->high;
	cell[LOW].is_empty = cell[HIGH].is_empty = !seconds->has_interval;
	cell[RUNS].count = it->run_count;
	cell[ALGORITHM].string = it->on.call == TMAP_NO_VIRTUAL ?
		it->algorithm :
		topology_print(&it->on.topology, *lines->room);
	return 0;
}

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

static int table_write(FILE *out, const struct lines *lines, struct tmap_error *err)
{
	const struct tmap_experiment *it = &lines->times->experiment[*lines->order];
	struct tmap_column column[TMAP_COLUMNS(columns)];
	const struct tmap_table table = { .column = column,
					  .columns = TMAP_COLUMNS(columns),
					  .rows = lines->count,
					  .row = line_fill,
					  .subject = lines,
					  .width = TMAP_TABLE_ANY_WIDTH,
					  .blank = TMAP_LATENCY_BLANK };

	memcpy(column, columns, sizeof columns);
	if (it->on.call != TMAP_NO_VIRTUAL)
		column[ALGORITHM].heading = "Topology";
	fprintf(out, "\n# %s, %s", tmap_experiment_call(it),
		tmap_keywords_at(&tmap_modes, it->mode)->name);
	if (it->on.call == TMAP_NO_VIRTUAL && tmap_collective_rows[it->collective].has_root)
		fprintf(out, ", root %d", it->root);
	fputc('\n', out);
	return tmap_table_write_text(out, &table, err);
}

static int tables_write(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	char room[TMAP_VIRTUAL_ROOM];
	struct lines lines = { .times = times, .room = &room };
	int *order, status = tmap_times_sort(times, &order, err), end;

	if (status < 0)
		return -1;
	qsort_r(order, (size_t)times->count, sizeof *order, compare_by_table, times->experiment);
	for (int i = 0; i < times->count && status == 0; i = end) {
		const struct tmap_experiment *first = &times->experiment[order[i]];

		for (end = i + 1; end < times->count &&
		     table_compare(first, &times->experiment[order[end]]) == 0;
		     end++)
			;
		lines.order = order + i;
		lines.count = end - i;
		status = table_write(out, &lines, err);
	}
	free(order);
	return status;
}

int tmap_text_write_times(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	return tmap_text_comment_times_heading(out, times, "", err) < 0 ||
			tables_write(out, times, err) < 0 ||
			tmap_text_comment_times_ending(out, times, err) < 0 ?
		-1 :
		0;
}
