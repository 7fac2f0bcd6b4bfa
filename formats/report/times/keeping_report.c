/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/keeping_report.h"

#include "core/base/mem.h"
#include "formats/report/times/latency_columns.h"
#include "formats/report/times/times_report.h"
#include "formats/text/comment.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE, NOTHING, SCHEDULE, DATATYPES, REQUESTS, GAIN, COLLECTIVE, ALGORITHM };

static const struct tmap_column columns[] = {
	[SIZE] = { TMAP_LATENCY_SIZE },
	[NOTHING] = { TMAP_LATENCY("Nothing(us)") },
	[SCHEDULE] = { TMAP_LATENCY("Schedule(us)") },
	[DATATYPES] = { TMAP_LATENCY("Datatypes(us)") },
	[REQUESTS] = { TMAP_LATENCY("Requests(us)") },
	[GAIN] = { NULL, NULL, "Gain", TMAP_COLUMN_NUMBER, .digits = 2 },
	[COLLECTIVE] = { NULL, NULL, "Collective", TMAP_COLUMN_STRING },
	[ALGORITHM] = { NULL, NULL, "Algorithm", TMAP_COLUMN_STRING },
};

/* One algorithm, collective, root and size in all its modes. */
struct keeping_line {
	const struct tmap_experiment *mode[TMAP_MODES]; /* NULL: not measured */
	const struct tmap_experiment *any;
};

static bool is_native(const struct tmap_experiment *it)
{
	return strncmp(it->algorithm, "native", strlen("native")) == 0;
}

/* In which mode nothing but that is kept. */
static const enum tmap_mode mode_of_ours[] = { [NOTHING] = TMAP_NAIVE,
					       [SCHEDULE] = TMAP_SCHEDULE,
					       [DATATYPES] = TMAP_BLOCKING,
					       [REQUESTS] = TMAP_PERSISTENT };

static const struct tmap_experiment *line_at(const struct keeping_line *line, int column)
{
	if (!is_native(line->any))
		return line->mode[mode_of_ours[column]];
	return column == NOTHING   ? line->mode[TMAP_NONBLOCKING] :
		column == REQUESTS ? line->mode[TMAP_PERSISTENT] :
				     NULL;
}

static int keeping_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct keeping_line *line = (const struct keeping_line *)subject + i;
	double least = 0;

	(void)err;
	cell[COLLECTIVE].string = tmap_collective_rows[line->any->collective].word.name;
	cell[ALGORITHM].string = line->any->algorithm;
	cell[SIZE].count = line->any->bytes;
	for (int column = NOTHING; column <= REQUESTS; column++) {
		const struct tmap_experiment *it = line_at(line, column);

		cell[column].is_empty = !it;
		if (!it)
			continue;
		cell[column].number = it->seconds.median;
		if (column > NOTHING && (least <= 0 || it->seconds.median < least))
			least = it->seconds.median;
	}
	cell[GAIN].is_empty = cell[NOTHING].is_empty || least <= 0;
	cell[GAIN].number = cell[GAIN].is_empty ? 0 : cell[NOTHING].number / least;
	return 0;
}

static bool is_same_line(const struct tmap_experiment *a, const struct tmap_experiment *b)
{
	return a->collective == b->collective && a->root == b->root && a->bytes == b->bytes &&
		strcmp(a->algorithm, b->algorithm) == 0;
}

/* *order is by collective, root and size: the lines of one of these are few. */
static int lines_fill(struct keeping_line *line, const struct tmap_times *times, const int *order)
{
	int count = 0;

	for (int i = 0; i < times->count; i++) {
		const struct tmap_experiment *it = &times->experiment[order[i]];
		int at = count;

		while (at > 0 && line[at - 1].any->bytes == it->bytes &&
		       line[at - 1].any->collective == it->collective &&
		       !is_same_line(line[at - 1].any, it))
			at--;
		if (at == 0 || !is_same_line(line[at - 1].any, it)) {
			at = ++count;
			line[at - 1].any = it;
		}
		line[at - 1].mode[it->mode] = it;
	}
	return count;
}

/* All that have a root have the same. */
static void write_root(FILE *out, const struct tmap_times *times)
{
	for (int i = 0; i < times->count; i++)
		if (tmap_collective_rows[times->experiment[i].collective].has_root) {
			fprintf(out, "root %d\n", times->experiment[i].root);
			return;
		}
}

static int heading_write(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	fprintf(out,
		"%d rank%s, %s; by what is kept from call to call,\n"
		"medians of the slowest rank's times",
		times->placement.size, times->placement.size == 1 ? "" : "s", times->mpi);
	if (tmap_text_write_sync(out, times, err) < 0)
		return -1;
	fputs("gain: nothing over the least of the others\n", out);
	write_root(out, times);
	fputc('\n', out);
	return 0;
}

int tmap_text_write_keeping(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	struct keeping_line *line = tmap_alloc((size_t)times->count, sizeof *line, err);
	struct tmap_table table = { .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .row = keeping_row,
				    .subject = line,
				    .width = TMAP_TABLE_ANY_WIDTH,
				    .blank = TMAP_LATENCY_BLANK };
	struct tmap_comment comment;
	FILE *words = NULL;
	int *order = NULL, status = line ? tmap_times_sort(times, &order, err) : -1;

	if (status == 0)
		status = (words = tmap_comment_begin(&comment, out, err)) ? 0 : -1;
	if (status == 0)
		status = tmap_comment_end(&comment, heading_write(words, times, err), err);
	if (status == 0) {
		table.rows = lines_fill(line, times, order);
		status = tmap_table_write_text(out, &table, err);
	}
	if (status == 0)
		status = tmap_text_comment_times_ending(out, times, err);
	free(order);
	free(line);
	return status;
}
