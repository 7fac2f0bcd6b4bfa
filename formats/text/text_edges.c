/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/text_edges.h"

#include "core/base/mem.h"
#include "formats/text/legend.h"
#include "formats/text/table.h"
#include "formats/text/text_profile.h"

#include <stdlib.h>

char *tmap_text_where(const struct tmap_placement *placement, struct tmap_error *err)
{
	int *ranks = tmap_placement_count_ranks(placement, err), used = 0;
	const char *plural = placement->size == 1 ? "" : "s";

	if (!ranks)
		return NULL;
	for (int n = 0; n < placement->machine->node_count; n++)
		used += ranks[n] != 0;
	free(ranks);
	if (used == 1)
		return tmap_format(err, "%d rank%s on %s", placement->size, plural,
				   placement->machine->node_name[placement->node[0]]);
	return tmap_format(err, "%d rank%s on %d nodes", placement->size, plural, used);
}

int tmap_text_write_title(FILE *out, const struct tmap_view *view, int root, struct tmap_error *err)
{
	char *where = tmap_text_where(view->placement, err);

	if (!where)
		return -1;
	fprintf(out, "%s: %s", view->title, where);
	if (root != TMAP_NONE)
		fprintf(out, ", root %d", root);
	fputc('\n', out);
	if (view->note)
		fprintf(out, "%s\n", view->note);
	if (view->profile)
		tmap_text_write_profile(out, view->profile);
	free(where);
	return 0;
}

enum { DISTANCE, EDGES, MEANING };

static const struct tmap_column columns[] = {
	[DISTANCE] = { NULL, NULL, "distance", TMAP_COLUMN_STRING, .side = TMAP_SIDE_RIGHT },
	[EDGES] = { NULL, NULL, "edges", TMAP_COLUMN_INT, 9 },
	[MEANING] = { NULL, NULL, "meaning", TMAP_COLUMN_STRING },
};

struct edge_rows {
	const struct tmap_view *view;
	const struct tmap_legend *legend;
	char *distance, *meaning; /* of the row at hand */
};

static int edges_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct edge_rows *it = subject;
	const struct tmap_legend_row *row = &it->legend->row[i];

	(void)err;
	cell[DISTANCE].string = tmap_legend_print_distance(row, it->distance);
	cell[EDGES].count = row->edges;
	cell[MEANING].string = tmap_legend_print_meaning(row, it->view, it->meaning);
	return 0;
}

int tmap_text_write_edges(FILE *out, const struct tmap_view *view,
			  const struct tmap_edge_count *edges, int count, struct tmap_error *err)
{
	char distance[TMAP_MEANING_ROOM], meaning[TMAP_MEANING_ROOM];
	struct tmap_legend legend;
	const struct edge_rows rows = { view, &legend, distance, meaning };
	struct tmap_table table = { .column = columns,
				    .columns = TMAP_COLUMNS(columns),
				    .row = edges_row,
				    .subject = &rows,
				    .indent = 2,
				    .width = TMAP_TABLE_ANY_WIDTH };

	tmap_legend_init(&legend, view->scale, edges, count);
	table.rows = legend.count;
	if (!legend.count)
		return 0;
	fputc('\n', out);
	return tmap_table_write_text(out, &table, err);
}
