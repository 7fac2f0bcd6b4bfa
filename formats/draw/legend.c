#include "formats/draw/legend.h"

#include <stdio.h>

/* Are these distances of a scale whose rows always look the same? */
static bool is_numbered(int scale, const struct tm_edge_count *edges, int count)
{
	return scale >= 0 && count <= TM_LEGEND_ROWS &&
	       (!count || edges[count - 1].distance <= TM_LEGEND_ROWS);
}

/* How many of the remaining distances the next row takes: about its share of the edges, and at
 * least one is left for each row behind it. */
static int share(const struct tm_edge_count *edges, int count, int rows)
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

void tm_legend_init(struct tm_legend *legend, int scale, const struct tm_edge_count *edges,
		    int count)
{
	bool numbered = is_numbered(scale, edges, count);
	int rows = count < TM_LEGEND_ROWS ? count : TM_LEGEND_ROWS;

	*legend = (struct tm_legend){ .count = rows };
	for (int r = 0, at = 0; r < rows; r++) {
		int end = at + share(edges + at, count - at, rows - r);
		struct tm_legend_row *row = &legend->row[r];

		*row = (struct tm_legend_row){
			.low = edges[at].distance, .high = edges[end - 1].distance,
			.rank = numbered ? (int)edges[at].distance - 1 : r };
		for (; at < end; at++)
			row->edges += edges[at].edges;
	}
}

const struct tm_legend_row *tm_legend_find(const struct tm_legend *legend, double distance)
{
	int r = 0;

	while (r < legend->count - 1 && distance > legend->row[r].high)
		r++;
	return &legend->row[r];
}

int64_t tm_legend_count(const struct tm_legend_row *row, const struct tm_edge_count *edges,
			int count)
{
	int64_t found = 0;

	for (int e = 0; e < count; e++)
		if (edges[e].distance >= row->low && edges[e].distance <= row->high)
			found += edges[e].edges;
	return found;
}

char *tm_legend_print_distance(const struct tm_legend_row *row, char text[TM_MEANING_ROOM])
{
	char low[TM_MEANING_ROOM], high[TM_MEANING_ROOM];

	tm_number_print(row->low, low);
	tm_number_print(row->high, high);
	if (row->low < row->high)
		snprintf(text, TM_MEANING_ROOM, "%.40s to %.40s", low, high);
	else
		snprintf(text, TM_MEANING_ROOM, "%s", low);
	return text;
}

char *tm_legend_print_meaning(const struct tm_legend_row *row, const struct tm_view *view,
			      char text[TM_MEANING_ROOM])
{
	return tm_meaning_print(view->placement->machine, view->scale, row->high, text);
}
