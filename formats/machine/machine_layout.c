/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/machine_boxes.h"

#include "formats/draw/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL_LEAST = 30 };

#define SHAPE 1.6 /* of the whole, width to height */

double tmap_machine_box_chip_width(const char *text)
{
	return tmap_svg_text_width(text, TMAP_BOX_TEXT) + 8;
}

void tmap_machine_box_label(const struct tmap_machine_box *box, char *text, size_t room)
{
	char wanted[64];
	int length = 0;

	*text = '\0';
	for (int i = 0; i < box->ranks && length < (int)sizeof wanted; i++)
		length += snprintf(wanted + length, sizeof wanted - (size_t)length, "%s%d",
				   i ? "," : "", box->rank[i]);
	if (!box->ranks)
		return;
	if (length < (int)sizeof wanted && (box->pu == TMAP_NONE || box->ranks < 3))
		snprintf(text, room, "%s", wanted);
	else
		snprintf(text, room, "%d ranks", box->ranks);
}

bool tmap_machine_box_is_tagged(const struct tmap_machine_box *box)
{
	return box->core && box->ranks == 1 && !box->devices && box->first != TMAP_NONE;
}

static double cell_width(const struct tmap_machine_box *box)
{
	double label = tmap_svg_text_width(box->label, TMAP_BOX_TEXT - 2);
	char text[64];
	double ranks;

	tmap_machine_box_label(box, text, sizeof text);
	ranks = tmap_svg_text_width(text, TMAP_BOX_TEXT + 1);
	return fmax(6 + fmax(label, ranks), CELL_LEAST);
}

/* Cells are all alike, so that equal objects have equal boxes. */
static void size_cells(struct tmap_machine_boxes *boxes)
{
	double width = 0;

	for (int i = 0; i < boxes->count; i++)
		if (boxes->box[i].first == TMAP_NONE)
			width = fmax(width, cell_width(&boxes->box[i]));
	for (int i = 0; i < boxes->count; i++)
		if (boxes->box[i].first == TMAP_NONE) {
			boxes->box[i].width = width;
			boxes->box[i].height = TMAP_BOX_CELL;
		}
}

/* Largest child, and how many there are. */
static int measure_children(const struct tmap_machine_boxes *boxes, int at, double *width,
			    double *height)
{
	int count = 0;

	*width = *height = 0;
	for (int c = boxes->box[at].first; c != TMAP_NONE; c = boxes->box[c].next) {
		*width = fmax(*width, boxes->box[c].width);
		*height = fmax(*height, boxes->box[c].height);
		count++;
	}
	return count;
}

/* The number of columns that comes closest to the wanted shape; holes in the last row count
 * against it. */
static int choose_columns(int count, double width, double height)
{
	int best = 1;
	double best_cost = INFINITY;

	for (int columns = 1; columns <= count; columns++) {
		int rows = (count + columns - 1) / columns;
		double shape = columns * (width + TMAP_BOX_PAD) / (rows * (height + TMAP_BOX_PAD));
		double cost =
			fabs(log(shape / SHAPE)) + 3.0 * (double)(rows * columns - count) / columns;

		if (cost < best_cost - 1e-9) {
			best_cost = cost;
			best = columns;
		}
	}
	return best;
}

/* Widths of what stands under the label of a frame: ranks, then devices. */
static double chips_width(const struct tmap_machine_boxes *boxes,
			  const struct tmap_machine_box *box)
{
	const struct tmap_topology *topo;
	double width = 0;
	char text[64];

	if (tmap_machine_box_is_tagged(box))
		return 0;
	if (box->ranks > TMAP_BOX_CHIPS) {
		tmap_machine_box_label(box, text, sizeof text);
		width += tmap_machine_box_chip_width(text) + 3;
	}
	for (int i = 0; i < box->ranks && box->ranks <= TMAP_BOX_CHIPS; i++) {
		snprintf(text, sizeof text, "%d", box->rank[i]);
		width += tmap_machine_box_chip_width(text) + 3;
	}
	if (!box->devices)
		return width;
	topo = tmap_machine_topology(boxes->placement->machine, box->node);
	for (int i = 0; i < box->devices; i++)
		width += tmap_machine_box_chip_width(topo->device[box->device[i]].name) + 3;
	return width;
}

static double label_width(const struct tmap_machine_box *box)
{
	double width = tmap_svg_text_width(box->label, TMAP_BOX_TEXT);
	char text[64];

	if (!tmap_machine_box_is_tagged(box))
		return width;
	tmap_machine_box_label(box, text, sizeof text);
	return width + tmap_svg_text_width(text, TMAP_BOX_TEXT + 1) + TMAP_BOX_PAD;
}

/* The least size of a frame around its children in a grid. */
static void size_frame(struct tmap_machine_boxes *boxes, int at)
{
	struct tmap_machine_box *box = &boxes->box[at];
	double width, height, inner, chips = chips_width(boxes, box);
	int count = measure_children(boxes, at, &width, &height), rows;

	box->columns = choose_columns(count, width, height);
	rows = (count + box->columns - 1) / box->columns;
	inner = fmax(box->columns * (width + TMAP_BOX_PAD) - TMAP_BOX_PAD, label_width(box));
	box->top = (*box->label ? TMAP_BOX_HEAD : TMAP_BOX_PAD) +
		(chips > 0 ? TMAP_BOX_CHIP * ceil(chips * 1.15 / inner) : 0);
	box->width = inner + 2 * TMAP_BOX_PAD;
	box->height = box->top + rows * (height + TMAP_BOX_PAD);
}

/* Give a box its room; cells do not grow without limit. */
static void stretch(struct tmap_machine_box *box, double width, double height)
{
	if (box->first == TMAP_NONE) {
		width = fmin(width, 3 * box->width);
		height = fmin(height, 1.6 * box->height);
	}
	box->width = width;
	box->height = height;
}

/* Children share the room inside a frame that has its place. */
static void place_children(struct tmap_machine_boxes *boxes, int at)
{
	const struct tmap_machine_box *box = &boxes->box[at];
	double width, height;
	int count = measure_children(boxes, at, &width, &height), i = 0;
	int rows = (count + box->columns - 1) / box->columns;

	width = (box->width - TMAP_BOX_PAD) / box->columns - TMAP_BOX_PAD;
	height = (box->height - box->top) / rows - TMAP_BOX_PAD;
	for (int c = box->first; c != TMAP_NONE; c = boxes->box[c].next, i++) {
		int row = i / box->columns, column = i % box->columns;

		boxes->box[c].x = box->x + TMAP_BOX_PAD + column * (width + TMAP_BOX_PAD);
		boxes->box[c].y = box->y + box->top + row * (height + TMAP_BOX_PAD);
		stretch(&boxes->box[c], width, height);
	}
}

void tmap_machine_boxes_lay_out(struct tmap_machine_boxes *boxes)
{
	size_cells(boxes);
	/* children stand behind their parents */
	for (int i = boxes->count - 1; i >= 0; i--)
		if (boxes->box[i].first != TMAP_NONE)
			size_frame(boxes, i);
	boxes->box[0].x = boxes->box[0].y = 0;
	for (int i = 0; i < boxes->count; i++)
		if (boxes->box[i].first != TMAP_NONE)
			place_children(boxes, i);
}
