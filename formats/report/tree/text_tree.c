/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/tree/text_tree.h"

#include "core/tree/fold.h"
#include "formats/base/brief.h"
#include "formats/base/meaning.h"
#include "formats/text/text_edges.h"

#include <string.h>

/* What is drawn left of a line: nothing follows below, or something does. */
struct bars {
	const char *gap, *bar, *last, *branch;
};

enum { BAR_COLUMNS = 4, MOST_BARS = 10, COLUMNS = 79, LIST_COLUMNS = 22 };

static const struct bars ascii = { "    ", "|   ", "`-- ", "|-- " };
static const struct bars utf8 = { "    ", "\u2502   ", "\u2514\u2500\u2500 ",
				  "\u251c\u2500\u2500 " };

struct lines {
	FILE *out;
	const struct tmap_view *view;
	const struct tmap_tree *tree;
	const struct tmap_fold *fold;
	const struct bars *bars;
	bool ended[MOST_BARS]; /* is the line above, at this depth, the last of its parent? */
	struct tmap_str label; /* of the line at hand */
	int columns;           /* of the longest label with its bars */
};

/* "5", "1-3", "43806 like 252: 504, 756 .. 11039364" */
static const char *label_of(struct lines *lines, const struct tmap_fold_item *item)
{
	struct tmap_str *label = &lines->label;

	label->length = 0;
	if (item->depth > MOST_BARS)
		tmap_str_addf(label, "(%d down) ", item->depth);
	if (item->like != TMAP_NONE)
		tmap_str_addf(label, "%d like %d: ", item->copies, item->like);
	tmap_brief_add_ranks(label, lines->fold->member + item->member, item->copies, LIST_COLUMNS);
	if (item->copies > 3 && item->like == TMAP_NONE)
		tmap_str_addf(label, " (%d leaves)", item->copies);
	return label->failed ? "" : label->text;
}

static int bars_of(const struct tmap_fold_item *item)
{
	return item->depth < MOST_BARS ? item->depth : MOST_BARS;
}

static void write_bars(struct lines *lines, const struct tmap_fold_item *item)
{
	int bars = bars_of(item);

	for (int i = 0; i < bars - 1; i++)
		fputs(lines->ended[i] ? lines->bars->gap : lines->bars->bar, lines->out);
	if (bars)
		fputs(item->last ? lines->bars->last : lines->bars->branch, lines->out);
	if (item->depth && item->depth <= MOST_BARS)
		lines->ended[item->depth - 1] = item->last;
}

static void write_line(struct lines *lines, const struct tmap_fold_item *item)
{
	const char *label = label_of(lines, item);
	char distance[TMAP_MEANING_ROOM] = "root";
	int room = COLUMNS - lines->columns - 12;

	if (item->depth)
		tmap_number_print(lines->tree->distance[item->rank], distance);
	write_bars(lines, item);
	fprintf(lines->out, "%-*s  %8s  ", lines->columns - BAR_COLUMNS * bars_of(item), label,
		distance);
	lines->label.length = 0;
	tmap_brief_add_node_set(&lines->label, lines->view->placement,
				lines->fold->member + item->member, item->copies,
				room > LIST_COLUMNS ? room : LIST_COLUMNS);
	if (lines->view->world && item->copies == 1)
		tmap_str_addf(&lines->label, "  (rank %d of the job)",
			      lines->view->world[item->rank]);
	fprintf(lines->out, "%s\n", lines->label.failed ? "" : lines->label.text);
}

static int write_lines(struct lines *lines, struct tmap_error *err)
{
	const struct tmap_fold *fold = lines->fold;

	lines->columns = (int)strlen("rank");
	for (int i = 0; i < fold->count; i++) {
		int length = BAR_COLUMNS * bars_of(&fold->item[i]) +
			(int)strlen(label_of(lines, &fold->item[i]));

		lines->columns = length > lines->columns ? length : lines->columns;
	}
	fprintf(lines->out, "\n%-*s  %8s  node\n", lines->columns, "rank", "distance");
	for (int i = 0; i < fold->count; i++)
		write_line(lines, &fold->item[i]);
	if (lines->label.failed)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory for a line of the tree");
	return 0;
}

static int write_head(FILE *out, const struct tmap_view *view, const struct tmap_tree *tree,
		      const struct tmap_tree_shape *shape, struct tmap_error *err)
{
	char weight[TMAP_MEANING_ROOM];

	if (tmap_text_write_title(out, view, tree->root, err) < 0)
		return -1;
	fprintf(out, "weight %s, depth %d, fan-out %d\n", tmap_number_print(shape->weight, weight),
		shape->depth, shape->fanout);
	return tmap_text_write_edges(out, view, shape->edges, shape->count, err);
}

int tmap_text_write_tree(FILE *out, const struct tmap_view *view, const struct tmap_tree *tree,
			 const struct tmap_tree_shape *shape, struct tmap_error *err)
{
	struct tmap_fold fold = { 0 };
	struct lines lines = { .out = out,
			       .view = view,
			       .tree = tree,
			       .fold = &fold,
			       .bars = view->utf8 ? &utf8 : &ascii };
	int status = -1;

	if (tmap_fold_init(&fold, view->placement, tree, view->fold ? 2 : TMAP_NONE, TMAP_NONE,
			   err) < 0)
		return -1;
	if (write_head(out, view, tree, shape, err) == 0)
		status = write_lines(&lines, err);
	tmap_str_fini(&lines.label);
	tmap_fold_fini(&fold);
	return status;
}
