/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/record/svg_traffic.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/machine/order.h"
#include "core/pattern/tiles.h"
#include "formats/base/amount.h"
#include "formats/draw/svg.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
	MARGIN = 12,
	GAP = 30,
	SIDE = 512, /* of a matrix, at most */
	CELL = 24,  /* of a square, at most */
	LABEL = 48, /* for numbers at the left */
	LINE = 16,  /* of text */
	TEXT = 11,  /* its size */
	TITLE = 13,
	SHADES = 8,  /* of squares with bytes */
	SHADE = 56,  /* width of one in the legend */
	LABELS = 16, /* along a side */
	NODE = 6     /* pixels of a node, at least, where nodes are framed */
};

#define FRAMES "#D55E00"

/* The shades of the squares: [2^(first + i x step), 2^(first + (i + 1) x step)) bytes. */
struct scale {
	int first, step, count;
};

struct panel {
	char *title;
	const struct tmap_placement *placement;
	int *order; /* [size] */
	struct tmap_tiles tiles;
	bool has_frames; /* round nodes */
	double x, y;
};

struct drawing {
	FILE *out;
	const struct tmap_traffic_picture *it;
	int count; /* of panels */
	struct panel panel[2];
	struct scale scale;
	double cell, side;
};

static int scale_exponent(double bytes)
{
	return bytes < 1 ? 0 : ilogb(bytes);
}

static void scale_init(struct drawing *d)
{
	int first = INT_MAX, last = 0;

	for (int i = 0; i < d->count; i++) {
		const struct tmap_tiles *tiles = &d->panel[i].tiles;

		for (int t = 0; t < tiles->count * tiles->count; t++) {
			int exponent = scale_exponent(tiles->bytes[t]);

			if (tiles->bytes[t] <= 0)
				continue;
			first = exponent < first ? exponent : first;
			last = exponent > last ? exponent : last;
		}
	}
	d->scale = (struct scale){ .first = first, .step = (last - first) / SHADES + 1 };
	d->scale.count = (last - first) / d->scale.step + 1;
}

/* The shade of so many bytes; TMAP_NONE: of none. */
static int scale_shade(const struct scale *scale, double bytes)
{
	return bytes > 0 ? (scale_exponent(bytes) - scale->first) / scale->step : TMAP_NONE;
}

/* From light to dark, which grey keeps; a single shade is a dark one. */
static const char *shade_print(const struct scale *scale, int shade, char fill[8])
{
	static const int light[3] = { 0xC4, 0xDC, 0xF0 }, dark[3] = { 0x08, 0x1D, 0x58 };
	double part = scale->count > 1 ? (double)shade / (scale->count - 1) : 1;
	unsigned color[3];

	for (int i = 0; i < 3; i++)
		color[i] = (unsigned)lround(light[i] + part * (dark[i] - light[i]));
	snprintf(fill, 8, "#%02X%02X%02X", color[0] & 255, color[1] & 255, color[2] & 255);
	return fill;
}

static void line_write(FILE *out, double x, double y, double size, const char *text)
{
	tmap_svg_text(out,
		      &(struct tmap_svg_text){ .x = x, .y = y, .size = size, .bold = size > TEXT },
		      text);
}

/* Squares of one shade that touch are one box. */
static void panel_write_row(const struct drawing *d, const struct panel *panel, int row)
{
	int count = panel->tiles.count;
	const double *bytes = panel->tiles.bytes + (size_t)row * (size_t)count;
	char fill[8];

	for (int i = 0, end; i < count; i = end) {
		int shade = scale_shade(&d->scale, bytes[i]);

		for (end = i + 1; end < count && scale_shade(&d->scale, bytes[end]) == shade; end++)
			;
		if (shade != TMAP_NONE)
			tmap_svg_box(d->out,
				     &(struct tmap_svg_box){
					     .x = panel->x + i * d->cell,
					     .y = panel->y + row * d->cell,
					     .width = (end - i) * d->cell,
					     .height = d->cell,
					     .fill = shade_print(&d->scale, shade, fill) });
	}
}

/* A rank by its number; of several in a square, the first one's place in the order. */
static void panel_write_labels(const struct drawing *d, const struct panel *panel)
{
	int count = panel->tiles.count, step = 1;
	char text[16];

	while (count / step > LABELS && (count > 2 * LABELS || step * d->cell < LINE))
		step *= 2;
	for (int i = 0; i < count; i += step) {
		double at = (i + 0.5) * d->cell;

		snprintf(text, sizeof text, "%d",
			 panel->tiles.ranks > 1 ? i * panel->tiles.ranks : panel->order[i]);
		tmap_svg_text(d->out,
			      &(struct tmap_svg_text){ .x = panel->x - 4,
						       .y = panel->y + at + 3,
						       .size = 9,
						       .anchor = TMAP_SVG_END },
			      text);
		if (tmap_svg_text_width(text, 9) < step * d->cell)
			tmap_svg_text(d->out,
				      &(struct tmap_svg_text){ .x = panel->x + at,
							       .y = panel->y - 4,
							       .size = 9,
							       .anchor = TMAP_SVG_MIDDLE },
				      text);
	}
}

/* Do each node's ranks follow each other, and are nodes large enough to be seen? */
static int panel_find_frames(struct panel *panel, double side, struct tmap_error *err)
{
	const struct tmap_placement *p = panel->placement;
	struct tmap_order order;
	int borders = 0;

	if (tmap_order_find(&order, p, err) < 0)
		return -1;
	for (int i = 1; i < p->size; i++)
		borders += p->node[panel->order[i]] != p->node[panel->order[i - 1]];
	panel->has_frames = borders == order.used_nodes - 1 && side >= NODE * order.used_nodes;
	return 0;
}

/* Each node, on the diagonal. */
static void panel_write_frames(const struct drawing *d, const struct panel *panel)
{
	const struct tmap_placement *p = panel->placement;
	double rank = d->cell / panel->tiles.ranks;

	for (int i = 0, end; i < p->size; i = end) {
		for (end = i + 1;
		     end < p->size && p->node[panel->order[end]] == p->node[panel->order[i]]; end++)
			;
		tmap_svg_box(d->out,
			     &(struct tmap_svg_box){ .x = panel->x + i * rank,
						     .y = panel->y + i * rank,
						     .width = (end - i) * rank,
						     .height = (end - i) * rank,
						     .stroke = FRAMES });
	}
}

static void panel_write(const struct drawing *d, const struct panel *panel)
{
	double left = panel->x - LABEL, above = panel->y - 2 * LINE;

	line_write(d->out, left, above - LINE, TEXT, panel->title);
	line_write(d->out, left, above, TEXT, "rows: who sends; columns: who receives");
	for (int i = 0; i < panel->tiles.count; i++)
		panel_write_row(d, panel, i);
	panel_write_labels(d, panel);
	tmap_svg_box(d->out,
		     &(struct tmap_svg_box){ panel->x, panel->y, d->side, d->side, NULL, "#777777",
					     0, NULL });
	if (panel->has_frames)
		panel_write_frames(d, panel);
}

/* The ranks by number, or those of another placement as their places lie, with the share of bytes that
 * stays in nodes. */
static int panel_init(struct panel *panel, const struct tmap_traffic_picture *it,
		      const struct tmap_placement *other, struct tmap_error *err)
{
	const struct tmap_placement *p = other ? other : &it->record->placement;
	double within =
		tmap_record_pattern_within(it->traffic, p->node, p->machine->node_count, err);

	if (within < 0)
		return -1;
	panel->placement = p;
	panel->title =
		tmap_format(err, "%s%s: %.1f%% of the bytes stay in nodes",
			    other ? "ranks by their places in " : "ranks by number, as launched",
			    other ? it->other_name : "", 100 * within / it->traffic->bytes);
	panel->order = !panel->title ? NULL :
		other                ? tmap_order_by_place(p, err) :
				       tmap_alloc_raw((size_t)p->size, sizeof *panel->order, err);
	if (!panel->order)
		return -1;
	for (int r = 0; !other && r < p->size; r++)
		panel->order[r] = r;
	return tmap_tiles_init(&panel->tiles, &it->traffic->pattern, panel->order,
			       TMAP_SVG_TRAFFIC_TILES, err);
}

static void legend_write(const struct drawing *d, double y)
{
	char fill[8], text[TMAP_UNITS_ROOM];

	for (int i = -1; i < d->scale.count; i++) {
		int exponent = d->scale.first + i * d->scale.step;
		double x = MARGIN + (i + 1) * SHADE;

		tmap_svg_box(
			d->out,
			&(struct tmap_svg_box){ x, y, SHADE, LINE - 2,
						i < 0 ? "#FFFFFF" : shade_print(&d->scale, i, fill),
						"#777777", 0, NULL });
		tmap_svg_text(
			d->out,
			&(struct tmap_svg_text){ .x = x + 2, .y = y + 2 * LINE - 5, .size = 10 },
			i < 0 ? "nothing" : tmap_units_print_size(INT64_C(1) << exponent, text));
	}
}

/* What the squares and the bytes are; three lines, of which the last may be empty. */
static int notes_init(char *note[3], const struct drawing *d, struct tmap_error *err)
{
	const struct tmap_traffic_picture *it = d->it;
	int ranks = d->panel[0].tiles.ranks;
	const char *frames = d->panel[0].has_frames || d->panel[d->count - 1].has_frames ?
		" Framed: what stays in a node." :
		"";

	note[0] = ranks > 1 ?
		tmap_format(
			err,
			"A square is what %d ranks send to %d ranks, from so many bytes on; its "
			"number is the place of the first one.%s",
			ranks, ranks, frames) :
		tmap_format(
			err,
			"A square is what a rank sends to another one, from so many bytes on.%s",
			frames);
	note[1] = tmap_format(err,
			      "Messages, one-sided calls and neighborhood collectives; other "
			      "collectives by the algorithms of %s, as launched.",
			      it->library);
	note[2] = it->traffic->left_out ?
		tmap_format(err, "Not in it: %d of the record's %d kinds of collective calls.",
			    it->traffic->left_out, it->record->call_count) :
		tmap_format(err, "%s", "");
	return note[0] && note[1] && note[2] ? 0 : -1;
}

static double picture_width(const struct drawing *d, const char *title, char *const note[3])
{
	double width = fmax(tmap_svg_text_width(title, TITLE), (SHADES + 1) * SHADE);
	double last = 0;

	for (int i = 0; i < 3; i++)
		width = fmax(width, tmap_svg_text_width(note[i], TEXT));
	for (int i = 0; i < d->count; i++)
		last = d->panel[i].x - LABEL - MARGIN +
			fmax(LABEL + d->side, tmap_svg_text_width(d->panel[i].title, TEXT));
	return fmax(width, last) + 2 * MARGIN;
}

static void picture_write(struct drawing *d, const char *title, char *const note[3])
{
	double top = MARGIN + 5 * LINE, below = top + d->side + LINE;

	for (int i = 0, x = MARGIN + LABEL; i < d->count; i++) {
		struct panel *panel = &d->panel[i];

		panel->x = x;
		panel->y = top;
		x += (int)fmax(d->side, tmap_svg_text_width(panel->title, TEXT) - LABEL) + GAP +
			LABEL;
	}
	tmap_svg_begin(d->out, picture_width(d, title, note), below + 6 * LINE + MARGIN, title);
	line_write(d->out, MARGIN, MARGIN + TITLE, TITLE, title);
	for (int i = 0; i < d->count; i++)
		panel_write(d, &d->panel[i]);
	legend_write(d, below);
	for (int i = 0; i < 3 && *note[i]; i++)
		line_write(d->out, MARGIN, below + (i + 3) * LINE, TEXT, note[i]);
	tmap_svg_end(d->out);
}

/* Squares of whole pixels, so that no seams are seen between them. */
static int drawing_measure(struct drawing *d, struct tmap_error *err)
{
	int count = d->panel[0].tiles.count, cell = SIDE / count;

	d->cell = cell > CELL ? CELL : cell;
	d->side = d->cell * count;
	for (int i = 0; i < d->count; i++)
		if (panel_find_frames(&d->panel[i], d->side, err) < 0)
			return -1;
	scale_init(d);
	return 0;
}

int tmap_svg_write_traffic(FILE *out, const struct tmap_traffic_picture *picture,
			   struct tmap_error *err)
{
	struct drawing d = { .out = out, .it = picture, .count = picture->other ? 2 : 1 };
	char bytes[TMAP_AMOUNT_ROOM], *title = NULL, *note[3] = { NULL };
	int status = panel_init(&d.panel[0], picture, NULL, err);

	if (status == 0 && picture->other)
		status = panel_init(&d.panel[1], picture, picture->other, err);
	if (status == 0)
		status = drawing_measure(&d, err);
	if (status == 0)
		title = tmap_format(
			err, "%s: %sB from rank to rank", picture->record->program,
			tmap_amount_print((int64_t)picture->traffic->bytes, true, bytes));
	status = title ? notes_init(note, &d, err) : -1;
	if (status == 0)
		picture_write(&d, title, note);
	for (int i = 0; i < 3; i++)
		free(note[i]);
	free(title);
	for (int i = 0; i < d.count; i++) {
		tmap_tiles_fini(&d.panel[i].tiles);
		free(d.panel[i].order);
		free(d.panel[i].title);
	}
	return status;
}
