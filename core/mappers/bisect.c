/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/bisect.h"

#include "core/base/mem.h"
#include "core/mappers/coarsen.h"
#include "core/mappers/refine.h"

#include <math.h>
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
	double *bias[LAYERS_MAX];            /* of each; bias[0] is borrowed; NULL: none */
	int *of[LAYERS_MAX]; /* [vertices of graph[l]]: the vertex of graph[l + 1] */
	int layers;
};

static void pyramid_fini(struct pyramid *pyramid)
{
	for (int l = 0; l < pyramid->layers; l++) {
		if (l > 0) {
			tmap_graph_fini(&pyramid->graph[l]);
			free(pyramid->bias[l]);
		}
		free(pyramid->of[l]);
	}
	*pyramid = (struct pyramid){ 0 };
}

/* right[] of the coarser vertices, in its place. */
static void sides_lift(bool *right, bool *room, const int *of, int fine, int coarse)
{
	for (int v = 0; v < fine; v++)
		room[of[v]] = right[v];
	memcpy(right, room, (size_t)coarse * sizeof *right);
}

static int pyramid_add_layer(struct pyramid *pyramid, bool *right, bool *room, int most,
			     struct tmap_random *random, struct tmap_error *err)
{
	int l = pyramid->layers - 1;
	const struct tmap_graph *fine = &pyramid->graph[l];
	struct tmap_graph *coarse = &pyramid->graph[l + 1];

	pyramid->of[l] = tmap_alloc_raw((size_t)fine->count, sizeof **pyramid->of, err);
	if (!pyramid->of[l] ||
	    tmap_coarsen(coarse, pyramid->of[l], fine, right, most, random, err) < 0)
		return -1;
	pyramid->layers++;
	if (pyramid->bias[l]) {
		pyramid->bias[l + 1] =
			tmap_alloc((size_t)coarse->count, sizeof **pyramid->bias, err);
		if (!pyramid->bias[l + 1])
			return -1;
		for (int v = 0; v < fine->count; v++)
			pyramid->bias[l + 1][pyramid->of[l][v]] += pyramid->bias[l][v];
	}
	if (right)
		sides_lift(right, room, pyramid->of[l], fine->count, coarse->count);
	return 0;
}

/* With sides (right, else NULL) that it keeps apart: in the end they are those of the coarsest
 * graph. */
static int pyramid_init(struct pyramid *pyramid, const struct tmap_graph *graph, const double *bias,
			bool *right, bool *room, struct tmap_random *random, int64_t *steps,
			struct tmap_error *err)
{
	int most = 1 + graph->count / (VERTICES_MIN / 2);

	*pyramid = (struct pyramid){ .layers = 1 };
	pyramid->graph[0] = *graph;
	pyramid->bias[0] = (double *)bias;
	while (pyramid->layers < LAYERS_MAX) {
		const struct tmap_graph *fine = &pyramid->graph[pyramid->layers - 1];

		if (fine->count <= VERTICES_MIN)
			break;
		*steps += 2 * fine->edges + 4 * fine->count;
		if (pyramid_add_layer(pyramid, right, room, most, random, err) < 0) {
			pyramid_fini(pyramid);
			return -1;
		}
		if (pyramid->graph[pyramid->layers - 1].count > fine->count - fine->count / 16)
			break;
	}
	return 0;
}

static int graph_largest_vertex(const struct tmap_graph *graph)
{
	int most = 0;

	for (int v = 0; v < graph->count; v++)
		most = tmap_graph_size(graph, v) > most ? tmap_graph_size(graph, v) : most;
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
		left += tmap_graph_size(graph, v);
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
			int peer = tmap_graph_peer(graph, v, i);
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
		*steps += 3 * graph->edges + graph->count +
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

/* Refine on the way back, from the sides of the coarsest graph in room[]; right[] are those of the
 * finest in the end, the return value what they cost. */
static double pyramid_refine(bool *right, bool *room, struct pyramid *pyramid,
			     struct tmap_refiner *refiner, struct tmap_sides *sides, int64_t *steps)
{
	int top = pyramid->layers - 1;

	for (int l = top; l >= 0; l--) {
		sides->graph = &pyramid->graph[l];
		sides->bias = pyramid->bias[l];
		sides->right = right;
		if (l == top)
			memcpy(right, room, (size_t)sides->graph->count * sizeof *right);
		else
			for (int v = 0; v < sides->graph->count; v++)
				right[v] = room[pyramid->of[l][v]];
		tmap_sides_count(sides);
		*steps += sides->graph->edges +
			tmap_sides_refine(sides, refiner,
					  l > 0 ? graph_largest_vertex(sides->graph) / 2 : 0,
					  PASSES);
		memcpy(room, right, (size_t)sides->graph->count * sizeof *right);
	}
	return sides->cut;
}

int tmap_bisect(bool *right, const struct tmap_graph *graph, int wanted, int tries,
		struct tmap_random *random, int64_t *steps, struct tmap_error *err)
{
	struct tmap_refiner refiner = { 0 };
	struct tmap_sides sides = { .wanted = wanted };
	bool *room = tmap_alloc_raw((size_t)graph->count, sizeof *room, err);
	struct pyramid pyramid;
	int status = -1;

	if (room && tmap_refiner_init(&refiner, graph->count, err) == 0 &&
	    pyramid_init(&pyramid, graph, NULL, NULL, NULL, random, steps, err) == 0) {
		sides.graph = &pyramid.graph[pyramid.layers - 1];
		sides.right = room;
		status = sides_seed(&sides, &refiner, tries, random, steps, err);
		if (status == 0)
			pyramid_refine(right, room, &pyramid, &refiner, &sides, steps);
		pyramid_fini(&pyramid);
	}
	tmap_refiner_fini(&refiner);
	free(room);
	return status;
}

int tmap_bisect_improve(bool *right, const double *bias, const struct tmap_graph *graph,
			struct tmap_random *random, int64_t *steps, struct tmap_error *err)
{
	size_t bytes = (size_t)graph->count * sizeof *right;
	bool *top = tmap_alloc_raw(bytes, 1, err), *room = tmap_alloc_raw(bytes, 1, err);
	struct tmap_sides sides = { .graph = graph, .right = right, .bias = bias };
	struct tmap_refiner refiner = { 0 };
	struct pyramid pyramid;
	double before, after;
	int status = -1;

	if (top && room && tmap_refiner_init(&refiner, graph->count, err) == 0) {
		tmap_sides_count(&sides);
		sides.wanted = sides.left;
		before = sides.cut;
		memcpy(top, right, bytes);
		status = pyramid_init(&pyramid, graph, bias, top, room, random, steps, err);
	}
	if (status == 0) {
		after = pyramid_refine(room, top, &pyramid, &refiner, &sides, steps);
		if (sides.left == sides.wanted && after < before - 1e-9 * fabs(before)) {
			memcpy(right, room, bytes);
			status = 1;
		}
		pyramid_fini(&pyramid);
	}
	tmap_refiner_fini(&refiner);
	free(top);
	free(room);
	return status;
}
