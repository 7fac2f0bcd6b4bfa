/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/svg_machine.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/draw/palette.h"
#include "formats/draw/svg.h"
#include "formats/machine/machine_drawing.h"

#include <math.h>
#include <stdlib.h>

enum { MARGIN = 10, GAP = 24, TITLE = 24, LEGEND_ROW = 17 };

static double legend_height(const struct tmap_machine_drawing *d)
{
	return d->from == TMAP_NONE ? 0 : LEGEND_ROW * (d->legend.count + 1);
}

static void write_legend_row(const struct tmap_machine_drawing *d, double y, const char *fill,
			     const char *text)
{
	tmap_svg_box(d->out,
		     &(struct tmap_svg_box){ 0, y, 26, LEGEND_ROW - 4, fill, "#777777", 2, NULL });
	tmap_svg_text(d->out,
		      &(struct tmap_svg_text){ .x = 33, .y = y + 10, .size = TMAP_BOX_TEXT }, text);
}

static void write_legend(const struct tmap_machine_drawing *d, double y)
{
	const struct tmap_view view = { .placement = d->it->placement, .scale = (int)d->it->scale };
	char distance[TMAP_MEANING_ROOM], meaning[TMAP_MEANING_ROOM], text[3 * TMAP_MEANING_ROOM];

	if (d->from == TMAP_NONE)
		return;
	snprintf(text, sizeof text, "rank %d", d->from);
	write_legend_row(d, y, "#F0E442", text);
	for (int i = 0; i < d->legend.count; i++) {
		const struct tmap_legend_row *row = &d->legend.row[i];

		snprintf(text, sizeof text, "%s  %s (%lld rank%s)",
			 tmap_legend_print_distance(row, distance),
			 tmap_legend_print_meaning(row, &view, meaning), (long long)row->edges,
			 row->edges == 1 ? "" : "s");
		write_legend_row(d, y + (i + 1) * LEGEND_ROW, tmap_palette_distance(row->rank),
				 text);
	}
}

static int write_picture(const struct tmap_machine_drawing *d, struct tmap_error *err)
{
	char *title = tmap_machine_drawing_title(d, err);
	double width;

	if (!title)
		return -1;
	width = fmax(tmap_machine_drawing_width(d), tmap_svg_text_width(title, 13));
	if (d->from != TMAP_NONE)
		width = fmax(width, 520);
	tmap_svg_begin(d->out, width + 2 * MARGIN,
		       tmap_machine_drawing_height(d) + TITLE + legend_height(d) + 2 * MARGIN,
		       title);
	tmap_svg_move(d->out, MARGIN, MARGIN);
	tmap_svg_text(d->out, &(struct tmap_svg_text){ .x = 0, .y = 13, .size = 13, .bold = true },
		      title);
	write_legend(d, TITLE);
	tmap_machine_drawing_write(d, 0, TITLE + legend_height(d));
	tmap_svg_move_end(d->out);
	tmap_svg_end(d->out);
	free(title);
	return 0;
}

int tmap_svg_write_machine(FILE *out, const struct tmap_inspection *inspection, int from,
			   struct tmap_error *err)
{
	struct tmap_machine_drawing d;
	int status = tmap_machine_drawing_init(&d, out, inspection, inspection->placement, from,
					       TMAP_SVG_MOST_NODES, err);

	if (status == 0)
		status = write_picture(&d, err);
	tmap_machine_drawing_fini(&d);
	return status;
}

/* A panel under its two lines of title. */
static void write_panel(FILE *out, const struct tmap_svg_panel *panel,
			const struct tmap_machine_drawing *d, const char *below, double x)
{
	tmap_svg_text(out,
		      &(struct tmap_svg_text){ .x = x, .y = MARGIN + 13, .size = 13, .bold = true },
		      panel->title);
	tmap_svg_text(out, &(struct tmap_svg_text){ .x = x, .y = MARGIN + 29, .size = 11 }, below);
	tmap_machine_drawing_write(d, x, MARGIN + TITLE + LEGEND_ROW);
}

static double panel_width(const struct tmap_svg_panel *panel, const struct tmap_machine_drawing *d,
			  const char *below)
{
	return fmax(tmap_machine_drawing_width(d),
		    fmax(tmap_svg_text_width(panel->title, 13), tmap_svg_text_width(below, 11)));
}

static void write_both(FILE *out, const struct tmap_svg_panel panel[2],
		       const struct tmap_machine_drawing d[2], char *const below[2],
		       const char *note)
{
	double left = panel_width(&panel[0], &d[0], below[0]);
	double right = panel_width(&panel[1], &d[1], below[1]);
	double top = MARGIN + TITLE + LEGEND_ROW;
	double height =
		fmax(tmap_machine_drawing_height(&d[0]), tmap_machine_drawing_height(&d[1]));

	tmap_svg_begin(out, fmax(left + GAP + right, tmap_svg_text_width(note, 11)) + 2 * MARGIN,
		       top + height + LEGEND_ROW + MARGIN, panel[1].title);
	write_panel(out, &panel[0], &d[0], below[0], MARGIN);
	write_panel(out, &panel[1], &d[1], below[1], MARGIN + left + GAP);
	tmap_svg_text(
		out,
		&(struct tmap_svg_text){ .x = MARGIN, .y = top + height + LEGEND_ROW, .size = 11 },
		note);
	tmap_svg_end(out);
}

static int most_nodes_beside(const struct tmap_placement *p)
{
	return p->size > TMAP_SVG_MOST_RANKS_COMPARED ? TMAP_SVG_MOST_NODES :
							TMAP_SVG_MOST_NODES_COMPARED;
}

int tmap_svg_write_machines(FILE *out, const struct tmap_svg_panel panel[2], const char *note,
			    struct tmap_error *err)
{
	int most = most_nodes_beside(panel[0].inspection->placement);
	const char *drawn = panel[0].inspection->order.used_nodes > most ?
		"Of nodes that are alike the first one is shown." :
		"In both, a rank has the colour of the node that it has at the left.";
	char *foot = tmap_format(err, "%s%s%s", drawn, *note ? " " : "", note);
	const struct tmap_placement *home = panel[0].inspection->placement;
	struct tmap_machine_drawing d[2] = { { 0 }, { 0 } };
	char *below[2] = { NULL, NULL };
	int status = foot ? 0 : -1;

	for (int i = 0; i < 2 && status == 0; i++) {
		status = tmap_machine_drawing_init(&d[i], out, panel[i].inspection, home, TMAP_NONE,
						   most, err);
		below[i] = status == 0 ? tmap_machine_drawing_title(&d[i], err) : NULL;
		status = below[i] ? 0 : -1;
	}
	if (status == 0)
		write_both(out, panel, d, below, foot);
	for (int i = 0; i < 2; i++) {
		free(below[i]);
		tmap_machine_drawing_fini(&d[i]);
	}
	free(foot);
	return status;
}
