/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/plot.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/draw/palette.h"
#include "formats/draw/svg.h"

#include <math.h>
#include <stdlib.h>

/* The frame of the axes, and what is around it. */
enum { LEFT = 80, TOP = 56, WIDTH = 560, HEIGHT = 400, BOTTOM = 84, TEXT = 13, NAMES = 28 };

#define GRID "#DDDDDD"
#define INK "#333333"

/* From and to which logarithm (of 2, of 10) the axes go. */
struct frame {
	double x_least, x_most, y_least, y_most;
};

static bool point_is_shown(const struct tmap_plot_point *it)
{
	return it->bytes > 0 && it->seconds > 0;
}

static bool point_has_band(const struct tmap_plot_point *it)
{
	return it->low > 0 && it->high > 0;
}

static void frame_hold(struct frame *frame, double x, double y)
{
	frame->x_least = fmin(frame->x_least, x);
	frame->x_most = fmax(frame->x_most, x);
	frame->y_least = fmin(frame->y_least, y);
	frame->y_most = fmax(frame->y_most, y);
}

static int frame_init(struct frame *frame, const struct tmap_plot *plot, struct tmap_error *err)
{
	*frame = (struct frame){ INFINITY, -INFINITY, INFINITY, -INFINITY };
	for (int l = 0; l < plot->count; l++)
		for (int i = 0; i < plot->line[l].count; i++) {
			const struct tmap_plot_point *it = &plot->line[l].point[i];
			double x = log2((double)it->bytes);

			if (!point_is_shown(it))
				continue;
			frame_hold(frame, x, log10(it->seconds));
			if (point_has_band(it)) {
				frame_hold(frame, x, log10(it->low));
				frame_hold(frame, x, log10(it->high));
			}
		}
	if (frame->x_least > frame->x_most)
		return tmap_fail(err, TMAP_INPUT,
				 "nothing can be drawn: no size and time is above 0");
	frame->x_least -= 0.5;
	frame->x_most += 0.5;
	frame->y_least = floor(frame->y_least);
	frame->y_most = fmax(ceil(frame->y_most), frame->y_least + 1);
	return 0;
}

static struct tmap_svg_point place_of(const struct frame *frame, int64_t bytes, double seconds)
{
	double x = (log2((double)bytes) - frame->x_least) / (frame->x_most - frame->x_least);
	double y = (log10(seconds) - frame->y_least) / (frame->y_most - frame->y_least);

	return (struct tmap_svg_point){ LEFT + x * WIDTH, TOP + (1 - y) * HEIGHT };
}

static void draw_rule(FILE *out, double x1, double y1, double x2, double y2)
{
	const struct tmap_svg_point end[] = { { x1, y1 }, { x2, y2 } };

	tmap_svg_line(out, end, 2, &(struct tmap_svg_stroke){ GRID, 1, false });
}

/* At most ten powers of 2. */
static void draw_sizes(FILE *out, const struct frame *frame)
{
	int first = (int)ceil(frame->x_least), last = (int)floor(frame->x_most);
	int step = (last - first) / 10 + 1;

	for (int power = first; power <= last && power < 63; power += step) {
		double x =
			LEFT + (power - frame->x_least) / (frame->x_most - frame->x_least) * WIDTH;
		char bytes[TMAP_UNITS_ROOM];

		draw_rule(out, x, TOP, x, TOP + HEIGHT);
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = x,
						       .y = TOP + HEIGHT + 18,
						       .size = TEXT,
						       .anchor = TMAP_SVG_MIDDLE },
			      tmap_units_print_bytes(INT64_C(1) << power, bytes));
	}
}

/* Powers of 10: "100 us". */
static void draw_times(FILE *out, const struct frame *frame)
{
	static const char *const units[] = { "ps", "ns", "us", "ms", "s" };
	enum { UNITS = 5 };

	for (int power = (int)frame->y_least; power <= (int)frame->y_most; power++) {
		int thousands = (int)floor(power / 3.0) + UNITS - 1;
		double y =
			TOP + (frame->y_most - power) / (frame->y_most - frame->y_least) * HEIGHT;
		char text[32];

		thousands = thousands < 0 ? 0 : thousands >= UNITS ? UNITS - 1 : thousands;
		snprintf(text, sizeof text, "%g %s", pow(10, power - 3 * (thousands - UNITS + 1)),
			 units[thousands]);
		draw_rule(out, LEFT, y, LEFT + WIDTH, y);
		tmap_svg_text(
			out,
			&(struct tmap_svg_text){
				.x = LEFT - 8, .y = y + 4, .size = TEXT, .anchor = TMAP_SVG_END },
			text);
	}
}

static void draw_axes(FILE *out, const struct tmap_plot *plot, const struct frame *frame)
{
	draw_sizes(out, frame);
	draw_times(out, frame);
	tmap_svg_box(
		out,
		&(struct tmap_svg_box){
			.x = LEFT, .y = TOP, .width = WIDTH, .height = HEIGHT, .stroke = INK });
	tmap_svg_text(out,
		      &(struct tmap_svg_text){ .x = LEFT + WIDTH / 2.0,
					       .y = TOP + HEIGHT + 42,
					       .size = TEXT,
					       .anchor = TMAP_SVG_MIDDLE },
		      plot->x_label);
	tmap_svg_text(out, &(struct tmap_svg_text){ .x = 16, .y = TOP - 12, .size = TEXT },
		      plot->y_label);
}

/* Shapes within a circle of radius 1. */
struct shape {
	int count;
	struct tmap_svg_point corner[8];
};

static const struct shape shapes[] = {
	{ 8,
	  { { 1, 0 },
	    { .7, .7 },
	    { 0, 1 },
	    { -.7, .7 },
	    { -1, 0 },
	    { -.7, -.7 },
	    { 0, -1 },
	    { .7, -.7 } } },
	{ 4, { { .8, .8 }, { -.8, .8 }, { -.8, -.8 }, { .8, -.8 } } },
	{ 3, { { 0, -1.1 }, { 1, .7 }, { -1, .7 } } },
	{ 4, { { 0, -1.2 }, { 1.2, 0 }, { 0, 1.2 }, { -1.2, 0 } } },
	{ 3, { { 0, 1.1 }, { 1, -.7 }, { -1, -.7 } } },
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static void draw_marker(FILE *out, struct tmap_svg_point at, int index)
{
	const struct shape *shape = &shapes[index % SHAPES];
	struct tmap_svg_point corner[8];

	for (int i = 0; i < shape->count; i++)
		corner[i] = (struct tmap_svg_point){ at.x + 4.5 * shape->corner[i].x,
						     at.y + 4.5 * shape->corner[i].y };
	tmap_svg_area(out, corner, shape->count, tmap_palette_line(index), 1);
}

/* Up along the upper ends, back along the lower ones. */
static void draw_band(FILE *out, const struct frame *frame, const struct tmap_plot_line *line,
		      struct tmap_svg_point *room, int index)
{
	int count = 0;

	for (int i = 0; i < line->count; i++)
		if (point_is_shown(&line->point[i]) && point_has_band(&line->point[i]))
			room[count++] = place_of(frame, line->point[i].bytes, line->point[i].high);
	for (int i = line->count - 1; i >= 0; i--)
		if (point_is_shown(&line->point[i]) && point_has_band(&line->point[i]))
			room[count++] = place_of(frame, line->point[i].bytes, line->point[i].low);
	if (count > 2)
		tmap_svg_area(out, room, count, tmap_palette_line(index), 0.15);
}

/* Returns where it ends. */
static struct tmap_svg_point draw_line(FILE *out, const struct frame *frame,
				       const struct tmap_plot_line *line,
				       struct tmap_svg_point *room, int index)
{
	struct tmap_svg_point last = { NAN, NAN };
	int count = 0;

	for (int i = 0; i < line->count; i++)
		if (point_is_shown(&line->point[i]))
			room[count++] =
				place_of(frame, line->point[i].bytes, line->point[i].seconds);
	tmap_svg_line(out, room, count,
		      &(struct tmap_svg_stroke){ tmap_palette_line(index), line->name ? 1.8 : 1.2,
						 !line->name });
	for (int i = 0; line->name && i < count; i++)
		draw_marker(out, room[i], index);
	return count ? room[count - 1] : last;
}

/* A name beside the frame, and where its line ends. */
struct label {
	const char *name;
	int index;
	struct tmap_svg_point end;
	double y;
};

static int label_compare(const void *a, const void *b)
{
	const struct label *left = a, *right = b;

	return left->end.y < right->end.y  ? -1 :
		left->end.y > right->end.y ? 1 :
					     left->index - right->index;
}

/* From the top, none on another; where they pass the bottom, all of those move up. */
static void labels_spread(struct label *label, int count, double bottom)
{
	const double least = TEXT + 3;

	for (int i = 0; i < count; i++)
		label[i].y = i && label[i].end.y < label[i - 1].y + least ? label[i - 1].y + least :
									    label[i].end.y;
	for (int i = count - 1; i >= 0; i--) {
		double most = i == count - 1 ? bottom : label[i + 1].y - least;

		label[i].y = fmin(label[i].y, most);
	}
}

static void draw_labels(FILE *out, struct label *label, int count, double bottom)
{
	qsort(label, (size_t)count, sizeof *label, label_compare);
	labels_spread(label, count, bottom);
	for (int i = 0; i < count; i++) {
		const struct tmap_svg_point lead[] = { label[i].end,
						       { LEFT + WIDTH + 10, label[i].y } };

		tmap_svg_line(
			out, lead, 2,
			&(struct tmap_svg_stroke){ tmap_palette_line(label[i].index), 0.6, false });
		draw_marker(out, (struct tmap_svg_point){ LEFT + WIDTH + 16, label[i].y },
			    label[i].index);
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = LEFT + WIDTH + NAMES,
						       .y = label[i].y + 4,
						       .size = TEXT },
			      label[i].name);
	}
}

/* Bands below all lines. */
static int draw_lines(FILE *out, const struct tmap_plot *plot, const struct frame *frame,
		      struct label *label, struct tmap_svg_point *room)
{
	int count = 0;

	for (int l = 0, index = -1; l < plot->count; l++) {
		index += plot->line[l].name != NULL;
		draw_band(out, frame, &plot->line[l], room, index);
	}
	for (int l = 0, index = -1; l < plot->count; l++) {
		const struct tmap_plot_line *line = &plot->line[l];
		struct tmap_svg_point end;

		index += line->name != NULL;
		end = draw_line(out, frame, line, room, index);
		if (line->name && !isnan(end.x))
			label[count++] = (struct label){ line->name, index, end, 0 };
	}
	return count;
}

int tmap_plot_write_svg(FILE *out, const struct tmap_plot *plot, struct tmap_error *err)
{
	struct tmap_svg_point *room;
	struct label *label;
	struct frame frame;
	double names = 0, bottom, lines = 0;
	size_t most = 1;

	if (frame_init(&frame, plot, err) < 0)
		return -1;
	for (int l = 0; l < plot->count; l++) {
		const struct tmap_plot_line *line = &plot->line[l];

		most = (size_t)line->count > most ? (size_t)line->count : most;
		if (!line->name)
			continue;
		names = fmax(names, tmap_svg_text_width(line->name, TEXT));
		lines++;
	}
	room = tmap_alloc(2 * most, sizeof *room, err);
	label = tmap_alloc((size_t)plot->count, sizeof *label, err);
	if (!room || !label) {
		free(room);
		free(label);
		return -1;
	}
	bottom = fmax(TOP + HEIGHT, TOP + lines * (TEXT + 3));
	names = fmax(names + NAMES + 12,
		     tmap_svg_text_width(plot->title, 16) + 16 - LEFT - WIDTH + 12);
	tmap_svg_begin(out, LEFT + WIDTH + names, bottom + BOTTOM, plot->title);
	tmap_svg_text(out, &(struct tmap_svg_text){ .x = 16, .y = 24, .size = 16 }, plot->title);
	draw_axes(out, plot, &frame);
	draw_labels(out, label, draw_lines(out, plot, &frame, label, room), bottom);
	if (plot->note)
		tmap_svg_text(
			out,
			&(struct tmap_svg_text){ .x = 16, .y = bottom + BOTTOM - 16, .size = TEXT },
			plot->note);
	tmap_svg_end(out);
	free(room);
	free(label);
	return 0;
}
