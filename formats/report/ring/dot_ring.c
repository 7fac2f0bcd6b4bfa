/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/ring/dot_ring.h"

#include "core/base/mem.h"
#include "formats/base/brief.h"
#include "formats/draw/circle.h"
#include "formats/draw/dot.h"
#include "formats/draw/dot_heading.h"
#include "formats/report/ring/ring_pieces.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Points: a rank's circle, a letter of a label, the frame around it. */
#define ROUND_WIDTH 26.0
#define LETTER 6.2
#define FRAME 20.0
#define BETWEEN 40.0 /* two circles */

enum { LIST_COLUMNS = 16 };

/* What the writer of a node needs; an element of the boxes is a piece of the ring. */
struct graph {
	const struct tmap_view *view;
	const struct tmap_ring *ring;
	const struct tmap_legend *legend;
	const char *prefix; /* of the nodes' names: two rings have the same ranks */
	struct tmap_boxes boxes;
	struct tmap_circle circle;
	int count;
	struct tmap_ring_piece *piece; /* [count] */
	struct tmap_element *element;  /* [count] */
	char **label;                  /* [count] */
};

static char *label_of(const struct graph *graph, const struct tmap_ring_piece *piece,
		      struct tmap_error *err)
{
	const struct tmap_placement *p = graph->view->placement;
	const int *rank = graph->ring->order + piece->first;
	struct tmap_str label = TMAP_STR_INIT;

	if (piece->length == 1) {
		tmap_str_addf(&label, "%d", rank[0]);
		if (graph->view->world)
			tmap_str_addf(&label, "\n(%d)", graph->view->world[rank[0]]);
		return tmap_str_take(&label, err);
	}
	if (piece->like != TMAP_NONE)
		tmap_str_addf(&label, "%d like %s:\n", piece->copies,
			      p->machine->node_name[p->node[graph->ring->order[piece->like]]]);
	if (piece->copies > 1)
		tmap_brief_add_nodes(&label, p, rank, piece->length, LIST_COLUMNS);
	else
		tmap_str_addf(&label, "%d ranks", piece->length);
	tmap_str_addf(&label, "\n%d .. %d", rank[0], rank[piece->length - 1]);
	return tmap_str_take(&label, err);
}

static bool is_round(const struct graph *graph)
{
	assert(graph->ring);
	return graph->ring->size <= 1000 && !graph->view->world;
}

static double node_width(const struct graph *graph, int index)
{
	const char *line = graph->label[index];
	double width = ROUND_WIDTH;

	if (graph->piece[index].length == 1 && is_round(graph))
		return width;
	for (size_t length; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (LETTER * (double)length + FRAME > width)
			width = LETTER * (double)length + FRAME;
	}
	return width;
}

static int circle_init(struct graph *graph, struct tmap_error *err)
{
	double *width = tmap_alloc((size_t)graph->count, sizeof *width, err);
	int status;

	if (!width)
		return -1;
	for (int i = 0; i < graph->count; i++)
		width[i] = node_width(graph, i);
	status = tmap_circle_init(&graph->circle, &graph->boxes, width, err);
	free(width);
	return status;
}

static int label_pieces(struct graph *graph, struct tmap_error *err)
{
	size_t count = (size_t)graph->count;

	graph->element = tmap_alloc(count, sizeof *graph->element, err);
	graph->label = tmap_alloc(count, sizeof *graph->label, err);
	if (!graph->element || !graph->label)
		return -1;
	for (int i = 0; i < graph->count; i++) {
		graph->element[i] =
			(struct tmap_element){ .rank = graph->ring->order + graph->piece[i].first,
					       .count = graph->piece[i].length };
		graph->label[i] = label_of(graph, &graph->piece[i], err);
		if (!graph->label[i])
			return -1;
	}
	return 0;
}

static int graph_init(struct graph *graph, struct tmap_error *err)
{
	const struct tmap_placement *p = graph->view->placement;

	if (tmap_ring_pieces(graph->ring, p, graph->view->fold, &graph->piece, &graph->count, err) <
		    0 ||
	    label_pieces(graph, err) < 0 ||
	    tmap_boxes_init(&graph->boxes, p, graph->element, graph->count, err) < 0)
		return -1;
	return circle_init(graph, err);
}

static void graph_fini(struct graph *graph)
{
	for (int i = 0; graph->label && i < graph->count; i++)
		free(graph->label[i]);
	free(graph->label);
	free(graph->piece);
	free(graph->element);
	tmap_circle_fini(&graph->circle);
	tmap_boxes_fini(&graph->boxes);
}

static int write_node(FILE *out, const void *data, int index, struct tmap_error *err)
{
	const struct graph *graph = data;
	const struct tmap_ring_piece *piece = &graph->piece[index];
	double x, y;

	(void)err;
	tmap_circle_place(&graph->circle, index, &x, &y);
	fprintf(out, "%s%d [pos=\"%.1f,%.1f!\", label=", graph->prefix,
		graph->ring->order[piece->first], x, y);
	tmap_dot_write_quoted(out, graph->label[index]);
	if (piece->length > 1)
		fprintf(out, ", shape=box, style=\"filled\", fixedsize=false, peripheries=%d",
			piece->copies > 1 ? 2 : 1);
	fputs("];\n", out);
	return 0;
}

/* From the last position of each piece to the first of the next. */
static void write_edges(FILE *out, const struct graph *graph)
{
	const struct tmap_ring *ring = graph->ring;

	for (int i = 0; i < graph->count && tmap_ring_steps(ring); i++) {
		int last = graph->piece[i].first + graph->piece[i].length - 1;

		fprintf(out, "\t%s%d -> %s%d [", graph->prefix, ring->order[graph->piece[i].first],
			graph->prefix, ring->order[graph->piece[(i + 1) % graph->count].first]);
		tmap_dot_write_stroke(out, tmap_legend_find(graph->legend, ring->distance[last]));
		fputs("];\n", out);
	}
}

static void write_style(FILE *out, const struct graph *graph)
{
	fprintf(out,
		"\tlayout=neato; inputscale=72; splines=%s; fontname=\"Helvetica\"; "
		"fontsize=11;\n",
		graph->count == 2 ? "curved" : "line");
	tmap_dot_write_node_style(out, is_round(graph));
}

/* The name of a ring, in the middle of it, where there are two. */
static void write_name(FILE *out, const struct graph *graph, const char *name)
{
	fprintf(out,
		"\t%sname [shape=none, style=\"\", fontsize=13, fixedsize=true, width=%.2f, "
		"height=0.3, pos=\"%.1f,%.1f!\", label=",
		graph->prefix, LETTER * 1.3 * (double)strlen(name) / 72, graph->circle.x,
		graph->circle.y);
	tmap_dot_write_quoted(out, name);
	fputs("];\n", out);
}

/* What keeps the picture as large as it is meant to be. */
static void write_corner(FILE *out, const char *name, double x, double y)
{
	fprintf(out, "\tcorner_%s [shape=point, style=invis, width=0.01, pos=\"%.2f,%.2f!\"];\n",
		name, x, y);
}

/* Places the circles side by side under a heading; the size of the whole. */
static void place_circles(struct graph *graph, int count, double heading, double *width,
			  double *height)
{
	double left = 0;

	*width = *height = 0;
	for (int i = 0; i < count; i++) {
		*width += 2 * graph[i].circle.outer + (i ? BETWEEN : 0);
		if (2 * graph[i].circle.outer > *height)
			*height = 2 * graph[i].circle.outer;
	}
	if (heading > *width) {
		left = (heading - *width) / 2;
		*width = heading;
	}
	for (int i = 0; i < count; i++) {
		graph[i].circle.x = left + graph[i].circle.outer;
		graph[i].circle.y = *height / 2;
		left += 2 * graph[i].circle.outer + BETWEEN;
	}
}

static int write_ring(FILE *out, const struct graph *graph, struct tmap_error *err)
{
	char name[16];

	snprintf(name, sizeof name, "box%s", graph->prefix);
	tmap_circle_write_labels(out, &graph->circle, graph->prefix);
	if (tmap_dot_write_boxes(out, &graph->boxes, name, write_node, graph, err) < 0)
		return -1;
	write_edges(out, graph);
	return 0;
}

static int write_graph(FILE *out, struct graph *graph, int count,
		       const struct tmap_dot_heading *heading, struct tmap_error *err)
{
	double width, height;
	int status = 0;

	place_circles(graph, count, tmap_dot_heading_width(heading), &width, &height);
	fputs("digraph ring {\n", out);
	write_style(out, graph);
	tmap_dot_heading_write(out, heading);
	fputs("\t_background=\"", out);
	for (int i = 0; i < count; i++)
		tmap_circle_write_sectors(out, &graph[i].circle);
	fputs("\";\n", out);
	write_corner(out, "from", 0.36, 0.36);
	write_corner(out, "to", width, height);
	for (int i = 0; i < count && status == 0; i++) {
		if (count > 1)
			write_name(out, &graph[i], heading->name[i]);
		status = write_ring(out, &graph[i], err);
	}
	fputs("}\n", out);
	return status;
}

static const char *note_of(const struct graph *graph, int count)
{
	bool is_folded = false;

	for (int i = 0; i < count; i++)
		is_folded = is_folded || graph[i].count < graph[i].ring->size;
	return is_folded ? "Boxes: stretches of the ring; double frames: equal stretches on "
			   "several nodes; the steps inside are not drawn." :
			   NULL;
}

int tmap_dot_write_rings(FILE *out, const struct tmap_view *view,
			 const struct tmap_ring *const *ring, int count,
			 const struct tmap_baselines *baselines, struct tmap_error *err)
{
	static const char *const prefixes[TMAP_DOT_SUBJECTS] = { "a", "b" };
	struct graph graph[TMAP_DOT_SUBJECTS] = { { 0 } };
	struct tmap_dot_heading heading = { 0 };
	int status =
		tmap_dot_heading_init(&heading, view, TMAP_NONE, NULL, ring, count, baselines, err);

	for (int i = 0; i < count && status == 0; i++) {
		graph[i] = (struct graph){ .view = view,
					   .ring = ring[i],
					   .legend = &heading.legend,
					   .prefix = count == 1 ? "" : prefixes[i] };
		status = graph_init(&graph[i], err);
	}
	heading.note = status == 0 ? note_of(graph, count) : NULL;
	if (status == 0)
		status = write_graph(out, graph, count, &heading, err);
	for (int i = 0; i < count; i++)
		graph_fini(&graph[i]);
	tmap_dot_heading_fini(&heading);
	return status;
}
