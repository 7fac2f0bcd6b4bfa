/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/hierarchy/dot_hierarchy.h"

#include "core/base/mem.h"
#include "core/group/outline.h"
#include "formats/base/brief.h"
#include "formats/draw/dot.h"

#include <stdlib.h>

/* Below a communicator so many are drawn; of a group, besides those that are drawn below, so many
 * ranks. */
enum { MOST_ITEMS = 8, MOST_RANKS = 8, ROW = 8, COLUMNS = 24 };

struct graph {
	const struct tmap_hierarchy_view *view;
	const struct tmap_hierarchy *h;
	struct tmap_outline outline;
	bool *drawn; /* [size]: the ranks that arrows of the ellipse start from */
};

static bool is_folded(const struct tmap_outline_item *item)
{
	return item->like != TMAP_NONE || item->is_rest;
}

/* Mark or unmark the conduits of the items below one. */
static void mark_below(const struct graph *graph, int parent, bool mark)
{
	for (int i = parent + 1; i < graph->outline.count; i++) {
		const struct tmap_outline_item *item = &graph->outline.item[i];

		if (item->parent == parent)
			graph->drawn[graph->h->conduit[item->comm]] = mark;
	}
}

static void write_rank(FILE *out, const struct graph *graph, int comm, int rank)
{
	const char *fill = rank != graph->h->conduit[comm] ? "" :
		rank == graph->h->root                     ? " BGCOLOR=\"black\"" :
							     " BGCOLOR=\"#BBBBBB\"";
	const char *ink = *fill && rank == graph->h->root ? "white" : "black";

	fprintf(out, "<TD PORT=\"r%d\"%s><FONT COLOR=\"%s\">%d</FONT></TD>", rank, fill, ink, rank);
}

/* The ranks of a group, cut where there are many. */
static void write_ellipse(FILE *out, const struct graph *graph, int i)
{
	const struct tmap_hierarchy *h = graph->h;
	int comm = graph->outline.item[i].comm, written = 0;
	int64_t first = h->group_first[comm], count = h->group_first[comm + 1] - first;
	bool cut = graph->view->fold && count > 2 * MOST_RANKS;

	fprintf(out, "\tc%d [label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\"><TR>",
		i);
	for (int64_t k = 0; k < count; k++) {
		int rank = h->group[first + k];
		bool keep = graph->drawn[rank] || rank == h->conduit[comm];

		if (cut && !keep && written >= MOST_RANKS)
			continue;
		if (written && written % ROW == 0)
			fputs("</TR><TR>", out);
		write_rank(out, graph, comm, rank);
		written++;
	}
	if (written < count)
		fprintf(out, "</TR><TR><TD COLSPAN=\"%d\">... %d in all</TD>",
			written < ROW ? written : ROW, (int)count);
	fputs("</TR></TABLE>>];\n", out);
}

static int write_copies(FILE *out, const struct graph *graph, int i, struct tmap_error *err)
{
	const struct tmap_outline_item *item = &graph->outline.item[i];
	const int *copy = graph->outline.copies + item->copy;
	int *conduit = tmap_alloc_raw((size_t)item->copies, sizeof *conduit, err);
	struct tmap_str str = TMAP_STR_INIT;
	char *label;

	if (!conduit)
		return -1;
	for (int k = 0; k < item->copies; k++)
		conduit[k] = graph->h->conduit[copy[k]];
	tmap_str_addf(&str, "%d more ", item->copies);
	if (item->is_rest) {
		tmap_str_add(&str, "of other shapes");
	} else {
		tmap_str_add(&str, "like ");
		tmap_hierarchy_add_name(&str, graph->view, graph->outline.item[item->like].comm,
					item->level, false);
	}
	tmap_str_add(&str, item->copies == 1 ? "\nconduit " : "\nconduits ");
	tmap_brief_add_ranks(&str, conduit, item->copies, COLUMNS);
	free(conduit);
	label = tmap_str_take(&str, err);
	if (!label)
		return -1;
	fprintf(out, "\tc%d [shape=box, peripheries=2, margin=\"0.08,0.05\", label=", i);
	tmap_dot_write_quoted(out, label);
	fputs("];\n", out);
	free(label);
	return 0;
}

static int open_box(FILE *out, const struct graph *graph, int i, struct tmap_error *err)
{
	const struct tmap_outline_item *item = &graph->outline.item[i];
	struct tmap_str str = TMAP_STR_INIT;
	char *label;

	tmap_hierarchy_add_name(&str, graph->view, item->comm, item->level, false);
	label = tmap_str_take(&str, err);
	if (!label)
		return -1;
	fprintf(out, "\tsubgraph cluster%d {\n\tlabelloc=b; fillcolor=\"%s\"; label=", i,
		tmap_dot_fill(item->depth - 1));
	tmap_dot_write_quoted(out, label);
	fputs(";\n", out);
	free(label);
	return 0;
}

/* The arrow starts at the rank that is in both ellipses. */
static void write_arrow(FILE *out, const struct graph *graph, int i)
{
	const struct tmap_outline_item *item = &graph->outline.item[i];

	fprintf(out, "\tc%d:r%d:s -> c%d;\n", item->parent, graph->h->conduit[item->comm], i);
}

/* Items are in preorder, so boxes close where the depth falls. */
static int write_items(FILE *out, const struct graph *graph, struct tmap_error *err)
{
	int open = 0;

	for (int i = 0; i < graph->outline.count; i++) {
		const struct tmap_outline_item *item = &graph->outline.item[i];

		for (; open && open >= item->depth; open--)
			fputs("\t}\n", out);
		if (is_folded(item)) {
			if (write_copies(out, graph, i, err) < 0)
				return -1;
			continue;
		}
		if (item->depth) {
			if (open_box(out, graph, i, err) < 0)
				return -1;
			open = item->depth;
		}
		mark_below(graph, i, true);
		write_ellipse(out, graph, i);
		mark_below(graph, i, false);
	}
	for (; open; open--)
		fputs("\t}\n", out);
	for (int i = 1; i < graph->outline.count; i++)
		write_arrow(out, graph, i);
	return 0;
}

static int write_title(FILE *out, const struct graph *graph, struct tmap_error *err)
{
	char *title = tmap_format(err,
				  "Communicators of repeated hardware splits\\l%d ranks, root %d\\l"
				  "an ellipse: ranks that exchange data in one communicator\\l"
				  "grey (black: the root): conduits; arrows: a broadcast\\l",
				  graph->h->size, graph->h->root);

	if (!title)
		return -1;
	fprintf(out, "\tlabelloc=t; labeljust=l; label=\"%s\";\n", title);
	free(title);
	return 0;
}

static int write_graph(FILE *out, const struct graph *graph, struct tmap_error *err)
{
	fputs("digraph hierarchy {\n"
	      "\tnodesep=0.15; ranksep=0.35; fontname=\"Helvetica\"; fontsize=12;\n"
	      "\tgraph [style=\"rounded,filled\", color=\"#999999\"];\n"
	      "\tnode [shape=ellipse, style=filled, fillcolor=white, fontname=\"Helvetica\", "
	      "fontsize=10, width=0.3, height=0.25, margin=\"0.02,0.01\"];\n"
	      "\tedge [arrowsize=0.6, color=\"#0072B2\"];\n",
	      out);
	if (write_title(out, graph, err) < 0 || write_items(out, graph, err) < 0)
		return -1;
	fputs("}\n", out);
	return 0;
}

int tmap_dot_write_hierarchy(FILE *out, const struct tmap_hierarchy_view *view,
			     struct tmap_error *err)
{
	struct graph graph = { .view = view, .h = view->hierarchy };
	int status = -1;

	graph.drawn = tmap_alloc((size_t)graph.h->size, sizeof *graph.drawn, err);
	if (graph.drawn &&
	    tmap_outline_init(&graph.outline, graph.h, view->fold, MOST_ITEMS, err) == 0)
		status = write_graph(out, &graph, err);
	tmap_outline_fini(&graph.outline);
	free(graph.drawn);
	return status;
}
