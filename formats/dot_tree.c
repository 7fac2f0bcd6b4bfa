#include "formats/dot_tree.h"

#include "core/fold.h"
#include "core/mem.h"
#include "formats/brief.h"
#include "formats/dot.h"
#include "formats/text_edges.h"

#include <stdlib.h>

/* What the writer of a node needs; an element of the boxes is an item of the fold. */
struct graph {
	const struct tm_view *view;
	const struct tm_tree *tree;
	const struct tm_fold *fold;
	struct tm_legend legend;
	struct tm_element *element; /* [fold->count] */
	int *leaves;         /* [fold->count]: items below an item with nothing below them */
	bool *has_children;  /* [fold->count] */
};

enum { FOLDED_COLUMNS = 24, ROW = 16 };

static int graph_init(struct graph *graph, struct tm_error *err)
{
	const struct tm_fold *fold = graph->fold;
	size_t count = (size_t)fold->count;

	graph->element = tm_alloc(count, sizeof *graph->element, err);
	graph->leaves = tm_alloc(count, sizeof *graph->leaves, err);
	graph->has_children = tm_alloc(count, sizeof *graph->has_children, err);
	if (!graph->element || !graph->leaves || !graph->has_children)
		return -1;
	for (int i = 0; i < fold->count; i++) {
		graph->element[i] = (struct tm_element){
			.rank = fold->member + fold->item[i].member,
			.count = fold->item[i].copies };
		if (fold->item[i].parent != TM_NONE)
			graph->has_children[fold->item[i].parent] = true;
	}
	for (int i = 1; i < fold->count; i++)
		graph->leaves[fold->item[i].parent] += !graph->has_children[i];
	return 0;
}

static void graph_fini(struct graph *graph)
{
	free(graph->element);
	free(graph->leaves);
	free(graph->has_children);
}

static bool is_folded(const struct tm_fold_item *item)
{
	return item->copies > 1 || item->like != TM_NONE;
}

static bool is_on_one_node(const struct tm_placement *placement, const struct tm_element *ranks)
{
	for (int i = 1; i < ranks->count; i++)
		if (placement->node[ranks->rank[i]] != placement->node[ranks->rank[0]])
			return false;
	return true;
}

static char *label_of(const struct graph *graph, int index, struct tm_error *err)
{
	const struct tm_fold_item *item = &graph->fold->item[index];
	const struct tm_element *ranks = &graph->element[index];
	struct tm_str label = TM_STR_INIT;

	if (!is_folded(item)) {
		tm_str_addf(&label, "%d", item->rank);
		if (graph->view->world)
			tm_str_addf(&label, "\n(%d)", graph->view->world[item->rank]);
		return tm_str_take(&label, err);
	}
	if (item->like == TM_NONE)
		tm_str_addf(&label, "%d leaves\n", item->copies);
	else
		tm_str_addf(&label, "%d like %d\n", item->copies, item->like);
	tm_brief_add_ranks(&label, ranks->rank, ranks->count, FOLDED_COLUMNS);
	if (!is_on_one_node(graph->view->placement, ranks)) {
		tm_str_add(&label, "\non ");
		tm_brief_add_node_set(&label, graph->view->placement, ranks->rank, ranks->count,
				      FOLDED_COLUMNS);
	}
	return tm_str_take(&label, err);
}

static int write_node(FILE *out, const void *data, int index, struct tm_error *err)
{
	const struct graph *graph = data;
	const struct tm_fold_item *item = &graph->fold->item[index];
	char *label = label_of(graph, index, err);

	if (!label)
		return -1;
	fprintf(out, "%d [label=", item->rank);
	tm_dot_write_quoted(out, label);
	if (!item->depth)
		fputs(", fillcolor=black, fontcolor=white", out);
	if (is_folded(item))
		fputs(", shape=box, style=filled, peripheries=2, fixedsize=false", out);
	else if (graph->has_children[index])
		fputs(", penwidth=1.6", out);
	fputs("];\n", out);
	free(label);
	return 0;
}

/* In how many rows the leaves of a parent stand: more where there are many, or many ranks. */
static int rows_of(int leaves, int ranks)
{
	int rows = 1;

	while (rows < leaves && (rows * rows * ROW < ranks || rows * rows * ROW / 4 < leaves))
		rows++;
	return rows;
}

/* Edges from parents to children; @p given counts the leaves that each parent has placed. */
static void write_edges(FILE *out, const struct graph *graph, int *given)
{
	const struct tm_fold *fold = graph->fold;

	for (int i = 1; i < fold->count; i++) {
		int parent = fold->item[i].parent, rank = fold->item[i].rank, row = 0;

		if (!graph->has_children[i])
			row = given[parent]++ % rows_of(graph->leaves[parent], fold->count);
		fprintf(out, "\t%d -> %d [", fold->item[parent].rank, rank);
		tm_dot_write_stroke(out, tm_legend_find(&graph->legend,
							graph->tree->distance[rank]));
		if (row)
			fprintf(out, ", minlen=%d", row + 1);
		fputs("];\n", out);
	}
}

static void write_style(FILE *out, const struct graph *graph)
{
	fputs("\tnodesep=0.12; ranksep=0.42; fontname=\"Helvetica\"; fontsize=11;\n"
	      "\tgraph [style=\"rounded,filled\", color=\"#999999\"];\n", out);
	tm_dot_write_node_style(out, graph->tree->size <= 1000 && !graph->view->world);
}

static int write_heading(FILE *out, const struct graph *graph, const struct tm_tree_shape *shape,
			 struct tm_error *err)
{
	char *where = tm_text_where(graph->view->placement, err), weight[TM_MEANING_ROOM];
	char *figures = NULL;

	if (where)
		figures = tm_format(err, "%s, root %d: weight %s, depth %d, fan-out %d", where,
				    graph->tree->root, tm_number_print(shape->weight, weight),
				    shape->depth, shape->fanout);
	if (figures)
		tm_dot_write_heading(out, graph->view, figures,
				     graph->fold->count < graph->tree->size ?
				     "A double frame stands for several ranks or subtrees that "
				     "equal one shown: what is equal is drawn once." : NULL,
				     &graph->legend);
	free(where);
	free(figures);
	return figures ? 0 : -1;
}

static int write_graph(FILE *out, const struct graph *graph, const struct tm_tree_shape *shape,
		       struct tm_error *err)
{
	struct tm_boxes boxes = { 0 };
	int *given = tm_alloc((size_t)graph->fold->count, sizeof *given, err), status = -1;

	fputs("digraph tree {\n", out);
	write_style(out, graph);
	if (given && write_heading(out, graph, shape, err) == 0 &&
	    tm_boxes_init(&boxes, graph->view->placement, graph->element, graph->fold->count,
			  err) == 0) {
		status = tm_dot_write_boxes(out, &boxes, "cluster", write_node, graph, err);
		write_edges(out, graph, given);
		fputs("}\n", out);
	}
	tm_boxes_fini(&boxes);
	free(given);
	return status;
}

int tm_dot_write_tree(FILE *out, const struct tm_view *view, const struct tm_tree *tree,
		      const struct tm_tree_shape *shape, struct tm_error *err)
{
	struct tm_fold fold = { 0 };
	struct graph graph = { .view = view, .tree = tree, .fold = &fold };
	int status = -1;

	if (tm_fold_init(&fold, view->placement, tree, view->fold ? 2 : TM_NONE, err) < 0)
		return -1;
	tm_legend_init(&graph.legend, view->scale, shape->edges, shape->count);
	if (graph_init(&graph, err) == 0)
		status = write_graph(out, &graph, shape, err);
	graph_fini(&graph);
	tm_fold_fini(&fold);
	return status;
}
