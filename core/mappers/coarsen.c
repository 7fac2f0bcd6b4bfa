/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/coarsen.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* The unmatched neighbour over the heaviest edge; TMAP_NONE. */
static int vertex_mate(const struct tmap_graph *graph, const int *of, const bool *right, int v,
		       int most)
{
	int mate = TMAP_NONE;
	double heaviest = 0;

	for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
		int peer = tmap_graph_peer(graph, v, i);

		if (of[peer] == TMAP_NONE && graph->weight[i] > heaviest &&
		    tmap_graph_size(graph, v) + tmap_graph_size(graph, peer) <= most &&
		    (!right || right[peer] == right[v])) {
			heaviest = graph->weight[i];
			mate = peer;
		}
	}
	return mate;
}

static bool vertex_is_isolated(const struct tmap_graph *graph, int v)
{
	return tmap_graph_degree(graph, v) == 0;
}

/* Returns the number of vertices of the coarse graph. */
static int vertices_match(int *of, const struct tmap_graph *graph, const bool *right,
			  const int *order, int most)
{
	int count = 0, isolated = TMAP_NONE;

	for (int i = 0; i < graph->count; i++)
		of[i] = TMAP_NONE;
	for (int i = 0; i < graph->count; i++) {
		int v = order[i], mate;

		if (of[v] != TMAP_NONE)
			continue;
		mate = vertex_mate(graph, of, right, v, most);
		if (vertex_is_isolated(graph, v) && isolated != TMAP_NONE &&
		    tmap_graph_size(graph, isolated) + tmap_graph_size(graph, v) <= most &&
		    (!right || right[isolated] == right[v])) {
			of[v] = of[isolated];
			isolated = TMAP_NONE;
			continue;
		}
		if (vertex_is_isolated(graph, v))
			isolated = v;
		if (mate != TMAP_NONE)
			of[mate] = count;
		of[v] = count++;
	}
	return count;
}

int tmap_coarsen(struct tmap_graph *coarse, int *of, const struct tmap_graph *fine,
		 const bool *right, int most, struct tmap_random *random, struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)fine->count, sizeof *order, err), count;

	if (!order)
		return -1;
	for (int v = 0; v < fine->count; v++)
		order[v] = v;
	tmap_random_shuffle(random, order, fine->count);
	count = vertices_match(of, fine, right, order, most);
	free(order);
	return tmap_graph_contract(coarse, fine, of, count, err);
}
