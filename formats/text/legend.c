/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/text/legend.h"

#include <stdio.h>

/* Are these distances of a scale whose rows always look the same? */
static bool is_numbered(int scale, const struct tmap_edge_count *edges, int count)
{
	return tmap_scale_rows[scale].is_numbered && count <= TMAP_LEGEND_ROWS &&
		(!count || edges[count - 1].distance <= TMAP_LEGEND_ROWS);
}

/* How many of the remaining distances the next row takes: about its share of the edges, and at
 * least one is left for each row behind it. */
static int share(const struct tmap_edge_count *edges, int count, int rows)
{
	int64_t total = 0, taken = 0;
	int take = 0;

	for (int i = 0; i < count; i++)
		total += edges[i].edges;
	do
		taken += edges[take++].edges;
	while (take < count - (rows - 1) && taken < total / rows);
	return rows == 1 ? count : take;
}

void tmap_legend_init(struct tmap_legend *legend, int scale, const struct tmap_edge_count *edges,
		      int count)
{
	bool numbered = is_numbered(scale, edges, count);
	int rows = count < TMAP_LEGEND_ROWS ? count : TMAP_LEGEND_ROWS;

	*legend = (struct tmap_legend){ .count = rows };
	for (int r = 0, at = 0; r < rows; r++) {
		int end = at + share(edges + at, count - at, rows - r);
		struct tmap_legend_row *row = &legend->row[r];

		*row = (struct tmap_legend_row){ .low = edges[at].distance,
						 .high = edges[end - 1].distance,
						 .rank = numbered ? (int)edges[at].distance - 1 :
								    r };
		for (; at < end; at++)
			row->edges += edges[at].edges;
	}
}

const struct tmap_legend_row *tmap_legend_find(const struct tmap_legend *legend, double distance)
{
	int r = 0;

	while (r < legend->count - 1 && distance > legend->row[r].high)
		r++;
	return &legend->row[r];
}

int64_t tmap_legend_count(const struct tmap_legend_row *row, const struct tmap_edge_count *edges,
			  int count)
{
	int64_t found = 0;

	for (int e = 0; e < count; e++)
		if (edges[e].distance >= row->low && edges[e].distance <= row->high)
			found += edges[e].edges;
	return found;
}

char *tmap_legend_print_distance(const struct tmap_legend_row *row, char text[TMAP_MEANING_ROOM])
{
	char low[TMAP_MEANING_ROOM], high[TMAP_MEANING_ROOM];

	tmap_number_print(row->low, low);
	tmap_number_print(row->high, high);
	if (row->low < row->high)
		snprintf(text, TMAP_MEANING_ROOM, "%.40s to %.40s", low, high);
	else
		snprintf(text, TMAP_MEANING_ROOM, "%s", low);
	return text;
}

char *tmap_legend_print_meaning(const struct tmap_legend_row *row, const struct tmap_view *view,
				char text[TMAP_MEANING_ROOM])
{
	return tmap_meaning_print(view->placement->machine, view->scale, row->high, text);
}
