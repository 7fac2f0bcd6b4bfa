/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - the traffic as an undirected, weighted graph.
 *
 * A vertex is a rank, or several that are kept together; an edge weighs what its ends send
 * each other, both ways. Every edge is listed at both its ends, none is a loop.
 */
#ifndef TMAP_CORE_MAP_GRAPH_H
#define TMAP_CORE_MAP_GRAPH_H

#include "core/pattern/pattern.h"

struct tmap_graph {
	int count;     /**< number of vertices */
	int64_t edges; /**< of all rows */
	uint16_t *like; /**< [count]: vertices with one number have one row, whose peers are that much
			     further; NULL: each has its own */
	int64_t *start; /**< [rows + 1] */
	int *peer;      /**< [start[rows]] */
	double *weight; /**< [start[rows]] */
	int *size;      /**< [count]: ranks in a vertex; NULL: one each */
};

/** The edges of a vertex are begin, begin + 1, ... end - 1. */
static inline int64_t tmap_graph_begin(const struct tmap_graph *graph, int vertex)
{
	return graph->start[graph->like ? graph->like[vertex] : vertex];
}

static inline int64_t tmap_graph_end(const struct tmap_graph *graph, int vertex)
{
	return graph->start[(graph->like ? graph->like[vertex] : vertex) + 1];
}

static inline int tmap_graph_peer(const struct tmap_graph *graph, int vertex, int64_t edge)
{
	return graph->peer[edge] + (graph->like ? vertex : 0);
}

static inline int64_t tmap_graph_degree(const struct tmap_graph *graph, int vertex)
{
	return tmap_graph_end(graph, vertex) - tmap_graph_begin(graph, vertex);
}

static inline int tmap_graph_size(const struct tmap_graph *graph, int vertex)
{
	return graph->size ? graph->size[vertex] : 1;
}

/** The graph of a pattern, and behind its ranks so many vertices without edges that there are
 *  @p count: places that stay empty. Entries without bytes are left out. O(entries + count); that of a grid
 *  keeps each row once that is the same for many vertices, in 2 bytes a vertex. */
int tmap_graph_init(struct tmap_graph *graph, const struct tmap_pattern *pattern, int count,
		    struct tmap_error *err);
void tmap_graph_fini(struct tmap_graph *graph);

/** The graph with some vertices as one: vertex v of @p fine is in vertex of[v] < @p count; edges
 *  of one pair add up. O(edges + vertices). */
int tmap_graph_contract(struct tmap_graph *coarse, const struct tmap_graph *fine, const int *of,
			int count, struct tmap_error *err);

/** The graph of list[count] alone, in that order: edges to other vertices are left out. @p name
 *  is room for one number for each vertex of @p whole, all TMAP_NONE before and after.
 *  O(edges at the listed vertices). */
int tmap_graph_extract(struct tmap_graph *part, const struct tmap_graph *whole, const int *list,
		       int count, int *name, struct tmap_error *err);

#endif
