/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/draw/dot.h"

#include "core/base/mem.h"
#include "core/base/utf8.h"

#include <assert.h>
#include <stdlib.h>

/* Boxes from the outside in. */
static const char *const fills[] = { "#F4F4F4", "#E8E8E8", "#DCDCDC", "#D0D0D0" };

enum { FILLS = sizeof fills / sizeof fills[0] };

/* A newline is one of the label's; for a backslash of an escape Graphviz wants two. */
void tmap_dot_write_quoted(FILE *out, const char *text)
{
	char escape[TMAP_ESCAPE_ROOM];

	fputc('"', out);
	while (*text) {
		const char *from = text;

		text += tmap_utf8_escape(text, escape);
		if (*from == '\n')
			fputs("\\n", out);
		else if (*escape)
			fprintf(out, "\\%s", escape);
		else if (*from == '"' || *from == '\\')
			fprintf(out, "\\%c", *from);
		else
			fwrite(from, 1, (size_t)(text - from), out);
	}
	fputc('"', out);
}

void tmap_dot_write_node_style(FILE *out, bool round)
{
	fprintf(out,
		"\tnode [fontname=\"Helvetica\", fontsize=11, fillcolor=white, width=0.36, %s];\n"
		"\tedge [arrowsize=0.6];\n",
		round ? "shape=circle, style=filled, fixedsize=true" :
			"shape=box, style=\"rounded,filled\", height=0.3, margin=\"0.08,0.03\"");
}

const char *tmap_dot_fill(int depth)
{
	assert(depth >= 0);
	return fills[depth < FILLS ? depth : FILLS - 1];
}

static void indent(FILE *out, int depth)
{
	for (int i = 0; i <= depth; i++)
		fputc('\t', out);
}

static int open_box(FILE *out, const struct tmap_boxes *boxes, int depth, int element,
		    const char *name, int serial, struct tmap_error *err)
{
	struct tmap_str label = TMAP_STR_INIT;
	char *text;

	tmap_boxes_add_label(&label, boxes, depth, element);
	text = tmap_str_take(&label, err);
	if (!text)
		return -1;
	indent(out, depth);
	fprintf(out, "subgraph %s_%d {\n", name, serial);
	indent(out, depth + 1);
	fputs("label=", out);
	tmap_dot_write_quoted(out, text);
	fprintf(out, "; labelloc=b; fontsize=11; fillcolor=\"%s\";\n", tmap_dot_fill(depth));
	free(text);
	return 0;
}

/* Closes the open boxes of element @p last from @p depth on, innermost first. */
static void close_boxes(FILE *out, const struct tmap_boxes *boxes, int depth, int last)
{
	for (int d = boxes->depth - 1; d >= depth; d--)
		if (boxes->number[d][last] != TMAP_NONE) {
			indent(out, d);
			fputs("}\n", out);
		}
}

int tmap_dot_write_boxes(FILE *out, const struct tmap_boxes *boxes, const char *name,
			 tmap_dot_write_node *write_node, const void *graph, struct tmap_error *err)
{
	int serial = 0;

	for (int i = 0; i < boxes->count; i++) {
		int element = boxes->order[i], last = i ? boxes->order[i - 1] : TMAP_NONE;
		int depth = i ? tmap_boxes_parting(boxes, last, element) : 0;

		if (i)
			close_boxes(out, boxes, depth, last);
		for (; depth < boxes->depth; depth++)
			if (boxes->number[depth][element] != TMAP_NONE &&
			    open_box(out, boxes, depth, element, name, serial++, err) < 0)
				return -1;
		indent(out, boxes->depth);
		if (write_node(out, graph, element, err) < 0)
			return -1;
	}
	close_boxes(out, boxes, 0, boxes->order[boxes->count - 1]);
	return 0;
}
