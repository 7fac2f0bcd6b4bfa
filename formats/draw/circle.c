/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/circle.h"

#include "core/base/mem.h"
#include "formats/draw/dot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points: a letter, between two elements, between nested sectors, around everything. */
#define LETTER 6.6
#define BETWEEN 18.0
#define RIM 7.0
#define AROUND 4.0
#define LEAST_RADIUS 75.0
#define ARC_STEP 0.05 /* radians */

static const double turn = 6.283185307179586;

static double label_width(const struct tmap_arc *arc)
{
	return LETTER * (double)strlen(arc->label) + 8;
}

/* First index at which an arc of a level begins; 0 where there is no border. */
static int first_border(const struct tmap_boxes *boxes, int depth)
{
	for (int i = 0; i < boxes->count; i++)
		if (!tmap_boxes_is_same(boxes, depth, i, i ? i - 1 : boxes->count - 1))
			return i;
	return 0;
}

static int add_arc(struct tmap_circle *circle, const struct tmap_boxes *boxes, struct tmap_arc arc,
		   struct tmap_error *err)
{
	struct tmap_str label = TMAP_STR_INIT;

	if (tmap_grow(&circle->arc, &circle->arc_capacity, (size_t)circle->arc_count + 1,
		      sizeof *circle->arc, err) < 0)
		return -1;
	tmap_boxes_add_label(&label, boxes, arc.depth, arc.begin % boxes->count);
	arc.label = tmap_str_take(&label, err);
	if (!arc.label)
		return -1;
	circle->arc[circle->arc_count++] = arc;
	return 0;
}

static int add_arcs(struct tmap_circle *circle, const struct tmap_boxes *boxes, int depth,
		    struct tmap_error *err)
{
	int start = first_border(boxes, depth), count = boxes->count;

	for (int at = start, end; at < start + count; at = end) {
		for (end = at + 1; end < start + count; end++)
			if (!tmap_boxes_is_same(boxes, depth, at % count, end % count))
				break;
		if (boxes->number[depth][at % count] != TMAP_NONE &&
		    add_arc(circle, boxes, (struct tmap_arc){ depth, at, end, NULL }, err) < 0)
			return -1;
	}
	return 0;
}

/* Half the width of the widest element that is no fold: sectors need not go round a fold. */
static double half_width(const struct tmap_boxes *boxes, const double *width)
{
	double half = width[0] / 2;
	bool any = false;

	for (int i = 0; i < boxes->count; i++) {
		bool boxed = boxes->depth && boxes->number[0][i] != TMAP_NONE;

		if (boxed && (!any || width[i] / 2 > half))
			half = width[i] / 2;
		any = any || boxed;
	}
	return half;
}

/* From the centre of one element to the next: no two neighbours touch, and each label fits
 * into the arc that it names. */
static double find_spacing(const struct tmap_circle *circle, const double *width)
{
	double spacing = 0;

	for (int i = 0; i < circle->count; i++) {
		double need = (width[i] + width[(i + 1) % circle->count]) / 2 + BETWEEN;

		spacing = need > spacing ? need : spacing;
	}
	for (int a = 0; a < circle->arc_count; a++) {
		const struct tmap_arc *arc = &circle->arc[a];
		double need = label_width(arc) / (arc->end - arc->begin);

		spacing = need > spacing ? need : spacing;
	}
	return spacing;
}

/* The labels of a level get the radial room of the longest. */
static void find_sizes(struct tmap_circle *circle, const double *width)
{
	double labels = 0;

	for (int a = 0; a < circle->arc_count; a++)
		if (label_width(&circle->arc[a]) > circle->slot[circle->arc[a].depth])
			circle->slot[circle->arc[a].depth] = label_width(&circle->arc[a]);
	for (int depth = 0; depth < circle->depth; depth++)
		labels += circle->slot[depth];
	circle->radius = find_spacing(circle, width) * circle->count / turn;
	if (circle->radius < LEAST_RADIUS + circle->half)
		circle->radius = LEAST_RADIUS + circle->half;
	circle->outer = circle->radius + circle->half + AROUND + labels + AROUND;
	for (int i = 0; i < circle->count; i++)
		if (circle->radius + width[i] / 2 + AROUND > circle->outer)
			circle->outer = circle->radius + width[i] / 2 + AROUND;
}

int tmap_circle_init(struct tmap_circle *circle, const struct tmap_boxes *boxes,
		     const double *width, struct tmap_error *err)
{
	struct tmap_circle made = { .count = boxes->count,
				    .depth = boxes->depth,
				    .half = half_width(boxes, width) };
	int status = 0;

	made.slot = tmap_alloc((size_t)boxes->depth, sizeof *made.slot, err);
	if (!made.slot)
		return -1;
	for (int depth = 0; depth < boxes->depth && status == 0; depth++)
		status = add_arcs(&made, boxes, depth, err);
	if (status < 0) {
		tmap_circle_fini(&made);
		return -1;
	}
	find_sizes(&made, width);
	made.x = made.y = made.outer;
	*circle = made;
	return 0;
}

void tmap_circle_fini(struct tmap_circle *circle)
{
	for (int a = 0; a < circle->arc_count; a++)
		free(circle->arc[a].label);
	free(circle->arc);
	free(circle->slot);
	*circle = (struct tmap_circle){ 0 };
}

static void point(const struct tmap_circle *circle, double radius, double angle, double *x,
		  double *y)
{
	*x = circle->x + radius * sin(angle);
	*y = circle->y + radius * cos(angle);
}

static double angle_of(const struct tmap_circle *circle, double index)
{
	return turn * index / circle->count;
}

void tmap_circle_place(const struct tmap_circle *circle, double index, double *x, double *y)
{
	point(circle, circle->radius, angle_of(circle, index), x, y);
}

static double outer_radius(const struct tmap_circle *circle, int depth)
{
	double radius = circle->radius + circle->half + AROUND;

	for (; depth < circle->depth; depth++)
		radius += circle->slot[depth];
	return radius;
}

static double inner_radius(const struct tmap_circle *circle, int depth)
{
	return circle->radius - circle->half - AROUND - RIM * (circle->depth - depth);
}

/* Inner sectors leave more room to the next element than those around them. */
static double angular_gap(const struct tmap_circle *circle, int depth)
{
	double free_angle = angle_of(circle, 0.5) - circle->half / circle->radius;

	return free_angle * (depth + 1) / (circle->depth + 1);
}

static void write_rim(FILE *out, const struct tmap_circle *circle, double radius, double from,
		      double to, int steps)
{
	double x, y;

	for (int i = 0; i <= steps; i++) {
		point(circle, radius, from + (to - from) * i / steps, &x, &y);
		fprintf(out, " %.1f %.1f", x, y);
	}
}

static void write_sector(FILE *out, const struct tmap_circle *circle, const struct tmap_arc *arc)
{
	double gap = angular_gap(circle, arc->depth);
	double from = angle_of(circle, arc->begin - 0.5) + gap;
	double to = angle_of(circle, arc->end - 0.5) - gap;
	int steps = 1 + (int)((to - from) / ARC_STEP);

	/* the line is continued, because dot reads no piece of a string above 16 KiB */
	fprintf(out, "\\\n c 7 -#999999 C 7 -%s P %d", tmap_dot_fill(arc->depth), 2 * (steps + 1));
	write_rim(out, circle, outer_radius(circle, arc->depth), from, to, steps);
	write_rim(out, circle, inner_radius(circle, arc->depth), to, from, steps);
}

static void write_label(FILE *out, const struct tmap_circle *circle, const struct tmap_arc *arc,
			const char *prefix, int serial)
{
	double middle = angle_of(circle, (arc->begin + arc->end - 1) / 2.0), x, y;
	double radius = outer_radius(circle, arc->depth) - circle->slot[arc->depth] / 2;

	point(circle, radius, middle, &x, &y);
	fprintf(out,
		"\t%slabel_%d [shape=none, style=\"\", fixedsize=true, width=%.2f, height=0.2, "
		"pos=\"%.1f,%.1f!\", label=",
		prefix, serial, label_width(arc) / 72, x, y);
	tmap_dot_write_quoted(out, arc->label);
	fputs("];\n", out);
}

void tmap_circle_write_sectors(FILE *out, const struct tmap_circle *circle)
{
	for (int a = 0; a < circle->arc_count; a++)
		write_sector(out, circle, &circle->arc[a]);
}

void tmap_circle_write_labels(FILE *out, const struct tmap_circle *circle, const char *prefix)
{
	for (int a = 0; a < circle->arc_count; a++)
		write_label(out, circle, &circle->arc[a], prefix, a);
}
