#include "formats/dot.h"

#include "core/mem.h"

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
	double width;        /* in points */
	int dash, gap;       /* in points, of the legend's sample; gap 0: solid */
};

static const struct stroke strokes[TM_LEGEND_ROWS] = {
	{ "#009E73", "solid", 1.0, SAMPLE, 0 },
	{ "#56B4E9", "solid", 1.5, SAMPLE, 0 },
	{ "#0072B2", "solid", 2.0, SAMPLE, 0 },
	{ "#CC79A7", "dashed", 2.3, 8, 4 },
	{ "#E69F00", "solid", 2.7, SAMPLE, 0 },
	{ "#D55E00", "dashed", 3.0, 8, 4 },
	{ "#000000", "solid", 3.4, SAMPLE, 0 },
	{ "#000000", "dashed", 3.8, 8, 4 },
	{ "#000000", "dotted", 4.2, 4, 4 },
};

#define TABLE "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">"

/* Boxes from the outside in. */
static const char *const fills[] = { "#F4F4F4", "#E8E8E8", "#DCDCDC", "#D0D0D0" };

enum { FILLS = sizeof fills / sizeof fills[0] };

static char printable(char c)
{
	return (unsigned char)c < ' ' || c == 127 ? ' ' : c;
}

void tm_dot_write_quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\' || *text == '\n')
			fputc('\\', out);
		fputc(*text == '\n' ? 'n' : printable(*text), out);
	}
	fputc('"', out);
}

/* Text between the tags of an HTML-like label. */
static void write_html(FILE *out, const char *text, size_t length)
{
	static const char special[] = "&<>\"";
	static const char *const entity[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

	for (; length; text++, length--) {
		const char *found = strchr(special, *text);

		if (found)
			fputs(entity[found - special], out);
		else
			fputc(printable(*text), out);
	}
}

void tm_dot_write_node_style(FILE *out, bool round)
{
	fprintf(out, "\tnode [fontname=\"Helvetica\", fontsize=11, fillcolor=white, width=0.36, %s];\n"
		"\tedge [arrowsize=0.6];\n",
		round ? "shape=circle, style=filled, fixedsize=true" :
		"shape=box, style=\"rounded,filled\", height=0.3, margin=\"0.08,0.03\"");
}

void tm_dot_write_stroke(FILE *out, const struct tm_legend_row *row)
{
	const struct stroke *stroke = &strokes[row->rank];

	fprintf(out, "color=\"%s\", style=%s, penwidth=%.1f", stroke->color, stroke->style,
		stroke->width);
}

/* A piece of the line itself, drawn with cells so that no font decides how it looks. */
static void write_sample(FILE *out, const struct stroke *stroke)
{
	int height = (int)(stroke->width + 1), left = SAMPLE;

	fprintf(out, "<td><table fixedsize=\"true\" width=\"%d\" height=\"%d\" border=\"0\" "
		"cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\"><tr>", left, height);
	while (left > 0) {
		int dash = stroke->dash < left ? stroke->dash : left;

		fprintf(out, "<td fixedsize=\"true\" width=\"%d\" height=\"%d\" bgcolor=\"%s\"></td>",
			dash, height, stroke->color);
		left -= dash;
		if (stroke->gap && left > 0)
			fprintf(out, "<td fixedsize=\"true\" width=\"%d\" height=\"%d\"></td>",
				stroke->gap, height);
		left -= stroke->gap;
	}
	fputs("</tr></table></td>", out);
}

/* A line of the heading, broken where it would become wider than the legend. */
static void write_line(FILE *out, const char *before, const char *text, const char *after)
{
	fprintf(out, "<tr><td align=\"left\">%s", before);
	while (strlen(text) > BREAK) {
		size_t length = BREAK;

		while (length && text[length] != ' ')
			length--;
		if (!length)
			break;
		write_html(out, text, length);
		fprintf(out, "%s<br align=\"left\"/>%s", after, before);
		text += length + 1;
	}
	write_html(out, text, strlen(text));
	fprintf(out, "%s<br align=\"left\"/></td></tr>\n", after);
}

static void write_row(FILE *out, const struct tm_legend_row *row, const struct tm_view *view)
{
	char text[TM_MEANING_ROOM];

	fputs("<tr>", out);
	write_sample(out, &strokes[row->rank]);
	fputs("<td align=\"right\">", out);
	fputs(tm_legend_print_distance(row, text), out);
	fprintf(out, "</td><td align=\"right\">%" PRId64 "</td><td align=\"left\">", row->edges);
	tm_legend_print_meaning(row, view, text);
	write_html(out, text, strlen(text));
	fputs("</td></tr>\n", out);
}

void tm_dot_write_heading(FILE *out, const struct tm_view *view, const char *figures,
			  const char *note, const struct tm_legend *legend)
{
	fputs("\tlabelloc=t; labeljust=l;\n\tlabel=<" TABLE "\n", out);
	write_line(out, "<b><font point-size=\"15\">", view->title, "</font></b>");
	write_line(out, "", figures, "");
	if (view->note)
		write_line(out, "", view->note, "");
	if (legend->count)
		fputs("<tr><td align=\"left\">" TABLE "<tr><td></td>"
		      "<td align=\"right\"><i>distance</i></td>"
		      "<td align=\"right\"><i>edges</i></td>"
		      "<td align=\"left\"><i>meaning</i></td></tr>\n", out);
	for (int r = 0; r < legend->count; r++)
		write_row(out, &legend->row[r], view);
	if (legend->count)
		fputs("</table></td></tr>\n", out);
	if (note)
		write_line(out, "<i>", note, "</i>");
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

double tm_dot_heading_width(const struct tm_view *view, const char *figures, const char *note,
			    const struct tm_legend *legend)
{
	double width = wider(1.5 * line_width(view->title), line_width(figures));
	char text[TM_MEANING_ROOM];

	if (note)
		width = wider(width, line_width(note));
	if (view->note)
		width = wider(width, line_width(view->note));
	for (int r = 0; r < legend->count; r++) {
		size_t letters = strlen(tm_legend_print_distance(&legend->row[r], text));

		letters += strlen(tm_legend_print_meaning(&legend->row[r], view, text));
		width = wider(width, 140 + LETTER * (double)letters);
	}
	return width;
}

const char *tm_dot_fill(int depth)
{
	return fills[depth < FILLS ? depth : FILLS - 1];
}

static void indent(FILE *out, int depth)
{
	for (int i = 0; i <= depth; i++)
		fputc('\t', out);
}

static int open_box(FILE *out, const struct tm_boxes *boxes, int depth, int element,
		    const char *name, int serial, struct tm_error *err)
{
	struct tm_str label = TM_STR_INIT;
	char *text;

	tm_boxes_add_label(&label, boxes, depth, element);
	text = tm_str_take(&label, err);
	if (!text)
		return -1;
	indent(out, depth);
	fprintf(out, "subgraph %s_%d {\n", name, serial);
	indent(out, depth + 1);
	fputs("label=", out);
	tm_dot_write_quoted(out, text);
	fprintf(out, "; labelloc=b; fillcolor=\"%s\";\n", tm_dot_fill(depth));
	free(text);
	return 0;
}

/* Closes the open boxes of element @p last from @p depth on, innermost first. */
static void close_boxes(FILE *out, const struct tm_boxes *boxes, int depth, int last)
{
	for (int d = boxes->depth - 1; d >= depth; d--)
		if (boxes->number[d][last] != TM_NONE) {
			indent(out, d);
			fputs("}\n", out);
		}
}

int tm_dot_write_boxes(FILE *out, const struct tm_boxes *boxes, const char *name,
		       tm_dot_write_node *write_node, const void *graph, struct tm_error *err)
{
	int serial = 0;

	for (int i = 0; i < boxes->count; i++) {
		int element = boxes->order[i], last = i ? boxes->order[i - 1] : TM_NONE;
		int depth = i ? tm_boxes_parting(boxes, last, element) : 0;

		if (i)
			close_boxes(out, boxes, depth, last);
		for (; depth < boxes->depth; depth++)
			if (boxes->number[depth][element] != TM_NONE &&
			    open_box(out, boxes, depth, element, name, serial++, err) < 0)
				return -1;
		indent(out, boxes->depth);
		if (write_node(out, graph, element, err) < 0)
			return -1;
	}
	close_boxes(out, boxes, 0, boxes->order[boxes->count - 1]);
	return 0;
}
