/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * legend.h - the distances of a tree's or a ring's edges, in few rows: one a distance, or ranges of
 * them where there are more (measured distances).
 */
#ifndef TMAP_FORMATS_TEXT_LEGEND_H
#define TMAP_FORMATS_TEXT_LEGEND_H

#include "core/tree/edges.h"
#include "formats/base/meaning.h"
#include "formats/base/view.h"

enum { TMAP_LEGEND_ROWS = 9 };

struct tmap_legend_row {
	double low, high; /**< the distances from low to high, both of which occur */
	int64_t edges;
	int rank; /**< 0 .. TMAP_LEGEND_ROWS - 1, rising: its colour and stroke */
};

struct tmap_legend {
	int count;
	struct tmap_legend_row row[TMAP_LEGEND_ROWS]; /**< [count], rising */
};

/** The rows of @p count counted edges. A process or level distance d always has rank d - 1, so
 *  that pictures can be compared. */
void tmap_legend_init(struct tmap_legend *legend, int scale, const struct tmap_edge_count *edges,
		      int count);

/** The row that holds @p distance, which is one of those counted. O(rows). */
const struct tmap_legend_row *tmap_legend_find(const struct tmap_legend *legend, double distance);

/** How many of @p count counted edges have distances of a row. */
int64_t tmap_legend_count(const struct tmap_legend_row *row, const struct tmap_edge_count *edges,
			  int count);

/** "5", "1.2 to 3.4": the distances of a row; and what they mean. Both return @p text. */
char *tmap_legend_print_distance(const struct tmap_legend_row *row, char text[TMAP_MEANING_ROOM]);
char *tmap_legend_print_meaning(const struct tmap_legend_row *row, const struct tmap_view *view,
				char text[TMAP_MEANING_ROOM]);

#endif
