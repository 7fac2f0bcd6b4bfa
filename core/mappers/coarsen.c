#include "core/mappers/coarsen.h"

#include "core/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/* The unmatched neighbour over the heaviest edge; TM_NONE. */
static int find_mate(const struct tm_graph *graph, const int *of, int v, int most)
{
	int mate = TM_NONE;
	double heaviest = 0;

	for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++) {
		int peer = graph->peer[i];

		if (of[peer] == TM_NONE && graph->weight[i] > heaviest &&
		    graph->size[v] + graph->size[peer] <= most) {
			heaviest = graph->weight[i];
			mate = peer;
		}
	}
	return mate;
}

static bool is_alone(const struct tm_graph *graph, int v)
{
	return graph->start[v] == graph->start[v + 1];
}

/* Returns the number of vertices of the coarse graph. */
static int match(int *of, const struct tm_graph *graph, const int *order, int most)
{
	int count = 0, lonely = TM_NONE;

	for (int i = 0; i < graph->count; i++)
		of[i] = TM_NONE;
	for (int i = 0; i < graph->count; i++) {
		int v = order[i], mate;

		if (of[v] != TM_NONE)
			continue;
		mate = find_mate(graph, of, v, most);
		if (is_alone(graph, v) && lonely != TM_NONE &&
		    graph->size[lonely] + graph->size[v] <= most) {
			of[v] = of[lonely];
			lonely = TM_NONE;
			continue;
		}
		if (is_alone(graph, v))
			lonely = v;
		if (mate != TM_NONE)
			of[mate] = count;
		of[v] = count++;
	}
	return count;
}

int tm_coarsen(struct tm_graph *coarse, int *of, const struct tm_graph *fine, int most,
	       struct tm_random *random, struct tm_error *err)
{
	int *order = tm_alloc_raw((size_t)fine->count, sizeof *order, err), count;

	if (!order)
		return -1;
	for (int v = 0; v < fine->count; v++)
		order[v] = v;
	tm_random_shuffle(random, order, fine->count);
	count = match(of, fine, order, most);
	free(order);
	return tm_graph_contract(coarse, fine, of, count, err);
}
