#include "formats/dot_ring.h"

#include "core/mem.h"
#include "formats/brief.h"
#include "formats/circle.h"
#include "formats/dot.h"
#include "formats/ring_pieces.h"
#include "formats/text_edges.h"

#include <stdlib.h>
#include <string.h>

/* Points: a rank's circle, a letter of a label, the frame around it. */
#define ROUND_WIDTH 26.0
#define LETTER 6.2
#define FRAME 20.0

enum { LIST_COLUMNS = 16 };

/* What the writer of a node needs; an element of the boxes is a piece of the ring. */
struct graph {
	const struct tm_view *view;
	const struct tm_ring *ring;
	struct tm_legend legend;
	struct tm_circle circle;
	int count;
	struct tm_piece *piece;     /* [count] */
	struct tm_element *element; /* [count] */
	char **label;               /* [count] */
};

static char *label_of(const struct graph *graph, const struct tm_piece *piece,
		      struct tm_error *err)
{
	const struct tm_placement *p = graph->view->placement;
	const int *rank = graph->ring->order + piece->first;
	struct tm_str label = TM_STR_INIT;

	if (piece->length == 1) {
		tm_str_addf(&label, "%d", rank[0]);
		if (graph->view->world)
			tm_str_addf(&label, "\n(%d)", graph->view->world[rank[0]]);
		return tm_str_take(&label, err);
	}
	if (piece->like != TM_NONE)
		tm_str_addf(&label, "%d like %s:\n", piece->copies,
			    p->machine->node_name[p->node[graph->ring->order[piece->like]]]);
	if (piece->copies > 1)
		tm_brief_add_nodes(&label, p, rank, piece->length, LIST_COLUMNS);
	else
		tm_str_addf(&label, "%d ranks", piece->length);
	tm_str_addf(&label, "\n%d .. %d", rank[0], rank[piece->length - 1]);
	return tm_str_take(&label, err);
}

static int graph_init(struct graph *graph, struct tm_error *err)
{
	size_t count;

	if (tm_ring_pieces(graph->ring, graph->view->placement, graph->view->fold, &graph->piece,
			   &graph->count, err) < 0)
		return -1;
	count = (size_t)graph->count;
	graph->element = tm_alloc(count, sizeof *graph->element, err);
	graph->label = tm_alloc(count, sizeof *graph->label, err);
	if (!graph->element || !graph->label)
		return -1;
	for (int i = 0; i < graph->count; i++) {
		graph->element[i] = (struct tm_element){
			.rank = graph->ring->order + graph->piece[i].first,
			.count = graph->piece[i].length };
		graph->label[i] = label_of(graph, &graph->piece[i], err);
		if (!graph->label[i])
			return -1;
	}
	return 0;
}

static void graph_fini(struct graph *graph)
{
	for (int i = 0; graph->label && i < graph->count; i++)
		free(graph->label[i]);
	free(graph->label);
	free(graph->piece);
	free(graph->element);
}

static int write_node(FILE *out, const void *data, int index, struct tm_error *err)
{
	const struct graph *graph = data;
	const struct tm_piece *piece = &graph->piece[index];
	double x, y;

	(void)err;
	tm_circle_place(&graph->circle, index, &x, &y);
	fprintf(out, "%d [pos=\"%.1f,%.1f!\", label=", graph->ring->order[piece->first], x, y);
	tm_dot_write_quoted(out, graph->label[index]);
	if (piece->length > 1)
		fprintf(out, ", shape=box, style=\"filled\", fixedsize=false, peripheries=%d",
			piece->copies > 1 ? 2 : 1);
	fputs("];\n", out);
	return 0;
}

/* From the last position of each piece to the first of the next. */
static void write_edges(FILE *out, const struct graph *graph)
{
	const struct tm_ring *ring = graph->ring;

	for (int i = 0; i < graph->count && tm_ring_steps(ring); i++) {
		int last = graph->piece[i].first + graph->piece[i].length - 1;

		fprintf(out, "\t%d -> %d [", ring->order[graph->piece[i].first],
			ring->order[graph->piece[(i + 1) % graph->count].first]);
		tm_dot_write_stroke(out, tm_legend_find(&graph->legend, ring->distance[last]));
		fputs("];\n", out);
	}
}

static bool is_folded(const struct graph *graph)
{
	return graph->count < graph->ring->size;
}

/* Long numbers and two lines need more than a circle. */
static bool is_round(const struct graph *graph)
{
	return graph->ring->size <= 1000 && !graph->view->world;
}

static void write_style(FILE *out, const struct graph *graph)
{
	fprintf(out, "\tlayout=neato; inputscale=72; splines=%s; fontname=\"Helvetica\"; "
		"fontsize=11;\n", graph->count == 2 ? "curved" : "line");
	tm_dot_write_node_style(out, is_round(graph));
}

static const char *note_of(const struct graph *graph)
{
	return is_folded(graph) ? "A box stands for a stretch of the ring, a double frame for "
				  "equal ones on several nodes; the steps inside are not drawn." :
				  NULL;
}

static char *figures_of(const struct graph *graph, double weight, struct tm_error *err)
{
	char *where = tm_text_where(graph->view->placement, err), text[TM_MEANING_ROOM];
	char *figures = NULL;

	if (where)
		figures = tm_format(err, "%s: weight %s", where, tm_number_print(weight, text));
	free(where);
	return figures;
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

static int circle_init(struct graph *graph, const struct tm_boxes *boxes, const char *figures,
		       struct tm_error *err)
{
	double page = tm_dot_heading_width(graph->view, figures, note_of(graph), &graph->legend);
	double *width = tm_alloc((size_t)graph->count, sizeof *width, err);
	int status;

	if (!width)
		return -1;
	for (int i = 0; i < graph->count; i++)
		width[i] = node_width(graph, i);
	status = tm_circle_init(&graph->circle, boxes, width, page, err);
	free(width);
	return status;
}

static int write_graph(FILE *out, struct graph *graph, const char *figures, struct tm_error *err)
{
	struct tm_boxes boxes = { 0 };
	int status = -1;

	if (tm_boxes_init(&boxes, graph->view->placement, graph->element, graph->count, err) < 0)
		return -1;
	if (circle_init(graph, &boxes, figures, err) == 0) {
		fputs("digraph ring {\n", out);
		write_style(out, graph);
		tm_dot_write_heading(out, graph->view, figures, note_of(graph), &graph->legend);
		tm_circle_write(out, &graph->circle);
		status = tm_dot_write_boxes(out, &boxes, "box", write_node, graph, err);
		write_edges(out, graph);
		fputs("}\n", out);
	}
	tm_circle_fini(&graph->circle);
	tm_boxes_fini(&boxes);
	return status;
}

int tm_dot_write_ring(FILE *out, const struct tm_view *view, const struct tm_ring *ring,
		      double weight, const struct tm_edge_count *edges, int edge_count,
		      struct tm_error *err)
{
	struct graph graph = { .view = view, .ring = ring };
	char *figures = figures_of(&graph, weight, err);
	int status = -1;

	tm_legend_init(&graph.legend, view->scale, edges, edge_count);
	if (figures && graph_init(&graph, err) == 0)
		status = write_graph(out, &graph, figures, err);
	graph_fini(&graph);
	free(figures);
	return status;
}
