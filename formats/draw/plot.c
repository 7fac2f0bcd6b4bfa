/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/plot.h"

#include "core/base/mem.h"
#include "formats/draw/hatch.h"
#include "formats/draw/palette.h"
#include "formats/draw/plot_looks.h"
#include "formats/draw/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One panel is large; of several there are at most three in a row. */
enum { WIDTH = 560, HEIGHT = 400, SMALL_WIDTH = 300, SMALL_HEIGHT = 220, ROW = 3 };

/* What is around a panel's frame, and a line of notes. */
enum { LEFT = 84, ABOVE = 44, BELOW = 64, TEXT = 13, TITLE = 16, NAMES = 28, NOTE = 18, EDGE = 16 };

#define GRID "#DDDDDD"
#define INK "#333333"
#define FAINT "#BBBBBB"

/* A panel's frame on the picture, and its axes. */
struct frame {
	double left, top, width, height;
	struct tmap_axis x, y;
	bool is_empty; /* nothing in it has a place */
};

static bool point_is_shown(const struct frame *frame, const struct tmap_plot_point *it)
{
	return tmap_axis_shows(&frame->x, it->x) && tmap_axis_shows(&frame->y, it->y);
}

static bool point_has_range(const struct frame *frame, const struct tmap_plot_point *it)
{
	return (it->low != 0 || it->high != 0) && tmap_axis_shows(&frame->y, it->low) &&
		tmap_axis_shows(&frame->y, it->high);
}

static bool box_is_shown(const struct frame *frame, const struct tmap_plot_box *it)
{
	return tmap_axis_shows(&frame->y, it->median) &&
		(!it->has_quartiles || tmap_axis_shows(&frame->y, it->low));
}

/* Its place is not known yet. */
static void frame_init(struct frame *frame, const struct tmap_plot *plot,
		       const struct tmap_plot_panel *panel)
{
	*frame = (struct frame){ .width = plot->count == 1 ? WIDTH : SMALL_WIDTH,
				 .height = plot->count == 1 ? HEIGHT : SMALL_HEIGHT };
	tmap_axis_init(&frame->x, plot->x);
	tmap_axis_init(&frame->y, plot->y);
	for (int l = 0; l < panel->line_count; l++)
		for (int i = 0; i < panel->line[l].count; i++) {
			const struct tmap_plot_point *it = &panel->line[l].point[i];

			if (!point_is_shown(frame, it))
				continue;
			tmap_axis_include(&frame->x, it->x);
			tmap_axis_include(&frame->y, it->y);
			if (!point_has_range(frame, it))
				continue;
			tmap_axis_include(&frame->y, it->low);
			tmap_axis_include(&frame->y, it->high);
		}
	for (int i = 0; i < panel->box_count; i++) {
		const struct tmap_plot_box *it = &panel->box[i];

		if (!box_is_shown(frame, it))
			continue;
		tmap_axis_include(&frame->x, it->x - 1);
		tmap_axis_include(&frame->x, it->x + 1);
		tmap_axis_include(&frame->y, it->median);
		if (!it->has_quartiles)
			continue;
		tmap_axis_include(&frame->y, it->low);
		tmap_axis_include(&frame->y, it->high);
	}
	frame->is_empty = frame->x.least > frame->x.most;
	for (int i = 0; i < panel->rule_count; i++)
		tmap_axis_include(&frame->y, panel->rule[i].y);
	tmap_axis_finish(&frame->x);
	tmap_axis_finish(&frame->y);
}

static double frame_x(const struct frame *frame, double x)
{
	return frame->left + tmap_axis_place(&frame->x, x) * frame->width;
}

static double frame_y(const struct frame *frame, double y)
{
	return frame->top + (1 - tmap_axis_place(&frame->y, y)) * frame->height;
}

static void draw_stroke(FILE *out, double x1, double y1, double x2, double y2,
			const struct tmap_svg_stroke *stroke)
{
	const struct tmap_svg_point end[] = { { x1, y1 }, { x2, y2 } };

	tmap_svg_line(out, end, 2, stroke);
}

static void draw_text(FILE *out, double x, double y, enum tmap_svg_anchor anchor, const char *text)
{
	tmap_svg_text(out,
		      &(struct tmap_svg_text){ .x = x, .y = y, .size = TEXT, .anchor = anchor },
		      text);
}

static void draw_x_axis(FILE *out, const struct frame *frame, const struct tmap_plot_panel *panel)
{
	const struct tmap_svg_stroke grid = { GRID, 1, false };
	double bottom = frame->top + frame->height;
	struct tmap_axis_tick tick[TMAP_AXIS_TICKS];
	int ticks = panel->group_count ?
		0 :
		tmap_axis_ticks(&frame->x, frame->width >= WIDTH ? 10 : 5, tick);

	for (int i = 0; i < ticks; i++) {
		double x = frame->left + tick[i].at * frame->width;

		draw_stroke(out, x, frame->top, x, bottom, &grid);
		draw_text(out, x, bottom + 18, TMAP_SVG_MIDDLE, tick[i].text);
	}
	for (int i = 0; i < panel->group_count; i++)
		draw_text(out, frame_x(frame, panel->group[i].x), bottom + 18, TMAP_SVG_MIDDLE,
			  panel->group[i].text);
}

static void draw_y_axis(FILE *out, const struct frame *frame, const struct tmap_plot_panel *panel)
{
	const struct tmap_svg_stroke grid = { GRID, 1, false }, ruled = { INK, 1, true };
	struct tmap_axis_tick tick[TMAP_AXIS_TICKS];
	int ticks = tmap_axis_ticks(&frame->y, frame->height >= HEIGHT ? 10 : 6, tick);

	for (int i = 0; i < ticks; i++) {
		double y = frame->top + (1 - tick[i].at) * frame->height;

		draw_stroke(out, frame->left, y, frame->left + frame->width, y, &grid);
		draw_text(out, frame->left - 8, y + 4, TMAP_SVG_END, tick[i].text);
	}
	for (int i = 0; i < panel->rule_count; i++) {
		double y = frame_y(frame, panel->rule[i].y);

		draw_stroke(out, frame->left, y, frame->left + frame->width, y, &ruled);
		if (panel->box_count) /* they would be on it */
			draw_text(out, frame->left + frame->width + 8, y + 4, TMAP_SVG_START,
				  panel->rule[i].text);
		else
			draw_text(out, frame->left + frame->width - 4, y - 4, TMAP_SVG_END,
				  panel->rule[i].text);
	}
}

static void draw_axes(FILE *out, const struct tmap_plot *plot, const struct frame *frame,
		      const struct tmap_plot_panel *panel)
{
	if (frame->is_empty) {
		draw_text(out, frame->left + frame->width / 2, frame->top + frame->height / 2,
			  TMAP_SVG_MIDDLE, "nothing is above 0");
	} else {
		draw_x_axis(out, frame, panel);
		draw_y_axis(out, frame, panel);
	}
	tmap_svg_box(out,
		     &(struct tmap_svg_box){ .x = frame->left,
					     .y = frame->top,
					     .width = frame->width,
					     .height = frame->height,
					     .stroke = INK });
	draw_text(out, frame->left + frame->width / 2, frame->top + frame->height + 42,
		  TMAP_SVG_MIDDLE, plot->x_label);
	draw_text(out, frame->left - LEFT + EDGE, frame->top - 12, TMAP_SVG_START, plot->y_label);
	if (panel->title)
		tmap_svg_text(out,
			      &(struct tmap_svg_text){ .x = frame->left - LEFT + EDGE,
						       .y = frame->top - 30,
						       .size = TEXT,
						       .bold = true },
			      panel->title);
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

static void draw_shape(FILE *out, double x, double y, int index, double radius, bool is_hollow)
{
	const struct shape *shape = &shapes[index % SHAPES];
	struct tmap_svg_point corner[9];

	for (int i = 0; i <= shape->count; i++) {
		const struct tmap_svg_point *unit = &shape->corner[i % shape->count];

		corner[i] = (struct tmap_svg_point){ x + radius * unit->x, y + radius * unit->y };
	}
	tmap_svg_area(out, corner, shape->count, is_hollow ? "#FFFFFF" : tmap_palette_line(index),
		      1);
	if (is_hollow)
		tmap_svg_line(out, corner, shape->count + 1,
			      &(struct tmap_svg_stroke){ tmap_palette_line(index), 1, false });
}

/* Hollow where it is of a dashed line. */
static void draw_marker(FILE *out, double x, double y, int index, bool is_hollow)
{
	draw_shape(out, x, y, index, is_hollow ? 3 : 4.5, is_hollow);
}

static void draw_ring(FILE *out, double x, double y)
{
	enum { CORNERS = 24, RADIUS = 9 };
	struct tmap_svg_point corner[CORNERS + 1];

	for (int i = 0; i <= CORNERS; i++)
		corner[i] = (struct tmap_svg_point){ x + RADIUS * cos(2 * M_PI * i / CORNERS),
						     y + RADIUS * sin(2 * M_PI * i / CORNERS) };
	tmap_svg_line(out, corner, CORNERS + 1, &(struct tmap_svg_stroke){ "#000000", 1.8, false });
}

/* A bar with ends across. */
static void draw_bar(FILE *out, double x, double y1, double y2, double half, const char *color)
{
	const struct tmap_svg_stroke stroke = { color, 1.2, false };

	draw_stroke(out, x, y1, x, y2, &stroke);
	draw_stroke(out, x - half, y1, x + half, y1, &stroke);
	draw_stroke(out, x - half, y2, x + half, y2, &stroke);
}

/* Looks up to the last one that has a band. */
static int plot_bands(const struct tmap_plot *plot, const int *look)
{
	int bands = 0;

	for (int p = 0; p < plot->count; look += plot->panel[p++].line_count)
		for (int l = 0; l < plot->panel[p].line_count; l++) {
			const struct tmap_plot_line *line = &plot->panel[p].line[l];
			bool has_band = false;

			for (int i = 0; i < line->count && !line->has_bars; i++)
				has_band |= line->point[i].low != 0 || line->point[i].high != 0;
			if (has_band && !line->is_faint && look[l] >= bands)
				bands = look[l] + 1;
		}
	return bands;
}

/* Up along the upper ends, back along the lower ones. */
static void draw_band(FILE *out, const struct frame *frame, const struct tmap_plot_line *line,
		      struct tmap_svg_point *room, int index)
{
	int count = 0;

	for (int i = 0; i < 2 * line->count; i++) {
		bool is_back = i >= line->count;
		const struct tmap_plot_point *it =
			&line->point[is_back ? 2 * line->count - 1 - i : i];

		if (!point_is_shown(frame, it) || !point_has_range(frame, it))
			continue;
		if (line->has_bars && !is_back)
			draw_bar(out, frame_x(frame, it->x), frame_y(frame, it->low),
				 frame_y(frame, it->high), 5, tmap_palette_line(index));
		room[count++] =
			(struct tmap_svg_point){ frame_x(frame, it->x),
						 frame_y(frame, is_back ? it->low : it->high) };
	}
	if (count > 2 && !line->has_bars)
		tmap_hatch_area(out, room, count, index);
}

/* *room = its points that have a place; returns how many. */
static int line_places(const struct frame *frame, const struct tmap_plot_line *line,
		       struct tmap_svg_point *room)
{
	int count = 0;

	for (int i = 0; i < line->count; i++)
		if (point_is_shown(frame, &line->point[i]))
			room[count++] = (struct tmap_svg_point){ frame_x(frame, line->point[i].x),
								 frame_y(frame, line->point[i].y) };
	return count;
}

static void draw_scattered(FILE *out, const struct frame *frame, const struct tmap_plot_line *line,
			   int index)
{
	for (int i = 0; i < line->count; i++) {
		const struct tmap_plot_point *it = &line->point[i];

		if (point_is_shown(frame, it))
			draw_shape(out, frame_x(frame, it->x), frame_y(frame, it->y), index, 3.2,
				   it->is_hollow);
	}
}

/* Returns where it ends; x is not a number where it has no point. */
static struct tmap_svg_point draw_line(FILE *out, const struct frame *frame,
				       const struct tmap_plot_line *line,
				       struct tmap_svg_point *room, int index)
{
	struct tmap_svg_point last = { NAN, NAN };
	bool is_dashed = !line->name && !line->is_bare;
	int count = line_places(frame, line, room);

	if (!line->is_scattered)
		tmap_svg_line(out, room, count,
			      &(struct tmap_svg_stroke){ tmap_palette_line(index),
							 is_dashed ? 1.2 : 1.8, is_dashed });
	if (line->is_scattered)
		draw_scattered(out, frame, line, index);
	else
		for (int i = 0; i < count && !line->is_bare; i++)
			draw_marker(out, room[i].x, room[i].y, index, is_dashed);
	for (int i = 0; i < line->count; i++)
		if (line->point[i].is_ringed && point_is_shown(frame, &line->point[i]))
			draw_ring(out, frame_x(frame, line->point[i].x),
				  frame_y(frame, line->point[i].y));
	return count ? room[count - 1] : last;
}

static void draw_box(FILE *out, const struct frame *frame, const struct tmap_plot_box *it)
{
	const char *color = tmap_palette_line(it->index);
	const struct tmap_svg_stroke stroke = { color, 2.4, false };
	double x = frame_x(frame, it->x), y = frame_y(frame, it->median);
	double half = 0.35 * (frame_x(frame, it->x + 1) - x), top, bottom;

	half = fmin(half, 20);
	if (it->has_quartiles) {
		top = frame_y(frame, it->q3);
		bottom = frame_y(frame, it->q1);
		draw_bar(out, x, frame_y(frame, it->high), top, half / 2, color);
		draw_bar(out, x, frame_y(frame, it->low), bottom, half / 2, color);
		tmap_svg_box(out,
			     &(struct tmap_svg_box){ .x = x - half,
						     .y = top,
						     .width = 2 * half,
						     .height = bottom - top,
						     .fill = it->index ? "#FFFFFF" : "#CCCCCC",
						     .stroke = color });
	}
	draw_stroke(out, x - half, y, x + half, y, &stroke);
	draw_marker(out, x, y, it->index, false);
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

static void draw_labels(FILE *out, const struct frame *frame, struct label *label, int count,
			double bottom)
{
	double right = frame->left + frame->width;

	qsort(label, (size_t)count, sizeof *label, label_compare);
	labels_spread(label, count, bottom);
	for (int i = 0; i < count; i++) {
		draw_stroke(
			out, label[i].end.x, label[i].end.y, right + 10, label[i].y,
			&(struct tmap_svg_stroke){ tmap_palette_line(label[i].index), 0.6, false });
		draw_marker(out, right + 16, label[i].y, label[i].index, false);
		draw_text(out, right + NAMES, label[i].y + 4, TMAP_SVG_START, label[i].name);
	}
}

static bool has_own_bars(const struct tmap_plot_line *line)
{
	return line->name && line->has_bars && !line->is_bare && !line->is_faint;
}

/* Bars of several lines at one place would cover one another: these lines stand side by side, each with
 * its bars and what is dashed of it. */
static struct frame frame_aside(const struct frame *frame, const struct tmap_plot_panel *panel,
				int l)
{
	const double step = 12, most = 40;
	struct frame aside = *frame;
	int count = 0, before = 0;

	while (l > 0 && !panel->line[l].name)
		l--;
	if (!has_own_bars(&panel->line[l]))
		return aside;
	for (int i = 0; i < panel->line_count; i++) {
		count += has_own_bars(&panel->line[i]);
		before += i < l && has_own_bars(&panel->line[i]);
	}
	if (count > 1)
		aside.left += fmin(step, most / (count - 1)) * (before - 0.5 * (count - 1));
	return aside;
}

/* A place alone is no line. */
static void draw_faint(FILE *out, const struct tmap_svg_point *place, int count)
{
	enum { SIDE = 5 };

	tmap_svg_line(out, place, count, &(struct tmap_svg_stroke){ FAINT, 1, false });
	if (count == 1)
		tmap_svg_box(out,
			     &(struct tmap_svg_box){ .x = place->x - 0.5 * SIDE,
						     .y = place->y - 0.5 * SIDE,
						     .width = SIDE,
						     .height = SIDE,
						     .fill = FAINT,
						     .stroke = FAINT });
}

/* Bands below all lines, and what is faint below these; returns how many labels there are. */
static int draw_lines(FILE *out, const struct tmap_plot_panel *panel, const int *look,
		      const struct frame *frame, struct label *label, struct tmap_svg_point *room)
{
	struct frame aside;
	int count = 0;

	for (int l = 0; l < panel->line_count; l++)
		if (panel->line[l].is_faint)
			draw_faint(out, room, line_places(frame, &panel->line[l], room));
	for (int l = 0; l < panel->line_count; l++) {
		if (panel->line[l].is_faint)
			continue;
		aside = frame_aside(frame, panel, l);
		draw_band(out, &aside, &panel->line[l], room, look[l]);
	}
	for (int l = 0; l < panel->line_count; l++) {
		const struct tmap_plot_line *line = &panel->line[l];
		struct tmap_svg_point end;

		if (line->is_faint)
			continue;
		aside = frame_aside(frame, panel, l);
		end = draw_line(out, &aside, line, room, look[l]);
		if (line->name && !isnan(end.x))
			label[count++] = (struct label){ line->name, look[l], end, 0 };
	}
	return count;
}

/* What the largest panel needs. */
struct needs {
	double names, tallest; /* pixels beside a frame, and of all names */
	size_t points, lines;
};

static struct needs plot_needs(const struct tmap_plot *plot)
{
	struct needs needs = { .names = EDGE, .points = 1, .lines = 1 };

	for (int p = 0; p < plot->count; p++) {
		const struct tmap_plot_panel *panel = &plot->panel[p];
		int named = 0;

		if ((size_t)panel->line_count > needs.lines)
			needs.lines = (size_t)panel->line_count;
		for (int l = 0; l < panel->line_count; l++) {
			const struct tmap_plot_line *line = &panel->line[l];

			if ((size_t)line->count > needs.points)
				needs.points = (size_t)line->count;
			if (!line->name)
				continue;
			named++;
			needs.names = fmax(needs.names,
					   NAMES + tmap_svg_text_width(line->name, TEXT) + 12);
		}
		for (int i = 0; i < panel->rule_count && panel->box_count; i++)
			needs.names = fmax(needs.names,
					   8 + tmap_svg_text_width(panel->rule[i].text, TEXT) + 12);
		needs.tallest = fmax(needs.tallest, named * (TEXT + 3));
		if (panel->title)
			needs.names = fmax(needs.names,
					   tmap_svg_text_width(panel->title, TEXT) + EDGE - LEFT -
						   (plot->count == 1 ? WIDTH : SMALL_WIDTH));
	}
	return needs;
}

static void draw_panel(FILE *out, const struct tmap_plot *plot, const struct frame *frame,
		       const struct tmap_plot_panel *panel, const int *look, struct label *label,
		       struct tmap_svg_point *room, double bottom)
{
	draw_axes(out, plot, frame, panel);
	for (int i = 0; i < panel->box_count; i++)
		if (box_is_shown(frame, &panel->box[i]))
			draw_box(out, frame, &panel->box[i]);
	draw_labels(out, frame, label, draw_lines(out, panel, look, frame, label, room), bottom);
}

/* The size of all, then heading, panels and notes. */
static void plot_draw(FILE *out, const struct tmap_plot *plot, const int *look,
		      const struct needs *needs, struct frame *frame, struct label *label,
		      struct tmap_svg_point *room)
{
	int columns = plot->count < ROW ? plot->count : ROW, rows = (plot->count - 1) / columns + 1;
	double head = EDGE + TITLE + (plot->subtitle ? NOTE : 0);
	double above = ABOVE - (plot->panel[0].title ? 0 : NOTE);
	double wide = LEFT + frame->width + needs->names;
	double high = above + fmax(frame->height, needs->tallest) + BELOW;
	double width = fmax(columns * wide, 2 * EDGE + tmap_svg_text_width(plot->title, TITLE));
	int notes = 0;

	if (plot->subtitle)
		width = fmax(width, 2 * EDGE + tmap_svg_text_width(plot->subtitle, TEXT));
	for (; plot->note[notes]; notes++)
		width = fmax(width, 2 * EDGE + tmap_svg_text_width(plot->note[notes], TEXT));
	tmap_svg_begin(out, width, head + rows * high + notes * NOTE + EDGE, plot->title);
	tmap_hatch_define(out, plot_bands(plot, look));
	tmap_svg_text(out, &(struct tmap_svg_text){ .x = EDGE, .y = 24, .size = TITLE },
		      plot->title);
	if (plot->subtitle)
		draw_text(out, EDGE, 24 + NOTE, TMAP_SVG_START, plot->subtitle);
	for (int i = 0; i < plot->count; i++) {
		frame[i].left = i % columns * wide + LEFT;
		frame[i].top = head + i / columns * high + above;
		draw_panel(out, plot, &frame[i], &plot->panel[i], look, label, room,
			   frame[i].top + high - above - BELOW);
		look += plot->panel[i].line_count;
	}
	for (int i = 0; i < notes; i++)
		draw_text(out, EDGE, head + rows * high + (i + 1) * NOTE, TMAP_SVG_START,
			  plot->note[i]);
	tmap_svg_end(out);
}

int tmap_plot_write_svg(FILE *out, const struct tmap_plot *plot, struct tmap_error *err)
{
	const struct needs needs = plot_needs(plot);
	struct frame *frame = tmap_alloc((size_t)plot->count, sizeof *frame, err);
	struct tmap_svg_point *room = tmap_alloc(2 * needs.points, sizeof *room, err);
	struct label *label = tmap_alloc(needs.lines, sizeof *label, err);
	int status = frame && room && label ? 0 : -1, shown = 0, *look = NULL;

	for (int i = 0; i < plot->count && status == 0; i++) {
		frame_init(&frame[i], plot, &plot->panel[i]);
		shown += !frame[i].is_empty;
	}
	if (status == 0 && !shown)
		status = tmap_fail(err, TMAP_INPUT,
				   "nothing can be drawn: no size and time is above 0");
	if (status == 0)
		status = tmap_plot_looks_make(&look, plot, err);
	if (status == 0)
		plot_draw(out, plot, look, &needs, frame, label, room);
	free(look);
	free(frame);
	free(room);
	free(label);
	return status;
}
