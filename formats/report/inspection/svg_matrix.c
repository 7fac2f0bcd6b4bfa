/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/distance_matrix.h"

#include "core/base/mem.h"
#include "formats/draw/palette.h"
#include "formats/draw/svg.h"
#include "formats/text/legend.h"

#include <stdlib.h>

enum { MARGIN = 10, TITLE = 24, LEGEND_ROW = 17, SIDE = 640, LABEL = 34 };

struct drawing {
	FILE *out;
	const struct tmap_metric *metric;
	int scale;
	const int *rank;
	int count;
	struct tmap_legend legend;
	double cell; /* pixels */
};

/* The distances that occur, rising, and how many pairs have each. */
static int count_pairs(struct drawing *d, struct tmap_error *err)
{
	int steps = d->metric->step_count, kept = 0;
	struct tmap_edge_count *counts = tmap_alloc((size_t)steps, sizeof *counts, err);

	if (!counts)
		return -1;
	for (int s = 0; s < steps; s++)
		counts[s].distance = d->metric->step[s].value;
	for (int i = 0; i < d->count; i++)
		for (int j = 0; j < i; j++)
			counts[tmap_metric_step_of(d->metric, d->rank[i], d->rank[j])].edges++;
	for (int s = 0; s < steps; s++)
		if (counts[s].edges)
			counts[kept++] = counts[s];
	tmap_legend_init(&d->legend, d->scale, counts, kept);
	free(counts);
	return 0;
}

/* Row of the legend for a pair; TMAP_NONE for a rank with itself. */
static int row_of(const struct drawing *d, int i, int j)
{
	if (i == j)
		return TMAP_NONE;
	return (int)(tmap_legend_find(&d->legend,
				      tmap_metric_distance(d->metric, d->rank[i], d->rank[j])) -
		     d->legend.row);
}

/* Neighbours of one colour are one box. */
static void write_row(const struct drawing *d, int i, double x, double y)
{
	for (int j = 0, end; j < d->count; j = end) {
		int row = row_of(d, i, j);

		for (end = j + 1; end < d->count && row_of(d, i, end) == row; end++)
			;
		tmap_svg_box(d->out,
			     &(struct tmap_svg_box){
				     .x = x + j * d->cell,
				     .y = y + i * d->cell,
				     .width = (end - j) * d->cell,
				     .height = d->cell,
				     .fill = row == TMAP_NONE ?
					     "#FFFFFF" :
					     tmap_palette_distance(d->legend.row[row].rank) });
	}
}

/* About ten ranks are named along each side. */
static void write_names(const struct drawing *d, double x, double y)
{
	int step = d->count <= 40 ? 1 : (d->count + 9) / 10;
	char text[16];

	for (int i = 0; i < d->count; i += step) {
		snprintf(text, sizeof text, "%d", d->rank[i]);
		tmap_svg_text(d->out,
			      &(struct tmap_svg_text){ .x = x - 4,
						       .y = y + (i + 0.5) * d->cell + 3,
						       .size = 9,
						       .anchor = TMAP_SVG_END },
			      text);
		if (tmap_svg_text_width(text, 9) < step * d->cell + 2)
			tmap_svg_text(d->out,
				      &(struct tmap_svg_text){ .x = x + (i + 0.5) * d->cell,
							       .y = y - 4,
							       .size = 9,
							       .anchor = TMAP_SVG_MIDDLE },
				      text);
	}
}

static void write_legend(const struct drawing *d, double y)
{
	const struct tmap_view view = { .placement = d->metric->placement, .scale = d->scale };
	char distance[TMAP_MEANING_ROOM], meaning[TMAP_MEANING_ROOM], text[3 * TMAP_MEANING_ROOM];

	for (int i = 0; i < d->legend.count; i++) {
		const struct tmap_legend_row *row = &d->legend.row[i];

		tmap_svg_box(d->out,
			     &(struct tmap_svg_box){ MARGIN, y + i * LEGEND_ROW, 26, LEGEND_ROW - 4,
						     tmap_palette_distance(row->rank), "#777777", 2,
						     NULL });
		snprintf(text, sizeof text, "%s  %s (%lld pair%s)",
			 tmap_legend_print_distance(row, distance),
			 tmap_legend_print_meaning(row, &view, meaning), (long long)row->edges,
			 row->edges == 1 ? "" : "s");
		tmap_svg_text(d->out,
			      &(struct tmap_svg_text){
				      .x = MARGIN + 33, .y = y + i * LEGEND_ROW + 10, .size = 10 },
			      text);
	}
}

int tmap_svg_write_matrix(FILE *out, const struct tmap_metric *metric, int scale, const int *rank,
			  int count, struct tmap_error *err)
{
	struct drawing d = {
		.out = out, .metric = metric, .scale = scale, .rank = rank, .count = count
	};
	double top, side;
	char title[80];

	if (count > TMAP_MATRIX_MOST_SVG)
		return tmap_fail(err, TMAP_INPUT,
				 "a matrix of %d ranks is too large as a picture (the "
				 "most is %d; --ranks chooses some)",
				 count, TMAP_MATRIX_MOST_SVG);
	if (count_pairs(&d, err) < 0)
		return -1;
	d.cell = (double)SIDE / count;
	if (d.cell > 22)
		d.cell = 22;
	side = d.cell * count;
	top = MARGIN + TITLE + d.legend.count * LEGEND_ROW + 20;
	snprintf(title, sizeof title, "%s distances between %d rank%s",
		 tmap_keywords_at(&tmap_scales, (size_t)scale)->name, count, count == 1 ? "" : "s");
	tmap_svg_begin(out, (side < 480 ? 480 : side) + LABEL + 2 * MARGIN, top + side + MARGIN,
		       title);
	tmap_svg_text(
		out,
		&(struct tmap_svg_text){ .x = MARGIN, .y = MARGIN + 13, .size = 13, .bold = true },
		title);
	write_legend(&d, MARGIN + TITLE);
	for (int i = 0; i < count; i++)
		write_row(&d, i, MARGIN + LABEL, top);
	write_names(&d, MARGIN + LABEL, top);
	tmap_svg_box(out,
		     &(struct tmap_svg_box){ MARGIN + LABEL, top, side, side, NULL, "#777777", 0,
					     NULL });
	tmap_svg_end(out);
	return 0;
}
