/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/ring/text_ring.h"

#include "core/base/mem.h"
#include "core/tree/stretch.h"
#include "formats/base/brief.h"
#include "formats/base/meaning.h"
#include "formats/text/text_edges.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, FEWEST_IN_RUN = 6, LIST_COLUMNS = 52, NAME_COLUMNS = 12 };

struct lines {
	FILE *out;
	const struct tmap_view *view;
	const struct tmap_ring *ring;
	int indent, column;
};

static void put(struct lines *lines, const char *token)
{
	int length = (int)strlen(token);

	if (lines->column > lines->indent && lines->column + 1 + length > COLUMNS) {
		fprintf(lines->out, "\n%*s", lines->indent, "");
		lines->column = lines->indent;
	}
	lines->column +=
		fprintf(lines->out, "%s%s", lines->column > lines->indent ? " " : "", token);
}

static void put_rank(struct lines *lines, int index)
{
	char token[32];
	int rank = lines->ring->order[index];

	if (lines->view->world)
		snprintf(token, sizeof token, "%d(%d)", rank, lines->view->world[rank]);
	else
		snprintf(token, sizeof token, "%d", rank);
	put(lines, token);
}

static void put_step(struct lines *lines, int index)
{
	char number[TMAP_MEANING_ROOM], token[TMAP_MEANING_ROOM + 2];

	snprintf(token, sizeof token, "-%s-",
		 tmap_number_print(lines->ring->distance[index], number));
	put(lines, token);
}

/* How far the number at an index is from the one before it. */
static int stride(const int *number, const int *order, int index)
{
	return number ? number[order[index]] - number[order[index - 1]] :
			order[index] - order[index - 1];
}

/* Last index, below @p end, of the run that begins at @p index: equal strides and distances. */
static int run_end(const struct lines *lines, int index, int end)
{
	const int *order = lines->ring->order, *world = lines->view->world;
	const double *distance = lines->ring->distance;
	int last = index + 1;

	if (last >= end)
		return index;
	while (last + 1 < end && distance[last] == distance[index] &&
	       stride(NULL, order, last + 1) == stride(NULL, order, index + 1) &&
	       (!world || stride(world, order, last + 1) == stride(world, order, index + 1)))
		last++;
	return last;
}

/* The ranks of [first, end) with the steps between them. */
static void put_ranks(struct lines *lines, int first, int end)
{
	for (int i = first; i < end; i++) {
		int last = lines->view->fold ? run_end(lines, i, end) : i;

		put_rank(lines, i);
		if (last - i + 1 >= FEWEST_IN_RUN) {
			put_step(lines, i);
			put_rank(lines, i + 1);
			put(lines, "..");
			i = last;
			put_rank(lines, i);
		}
		if (i + 1 < end)
			put_step(lines, i);
	}
}

/* What follows the last rank of a stretch: the step that leads on. */
static void put_exit(struct lines *lines, int last)
{
	if (!tmap_ring_steps(lines->ring))
		return;
	put_step(lines, last);
	if (last == lines->ring->size - 1)
		put_rank(lines, 0);
}

/* First ranks of the copies of a stretch behind the one shown; NULL with *err set. */
static int *heads_of(const struct tmap_ring *ring, const struct tmap_stretch *stretch,
		     struct tmap_error *err)
{
	int *head = tmap_alloc_raw((size_t)stretch->copies, sizeof *head, err);

	for (int c = 1; head && c < stretch->copies; c++)
		head[c - 1] = ring->order[stretch->first + c * stretch->length];
	return head;
}

/* ", 7 to 8 apart" where not all stretches lead on as far as the first does. */
static void add_exits(struct tmap_str *line, const struct tmap_ring *ring,
		      const struct tmap_stretch *stretch)
{
	const double *leaving = ring->distance + stretch->first + stretch->length - 1;
	double low = *leaving, high = *leaving;
	char text[TMAP_MEANING_ROOM];

	for (int c = 1; c < stretch->copies; c++) {
		double next = leaving[c * stretch->length];

		low = next < low ? next : low;
		high = next > high ? next : high;
	}
	if (!(low < high))
		return;
	tmap_str_addf(line, ", %s", tmap_number_print(low, text));
	tmap_str_addf(line, " to %s apart", tmap_number_print(high, text));
}

/* "2 more like n1: n3, n2" and a line "from rank 27, 23". */
static int write_copies(struct lines *lines, const struct tmap_stretch *stretch,
			struct tmap_error *err)
{
	const struct tmap_placement *p = lines->view->placement;
	int *head = heads_of(lines->ring, stretch, err), copies = stretch->copies - 1;
	struct tmap_str line = TMAP_STR_INIT;
	char *text;

	if (!head)
		return -1;
	tmap_str_addf(&line, "%d more like %s: ", copies,
		      p->machine->node_name[p->node[lines->ring->order[stretch->first]]]);
	tmap_brief_add_nodes(&line, p, head, copies, LIST_COLUMNS);
	tmap_str_add(&line, "\n    from rank ");
	tmap_brief_add_ranks(&line, head, copies, LIST_COLUMNS);
	add_exits(&line, lines->ring, stretch);
	if (stretch->first + stretch->copies * stretch->length == lines->ring->size)
		tmap_str_add(&line, ", then 0");
	free(head);
	text = tmap_str_take(&line, err);
	if (!text)
		return -1;
	fprintf(lines->out, "%s\n", text);
	free(text);
	return 0;
}

/* "n0: " in front of a stretch; long names get a line of their own. */
static void put_name(struct lines *lines, const struct tmap_stretch *stretch)
{
	const struct tmap_placement *p = lines->view->placement;
	int column =
		fprintf(lines->out,
			"%s:", p->machine->node_name[p->node[lines->ring->order[stretch->first]]]);

	if (column <= NAME_COLUMNS)
		column += fprintf(lines->out, "  ");
	else
		column = fprintf(lines->out, "\n    ") - 1;
	lines->indent = lines->column = column;
}

static int write_stretches(struct lines *lines, const struct tmap_stretch *stretch, int count,
			   struct tmap_error *err)
{
	bool one_node = count == 1 && stretch[0].copies == 1;

	fputc('\n', lines->out);
	for (int s = 0; s < count; s++) {
		int end = stretch[s].first + stretch[s].length;

		if (!one_node)
			put_name(lines, &stretch[s]);
		put_ranks(lines, stretch[s].first, end);
		put_exit(lines, end - 1);
		fputc('\n', lines->out);
		if (stretch[s].copies > 1 && write_copies(lines, &stretch[s], err) < 0)
			return -1;
	}
	return 0;
}

int tmap_text_write_ring(FILE *out, const struct tmap_view *view, const struct tmap_ring *ring,
			 double weight, const struct tmap_edge_count *edges, int edge_count,
			 struct tmap_error *err)
{
	struct lines lines = { .out = out, .view = view, .ring = ring };
	struct tmap_stretch *stretch = NULL;
	char text[TMAP_MEANING_ROOM];
	int count, status = -1;

	if (tmap_ring_cut(ring, view->placement, view->fold, &stretch, &count, err) < 0)
		return -1;
	if (tmap_text_write_title(out, view, TMAP_NONE, err) == 0) {
		fprintf(out, "weight %s\n", tmap_number_print(weight, text));
		status = tmap_text_write_edges(out, view, edges, edge_count, err);
		if (status == 0)
			status = write_stretches(&lines, stretch, count, err);
	}
	free(stretch);
	return status;
}
