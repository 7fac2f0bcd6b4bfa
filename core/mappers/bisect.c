/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/bisect.h"

#include "core/base/mem.h"
#include "core/mappers/coarsen.h"
#include "core/mappers/refine.h"

#include <stdlib.h>
#include <string.h>

enum {
	VERTICES_MIN = 48, /* vertices that are not made fewer */
	LAYERS_MAX = 40,
	PASSES = 10,
};

/* Coarser and coarser graphs; layer 0 is the one that is divided. */
struct pyramid {
	struct tmap_graph graph[LAYERS_MAX]; /* graph[0] is borrowed */
	int *of[LAYERS_MAX]; /* [vertices of graph[l]]: the vertex of graph[l + 1] */
	int layers;
};

static void pyramid_fini(struct pyramid *pyramid)
{
	for (int l = 0; l < pyramid->layers; l++) {
		if (l > 0)
			tmap_graph_fini(&pyramid->graph[l]);
		free(pyramid->of[l]);
	}
	*pyramid = (struct pyramid){ 0 };
}

static int pyramid_init(struct pyramid *pyramid, const struct tmap_graph *graph,
			struct tmap_random *random, int64_t *steps, struct tmap_error *err)
{
	int most = 1 + graph->count / (VERTICES_MIN / 2);

	*pyramid = (struct pyramid){ .layers = 1 };
	pyramid->graph[0] = *graph;
	while (pyramid->layers < LAYERS_MAX) {
		int l = pyramid->layers - 1;
		const struct tmap_graph *fine = &pyramid->graph[l];

		if (fine->count <= VERTICES_MIN)
			break;
		pyramid->of[l] = tmap_alloc_raw((size_t)fine->count, sizeof **pyramid->of, err);
		if (!pyramid->of[l] ||
		    tmap_coarsen(&pyramid->graph[l + 1], pyramid->of[l], fine, most, random, err) <
			    0) {
			pyramid_fini(pyramid);
			return -1;
		}
		*steps += 2 * fine->start[fine->count] + 4 * fine->count;
		pyramid->layers++;
		if (pyramid->graph[l + 1].count > fine->count - fine->count / 16)
			break;
	}
	return 0;
}

static int graph_largest_vertex(const struct tmap_graph *graph)
{
	int most = 0;

	for (int v = 0; v < graph->count; v++)
		most = graph->size[v] > most ? graph->size[v] : most;
	return most;
}

/* The left side grown from a vertex: always the one that sends it most comes next. */
static void sides_grow(struct tmap_sides *sides, struct tmap_refiner *refiner, int seed)
{
	const struct tmap_graph *graph = sides->graph;
	struct tmap_heap *heap = &refiner->heap[0];
	int left = 0, next = 0;

	for (int v = 0; v < graph->count; v++)
		sides->right[v] = true;
	while (left < sides->wanted) {
		int v = seed;

		if (left > 0)
			v = tmap_heap_first(heap);
		if (v == TMAP_NONE) { /* another piece of the graph */
			while (!sides->right[next])
				next++;
			v = next;
		}
		tmap_heap_remove(heap, v);
		sides->right[v] = false;
		left += graph->size[v];
		for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++) {
			int peer = graph->peer[i];
			double before = heap->where[peer] == TMAP_NONE ? 0 : heap->key[peer];

			if (sides->right[peer])
				tmap_heap_set(heap, peer, before + graph->weight[i]);
		}
	}
	tmap_heap_clear(heap);
	tmap_sides_count(sides);
}

/* The best of several seeds, into sides->right. */
static int sides_seed(struct tmap_sides *sides, struct tmap_refiner *refiner, int tries,
		      struct tmap_random *random, int64_t *steps, struct tmap_error *err)
{
	const struct tmap_graph *graph = sides->graph;
	int slack = graph_largest_vertex(graph) / 2, best_off = 0;
	bool *best = tmap_alloc_raw((size_t)graph->count, sizeof *best, err);
	double least = 0;

	if (!best)
		return -1;
	for (int k = 0; k < tries; k++) {
		int off;

		sides_grow(sides, refiner, (int)tmap_random_below(random, (uint64_t)graph->count));
		*steps += 3 * graph->start[graph->count] + graph->count +
			tmap_sides_refine(sides, refiner, slack, PASSES);
		off = abs(sides->left - sides->wanted);
		off = off > slack ? off : 0;
		if (k > 0 && (off > best_off || (off == best_off && sides->cut >= least)))
			continue;
		memcpy(best, sides->right, (size_t)graph->count * sizeof *best);
		best_off = off;
		least = sides->cut;
	}
	memcpy(sides->right, best, (size_t)graph->count * sizeof *best);
	tmap_sides_count(sides);
	free(best);
	return 0;
}

/* Divide the coarsest graph, then refine on the way back; right[] are the sides of the finest. */
static int pyramid_divide(bool *right, struct pyramid *pyramid, int wanted, int tries,
			  struct tmap_random *random, int64_t *steps, struct tmap_error *err)
{
	int count = pyramid->graph[0].count, top = pyramid->layers - 1, status = -1;
	struct tmap_refiner refiner = { 0 };
	struct tmap_sides sides = { .wanted = wanted };
	bool *room = tmap_alloc_raw((size_t)count, sizeof *room, err);

	if (room && tmap_refiner_init(&refiner, count, err) == 0) {
		sides.graph = &pyramid->graph[top];
		sides.right = room;
		status = sides_seed(&sides, &refiner, tries, random, steps, err);
	}
	for (int l = top; status == 0 && l >= 0; l--) {
		sides.graph = &pyramid->graph[l];
		sides.right = right;
		if (l == top)
			memcpy(right, room, (size_t)sides.graph->count * sizeof *right);
		else
			for (int v = 0; v < sides.graph->count; v++)
				right[v] = room[pyramid->of[l][v]];
		tmap_sides_count(&sides);
		*steps += sides.graph->start[sides.graph->count] +
			tmap_sides_refine(&sides, &refiner,
					  l > 0 ? graph_largest_vertex(sides.graph) / 2 : 0,
					  PASSES);
		memcpy(room, right, (size_t)sides.graph->count * sizeof *right);
	}
	tmap_refiner_fini(&refiner);
	free(room);
	return status;
}

int tmap_bisect(bool *right, const struct tmap_graph *graph, int wanted, int tries,
		struct tmap_random *random, int64_t *steps, struct tmap_error *err)
{
	struct pyramid pyramid;
	int status;

	if (pyramid_init(&pyramid, graph, random, steps, err) < 0)
		return -1;
	status = pyramid_divide(right, &pyramid, wanted, tries, random, steps, err);
	pyramid_fini(&pyramid);
	return status;
}
