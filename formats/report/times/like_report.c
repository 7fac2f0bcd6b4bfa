/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/times/like_report.h"

#include "core/base/mem.h"
#include "formats/report/times/latency_columns.h"
#include "formats/report/times/times_report.h"

#include <stdlib.h>
#include <string.h>

enum { OSU_SIZE, OSU_AVG, OSU_MIN, OSU_MAX, OSU_ITERATIONS, OSU_TOPOMAP };

static const struct tmap_column osu_columns[] = {
	[OSU_SIZE] = { TMAP_LATENCY_SIZE },
	[OSU_AVG] = { NULL, NULL, "Avg Latency(us)", TMAP_COLUMN_LATENCY },
	[OSU_MIN] = { NULL, NULL, "Min Latency(us)", TMAP_COLUMN_LATENCY },
	[OSU_MAX] = { NULL, NULL, "Max Latency(us)", TMAP_COLUMN_LATENCY },
	[OSU_ITERATIONS] = { NULL, NULL, "Iterations", TMAP_COLUMN_INT },
	[OSU_TOPOMAP] = { NULL, NULL, "topomap", TMAP_COLUMN_LATENCY },
};

enum { IMB_BYTES, IMB_REPETITIONS, IMB_MIN, IMB_MAX, IMB_AVG, IMB_TOPOMAP };

static const struct tmap_column imb_columns[] = {
	[IMB_BYTES] = { NULL, NULL, "#bytes", TMAP_COLUMN_INT, .width = 8, .side = TMAP_SIDE_LEFT },
	[IMB_REPETITIONS] = { NULL, NULL, "#repetitions", TMAP_COLUMN_INT },
	[IMB_MIN] = { NULL, NULL, "t_min[usec]", TMAP_COLUMN_LATENCY },
	[IMB_MAX] = { NULL, NULL, "t_max[usec]", TMAP_COLUMN_LATENCY },
	[IMB_AVG] = { NULL, NULL, "t_avg[usec]", TMAP_COLUMN_LATENCY },
	[IMB_TOPOMAP] = { NULL, NULL, "topomap", TMAP_COLUMN_LATENCY },
};

/* Which of the two forms a benchmark has, and where its numbers are in it. */
static const struct form {
	const struct tmap_column *column;
	int columns;
	int bytes, repetitions, min, avg, max, topomap;
} forms[] = {
	{ osu_columns, TMAP_COLUMNS(osu_columns), OSU_SIZE, OSU_ITERATIONS, OSU_MIN, OSU_AVG,
	  OSU_MAX, OSU_TOPOMAP },
	{ imb_columns, TMAP_COLUMNS(imb_columns), IMB_BYTES, IMB_REPETITIONS, IMB_MIN, IMB_AVG,
	  IMB_MAX, IMB_TOPOMAP },
};

/* Experiments that differ in size alone. */
struct group {
	const struct tmap_times *times;
	const int *member;
	int count, way;
	const struct form *form;
};

static const struct tmap_experiment *group_at(const struct group *group, int i)
{
	return &group->times->experiment[group->member[i]];
}

static int group_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct group *group = subject;
	const struct form *form = group->form;
	const struct tmap_experiment *it = group_at(group, row);
	const struct tmap_like_times *like = &it->like[group->way];

	(void)err;
	cell[form->bytes].count = it->bytes;
	cell[form->repetitions].count = like->repetitions;
	cell[form->min].number = like->min_s;
	cell[form->avg].number = like->avg_s;
	cell[form->max].number = like->max_s;
	cell[form->topomap].number = it->seconds.median;
	return 0;
}

static int group_write(FILE *out, const struct group *group, struct tmap_error *err)
{
	const struct tmap_experiment *it = group_at(group, 0);
	const struct tmap_collective_row *row = &tmap_collective_rows[it->collective];
	const struct tmap_table table = { .column = group->form->column,
					  .columns = group->form->columns,
					  .rows = group->count,
					  .row = group_row,
					  .subject = group,
					  .width = TMAP_TABLE_ANY_WIDTH,
					  .blank = TMAP_LATENCY_BLANK };

	fprintf(out, "\n# %s %s, %s", row->word.name, it->algorithm,
		tmap_keywords_at(&tmap_modes, it->mode)->name);
	if (row->has_root)
		fprintf(out, ", root %d", it->root);
	fprintf(out, ", like %s\n", tmap_like_rows[group->way].title);
	return tmap_table_write_text(out, &table, err);
}

static int experiment_compare_but_size(const struct tmap_experiment *a,
				       const struct tmap_experiment *b)
{
	struct tmap_experiment like_b = *b;

	like_b.bytes = a->bytes;
	return tmap_experiment_compare(a, &like_b);
}

static int compare_by_call(const void *a, const void *b, void *experiments)
{
	const struct tmap_experiment *experiment = experiments;
	const struct tmap_experiment *left = &experiment[*(const int *)a];
	const struct tmap_experiment *right = &experiment[*(const int *)b];
	int order = experiment_compare_but_size(left, right);

	return order ? order : (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* The experiments of one benchmark, by call and then by size: a table for each call. */
static int way_write(FILE *out, const struct tmap_times *times, int way, int *member,
		     struct tmap_error *err)
{
	int count = 0, status = 0, end;

	for (int i = 0; i < times->count; i++)
		if (times->experiment[i].like[way].repetitions)
			member[count++] = i;
	qsort_r(member, (size_t)count, sizeof *member, compare_by_call, times->experiment);
	for (int begin = 0; begin < count && status == 0; begin = end) {
		const struct tmap_experiment *first = &times->experiment[member[begin]];
		struct group group = { times, member + begin, 0, way,
				       &forms[tmap_like_rows[way].is_imb] };

		for (end = begin; end < count &&
		     experiment_compare_but_size(first, &times->experiment[member[end]]) == 0;
		     end++)
			group.count++;
		status = group_write(out, &group, err);
	}
	return status;
}

int tmap_text_write_like(FILE *out, const struct tmap_times *times, struct tmap_error *err)
{
	int *member = tmap_alloc_raw((size_t)times->count, sizeof *member, err), status = 0;

	if (!member)
		return -1;
	status = tmap_text_comment_times_heading(
		out, times,
		"topomap: the median of these; beside it what the loop of a benchmark says\n", err);
	for (int way = 0; way < TMAP_LIKES && status == 0; way++)
		status = way_write(out, times, way, member, err);
	free(member);
	return status < 0 ? -1 : tmap_text_comment_times_ending(out, times, err);
}
