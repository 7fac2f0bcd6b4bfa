/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/grouping.h"

#include "core/map/heap.h"

#include <stdlib.h>

struct grouping {
	const struct tmap_graph *graph;
	int *of;               /* TMAP_NONE: in no group yet */
	struct tmap_heap near; /* neighbours of the group that grows */
	struct tmap_heap edge; /* neighbours of any group; all others behind them */
};

static void heap_add_weight(struct tmap_heap *heap, int v, double weight)
{
	tmap_heap_set(heap, v, (heap->where[v] == TMAP_NONE ? 0 : heap->key[v]) + weight);
}

static void group_add(struct grouping *g, int v, int group)
{
	const struct tmap_graph *graph = g->graph;

	g->of[v] = group;
	tmap_heap_remove(&g->near, v);
	tmap_heap_remove(&g->edge, v);
	for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
		int peer = tmap_graph_peer(graph, v, i);

		if (g->of[peer] != TMAP_NONE)
			continue;
		heap_add_weight(&g->near, peer, graph->weight[i]);
		heap_add_weight(&g->edge, peer, graph->weight[i]);
	}
}

int tmap_group_vertices(int *of, const struct tmap_graph *graph, int size, struct tmap_error *err)
{
	struct grouping g = { .graph = graph, .of = of };
	int status = -1;

	if (tmap_heap_init(&g.near, graph->count, err) == 0 &&
	    tmap_heap_init(&g.edge, graph->count, err) == 0) {
		for (int v = 0; v < graph->count; v++) {
			of[v] = TMAP_NONE;
			tmap_heap_set(&g.edge, v, 0);
		}
		for (int taken = 0; taken < graph->count; taken++) {
			if (taken % size == 0)
				tmap_heap_clear(&g.near);
			group_add(&g, tmap_heap_first(g.near.count ? &g.near : &g.edge),
				  taken / size);
		}
		status = 0;
	}
	tmap_heap_fini(&g.near);
	tmap_heap_fini(&g.edge);
	return status;
}
