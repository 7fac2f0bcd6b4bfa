/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/dot_heading.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/base/printable.h"
#include "formats/draw/dot.h"
#include "formats/text/text_edges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LETTER 6.8 /* points: a wide letter of the heading */

enum {
	SAMPLE = 44, /* points: a piece of a line in the legend */
	BREAK = 64,  /* letters: what a line of the heading holds */
};

struct stroke {
	const char *color, *style;
	double width;  /* in points */
	int dash, gap; /* in points, of the legend's sample; gap 0: solid */
};

static const struct stroke strokes[TMAP_LEGEND_ROWS] = {
	{ "#009E73", "solid", 1.0, SAMPLE, 0 }, { "#56B4E9", "solid", 1.5, SAMPLE, 0 },
	{ "#0072B2", "solid", 2.0, SAMPLE, 0 }, { "#CC79A7", "dashed", 2.3, 8, 4 },
	{ "#E69F00", "solid", 2.7, SAMPLE, 0 }, { "#D55E00", "dashed", 3.0, 8, 4 },
	{ "#000000", "solid", 3.4, SAMPLE, 0 }, { "#000000", "dashed", 3.8, 8, 4 },
	{ "#000000", "dotted", 4.2, 4, 4 },
};

#define TABLE "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">"

static void add_crossings(struct tmap_str *statistics, const struct tmap_baseline *row,
			  const struct tmap_load *load)
{
	const struct tmap_levels *levels = load->levels;
	char text[TMAP_UNITS_ROOM];

	tmap_str_add(statistics, load->bytes == TMAP_NONE ? "; messages across" : "; bytes across");
	for (int l = 0; l < levels->count; l++) {
		const struct tmap_totals_level *crossing = &row->totals.crossing[l];

		tmap_str_addf(statistics, "%s %s ", l ? "," : "", levels->level[l].name);
		if (load->bytes == TMAP_NONE)
			tmap_str_addf(statistics, "%" PRId64, crossing->messages);
		else
			tmap_str_add(statistics, tmap_units_print_bytes(crossing->bytes, text));
	}
}

/* *statistics, edges of a tree or a ring. */
static int measure(struct tmap_dot_heading *heading, const struct tmap_tree *tree,
		   const struct tmap_ring *ring, struct tmap_str *statistics,
		   struct tmap_error *err)
{
	struct tmap_edge_count **edges = &heading->edges[heading->count];
	int *count = &heading->edge_count[heading->count];
	struct tmap_tree_shape shape = { 0 };
	char text[TMAP_MEANING_ROOM];

	if (tree ? tmap_tree_measure(tree, &shape, err) < 0 :
		   tmap_ring_measure(ring, &shape.weight, edges, count, err) < 0)
		return -1;
	tmap_str_addf(statistics, "weight %s", tmap_number_print(shape.weight, text));
	if (!tree)
		return 0;
	tmap_str_addf(statistics, ", depth %d, fan-out %d", shape.depth, shape.fanout);
	*edges = shape.edges;
	*count = shape.count;
	return 0;
}

static int heading_add(struct tmap_dot_heading *heading, const struct tmap_tree *tree,
		       const struct tmap_ring *ring, const struct tmap_baseline *row,
		       const struct tmap_load *load, struct tmap_error *err)
{
	int at = heading->count;
	struct tmap_str statistics = TMAP_STR_INIT;

	if (measure(heading, tree, ring, &statistics, err) < 0) {
		tmap_str_fini(&statistics);
		return -1;
	}
	heading->count++;
	if (row)
		add_crossings(&statistics, row, load);
	heading->statistics[at] = tmap_str_take(&statistics, err);
	heading->name[at] = tmap_strdup(row ? row->name : "", err);
	return heading->statistics[at] && heading->name[at] ? 0 : -1;
}

/* The legend of all that were added. */
static int heading_add_legend(struct tmap_dot_heading *heading, struct tmap_error *err)
{
	struct tmap_edge_count *all = NULL;
	int count = 0, status = 0;

	for (int s = 0; s < heading->count && status == 0; s++)
		status = tmap_edges_merge(&all, &count, heading->edges[s], heading->edge_count[s],
					  err);
	if (status == 0)
		tmap_legend_init(&heading->legend, heading->view->scale, all, count);
	free(all);
	return status;
}

int tmap_dot_heading_init(struct tmap_dot_heading *heading, const struct tmap_view *view, int root,
			  const struct tmap_tree *const *tree, const struct tmap_ring *const *ring,
			  int count, const struct tmap_baselines *baselines, struct tmap_error *err)
{
	char *where = tmap_text_where(view->placement, err);

	if (where && root != TMAP_NONE) {
		char *rooted = tmap_format(err, "%s, root %d", where, root);

		free(where);
		where = rooted;
	}
	*heading = (struct tmap_dot_heading){ .view = view, .where = where };
	if (!where)
		return -1;
	for (int i = 0; i < count; i++)
		if (heading_add(heading, tree ? tree[i] : NULL, tree ? NULL : ring[i],
				baselines ? &baselines->row[i] : NULL,
				baselines ? baselines->load : NULL, err) < 0)
			return -1;
	return heading_add_legend(heading, err);
}

void tmap_dot_heading_fini(struct tmap_dot_heading *heading)
{
	free(heading->where);
	for (int i = 0; i < TMAP_DOT_SUBJECTS; i++) {
		free(heading->name[i]);
		free(heading->statistics[i]);
		free(heading->edges[i]);
	}
	*heading = (struct tmap_dot_heading){ 0 };
}

void tmap_dot_write_stroke(FILE *out, const struct tmap_legend_row *row)
{
	const struct stroke *stroke = &strokes[row->rank];

	fprintf(out, "color=\"%s\", style=%s, penwidth=%.1f", stroke->color, stroke->style,
		stroke->width);
}

/* A piece of the line itself, drawn with cells so that no font decides how it looks. */
static void write_sample(FILE *out, const struct stroke *stroke)
{
	int height = (int)(stroke->width + 1), left = SAMPLE;

	fprintf(out,
		"<td><table fixedsize=\"true\" width=\"%d\" height=\"%d\" border=\"0\" "
		"cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\"><tr>",
		left, height);
	while (left > 0) {
		int dash = stroke->dash < left ? stroke->dash : left;

		fprintf(out,
			"<td fixedsize=\"true\" width=\"%d\" height=\"%d\" bgcolor=\"%s\"></td>",
			dash, height, stroke->color);
		left -= dash;
		if (stroke->gap && left > 0)
			fprintf(out, "<td fixedsize=\"true\" width=\"%d\" height=\"%d\"></td>",
				stroke->gap, height);
		left -= stroke->gap;
	}
	fputs("</tr></table></td>", out);
}

/* The rest of a row of the heading, broken where it would become wider than the legend. */
static void write_text(FILE *out, const char *before, const char *text, const char *after)
{
	fputs(before, out);
	while (strlen(text) > BREAK) {
		size_t length = BREAK;

		while (length && text[length] != ' ')
			length--;
		if (!length)
			break;
		tmap_printable_write_xml(out, text, length);
		fprintf(out, "%s<br align=\"left\"/>%s", after, before);
		text += length + 1;
	}
	tmap_printable_write_xml(out, text, strlen(text));
	fprintf(out, "%s<br align=\"left\"/></td></tr>\n", after);
}

static void write_line(FILE *out, const char *before, const char *text, const char *after)
{
	fputs("<tr><td align=\"left\">", out);
	write_text(out, before, text, after);
}

static void write_cell(FILE *out, const char *side, const char *text)
{
	fprintf(out, "<td align=\"%s\">", side);
	tmap_printable_write_xml(out, text, strlen(text));
	fputs("</td>", out);
}

static void write_row(FILE *out, const struct tmap_dot_heading *heading,
		      const struct tmap_legend_row *row)
{
	char text[TMAP_MEANING_ROOM];

	fputs("<tr>", out);
	write_sample(out, &strokes[row->rank]);
	write_cell(out, "right", tmap_legend_print_distance(row, text));
	for (int s = 0; s < heading->count; s++)
		fprintf(out, "<td align=\"right\">%" PRId64 "</td>",
			tmap_legend_count(row, heading->edges[s], heading->edge_count[s]));
	write_cell(out, "left", tmap_legend_print_meaning(row, heading->view, text));
	fputs("</tr>\n", out);
}

static void write_legend(FILE *out, const struct tmap_dot_heading *heading)
{
	if (!heading->legend.count)
		return;
	fputs("<tr><td align=\"left\">" TABLE "<tr><td></td>"
	      "<td align=\"right\"><i>distance</i></td>",
	      out);
	for (int s = 0; s < heading->count; s++) {
		fputs("<td align=\"right\"><i>", out);
		if (heading->count == 1)
			fputs("edges", out);
		else
			tmap_printable_write_xml(out, heading->name[s], strlen(heading->name[s]));
		fputs("</i></td>", out);
	}
	fputs("<td align=\"left\"><i>meaning</i></td></tr>\n", out);
	for (int r = 0; r < heading->legend.count; r++)
		write_row(out, heading, &heading->legend.row[r]);
	fputs("</table></td></tr>\n", out);
}

/* Where there are several, each by its name. */
static void write_statistics(FILE *out, const struct tmap_dot_heading *heading)
{
	for (int s = 0; s < heading->count; s++) {
		fputs("<tr><td align=\"left\">", out);
		tmap_printable_write_xml(out, heading->name[s], strlen(heading->name[s]));
		fputs(*heading->name[s] ? ": " : "", out);
		write_text(out, "", heading->statistics[s], "");
	}
}

void tmap_dot_heading_write(FILE *out, const struct tmap_dot_heading *heading)
{
	const struct tmap_view *view = heading->view;

	fputs("\tlabelloc=t; labeljust=l;\n\tlabel=<" TABLE "\n", out);
	write_line(out, "<b><font point-size=\"15\">", view->title, "</font></b>");
	write_line(out, "", heading->where, "");
	if (view->note)
		write_line(out, "", view->note, "");
	write_statistics(out, heading);
	write_legend(out, heading);
	if (heading->note)
		write_line(out, "<i>", heading->note, "</i>");
	fputs("</table>>;\n", out);
}

static double wider(double width, double other)
{
	return width > other ? width : other;
}

/* A word that is longer than a line is not broken. */
static double line_width(const char *text)
{
	size_t length = strlen(text);

	return LETTER * (double)(length > BREAK && strchr(text, ' ') ? BREAK : length);
}

double tmap_dot_heading_width(const struct tmap_dot_heading *heading)
{
	double width = wider(1.5 * line_width(heading->view->title), line_width(heading->where));
	double columns = SAMPLE + 100;
	char text[TMAP_MEANING_ROOM];

	if (heading->note)
		width = wider(width, line_width(heading->note));
	if (heading->view->note)
		width = wider(width, line_width(heading->view->note));
	for (int s = 0; s < heading->count; s++) {
		width = wider(width,
			      line_width(heading->name[s]) + line_width(heading->statistics[s]));
		columns += wider(60, line_width(heading->name[s]));
	}
	for (int r = 0; r < heading->legend.count; r++) {
		const struct tmap_legend_row *row = &heading->legend.row[r];
		size_t letters = strlen(tmap_legend_print_distance(row, text));

		letters += strlen(tmap_legend_print_meaning(row, heading->view, text));
		width = wider(width, columns + LETTER * (double)letters);
	}
	return width;
}
