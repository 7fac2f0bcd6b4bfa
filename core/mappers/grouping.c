#include "core/mappers/grouping.h"

#include "core/map/heap.h"

#include <stdlib.h>

struct grouping {
	const struct tm_graph *graph;
	int *of;             /* TM_NONE: in no group yet */
	struct tm_heap near; /* those that talk to the group that grows */
	struct tm_heap edge; /* those that talk to any group; all others behind them */
};

static void add_weight(struct tm_heap *heap, int v, double weight)
{
	tm_heap_set(heap, v, (heap->where[v] == TM_NONE ? 0 : heap->key[v]) + weight);
}

static void take(struct grouping *g, int v, int group)
{
	const struct tm_graph *graph = g->graph;

	g->of[v] = group;
	tm_heap_remove(&g->near, v);
	tm_heap_remove(&g->edge, v);
	for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++) {
		int peer = graph->peer[i];

		if (g->of[peer] != TM_NONE)
			continue;
		add_weight(&g->near, peer, graph->weight[i]);
		add_weight(&g->edge, peer, graph->weight[i]);
	}
}

int tm_group_vertices(int *of, const struct tm_graph *graph, int size, struct tm_error *err)
{
	struct grouping g = { .graph = graph, .of = of };
	int status = -1;

	if (tm_heap_init(&g.near, graph->count, err) == 0 &&
	    tm_heap_init(&g.edge, graph->count, err) == 0) {
		for (int v = 0; v < graph->count; v++) {
			of[v] = TM_NONE;
			tm_heap_set(&g.edge, v, 0);
		}
		for (int taken = 0; taken < graph->count; taken++) {
			if (taken % size == 0)
				tm_heap_clear(&g.near);
			take(&g, tm_heap_first(g.near.count ? &g.near : &g.edge), taken / size);
		}
		status = 0;
	}
	tm_heap_fini(&g.near);
	tm_heap_fini(&g.edge);
	return status;
}
