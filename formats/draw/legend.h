/*
 * legend.h - the distances of a tree's or a ring's edges, in rows few enough to tell
 * apart: one a distance, or ranges of them where there are more (measured distances).
 */
#ifndef TM_LEGEND_H
#define TM_LEGEND_H

#include "core/tree/edges.h"
#include "formats/base/meaning.h"
#include "formats/base/view.h"

enum { TM_LEGEND_ROWS = 9 };

struct tm_legend_row {
	double low, high;    /**< the distances from low to high, both of which occur */
	int64_t edges;
	int rank;            /**< 0 .. TM_LEGEND_ROWS - 1, rising: what to draw it like */
};

struct tm_legend {
	int count;
	struct tm_legend_row row[TM_LEGEND_ROWS]; /**< [count], rising */
};

/** The rows of @p count counted edges. A process or level distance d always has rank d - 1, so
 *  that pictures can be compared. */
void tm_legend_init(struct tm_legend *legend, int scale, const struct tm_edge_count *edges,
		    int count);

/** The row that holds @p distance, which is one of those counted. O(rows). */
const struct tm_legend_row *tm_legend_find(const struct tm_legend *legend, double distance);

/** How many of @p count counted edges have distances of a row. */
int64_t tm_legend_count(const struct tm_legend_row *row, const struct tm_edge_count *edges,
			int count);

/** "5", "1.2 to 3.4": the distances of a row; and what they mean. Both return @p text. */
char *tm_legend_print_distance(const struct tm_legend_row *row, char text[TM_MEANING_ROOM]);
char *tm_legend_print_meaning(const struct tm_legend_row *row, const struct tm_view *view,
			      char text[TM_MEANING_ROOM]);

#endif
