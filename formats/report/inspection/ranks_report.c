/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/ranks_report.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/lint/mpmd.h"
#include "formats/machine/location.h"
#include "formats/text/table.h"

#include <stdlib.h>
#include <string.h>

enum { GPU_WIDTH = 16 };

enum {
	RANK,
	NODE,
	BOUND,
	LOCATION,
	IS_BOUND = LOCATION + TMAP_LOCATION_COLUMNS,
	THREADS,
	PROGRAM,
	WORLD
};

#define LOCATION_COLUMN(name, member, heading) \
	[LOCATION + TMAP_LOCATION_## \
		name] = { member, member, heading, TMAP_COLUMN_STRING, .is_optional = true }

static const struct tmap_column columns[] = {
	[RANK] = { "rank", "rank", "rank", TMAP_COLUMN_INT },
	[NODE] = { "node", "node", "node", TMAP_COLUMN_STRING },
	[BOUND] = { "bound", "bound", NULL, TMAP_COLUMN_BOOL },
	LOCATION_COLUMN(LOGICAL, "logical_pus", "PU L#"),
	LOCATION_COLUMN(PHYSICAL, "pus", "PU P#"),
	LOCATION_COLUMN(CORE, "cores", "core"),
	LOCATION_COLUMN(L3, "l3", "L3"),
	LOCATION_COLUMN(NUMA, "numa", "NUMA"),
	LOCATION_COLUMN(PACKAGE, "packages", "package"),
	LOCATION_COLUMN(NETWORK, "adapter", "adapter"),
	LOCATION_COLUMN(GPU, "gpu", "GPU"),
	LOCATION_COLUMN(MEMORY, "memory", "memory P#"),
	LOCATION_COLUMN(KIND, "core_kinds", "kind"),
	[IS_BOUND] = { NULL, NULL, "bound", TMAP_COLUMN_BOOL },
	[THREADS] = { "threads", "threads", "threads", TMAP_COLUMN_INT, .is_optional = true },
	[PROGRAM] = { "program", "program", "program", TMAP_COLUMN_STRING, .is_optional = true },
	[WORLD] = { NULL, "world", NULL, TMAP_COLUMN_INT },
};

struct rank_rows {
	const struct tmap_placement *placement;
	const int *rank;
	struct tmap_location *location; /* of each place */
	struct tmap_mpmd parts;
	char **program; /* [parts.count] names */
};

static int rank_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct rank_rows *it = subject;
	const struct tmap_placement *p = it->placement;
	int rank = it->rank[i], place = p->place[rank];
	const struct tmap_setting *setting = tmap_placement_setting(p, rank);

	(void)err;
	cell[RANK].count = rank;
	cell[NODE].string = p->machine->node_name[p->node[rank]];
	cell[BOUND].is_true = cell[IS_BOUND].is_true = p->places[place].bound;
	for (int c = 0; c < TMAP_LOCATION_COLUMNS; c++) {
		cell[LOCATION + c].string = it->location[place].text[c];
		cell[LOCATION + c].is_empty = !*it->location[place].text[c];
	}
	cell[THREADS].count = setting ? tmap_setting_threads(setting, NULL) : 0;
	cell[THREADS].is_empty = !cell[THREADS].count;
	if (it->parts.count)
		cell[PROGRAM].string = it->program[tmap_mpmd_of(&it->parts, p, rank)];
	cell[PROGRAM].is_empty = !it->parts.count;
	if (p->world)
		cell[WORLD].count = p->world[rank];
	return 0;
}

static void rows_fini(struct rank_rows *rows)
{
	tmap_locations_free(rows->location, rows->placement->place_count);
	for (int i = 0; rows->program && i < rows->parts.count; i++)
		free(rows->program[i]);
	free(rows->program);
	tmap_mpmd_fini(&rows->parts);
}

static int rows_name_programs(struct rank_rows *rows, struct tmap_error *err)
{
	if (tmap_mpmd_init(&rows->parts, rows->placement, err) < 0)
		return -1;
	rows->program = tmap_alloc((size_t)rows->parts.count, sizeof *rows->program, err);
	for (int i = 0; rows->program && i < rows->parts.count; i++) {
		struct tmap_str str = TMAP_STR_INIT;

		tmap_mpmd_add_name(&str, &rows->parts.part[i]);
		rows->program[i] = tmap_str_take(&str, err);
		if (!rows->program[i])
			return -1;
	}
	return rows->program ? 0 : -1;
}

/* The rows are to be released also where it fails. */
static int table_init(struct tmap_table *table, struct rank_rows *rows,
		      const struct tmap_placement *p, const int *rank, int count,
		      struct tmap_error *err)
{
	*rows = (struct rank_rows){ p, rank, tmap_locations_new(p, rank, count, err), { 0 }, NULL };
	*table = (struct tmap_table){ .column = columns,
				      .columns = p->world ? WORLD + 1 : WORLD,
				      .rows = count,
				      .row = rank_row,
				      .subject = rows,
				      .hidden = UINT64_C(1) << IS_BOUND,
				      .width = TMAP_TABLE_ANY_WIDTH };
	for (int i = 0; i < count; i++)
		if (!p->places[p->place[rank[i]]].bound)
			table->hidden = 0;
	return rows->location ? rows_name_programs(rows, err) : -1;
}

/* Names of many GPUs are cut, so that a row stays on its line; each adapter is named. */
static void cut_gpus(struct tmap_location *location, int count)
{
	for (int i = 0; i < count; i++) {
		char *text = location[i].text[TMAP_LOCATION_GPU];

		if (text && strlen(text) > GPU_WIDTH)
			memcpy(text + GPU_WIDTH - 3, "...", 4);
	}
}

int tmap_text_write_ranks(FILE *out, const struct tmap_placement *p, const int *rank, int count,
			  struct tmap_error *err)
{
	struct tmap_table table;
	struct rank_rows rows;
	int status = table_init(&table, &rows, p, rank, count, err);

	if (status == 0) {
		cut_gpus(rows.location, p->place_count);
		status = tmap_table_write_text(out, &table, err);
	}
	rows_fini(&rows);
	return status;
}

int tmap_csv_write_ranks(FILE *out, const struct tmap_placement *p, const int *rank, int count,
			 struct tmap_error *err)
{
	struct tmap_table table;
	struct rank_rows rows;
	int status = table_init(&table, &rows, p, rank, count, err);

	if (status == 0)
		status = tmap_table_write_csv(out, &table, err);
	rows_fini(&rows);
	return status;
}

int tmap_json_put_ranks(struct tmap_json_writer *w, const struct tmap_placement *p, const int *rank,
			int count, struct tmap_error *err)
{
	struct tmap_table table;
	struct rank_rows rows;
	int status = table_init(&table, &rows, p, rank, count, err);

	if (status == 0)
		status = tmap_table_put_json(w, "ranks", &table, err);
	rows_fini(&rows);
	return status;
}
