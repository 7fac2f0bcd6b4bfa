/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/schedule/dot_schedule.h"

#include "core/base/mem.h"
#include "core/base/units.h"
#include "formats/draw/dot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Points from one column to the next, and from one rank to the next. */
enum { COLUMN = 90, ROW = 26 };

static int write_title(FILE *out, const struct tmap_call *call, const char *algorithm,
		       const struct tmap_collection *collection, bool nodes, struct tmap_error *err)
{
	const struct tmap_collective_row *row =
		&tmap_collective_rows[tmap_call_algorithm(call)->collective];
	char bytes[TMAP_UNITS_ROOM], *text;
	bool has_bytes = tmap_call_algorithm(call)->collective != TMAP_BARRIER;

	tmap_units_print_bytes(call->bytes, bytes);
	text = tmap_format(err, "%s %s%s%s%s: %" PRId64 " round%s, %zu message%s%s", row->word.name,
			   algorithm, has_bytes ? " of " : "", has_bytes ? bytes : "",
			   has_bytes && !strchr(bytes, 'i') ? " B" : "", collection->rounds,
			   collection->rounds == 1 ? "" : "s", collection->count,
			   collection->count == 1 ? "" : "s",
			   nodes ? "\nthick: between nodes; thin: within one" : "");
	if (!text)
		return -1;
	fputs("\tlabel=", out);
	tmap_dot_write_quoted(out, text);
	fputs(";\n", out);
	free(text);
	return 0;
}

static void write_column(FILE *out, int size, int64_t column)
{
	for (int r = 0; r < size; r++) {
		fprintf(out, "\t\"%d.%" PRId64 "\" [pos=\"%" PRId64 ",%" PRId64 "!\"", r, column,
			column * COLUMN, -(int64_t)r * ROW);
		if (column == 0)
			fprintf(out, ", shape=plaintext, label=\"%d\"];\n", r);
		else
			fputs(", shape=point, width=0.08, label=\"\"];\n", out);
	}
}

static void write_message(FILE *out, const struct tmap_message *message,
			  const struct tmap_placement *placement)
{
	bool between = placement && placement->node[message->from] != placement->node[message->to];
	char bytes[TMAP_UNITS_ROOM];

	fprintf(out,
		"\t\"%d.%" PRId64 "\" -> \"%d.%" PRId64 "\" [color=\"%s\", penwidth=%s, "
		"tooltip=\"%d %s> %d, %s\"];\n",
		message->from, message->round, message->to, message->round + 1,
		between ? "#D55E00" : "#0072B2", between ? "1.8" : "0.9", message->from,
		message->combine ? "+" : "-", message->to,
		tmap_units_print_bytes(message->bytes, bytes));
}

int tmap_dot_write_schedule(FILE *out, const struct tmap_call *call, const char *algorithm,
			    const struct tmap_collection *collection,
			    const struct tmap_placement *placement, struct tmap_error *err)
{
	fputs("digraph schedule {\n\tlayout=neato; inputscale=72; splines=line;\n\tlabelloc=t;\n"
	      "\tfontname=\"Helvetica\";\n",
	      out);
	if (write_title(out, call, algorithm, collection, placement != NULL, err) < 0)
		return -1;
	fputs("\tnode [fontname=\"Helvetica\", fontsize=11, width=0.36, height=0.25, "
	      "fixedsize=true];\n\tedge [arrowsize=0.6];\n",
	      out);
	for (int64_t column = 0; column <= collection->rounds; column++)
		write_column(out, call->size, column);
	for (size_t i = 0; i < collection->count; i++)
		write_message(out, &collection->message[i], placement);
	fputs("}\n", out);
	return 0;
}
