/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/traffic/readers.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/*
 * METIS:  "vertices edges [format [constraints]]", then a line for each vertex:
 *         [size] [weights] {neighbour [weight]}*, vertices from 1
 * Scotch: "0", "vertices arcs", "base format", then for each vertex, on any lines:
 *         [label] [weight] degree {[weight] neighbour}*
 * In both, an edge is listed at both its ends, and its weight stands for both ways.
 */
struct graph {
	int64_t vertices, arcs, base, constraints;
	bool has_sizes, has_weights, has_edge_weights, has_labels;
};

/* Three digits, each 0 or 1. */
static int read_flags(struct graph *graph, int64_t flags, int line, bool *hundreds,
		      struct tmap_error *err)
{
	if (flags % 10 > 1 || flags / 10 % 10 > 1 || flags / 100 > 1)
		return tmap_fail_at(err, TMAP_INPUT, line, 0,
				    "the format of a graph is three digits, each "
				    "0 or 1");
	*hundreds = flags / 100;
	graph->has_weights = flags / 10 % 10;
	graph->has_edge_weights = flags % 10;
	return 0;
}

/* So many that twice as many are still a number. */
static int check_counts(int64_t edges, int64_t constraints, int line, struct tmap_error *err)
{
	if (edges <= INT64_MAX / 8 && constraints <= INT_MAX)
		return 0;
	return tmap_fail_at(err, TMAP_INPUT, line, 0, "%" PRId64 " %s are too many",
			    edges <= INT64_MAX / 8 ? constraints : edges,
			    edges <= INT64_MAX / 8 ? "weights of a vertex" : "edges");
}

/* The first line of a METIS graph. */
static int read_metis_header(struct graph *graph, struct tmap_line line, struct tmap_error *err)
{
	int64_t edges, flags = 0;
	int found;

	if (tmap_field_need(&line, "a number of vertices", 1, &graph->vertices, err) < 0 ||
	    tmap_field_need(&line, "a number of edges", 0, &edges, err) < 0)
		return -1;
	found = tmap_field_int(&line, "a format, such as 001", 0, &flags, err);
	if (found < 0 || read_flags(graph, flags, line.number, &graph->has_sizes, err) < 0)
		return -1;
	graph->constraints = graph->has_weights;
	if (found && tmap_field_int(&line, "a number of weights", 1, &graph->constraints, err) < 0)
		return -1;
	if (check_counts(edges, graph->constraints, line.number, err) < 0)
		return -1;
	graph->arcs = 2 * edges;
	graph->base = 1;
	return 0;
}

/* Who is next to @p vertex; counts them. */
static int read_neighbours(struct tmap_pattern_builder *b, const struct graph *graph,
			   int64_t vertex, struct tmap_line *line, int64_t *arcs,
			   struct tmap_error *err)
{
	int64_t skipped, neighbour;
	int found;

	for (int64_t i = graph->has_sizes + (graph->has_weights ? graph->constraints : 0); i > 0;
	     i--)
		if (tmap_field_need(line, "a weight of the vertex", 0, &skipped, err) < 0)
			return -1;
	while ((found = tmap_field_int(line, "a neighbor, from 1", 1, &neighbour, err)) > 0) {
		double weight = 1;

		if ((graph->has_edge_weights && tmap_field_need_bytes(line, &weight, err) < 0) ||
		    tmap_traffic_add(b, vertex, neighbour - 1, weight / 2, line->number, err) < 0)
			return -1;
		++*arcs;
	}
	return found;
}

/* A vertex without neighbours is an empty line; only comments are none. */
static bool next_vertex(struct tmap_line *line, const char **text)
{
	while (tmap_line_next(line, text))
		if (!tmap_line_begins(line, "%"))
			return true;
	return false;
}

int tmap_traffic_metis(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct graph graph = { 0 };
	int64_t vertex = 0, arcs = 0;

	if (!tmap_traffic_line(&line, &text, '%'))
		return tmap_fail(err, TMAP_INPUT, "it is empty: a number of vertices is expected");
	if (read_metis_header(&graph, line, err) < 0 ||
	    tmap_traffic_check_size(b, graph.vertices, err) < 0)
		return -1;
	for (; vertex < graph.vertices && next_vertex(&line, &text); vertex++)
		if (read_neighbours(b, &graph, vertex, &line, &arcs, err) < 0)
			return -1;
	if (vertex < graph.vertices)
		return tmap_fail(err, TMAP_INPUT, "it has %" PRId64 " vertices, but says %" PRId64,
				 vertex, graph.vertices);
	if (arcs != graph.arcs)
		return tmap_fail(err, TMAP_INPUT,
				 "it lists %" PRId64 " ends of edges, but says %" PRId64
				 " edges: each is listed at both ends",
				 arcs, graph.arcs / 2);
	if (!arcs)
		tmap_traffic_add_nothing(b);
	return 0;
}

/* The header says how many lines and numbers follow; a list that obeys it is improbable. */
bool tmap_traffic_is_metis(const char *text)
{
	struct tmap_line line = { 0 };
	struct tmap_error err;
	struct graph graph = { 0 };
	int64_t vertices = 0, numbers = 0;
	int width;

	if (!tmap_traffic_line(&line, &text, '%') || read_metis_header(&graph, line, &err) < 0)
		return false;
	for (; next_vertex(&line, &text); vertices++) {
		width = tmap_traffic_count_fields(line);
		if (width == TMAP_NONE)
			return false;
		if (vertices >= graph.vertices)
			return width == 0 && strspn(text, " \t\r\n") == strlen(text);
		numbers += width;
	}
	return vertices == graph.vertices &&
		numbers ==
		graph.vertices * (graph.has_sizes + (graph.has_weights ? graph.constraints : 0)) +
			graph.arcs * (1 + graph.has_edge_weights);
}

static int read_scotch_header(struct graph *graph, struct tmap_line *line, const char **text,
			      struct tmap_error *err)
{
	int64_t version, flags;

	if (tmap_field_stream(line, text, "the version 0", 0, &version, err) < 0)
		return -1;
	if (version != 0)
		return tmap_fail_at(err, TMAP_INPUT, line->number, 0,
				    "a Scotch graph begins with the version 0, not "
				    "%" PRId64,
				    version);
	if (tmap_field_stream(line, text, "a number of vertices", 1, &graph->vertices, err) < 0 ||
	    tmap_field_stream(line, text, "a number of arcs", 0, &graph->arcs, err) < 0 ||
	    tmap_field_stream(line, text, "the first number, 0 or 1", 0, &graph->base, err) < 0 ||
	    tmap_field_stream(line, text, "a format, such as 010", 0, &flags, err) < 0)
		return -1;
	if (graph->base > 1)
		return tmap_fail_at(err, TMAP_INPUT, line->number, 0,
				    "numbers begin at 0 or 1, not at %" PRId64, graph->base);
	if (read_flags(graph, flags / 100 * 100 + flags % 10 * 10 + flags / 10 % 10, line->number,
		       &graph->has_labels, err) < 0)
		return -1;
	return 0;
}

/* One vertex; what is called by labels has ranks for labels. */
static int read_vertex(struct tmap_pattern_builder *b, const struct graph *graph, int64_t vertex,
		       struct tmap_line *line, const char **text, int64_t *arcs,
		       struct tmap_error *err)
{
	int64_t degree, skipped, weight = 1, neighbour;

	vertex += graph->base;
	if ((graph->has_labels &&
	     tmap_field_stream(line, text, "a label", graph->base, &vertex, err) < 0) ||
	    (graph->has_weights &&
	     tmap_field_stream(line, text, "a weight", 0, &skipped, err) < 0) ||
	    tmap_field_stream(line, text, "a degree", 0, &degree, err) < 0)
		return -1;
	for (; degree > 0; degree--, ++*arcs)
		if ((graph->has_edge_weights &&
		     tmap_field_stream(line, text, "the weight of an edge", 0, &weight, err) < 0) ||
		    tmap_field_stream(line, text, "a neighbor", graph->base, &neighbour, err) < 0 ||
		    tmap_traffic_add(b, vertex - graph->base, neighbour - graph->base,
				     (double)weight / 2, line->number, err) < 0)
			return -1;
	return 0;
}

int tmap_traffic_scotch(struct tmap_pattern_builder *b, const char *text, struct tmap_error *err)
{
	struct tmap_line line = { 0 };
	struct graph graph = { 0 };
	int64_t arcs = 0, more;

	if (read_scotch_header(&graph, &line, &text, err) < 0 ||
	    tmap_traffic_check_size(b, graph.vertices, err) < 0)
		return -1;
	for (int64_t v = 0; v < graph.vertices; v++)
		if (read_vertex(b, &graph, v, &line, &text, &arcs, err) < 0)
			return -1;
	if (arcs != graph.arcs)
		return tmap_fail(err, TMAP_INPUT, "it lists %" PRId64 " arcs, but says %" PRId64,
				 arcs, graph.arcs);
	if (tmap_field_int(&line, "the end", 0, &more, err) != 0 ||
	    tmap_traffic_line(&line, &text, '\n'))
		return tmap_fail_at(err, TMAP_INPUT, line.number, 0,
				    "there is more than the %" PRId64 " vertices", graph.vertices);
	if (!arcs)
		tmap_traffic_add_nothing(b);
	return 0;
}

/* "0" alone, then two numbers, then two. */
bool tmap_traffic_is_scotch(const char *text)
{
	static const int width[] = { 1, 2, 2 };
	struct tmap_line line = { 0 };

	for (int i = 0; i < 3; i++)
		if (!tmap_traffic_line(&line, &text, '\n') ||
		    tmap_traffic_count_fields(line) != width[i] ||
		    (i == 0 && !tmap_line_begins(&line, "0")))
			return false;
	return true;
}
