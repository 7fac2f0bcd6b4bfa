#include "core/mappers/rows.h"

#include "core/mappers/closest.h"
#include "core/map/heap.h"
#include "core/base/mem.h"

#include <stdlib.h>

/* The neighbour that has a position to which the rank sends most; TM_NONE. */
static int heaviest_placed(const struct tm_graph *graph, const struct tm_closest *closest, int v)
{
	int best = TM_NONE;
	double most = 0;

	for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++)
		if (closest->of[graph->peer[i]] != TM_NONE && graph->weight[i] > most) {
			most = graph->weight[i];
			best = graph->peer[i];
		}
	return best;
}

/* The ranks by all that they send, the most talkative first. */
static int fill_waiting(struct tm_heap *waiting, const struct tm_graph *graph, int size,
			struct tm_error *err)
{
	if (tm_heap_init(waiting, size, err) < 0)
		return -1;
	for (int v = 0; v < size; v++) {
		double sum = 0;

		for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++)
			sum += graph->weight[i];
		tm_heap_set(waiting, v, sum);
	}
	return 0;
}

/* @p near holds those that talk to ranks with a position, by how much. */
static void place_all(struct tm_closest *closest, const struct tm_graph *graph,
		      struct tm_heap *waiting, struct tm_heap *near)
{
	while (waiting->count) {
		int v = tm_heap_first(near->count ? near : waiting);

		tm_closest_put(closest, v, heaviest_placed(graph, closest, v));
		tm_heap_remove(waiting, v);
		tm_heap_remove(near, v);
		for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++) {
			int peer = graph->peer[i];
			double before = near->where[peer] == TM_NONE ? 0 : near->key[peer];

			if (closest->of[peer] == TM_NONE)
				tm_heap_set(near, peer, before + graph->weight[i]);
		}
	}
}

int tm_map_greedy(struct tm_quest *quest, struct tm_error *err)
{
	struct tm_closest closest = { 0 };
	struct tm_heap waiting = { 0 }, near = { 0 };
	int status = -1;

	if (!quest->has_graph)
		return quest->has_best ? 0 : tm_map_walk(quest, err);
	if (fill_waiting(&waiting, &quest->graph, quest->size, err) == 0 &&
	    tm_heap_init(&near, quest->size, err) == 0 &&
	    tm_closest_init(&closest, &quest->ladder, err) == 0) {
		place_all(&closest, &quest->graph, &waiting, &near);
		quest->left -= 3 * quest->graph.start[quest->size];
		tm_closest_fill(&closest);
		status = tm_quest_offer_at(quest, &quest->ladder, closest.at, NULL, err);
	}
	tm_heap_fini(&waiting);
	tm_heap_fini(&near);
	tm_closest_fini(&closest);
	return status;
}
