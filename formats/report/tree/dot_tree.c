/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/tree/dot_tree.h"

#include "core/base/mem.h"
#include "core/tree/fold.h"
#include "formats/base/brief.h"
#include "formats/draw/dot.h"
#include "formats/draw/dot_heading.h"
#include "formats/draw/picture.h"
#include "formats/report/tree/tree_rows.h"

#include <stdlib.h>

/* What the writer of a node needs; an element of the boxes is an item of the fold. */
struct graph {
	const struct tmap_view *view;
	const struct tmap_tree *tree;
	const struct tmap_legend *legend;
	const char *prefix; /* of the nodes' names: two trees have the same ranks */
	struct tmap_fold fold;
	struct tmap_element *element; /* [fold.count] */
	struct tmap_tree_rows rows;
	bool *has_children; /* [fold.count] */
};

/* A picture of more items than that cannot be read; of a parent with more children, first this
 * many are drawn, then fewer. */
enum { FOLDED_COLUMNS = 24, MOST_ITEMS = 120 };

static const int widths[] = { TMAP_NONE, 64, 24, 12, 8, 5, 3, 2 };

enum { WIDTHS = sizeof widths / sizeof widths[0] };

static int fold_tree(struct graph *graph, struct tmap_error *err)
{
	const struct tmap_placement *p = graph->view->placement;

	if (!graph->view->fold)
		return tmap_fold_init(&graph->fold, p, graph->tree, TMAP_NONE, TMAP_NONE, err);
	for (int w = 0;; w++) {
		if (tmap_fold_init(&graph->fold, p, graph->tree, 2, widths[w], err) < 0)
			return -1;
		if (graph->fold.count <= MOST_ITEMS)
			return 0;
		if (w == WIDTHS - 1)
			break;
		tmap_fold_fini(&graph->fold);
	}
	if (graph->fold.count <= TMAP_PICTURE_MOST)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "a tree of %d ranks that is so deep cannot be folded for a "
			 "picture: %d parts are left",
			 p->size, graph->fold.count);
}

static int graph_init(struct graph *graph, struct tmap_error *err)
{
	const struct tmap_fold *fold = &graph->fold;
	size_t count;

	if (fold_tree(graph, err) < 0)
		return -1;
	count = (size_t)fold->count;
	graph->element = tmap_alloc(count, sizeof *graph->element, err);
	graph->has_children = tmap_alloc(count, sizeof *graph->has_children, err);
	if (!graph->element || !graph->has_children ||
	    tmap_tree_rows_init(&graph->rows, fold, graph->tree, err) < 0)
		return -1;
	for (int i = 0; i < fold->count; i++) {
		graph->element[i] =
			(struct tmap_element){ .rank = fold->member + fold->item[i].member,
					       .count = fold->item[i].copies };
		if (fold->item[i].parent != TMAP_NONE)
			graph->has_children[fold->item[i].parent] = true;
	}
	return 0;
}

static void graph_fini(struct graph *graph)
{
	free(graph->element);
	tmap_tree_rows_fini(&graph->rows);
	free(graph->has_children);
	tmap_fold_fini(&graph->fold);
}

static bool is_folded(const struct tmap_fold_item *item)
{
	return item->copies > 1 || item->like != TMAP_NONE || item->is_rest;
}

static bool is_on_one_node(const struct tmap_placement *placement, const struct tmap_element *ranks)
{
	for (int i = 1; i < ranks->count; i++)
		if (placement->node[ranks->rank[i]] != placement->node[ranks->rank[0]])
			return false;
	return true;
}

static char *label_of(const struct graph *graph, int index, struct tmap_error *err)
{
	const struct tmap_fold_item *item = &graph->fold.item[index];
	const struct tmap_element *ranks = &graph->element[index];
	struct tmap_str label = TMAP_STR_INIT;

	if (!is_folded(item)) {
		tmap_str_addf(&label, "%d", item->rank);
		if (graph->view->world)
			tmap_str_addf(&label, "\n(%d)", graph->view->world[item->rank]);
		return tmap_str_take(&label, err);
	}
	if (item->is_rest)
		tmap_str_addf(&label, "%d more\n", item->copies);
	else if (item->like == TMAP_NONE)
		tmap_str_addf(&label, "%d leaves\n", item->copies);
	else
		tmap_str_addf(&label, "%d like %d\n", item->copies, item->like);
	tmap_brief_add_ranks(&label, ranks->rank, ranks->count, FOLDED_COLUMNS);
	if (!is_on_one_node(graph->view->placement, ranks)) {
		tmap_str_add(&label, "\non ");
		tmap_brief_add_node_set(&label, graph->view->placement, ranks->rank, ranks->count,
					FOLDED_COLUMNS);
	}
	return tmap_str_take(&label, err);
}

static int write_node(FILE *out, const void *data, int index, struct tmap_error *err)
{
	const struct graph *graph = data;
	const struct tmap_fold_item *item = &graph->fold.item[index];
	char *label = label_of(graph, index, err);

	if (!label)
		return -1;
	fprintf(out, "%s%d [label=", graph->prefix, item->rank);
	tmap_dot_write_quoted(out, label);
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

/* The subtree of an item is put under another: an edge that is not drawn pulls it there, and
 * that from the parent does not pull. */
static void write_pull(FILE *out, const struct graph *graph, int item)
{
	const struct tmap_fold *fold = &graph->fold;

	fprintf(out, "\t%s%d -> %s%d [style=invis, weight=8];\n", graph->prefix,
		fold->item[graph->rows.under[item]].rank, graph->prefix, fold->item[item].rank);
}

static void write_edges(FILE *out, const struct graph *graph)
{
	const struct tmap_fold *fold = &graph->fold;

	for (int i = 1; i < fold->count; i++) {
		int rank = fold->item[i].rank;

		fprintf(out, "\t%s%d -> %s%d [", graph->prefix,
			fold->item[fold->item[i].parent].rank, graph->prefix, rank);
		tmap_dot_write_stroke(out,
				      tmap_legend_find(graph->legend, graph->tree->distance[rank]));
		if (graph->rows.below[i] > 1)
			fprintf(out, ", minlen=%d", graph->rows.below[i]);
		fputs(graph->rows.under[i] != TMAP_NONE ? ", weight=0];\n" : "];\n", out);
		if (graph->rows.under[i] != TMAP_NONE)
			write_pull(out, graph, i);
	}
}

static void write_style(FILE *out, const struct tmap_view *view)
{
	fputs("\tnodesep=0.12; ranksep=0.42; fontname=\"Helvetica\"; fontsize=11;\n"
	      "\tgraph [style=\"rounded,filled\", color=\"#999999\"];\n",
	      out);
	tmap_dot_write_node_style(out, view->placement->size <= 1000 && !view->world);
}

/* The boxes, nodes and edges of one tree. */
static int write_tree(FILE *out, const struct graph *graph, struct tmap_error *err)
{
	struct tmap_boxes boxes = { 0 };
	char name[16];
	int status = -1;

	snprintf(name, sizeof name, "cluster%s", graph->prefix);
	if (tmap_boxes_init(&boxes, graph->view->placement, graph->element, graph->fold.count,
			    err) == 0) {
		status = tmap_dot_write_boxes(out, &boxes, name, write_node, graph, err);
		write_edges(out, graph);
	}
	tmap_boxes_fini(&boxes);
	return status;
}

/* A tree in a frame of its own, where there are two. */
static int write_framed(FILE *out, const struct graph *graph, const char *name,
			struct tmap_error *err)
{
	int status;

	fprintf(out,
		"\tsubgraph cluster_frame_%s {\n\tlabelloc=t; fillcolor=white; fontsize=13; "
		"label=",
		graph->prefix);
	tmap_dot_write_quoted(out, name);
	fputs(";\n", out);
	status = write_tree(out, graph, err);
	fputs("\t}\n", out);
	return status;
}

static int write_graph(FILE *out, const struct graph *graph, int count,
		       const struct tmap_dot_heading *heading, struct tmap_error *err)
{
	int status = 0;

	fputs("digraph tree {\n", out);
	write_style(out, heading->view);
	tmap_dot_heading_write(out, heading);
	for (int i = 0; i < count && status == 0; i++)
		status = count == 1 ? write_tree(out, &graph[i], err) :
				      write_framed(out, &graph[i], heading->name[i], err);
	fputs("}\n", out);
	return status;
}

static const char *note_of(const struct graph *graph, int count)
{
	bool is_folded = false;

	for (int i = 0; i < count; i++)
		is_folded = is_folded || graph[i].fold.count < graph[i].tree->size;
	return is_folded ? "Double frames: several ranks or subtrees that are leaves, equal one "
			   "that is shown, or are too many for a picture." :
			   NULL;
}

int tmap_dot_write_trees(FILE *out, const struct tmap_view *view,
			 const struct tmap_tree *const *tree, int count,
			 const struct tmap_baselines *baselines, struct tmap_error *err)
{
	static const char *const prefixes[TMAP_DOT_SUBJECTS] = { "a", "b" };
	struct graph graph[TMAP_DOT_SUBJECTS] = { { 0 } };
	struct tmap_dot_heading heading = { 0 };
	int status = tmap_dot_heading_init(&heading, view, tree[0]->root, tree, NULL, count,
					   baselines, err);

	for (int i = 0; i < count && status == 0; i++) {
		graph[i] = (struct graph){ .view = view,
					   .tree = tree[i],
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
