/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/lanes/dot_lanes.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "formats/draw/dot.h"
#include "formats/draw/palette.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 12, MOST_ROWS = 32 };

/* Points. */
#define ROW 30.0
#define HALF 26.0    /* of a frame's width, if the ranks are no wider */
#define BETWEEN 32.0 /* frames */
#define LETTER 6.2
#define HEADING_LETTER 8.0 /* in any usual font */

/* The layout: the columns are nodes, the rows ranks of a node, or its leaders only. */
struct grid {
	const struct tmap_lanes_report *report;
	const struct tmap_lanes *lanes;
	bool leaders;      /* where the others would not leave them room */
	int columns, rows; /* that are drawn, with those that hold only dots */
	int all_rows;
	double half;  /* of a frame's width */
	double pitch; /* from column to column */
};

/* The node of a column or the rank of a row, all but the last being the first ones; TMAP_NONE where
 * dots replace those between. */
static int shown(int at, int drawn, int all)
{
	if (drawn == all || at < drawn - 2)
		return at;
	return at == drawn - 1 ? all - 1 : TMAP_NONE;
}

static int column_node(const struct grid *grid, int column)
{
	return shown(column, grid->columns, grid->lanes->node_count);
}

/* Rank number @p row of a node, TMAP_NONE where it has none or is not drawn. */
static int rank_at(const struct grid *grid, int node, int row)
{
	const struct tmap_lanes *lanes = grid->lanes;
	int local = shown(row, grid->rows, grid->all_rows);

	if (node == TMAP_NONE || local == TMAP_NONE ||
	    local >= (grid->leaders ? tmap_lanes_groups(lanes, node) :
				      tmap_lanes_ranks(lanes, node)))
		return TMAP_NONE;
	return grid->leaders ? lanes->leader[lanes->group_first[node] + local] :
			       lanes->rank[lanes->first[node] + local];
}

static double x_of(const struct grid *grid, int column)
{
	return grid->pitch * (column + 0.5);
}

static double y_of(const struct grid *grid, int row)
{
	return ROW * (grid->rows - row + (grid->report->adapters->count ? 1 : 0));
}

static const char *color_of(const struct grid *grid, int rank)
{
	int adapter = grid->report->adapters->of_rank[rank];

	if (adapter == TMAP_NONE && grid->report->adapters->count)
		return "#BBBBBB"; /* its node has none */
	return tmap_palette_node(adapter == TMAP_NONE ? 0 : adapter);
}

static bool is_leader(const struct tmap_lanes *lanes, int node, int rank)
{
	for (int g = lanes->group_first[node]; g < lanes->group_first[node + 1]; g++)
		if (lanes->leader[g] == rank)
			return true;
	return false;
}

static void write_frame(FILE *out, double x, double top, double bottom, double half,
			const char *fill)
{
	fprintf(out, "\\\n c 7 -#999999 C 7 -%s P 4 %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f", fill,
		x - half, bottom, x + half, bottom, x + half, top, x - half, top);
}

/* A frame for each node, and inside it one for each group of several ranks. */
static void write_frames(FILE *out, const struct grid *grid)
{
	fputs("\t_background=\"", out);
	for (int c = 0; c < grid->columns; c++) {
		int node = column_node(grid, c);

		if (node == TMAP_NONE)
			continue;
		write_frame(out, x_of(grid, c), y_of(grid, 0) + 0.6 * ROW,
			    y_of(grid, grid->rows - 1) - 0.6 * ROW, grid->half, tmap_dot_fill(0));
		for (int g = 0; g < tmap_lanes_groups(grid->lanes, node) &&
		     grid->rows == grid->lanes->order.ranks_max && !grid->leaders;
		     g++) {
			int begin, end, first = grid->lanes->first[node];

			tmap_lanes_group(grid->lanes, node, g, &begin, &end);
			if (end - begin > 1)
				write_frame(out, x_of(grid, c),
					    y_of(grid, begin - first) + 0.45 * ROW,
					    y_of(grid, end - 1 - first) - 0.45 * ROW,
					    grid->half - 5, tmap_dot_fill(2));
		}
	}
	fputs("\";\n", out);
}

static void write_words(FILE *out, const char *name, int number, double x, double y,
			const char *text)
{
	fprintf(out,
		"\t%s%d [shape=none, style=\"\", fixedsize=true, width=%.2f, height=0.25, "
		"pos=\"%.1f,%.1f!\", label=",
		name, number, LETTER * (double)(strlen(text) + 1) / 72, x, y);
	tmap_dot_write_quoted(out, text);
	fputs("];\n", out);
}

static void write_ranks(FILE *out, const struct grid *grid, int column, int node)
{
	for (int row = 0; row < grid->rows; row++) {
		int rank = rank_at(grid, node, row);
		const char *fill;

		if (rank == TMAP_NONE)
			continue;
		fill = is_leader(grid->lanes, node, rank) ? color_of(grid, rank) : "#FFFFFF";
		fprintf(out,
			"\tr%d [label=\"%d\", pos=\"%.1f,%.1f!\", fillcolor=\"%s\", "
			"fontcolor=\"%s\"];\n",
			rank, rank, x_of(grid, column), y_of(grid, row), fill,
			tmap_palette_ink(fill));
	}
}

static void write_columns(FILE *out, const struct grid *grid)
{
	for (int c = 0; c < grid->columns; c++) {
		int node = column_node(grid, c);
		double top = y_of(grid, 0) + 0.95 * ROW;

		if (node == TMAP_NONE) {
			write_words(out, "more", c, x_of(grid, c), top, "...");
			continue;
		}
		write_words(out, "node", c, x_of(grid, c), top,
			    grid->lanes->placement->machine->node_name[grid->lanes->node[node]]);
		write_ranks(out, grid, c, node);
		for (int row = 0; row < grid->rows; row++)
			if (shown(row, grid->rows, grid->all_rows) == TMAP_NONE)
				write_words(out, "rows", c, x_of(grid, c), y_of(grid, row), "...");
	}
}

static bool is_drawn(const struct grid *grid, int node, int rank)
{
	for (int row = 0; row < grid->rows; row++)
		if (rank_at(grid, node, row) == rank)
			return true;
	return false;
}

/* A lane as a line from each node that is in it to the next one. */
static void write_lane(FILE *out, const struct grid *grid, int lane)
{
	int before = TMAP_NONE;
	bool is_cut = false;

	for (int c = 0; c < grid->columns; c++) {
		int node = column_node(grid, c), rank;

		if (node == TMAP_NONE) {
			is_cut = true;
			continue;
		}
		rank = tmap_lanes_driver(grid->lanes, node, lane);
		if (rank == TMAP_NONE || !is_drawn(grid, node, rank))
			continue;
		if (before != TMAP_NONE)
			fprintf(out, "\tr%d -> r%d [color=\"%s\", style=%s];\n", before, rank,
				color_of(grid, before), is_cut ? "dashed" : "solid");
		before = rank;
		is_cut = false;
	}
}

/* The adapters in their colours, below the nodes; returns how wide they are. */
static double write_legend(FILE *out, const struct grid *grid)
{
	const struct tmap_machine *machine = grid->lanes->placement->machine;
	double x = grid->pitch / 2 - grid->half;

	for (int i = 0; i < grid->report->adapters->count; i++) {
		const struct tmap_adapter *adapter = &grid->report->adapters->adapter[i];
		const struct tmap_topology *topo = &machine->topology[adapter->topology];
		const char *name = topo->device[adapter->device].name;
		double width = LETTER * (double)strlen(name) + 16;

		fprintf(out,
			"\tadapter%d [shape=box, fixedsize=true, width=%.2f, height=0.25, "
			"fillcolor=\"%s\", fontcolor=\"%s\", pos=\"%.1f,%.1f!\", label=",
			i, width / 72, tmap_palette_node(i), tmap_palette_ink(tmap_palette_node(i)),
			x + width / 2, ROW / 2);
		tmap_dot_write_quoted(out, name);
		fputs("];\n", out);
		x += width + 10;
	}
	return x;
}

/* What keeps the frames where the ranks are: the corners of the whole. */
static void write_corners(FILE *out, double width, double height)
{
	static const char form[] = "\tcorner_%s [shape=point, style=invis, width=0.01, "
				   "pos=\"%.2f,%.2f!\"];\n";

	fprintf(out, form, "from", 0.36, 0.36);
	fprintf(out, form, "to", width, height);
}

static char *heading_of(const struct grid *grid, struct tmap_error *err)
{
	const struct tmap_lanes *lanes = grid->lanes;
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%d rank%s on %d node%s: %d %slane%s\n%s, %s", lanes->placement->size,
		      lanes->placement->size == 1 ? "" : "s", lanes->node_count,
		      lanes->node_count == 1 ? "" : "s", lanes->lane_count,
		      lanes->is_virtual ? "virtual " : "", lanes->lane_count == 1 ? "" : "s",
		      lanes->order.regular ? "regular" : "irregular",
		      lanes->order.consecutive ? "consecutive" : "not consecutive");
	if (grid->leaders)
		tmap_str_add(&str, "; only leaders are drawn");
	return tmap_str_take(&str, err);
}

/* Graphviz moves the nodes, but not the frames, where the heading is wider than the picture. */
static double heading_width(const char *heading)
{
	size_t first = strcspn(heading, "\n"), second = strlen(heading) - first;

	return HEADING_LETTER * (double)(first > second ? first : second) + 16;
}

static void write_graph(FILE *out, const struct grid *grid, const char *heading)
{
	double width = grid->pitch * grid->columns, legend, title = heading_width(heading);

	fputs("digraph lanes {\n\tlayout=neato; inputscale=72; splines=line; "
	      "fontname=\"Helvetica\"; fontsize=13; labelloc=t; labeljust=l;\n",
	      out);
	tmap_dot_write_node_style(out, grid->lanes->placement->size <= 1000);
	fputs("\tedge [arrowhead=none, penwidth=2];\n\tlabel=", out);
	tmap_dot_write_quoted(out, heading);
	fputs(";\n", out);
	write_frames(out, grid);
	write_columns(out, grid);
	for (int l = 0; l < grid->lanes->lane_count; l++)
		write_lane(out, grid, l);
	legend = write_legend(out, grid);
	width = legend > width ? legend : width;
	write_corners(out, title > width ? title : width, y_of(grid, 0) + 1.3 * ROW);
	fputs("}\n", out);
}

int tmap_dot_write_lanes(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err)
{
	const struct tmap_lanes *lanes = report->lanes;
	struct grid grid = { .report = report,
			     .lanes = lanes,
			     .columns = lanes->node_count,
			     .all_rows = lanes->order.ranks_max };
	char *heading;

	grid.half = LETTER / 2 * snprintf(NULL, 0, "%d", lanes->placement->size) + 14;
	grid.half = grid.half < HALF ? HALF : grid.half;
	grid.pitch = 2 * grid.half + BETWEEN;
	grid.leaders = lanes->is_virtual && grid.all_rows > MOST_ROWS;
	grid.all_rows = grid.leaders ? lanes->lane_count : grid.all_rows;
	grid.rows = grid.all_rows;
	heading = heading_of(&grid, err);
	if (!heading)
		return -1;
	if (grid.columns > MOST_COLUMNS)
		grid.columns = MOST_COLUMNS;
	if (grid.rows > MOST_ROWS)
		grid.rows = MOST_ROWS;
	for (int c = 0; c < grid.columns; c++) {
		int node = column_node(&grid, c);
		double width = node == TMAP_NONE ? 0 :
						   14 +
				LETTER *
					(double)strlen(lanes->placement->machine
							       ->node_name[lanes->node[node]]);

		grid.pitch = width > grid.pitch ? width : grid.pitch;
	}
	write_graph(out, &grid, heading);
	free(heading);
	return 0;
}
