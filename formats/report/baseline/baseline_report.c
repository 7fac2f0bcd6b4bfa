/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/baseline/baseline_report.h"

#include "core/base/mem.h"
#include "formats/machine/json_placement.h"
#include "formats/report/baseline/accesses_report.h"
#include "formats/report/ring/json_ring.h"
#include "formats/report/tree/json_tree.h"
#include "formats/text/legend.h"
#include "formats/text/table.h"
#include "formats/text/text_others.h"
#include "formats/text/text_profile.h"
#include "formats/text/text_sharing.h"

#include <stdlib.h>
#include <string.h>

/* Of a tree or a ring; those of a ring have no depth and no fan-out. */
enum {
	NAME,
	APPLICABLE,
	REASON,
	WEIGHT,
	DEPTH,
	FANOUT,
	REMOTE,
	SECONDS,
	PATH,
	PATH_END,
	MEMORY,
	ADAPTER,
	CHUNKS,
	IN_FLIGHT,
	COLUMN_COUNT
};

static const struct tmap_column columns[COLUMN_COUNT] = {
	[NAME] = { "name", NULL, "algorithm", TMAP_COLUMN_STRING },
	[APPLICABLE] = { "applicable", NULL, NULL, TMAP_COLUMN_BOOL },
	[REASON] = { "reason", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[WEIGHT] = { "weight", NULL, "weight", TMAP_COLUMN_NUMBER },
	[DEPTH] = { "depth", NULL, "depth", TMAP_COLUMN_INT, .is_optional = true },
	[FANOUT] = { "fanout", NULL, "fan-out", TMAP_COLUMN_INT, .is_optional = true },
	[REMOTE] = { "remote_accesses", NULL, "remote accesses", TMAP_COLUMN_INT },
	[SECONDS] = { "seconds", NULL, "time", TMAP_COLUMN_SECONDS },
	[PATH] = { "path_seconds", NULL, "critical\npath", TMAP_COLUMN_SECONDS,
		   .is_optional = true },
	[PATH_END] = { "path_end", NULL, NULL, TMAP_COLUMN_INT, .is_optional = true },
	[MEMORY] = { "memory_seconds", NULL, "memory", TMAP_COLUMN_SECONDS, .is_optional = true },
	[ADAPTER] = { "adapter_seconds", NULL, "adapter", TMAP_COLUMN_SECONDS,
		      .is_optional = true },
	[CHUNKS] = { "chunks", NULL, "chunks", TMAP_COLUMN_INT, .is_optional = true },
	[IN_FLIGHT] = { "chunks_in_flight", NULL, "in flight", TMAP_COLUMN_INT,
			.is_optional = true },
};

/* What crosses a level. */
enum { LEVEL, MESSAGES, BYTES, LEVEL_COLUMNS };

static const struct tmap_column level_columns[LEVEL_COLUMNS] = {
	[LEVEL] = { "name", NULL, "level", TMAP_COLUMN_STRING },
	[MESSAGES] = { "messages", NULL, "messages", TMAP_COLUMN_INT },
	[BYTES] = { "bytes", NULL, "bytes", TMAP_COLUMN_SIZE, .is_optional = true },
};

static void set_baseline(const struct tmap_baseline *it, struct tmap_cell *cell)
{
	const struct tmap_totals *totals = &it->totals;

	cell[NAME].string = it->name;
	cell[APPLICABLE].is_true = !it->reason;
	cell[REASON].string = it->reason;
	cell[WEIGHT].number = totals->weight;
	cell[DEPTH].count = totals->depth;
	cell[DEPTH].is_empty = cell[FANOUT].is_empty = !totals->fanout;
	cell[FANOUT].count = totals->fanout;
	cell[REMOTE].count = totals->accesses.remote;
	cell[SECONDS].number = totals->cost.seconds;
	cell[PATH].number = totals->cost.path_s;
	cell[PATH_END].count = totals->cost.last;
	cell[MEMORY].number = totals->cost.controller_s;
	cell[ADAPTER].number = totals->cost.adapter_s;
	cell[CHUNKS].count = totals->cost.chunks;
	cell[IN_FLIGHT].count = totals->cost.in_flight;
	for (int c = PATH; c < COLUMN_COUNT; c++)
		cell[c].is_empty = totals->has_only_end;
}

static void set_crossing(const struct tmap_totals_level *crossing, const char *level,
			 struct tmap_cell *cell)
{
	cell[LEVEL].string = level;
	cell[MESSAGES].count = crossing->messages;
	cell[BYTES].count = crossing->bytes;
	cell[BYTES].is_empty = crossing->bytes == TMAP_NONE;
}

/* The levels, the remote accesses and the costs of one, which the document and its baselines
 * have alike. */
static void put_costs(struct tmap_json_writer *w, const struct tmap_baseline *it,
		      const struct tmap_levels *levels)
{
	struct tmap_cell cell[COLUMN_COUNT] = { 0 };

	tmap_json_open(w, "levels", '[');
	for (int l = 0; l < it->totals.level_count; l++) {
		struct tmap_cell level[LEVEL_COLUMNS] = { 0 };

		set_crossing(&it->totals.crossing[l], levels->level[l].name, level);
		tmap_json_open_line(w, NULL, '{');
		tmap_cells_put_json(w, level_columns, level, LEVEL_COLUMNS);
		tmap_json_close(w);
	}
	tmap_json_close(w);
	set_baseline(it, cell);
	tmap_cells_put_json(w, columns + REMOTE, cell + REMOTE,
			    it->totals.has_cost ? COLUMN_COUNT - REMOTE : 1);
}

static void put_baseline(struct tmap_json_writer *w, const struct tmap_baseline *it,
			 const struct tmap_levels *levels)
{
	struct tmap_cell cell[COLUMN_COUNT] = { 0 };

	set_baseline(it, cell);
	tmap_json_open(w, NULL, '{');
	tmap_cells_put_json(w, columns, cell, WEIGHT);
	tmap_json_open(w, "knobs", '{');
	tmap_json_put_string(w, "openmpi", it->knob.openmpi);
	tmap_json_put_string(w, "mpich", it->knob.mpich);
	tmap_json_put_string(w, "ucc", it->knob.ucc);
	tmap_json_close(w);
	if (!it->reason) {
		tmap_cells_put_json(w, columns + WEIGHT, cell + WEIGHT, REMOTE - WEIGHT);
		tmap_json_put_edges(w, it->totals.edges, it->totals.edge_count);
		put_costs(w, it, levels);
	}
	tmap_json_close(w);
}

static void put_baselines(struct tmap_json_writer *w, const struct tmap_baselines *baselines)
{
	const struct tmap_load *load = baselines->load;

	if (load->bytes != TMAP_NONE) {
		tmap_json_put_int(w, "bytes", load->bytes);
		if (load->chunk_bytes)
			tmap_json_put_int(w, "chunk_bytes", load->chunk_bytes);
		tmap_json_put_profile_choice(w, load->model->profile);
	}
	put_costs(w, &baselines->row[0], load->levels);
	if (baselines->count < 2)
		return;
	tmap_json_open(w, "against", '[');
	for (int i = 1; i < baselines->count; i++)
		put_baseline(w, &baselines->row[i], load->levels);
	tmap_json_close(w);
}

static int end_report(struct tmap_json_writer *w, const struct tmap_report *report,
		      const struct tmap_machine *machine, struct tmap_error *err)
{
	const struct tmap_baselines *baselines = report->baselines;

	if (report->note)
		tmap_json_put_string(w, "note", report->note);
	if (report->profile)
		tmap_json_put_profile_choice(w, report->profile);
	if (baselines)
		put_baselines(w, baselines);
	if (baselines && report->has_accesses &&
	    tmap_json_put_accesses(w, &baselines->row[0].totals.accesses, machine, err) < 0)
		return -1;
	if (report->placement &&
	    tmap_json_put_placement(w, "placement", report->placement, NULL, err) < 0)
		return -1;
	return tmap_json_end(w, err);
}

int tmap_tree_write_report(const struct tmap_tree *tree, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "tree");
	if (tmap_json_put_tree(&w, tree, report->scale, report->world, err) < 0)
		return -1;
	return end_report(&w, report, machine, err);
}

int tmap_ring_write_report(const struct tmap_ring *ring, const struct tmap_report *report,
			   const struct tmap_machine *machine, FILE *out, struct tmap_error *err)
{
	struct tmap_json_writer w;

	tmap_json_begin(&w, out, "ring");
	if (tmap_json_put_ring(&w, ring, report->scale, report->world, err) < 0)
		return -1;
	return end_report(&w, report, machine, err);
}

/* What a text table is made of: a row for each that can be built. */
struct baseline_rows {
	const struct tmap_baselines *baselines;
	const struct tmap_legend *legend; /* NULL: no distances */
};

static int count_rows(const struct tmap_baselines *baselines)
{
	int rows = 0;

	for (int i = 0; i < baselines->count; i++)
		rows += !baselines->row[i].reason;
	return rows;
}

static const struct tmap_baseline *baseline_at(const struct tmap_baselines *baselines, int row)
{
	const struct tmap_baseline *it = baselines->row;

	for (; it->reason || row > 0; it++)
		row -= !it->reason;
	return it;
}

static int write_table(FILE *out, const struct baseline_rows *rows,
		       const struct tmap_column *column, int count, uint64_t hidden,
		       tmap_table_row *row, struct tmap_error *err)
{
	const struct tmap_table table = { .column = column,
					  .columns = count,
					  .rows = count_rows(rows->baselines),
					  .row = row,
					  .subject = rows,
					  .hidden = hidden };

	fputc('\n', out);
	return tmap_table_write_text(out, &table, err);
}

/* The name, the edges at each distance, and the shape. */
static int edges_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct baseline_rows *rows = subject;
	const struct tmap_baseline *it = baseline_at(rows->baselines, i);
	struct tmap_cell all[COLUMN_COUNT] = { 0 };
	int d;

	(void)err;
	set_baseline(it, all);
	cell[0] = all[NAME];
	for (d = 0; d < rows->legend->count; d++)
		cell[1 + d].count = tmap_legend_count(&rows->legend->row[d], it->totals.edges,
						      it->totals.edge_count);
	memcpy(&cell[1 + d], &all[WEIGHT], (REMOTE - WEIGHT) * sizeof *all);
	return 0;
}

static int write_edges(FILE *out, const struct tmap_baselines *baselines,
		       const struct tmap_legend *legend, struct tmap_error *err)
{
	struct tmap_column column[1 + TMAP_LEGEND_ROWS + REMOTE - WEIGHT] = { columns[NAME] };
	const struct baseline_rows rows = { baselines, legend };
	char text[TMAP_LEGEND_ROWS][TMAP_MEANING_ROOM];

	column[0].heading = "edges at distance";
	for (int d = 0; d < legend->count; d++)
		column[1 + d] = (struct tmap_column){ .heading = tmap_legend_print_distance(
							      &legend->row[d], text[d]),
						      .kind = TMAP_COLUMN_INT };
	memcpy(&column[1 + legend->count], &columns[WEIGHT], (REMOTE - WEIGHT) * sizeof *column);
	return write_table(out, &rows, column, 1 + legend->count + REMOTE - WEIGHT, 0, edges_row,
			   err);
}

static void write_meanings(FILE *out, const struct tmap_view *view,
			   const struct tmap_legend *legend)
{
	char distance[TMAP_MEANING_ROOM], meaning[TMAP_MEANING_ROOM];

	if (!tmap_scale_rows[view->scale].is_numbered)
		return;
	if (legend->count)
		fputc('\n', out);
	for (int r = 0; r < legend->count; r++)
		fprintf(out, "%4s  %s\n", tmap_legend_print_distance(&legend->row[r], distance),
			tmap_legend_print_meaning(&legend->row[r], view, meaning));
}

/* The name, what crosses each level, and accesses of memory at another controller. */
static int crossings_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_baselines *baselines = ((const struct baseline_rows *)subject)->baselines;
	const struct tmap_baseline *it = baseline_at(baselines, i);
	struct tmap_cell all[COLUMN_COUNT] = { 0 };
	int levels = baselines->load->levels->count;

	(void)err;
	set_baseline(it, all);
	cell[0] = all[NAME];
	for (int l = 0; l < levels; l++) {
		struct tmap_cell level[LEVEL_COLUMNS] = { 0 };

		set_crossing(&it->totals.crossing[l], NULL, level);
		cell[1 + l] = level[baselines->load->bytes == TMAP_NONE ? MESSAGES : BYTES];
	}
	cell[1 + levels] = all[REMOTE];
	return 0;
}

/* Messages across each level, or bytes where a size is given. */
static int write_crossings(FILE *out, const struct tmap_baselines *baselines,
			   struct tmap_error *err)
{
	const struct tmap_levels *levels = baselines->load->levels;
	bool has_bytes = baselines->load->bytes != TMAP_NONE;
	const struct baseline_rows rows = { baselines, NULL };
	int count = levels->count + 2, status;
	struct tmap_column *column = tmap_alloc((size_t)count, sizeof *column, err);

	if (!column)
		return -1;
	column[0] = columns[NAME];
	column[0].heading = has_bytes ? "bytes across" : "messages across";
	for (int l = 0; l < levels->count; l++) {
		column[1 + l] = level_columns[has_bytes ? BYTES : MESSAGES];
		column[1 + l].heading = levels->level[l].name;
	}
	column[count - 1] = columns[REMOTE];
	status = write_table(out, &rows, column, count, 0, crossings_row, err);
	free(column);
	return status;
}

static int times_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	(void)err;
	set_baseline(baseline_at(((const struct baseline_rows *)subject)->baselines, i), cell);
	return 0;
}

/* What other published costs choose of these. */
static int write_others(FILE *out, const struct tmap_baselines *baselines, struct tmap_error *err)
{
	struct tmap_others others;
	int status;

	if (baselines->load->model->kinds.size > TMAP_OTHERS_MOST_RANKS) {
		tmap_text_write_others_limit(out, TMAP_OTHERS_MOST_RANKS, "choose");
		return 0;
	}
	if (tmap_others_of_baselines(&others, baselines, err) < 0)
		return -1;
	status = tmap_text_write_others(out, &others, err);
	tmap_others_fini(&others);
	return status;
}

static int write_times(FILE *out, const struct tmap_baselines *baselines, struct tmap_error *err)
{
	const struct baseline_rows rows = { baselines, NULL };
	struct tmap_column column[COLUMN_COUNT];
	char heading[64];
	uint64_t hidden = 0;

	snprintf(heading, sizeof heading, "by profile %.40s",
		 baselines->load->model->profile->word.name);
	memcpy(column, columns, sizeof column);
	column[NAME].heading = heading;
	for (int c = APPLICABLE; c < SECONDS; c++)
		hidden |= UINT64_C(1) << c;
	if (!baselines->load->chunk_bytes)
		hidden |= UINT64_C(1) << CHUNKS | UINT64_C(1) << IN_FLIGHT;
	if (write_table(out, &rows, column, COLUMN_COUNT, hidden, times_row, err) < 0)
		return -1;
	tmap_text_write_profile(out, baselines->load->model->profile);
	if (tmap_text_write_sharing_of(out, baselines->load->model->kinds.placement,
				       baselines->load->model->profile, err) < 0)
		return -1;
	return write_others(out, baselines, err);
}

static void write_knob(FILE *out, const char *library, const char *knob)
{
	if (knob)
		fprintf(out, "  %s: %s\n", library, knob);
}

static void write_knobs(FILE *out, const struct tmap_baselines *baselines)
{
	for (int i = 0; i < baselines->count; i++) {
		const struct tmap_baseline *it = &baselines->row[i];

		if (!it->reason && !it->knob.openmpi && !it->knob.mpich && !it->knob.ucc)
			continue;
		fprintf(out, "\n%s\n", it->name);
		if (it->reason)
			fprintf(out, "  cannot be used here: %s\n", it->reason);
		if (it->totals.has_only_end)
			fputs("  halves go down the sides of the tree, then pairs swap them: the time "
			      "of both\n",
			      out);
		write_knob(out, "Open MPI", it->knob.openmpi);
		write_knob(out, "MPICH", it->knob.mpich);
		write_knob(out, "UCC", it->knob.ucc);
	}
}

int tmap_text_write_costs(FILE *out, const struct tmap_baselines *baselines, struct tmap_error *err)
{
	if (write_crossings(out, baselines, err) < 0)
		return -1;
	return baselines->load->bytes == TMAP_NONE ? 0 : write_times(out, baselines, err);
}

int tmap_text_write_baselines(FILE *out, const struct tmap_view *view,
			      const struct tmap_baselines *baselines, struct tmap_error *err)
{
	struct tmap_edge_count *edges;
	struct tmap_legend legend;
	int count, status;

	if (tmap_baselines_distances(baselines, &edges, &count, err) < 0)
		return -1;
	tmap_legend_init(&legend, view->scale, edges, count);
	free(edges);
	status = write_edges(out, baselines, &legend, err);
	if (status == 0) {
		write_meanings(out, view, &legend);
		status = tmap_text_write_costs(out, baselines, err);
	}
	if (status == 0)
		write_knobs(out, baselines);
	return status;
}
