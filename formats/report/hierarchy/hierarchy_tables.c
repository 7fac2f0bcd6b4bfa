/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/hierarchy_tables.h"

#include "core/base/mem.h"
#include "formats/text/table.h"

#include <stdlib.h>

enum { NAME, CALL, COMMUNICATORS, RANKS, SPLITS, CONDUITS, UNUSUAL, NULL_RANKS, COLUMN_COUNT };

static const struct tmap_column columns[COLUMN_COUNT] = {
	[NAME] = { "name", NULL, "level", TMAP_COLUMN_STRING },
	[CALL] = { "call", NULL, "call", TMAP_COLUMN_SPAN },
	[COMMUNICATORS] = { NULL, NULL, "communicators", TMAP_COLUMN_INT },
	[RANKS] = { "ranks", NULL, "ranks of\neach", TMAP_COLUMN_SPAN },
	[SPLITS] = { NULL, NULL, "conduit\ncommunicators", TMAP_COLUMN_INT },
	[CONDUITS] = { NULL, NULL, "ranks of\neach", TMAP_COLUMN_SPAN },
	[UNUSUAL] = { "unusual", NULL, NULL, TMAP_COLUMN_INT },
	[NULL_RANKS] = { NULL, NULL, "null\nranks", TMAP_COLUMN_INT },
};

static void set_span(struct tmap_cell *cell, struct tmap_span span)
{
	cell->count = span.least;
	cell->most = span.most;
}

static void set_level(const struct tmap_hierarchy_view *view, int l, struct tmap_cell *cell)
{
	const struct tmap_level_statistics *level = &view->statistics->level[l];

	cell[NAME].string = view->hierarchy->level[l].name;
	set_span(&cell[CALL], level->calls);
	cell[COMMUNICATORS].count = level->comms;
	set_span(&cell[RANKS], level->sizes);
	cell[SPLITS].count = level->splits;
	set_span(&cell[CONDUITS], level->conduits);
	cell[UNUSUAL].count = level->unusual;
	cell[NULL_RANKS].count = level->null_ranks;
}

static int level_row(const void *subject, int l, struct tmap_cell *cell, struct tmap_error *err)
{
	(void)err;
	set_level(subject, l, cell);
	return 0;
}

int tmap_text_write_hierarchy_levels(FILE *out, const struct tmap_hierarchy_view *view,
				     struct tmap_error *err)
{
	const struct tmap_table table = { .column = columns,
					  .columns = COLUMN_COUNT,
					  .rows = view->statistics->level_count,
					  .row = level_row,
					  .subject = view };

	return tmap_table_write_text(out, &table, err);
}

void tmap_json_put_hierarchy_level(struct tmap_json_writer *w,
				   const struct tmap_hierarchy_view *view, int level)
{
	struct tmap_cell cell[COLUMN_COUNT] = { 0 };

	set_level(view, level, cell);
	tmap_cells_put_json(w, columns, cell, COLUMN_COUNT);
}

/* Of each level, the rank's communicator and its conduit. */
static int rank_row(const void *subject, int rank, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_hierarchy *h = subject;

	(void)err;
	cell[0].count = rank;
	for (int l = 0; l < h->level_count; l++) {
		struct tmap_cell *comm = &cell[1 + 2 * l], *conduit = &cell[2 + 2 * l];

		comm->is_empty = conduit->is_empty = !tmap_hierarchy_has(h, l, rank);
		if (comm->is_empty)
			continue;
		comm->count = tmap_hierarchy_comm(h, l, rank) - h->level[l].first;
		conduit->count = h->conduit[tmap_hierarchy_comm(h, l, rank)];
	}
	return 0;
}

int tmap_csv_write_hierarchy(FILE *out, const struct tmap_hierarchy *h, struct tmap_error *err)
{
	size_t levels = (size_t)h->level_count;
	struct tmap_column *column = tmap_alloc(1 + 2 * levels, sizeof *column, err);
	char **conduit = tmap_alloc(levels, sizeof *conduit, err);
	const struct tmap_table table = { .column = column,
					  .columns = 1 + 2 * h->level_count,
					  .rows = h->size,
					  .row = rank_row,
					  .subject = h };
	int status = column && conduit ? 0 : -1;

	if (status == 0)
		column[0] = (struct tmap_column){ .field = "rank", .kind = TMAP_COLUMN_INT };
	for (int l = 0; l < h->level_count && status == 0; l++) {
		conduit[l] = tmap_format(err, "%s conduit", h->level[l].name);
		status = conduit[l] ? 0 : -1;
		column[1 + 2 * l] =
			(struct tmap_column){ .field = h->level[l].name, .kind = TMAP_COLUMN_INT };
		column[2 + 2 * l] =
			(struct tmap_column){ .field = conduit[l], .kind = TMAP_COLUMN_INT };
	}
	if (status == 0)
		status = tmap_table_write_csv(out, &table, err);
	for (int l = 0; conduit && l < h->level_count; l++)
		free(conduit[l]);
	free(conduit);
	free(column);
	return status;
}
