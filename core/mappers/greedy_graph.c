/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/map/heap.h"
#include "core/mappers/closest.h"

#include <stdlib.h>

/* The neighbour that has a position to which the rank sends most; TMAP_NONE. */
static int placed_neighbour(const struct tmap_graph *graph, const struct tmap_closest *closest,
			    int v)
{
	int best = TMAP_NONE;
	double most = 0;

	for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
		if (closest->of[tmap_graph_peer(graph, v, i)] != TMAP_NONE &&
		    graph->weight[i] > most) {
			most = graph->weight[i];
			best = tmap_graph_peer(graph, v, i);
		}
	return best;
}

/* The ranks by all that they send, those that send most first. */
static int ranks_by_traffic(struct tmap_heap *waiting, const struct tmap_graph *graph, int size,
			    struct tmap_error *err)
{
	if (tmap_heap_init(waiting, size, err) < 0)
		return -1;
	for (int v = 0; v < size; v++) {
		double sum = 0;

		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
			sum += graph->weight[i];
		tmap_heap_set(waiting, v, sum);
	}
	return 0;
}

/* @p near holds the neighbours of ranks with a position, by their traffic with them. */
static void graph_place(struct tmap_closest *closest, const struct tmap_graph *graph,
			struct tmap_heap *waiting, struct tmap_heap *near)
{
	while (waiting->count) {
		int v = tmap_heap_first(near->count ? near : waiting);

		tmap_closest_put(closest, v, placed_neighbour(graph, closest, v));
		tmap_heap_remove(waiting, v);
		tmap_heap_remove(near, v);
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
			int peer = tmap_graph_peer(graph, v, i);
			double before = near->where[peer] == TMAP_NONE ? 0 : near->key[peer];

			if (closest->of[peer] == TMAP_NONE)
				tmap_heap_set(near, peer, before + graph->weight[i]);
		}
	}
}

int tmap_map_greedy(struct tmap_search *search, struct tmap_error *err)
{
	struct tmap_closest closest = { 0 };
	struct tmap_heap waiting = { 0 }, near = { 0 };
	int status = -1;

	if (!search->has_graph)
		return search->has_best ? 0 : tmap_map_walk(search, err);
	if (ranks_by_traffic(&waiting, &search->graph, search->size, err) == 0 &&
	    tmap_heap_init(&near, search->size, err) == 0 &&
	    tmap_closest_init(&closest, &search->levels, err) == 0) {
		graph_place(&closest, &search->graph, &waiting, &near);
		search->left -= 3 * search->graph.edges;
		tmap_closest_fill(&closest);
		status = tmap_search_evaluate_at(search, &search->levels, closest.at, NULL, err);
	}
	tmap_heap_fini(&waiting);
	tmap_heap_fini(&near);
	tmap_closest_fini(&closest);
	return status;
}
