/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/machine_drawing.h"

#include "core/base/mem.h"
#include "formats/draw/palette.h"
#include "formats/draw/svg.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 64 };

/* As hwloc users know them: packages grey, NUMA nodes reddish, caches white, cores darker. */
static const char *const fills[TMAP_TYPE_COUNT] = {
	[TMAP_NODE] = "#FAFAFA",    [TMAP_BOARD] = "#F0F2F5", [TMAP_GROUP] = "#F3F3EC",
	[TMAP_PACKAGE] = "#E4E4E4", [TMAP_DIE] = "#EDEDED",   [TMAP_NUMA] = "#F4E4E1",
	[TMAP_L5] = "#FFFFFF",      [TMAP_L4] = "#FFFFFF",    [TMAP_L3] = "#FFFFFF",
	[TMAP_L2] = "#FFFFFF",      [TMAP_L1] = "#FFFFFF",    [TMAP_CORE] = "#D3D3D3",
	[TMAP_PU] = "#FFFFFF",
};

static const char *color_of(const struct tmap_machine_drawing *d, int rank)
{
	if (d->from == TMAP_NONE)
		return tmap_palette_node(d->color_of_node[d->home->node[rank]]);
	if (rank == d->from)
		return "#F0E442";
	return tmap_palette_distance(
		tmap_legend_find(&d->legend, tmap_metric_distance(&d->it->metric, d->from, rank))
			->rank);
}

/* One colour for several ranks: theirs, or grey where they differ. */
static const char *color_of_all(const struct tmap_machine_drawing *d,
				const struct tmap_machine_box *box)
{
	const char *color = color_of(d, box->rank[0]);

	for (int i = 1; i < box->ranks; i++)
		if (strcmp(color, color_of(d, box->rank[i])) != 0)
			return "#BBBBBB";
	return color;
}

static void write_cell(const struct tmap_machine_drawing *d, const struct tmap_machine_box *box)
{
	const struct tmap_topology *topo =
		tmap_machine_topology(d->it->placement->machine, box->node);
	const char *fill = box->ranks     ? color_of_all(d, box) :
		topo->pu[box->pu].allowed ? "#FFFFFF" :
					    "#C9C9C9";
	char text[64], tip[96];

	tmap_machine_box_label(box, text, sizeof text);
	snprintf(tip, sizeof tip, "PU L#%d P#%d%s%s%s", box->pu, topo->pu[box->pu].os,
		 topo->pu[box->pu].allowed ? "" : ", not allowed", box->ranks ? ": rank " : "",
		 text);
	tmap_svg_box(d->out,
		     &(struct tmap_svg_box){ box->x, box->y, box->width, box->height, fill,
					     "#777777", 2, tip });
	tmap_svg_text(
		d->out,
		&(struct tmap_svg_text){
			.x = box->x + box->width / 2,
			.y = box->y + (box->ranks ? box->height / 2 - 4 : box->height / 2 + 3),
			.size = TMAP_BOX_TEXT - 2,
			.anchor = TMAP_SVG_MIDDLE,
			.color = box->ranks ? tmap_palette_ink(fill) : "#555555" },
		box->label);
	if (box->ranks)
		tmap_svg_text(d->out,
			      &(struct tmap_svg_text){ .x = box->x + box->width / 2,
						       .y = box->y + box->height / 2 + 8,
						       .size = TMAP_BOX_TEXT + 1,
						       .bold = true,
						       .anchor = TMAP_SVG_MIDDLE,
						       .color = tmap_palette_ink(fill) },
			      text);
}

/* A chip at *x, *y, which moves on, to the next line where this one is full. */
static void write_chip(const struct tmap_machine_drawing *d, const struct tmap_machine_box *box,
		       const char *text, const char *fill, double *x, double *y)
{
	double width = tmap_machine_box_chip_width(text);

	if (*x > box->x + TMAP_BOX_PAD && *x + width > box->x + box->width - TMAP_BOX_PAD) {
		*x = box->x + TMAP_BOX_PAD;
		*y += TMAP_BOX_CHIP;
	}
	tmap_svg_box(d->out,
		     &(struct tmap_svg_box){ *x, *y, width, TMAP_BOX_CHIP - 3, fill, "#777777", 6,
					     NULL });
	tmap_svg_text(d->out,
		      &(struct tmap_svg_text){ .x = *x + width / 2,
					       .y = *y + 10,
					       .size = TMAP_BOX_TEXT,
					       .anchor = TMAP_SVG_MIDDLE,
					       .color = tmap_palette_ink(fill) },
		      text);
	*x += width + 3;
}

static void write_chips(const struct tmap_machine_drawing *d, const struct tmap_machine_box *box)
{
	double x = box->x + TMAP_BOX_PAD,
	       y = box->y + (*box->label ? TMAP_BOX_HEAD : TMAP_BOX_PAD) - 1;
	char text[64];

	if (box->ranks > TMAP_BOX_CHIPS) {
		tmap_machine_box_label(box, text, sizeof text);
		write_chip(d, box, text, color_of_all(d, box), &x, &y);
	}
	for (int i = 0; i < box->ranks && box->ranks <= TMAP_BOX_CHIPS; i++) {
		snprintf(text, sizeof text, "%d", box->rank[i]);
		write_chip(d, box, text, color_of(d, box->rank[i]), &x, &y);
	}
	for (int i = 0; i < box->devices; i++) {
		const struct tmap_topology *topo =
			tmap_machine_topology(d->it->placement->machine, box->node);
		const struct tmap_device *device = &topo->device[box->device[i]];

		write_chip(d, box, device->name, device->type == TMAP_GPU ? "#E6DCF2" : "#DDEEDD",
			   &x, &y);
	}
}

static const char *fill_of(const struct tmap_machine_drawing *d, const struct tmap_machine_box *box)
{
	const struct tmap_topology *topo;

	if (box->object == TMAP_NONE)
		return "#FFFFFF";
	if (tmap_machine_box_is_tagged(box))
		return color_of(d, box->rank[0]);
	topo = tmap_machine_topology(d->it->placement->machine, box->node);
	return fills[box->core ? TMAP_CORE : topo->object[box->object].type];
}

static void write_frame(const struct tmap_machine_drawing *d, const struct tmap_machine_box *box)
{
	const char *fill = fill_of(d, box);
	char text[64];

	tmap_svg_box(d->out,
		     &(struct tmap_svg_box){ box->x, box->y, box->width, box->height, fill,
					     "#999999", 3, NULL });
	if (*box->label)
		tmap_svg_text(d->out,
			      &(struct tmap_svg_text){ .x = box->x + TMAP_BOX_PAD,
						       .y = box->y + 11,
						       .size = TMAP_BOX_TEXT,
						       .bold = box->object == TMAP_NONE ||
							       box->object == 0,
						       .color = tmap_palette_ink(fill) },
			      box->label);
	if (!tmap_machine_box_is_tagged(box)) {
		write_chips(d, box);
		return;
	}
	tmap_machine_box_label(box, text, sizeof text);
	tmap_svg_text(d->out,
		      &(struct tmap_svg_text){ .x = box->x + box->width - TMAP_BOX_PAD,
					       .anchor = TMAP_SVG_END,
					       .y = box->y + 12,
					       .size = TMAP_BOX_TEXT + 1,
					       .bold = true,
					       .color = tmap_palette_ink(fill) },
		      text);
}

double tmap_machine_drawing_width(const struct tmap_machine_drawing *drawing)
{
	return drawing->boxes.box[0].width;
}

double tmap_machine_drawing_height(const struct tmap_machine_drawing *drawing)
{
	return drawing->boxes.box[0].height;
}

void tmap_machine_drawing_write(const struct tmap_machine_drawing *drawing, double x, double y)
{
	const struct tmap_machine_drawing *d = drawing;

	tmap_svg_move(d->out, x, y);
	for (int i = 1; i < d->boxes.count; i++) {
		if (d->boxes.box[i].first == TMAP_NONE)
			write_cell(d, &d->boxes.box[i]);
		else
			write_frame(d, &d->boxes.box[i]);
	}
	tmap_svg_move_end(d->out);
}

/* The distances from the one rank and how many ranks are there, rising. */
static int count_distances(struct tmap_machine_drawing *d, struct tmap_edge_count **counts,
			   int *count, struct tmap_error *err)
{
	const struct tmap_metric *metric = &d->it->metric;

	*count = 0;
	*counts = tmap_alloc((size_t)metric->step_count, sizeof **counts, err);
	if (!*counts)
		return -1;
	for (int s = 0; s < metric->step_count; s++)
		(*counts)[s].distance = metric->step[s].value;
	for (int r = 0; r < d->it->placement->size; r++)
		if (r != d->from)
			(*counts)[tmap_metric_step_of(metric, d->from, r)].edges++;
	for (int s = 0; s < metric->step_count; s++)
		if ((*counts)[s].edges)
			(*counts)[(*count)++] = (*counts)[s];
	return 0;
}

/* The nodes that hold ranks have one colour after another. */
static int choose_colors(struct tmap_machine_drawing *d, struct tmap_error *err)
{
	const struct tmap_placement *p = d->home;
	int next = 0;

	d->color_of_node =
		tmap_alloc((size_t)p->machine->node_count, sizeof *d->color_of_node, err);
	if (!d->color_of_node)
		return -1;
	for (int r = 0; r < p->size; r++)
		d->color_of_node[p->node[r]] = 1;
	for (int n = 0; n < p->machine->node_count; n++)
		if (d->color_of_node[n])
			d->color_of_node[n] = next++;
	return 0;
}

static int choose_legend(struct tmap_machine_drawing *d, struct tmap_error *err)
{
	struct tmap_edge_count *counts;
	int count;

	if (d->from == TMAP_NONE)
		return 0;
	if (count_distances(d, &counts, &count, err) < 0)
		return -1;
	tmap_legend_init(&d->legend, (int)d->it->scale, counts, count);
	free(counts);
	return 0;
}

int tmap_machine_drawing_init(struct tmap_machine_drawing *drawing, FILE *out,
			      const struct tmap_inspection *it, const struct tmap_placement *home,
			      int from, int most, struct tmap_error *err)
{
	struct tmap_machine_drawing *d = drawing;
	bool folded = it->order.used_nodes > most;

	*d = (struct tmap_machine_drawing){ .out = out, .it = it, .home = home, .from = from };
	if (folded && it->fold.class_count > MOST_KINDS)
		return tmap_fail(err, TMAP_INPUT,
				 "a picture of %d different nodes is too large (the most "
				 "is %d)",
				 it->fold.class_count, MOST_KINDS);
	if (choose_colors(d, err) < 0 || choose_legend(d, err) < 0 ||
	    tmap_machine_boxes_init(&d->boxes, it->placement, &it->fold, &it->levels, folded, err) <
		    0)
		return -1;
	tmap_machine_boxes_lay_out(&d->boxes);
	return 0;
}

void tmap_machine_drawing_fini(struct tmap_machine_drawing *drawing)
{
	tmap_machine_boxes_fini(&drawing->boxes);
	free(drawing->color_of_node);
	*drawing = (struct tmap_machine_drawing){ 0 };
}

char *tmap_machine_drawing_title(const struct tmap_machine_drawing *drawing, struct tmap_error *err)
{
	const struct tmap_order *order = &drawing->it->order;
	char text[TMAP_ORDER_ROOM];
	int size = drawing->it->placement->size;

	if (drawing->from != TMAP_NONE)
		return tmap_format(
			err, "%d rank%s on %d node%s, coloured by %s distance from rank %d", size,
			size == 1 ? "" : "s", order->used_nodes, order->used_nodes == 1 ? "" : "s",
			tmap_keywords_at(&tmap_scales, (size_t)drawing->it->scale)->name,
			drawing->from);
	return tmap_format(err, "%d rank%s on %d node%s, order %s", size, size == 1 ? "" : "s",
			   order->used_nodes, order->used_nodes == 1 ? "" : "s",
			   tmap_order_print(order, text));
}
