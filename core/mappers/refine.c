/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/refine.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* A pass ends when so many moves, and a share of all, have not helped. */
enum { PATIENCE = 64, PATIENCE_SHARE = 16 };

/* In so small a graph all vertices may move, not only those at the border. */
enum { VERTICES_FEW = 256 };

int tmap_refiner_init(struct tmap_refiner *refiner, int vertices, struct tmap_error *err)
{
	struct tmap_refiner made = { 0 };

	made.gain = tmap_alloc_raw((size_t)vertices, sizeof *made.gain, err);
	made.moved = tmap_alloc_raw((size_t)vertices, sizeof *made.moved, err);
	made.order = tmap_alloc_raw((size_t)vertices, sizeof *made.order, err);
	if (!made.gain || !made.moved || !made.order ||
	    tmap_heap_init(&made.heap[0], vertices, err) < 0 ||
	    tmap_heap_init(&made.heap[1], vertices, err) < 0) {
		tmap_refiner_fini(&made);
		return -1;
	}
	*refiner = made;
	return 0;
}

void tmap_refiner_fini(struct tmap_refiner *refiner)
{
	tmap_heap_fini(&refiner->heap[0]);
	tmap_heap_fini(&refiner->heap[1]);
	free(refiner->gain);
	free(refiner->moved);
	free(refiner->order);
	*refiner = (struct tmap_refiner){ 0 };
}

void tmap_sides_count(struct tmap_sides *sides)
{
	const struct tmap_graph *graph = sides->graph;
	double cut = 0;

	sides->left = 0;
	for (int v = 0; v < graph->count; v++) {
		sides->left += sides->right[v] ? 0 : tmap_graph_size(graph, v);
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
			cut += sides->right[v] != sides->right[tmap_graph_peer(graph, v, i)] ?
				graph->weight[i] :
				0;
	}
	cut /= 2;
	for (int v = 0; sides->bias && v < graph->count; v++)
		cut += sides->right[v] ? sides->bias[v] : 0;
	sides->cut = cut;
}

/* The vertices at the border into the heaps, the others when their neighbours move; all, where the
 * sides are not as large as they should be. */
static void pass_begin(const struct tmap_sides *sides, struct tmap_refiner *refiner, bool all)
{
	const struct tmap_graph *graph = sides->graph;

	for (int v = 0; v < graph->count; v++) {
		double gain = sides->bias ? (sides->right[v] ? 1 : -1) * sides->bias[v] : 0;
		bool at_border = all || gain > 0;

		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
			bool apart = sides->right[v] != sides->right[tmap_graph_peer(graph, v, i)];

			gain += apart ? graph->weight[i] : -graph->weight[i];
			at_border = at_border || apart;
		}
		refiner->gain[v] = gain;
		refiner->moved[v] = false;
		if (at_border)
			tmap_heap_set(&refiner->heap[sides->right[v]], v, gain);
	}
}

static void side_change(struct tmap_sides *sides, int v)
{
	sides->left += sides->right[v] ? tmap_graph_size(sides->graph, v) :
					 -tmap_graph_size(sides->graph, v);
	sides->right[v] = !sides->right[v];
}

static int64_t vertex_move(struct tmap_sides *sides, struct tmap_refiner *refiner, int v)
{
	const struct tmap_graph *graph = sides->graph;

	tmap_heap_remove(&refiner->heap[sides->right[v]], v);
	refiner->moved[v] = true;
	side_change(sides, v);
	sides->cut -= refiner->gain[v];
	for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
		int peer = tmap_graph_peer(graph, v, i);

		if (refiner->moved[peer])
			continue;
		refiner->gain[peer] +=
			(sides->right[v] != sides->right[peer] ? 2 : -2) * graph->weight[i];
		tmap_heap_set(&refiner->heap[sides->right[peer]], peer, refiner->gain[peer]);
	}
	return tmap_graph_degree(graph, v);
}

/* The vertex that moves next: from the side that has too much, else the one that gains more. */
static int pass_next(const struct tmap_sides *sides, const struct tmap_refiner *refiner, int slack)
{
	int from_left = tmap_heap_first(&refiner->heap[0]);
	int from_right = tmap_heap_first(&refiner->heap[1]);

	if (sides->left > sides->wanted + slack || from_right == TMAP_NONE)
		return from_left;
	if (sides->left < sides->wanted - slack || from_left == TMAP_NONE)
		return from_right;
	if (slack == 0 && sides->left != sides->wanted)
		return sides->left > sides->wanted ? from_left : from_right;
	return refiner->gain[from_left] >= refiner->gain[from_right] ? from_left : from_right;
}

/* How good a moment is: nearer to the wanted sizes than the slack is not better. */
struct moment {
	int off;
	double cut;
};

static struct moment moment_of(const struct tmap_sides *sides, int slack)
{
	int off = abs(sides->left - sides->wanted);

	return (struct moment){ off > slack ? off - slack : 0, sides->cut };
}

static bool moment_is_better(struct moment a, struct moment b)
{
	return a.off != b.off ? a.off < b.off : a.cut < b.cut - 1e-12 * (b.cut > 0 ? b.cut : 0);
}

static bool pass_run(struct tmap_sides *sides, struct tmap_refiner *refiner, int slack,
		     int64_t *steps)
{
	int moves = 0, kept = 0, patience = PATIENCE + sides->graph->count / PATIENCE_SHARE;
	struct moment best = moment_of(sides, slack);

	pass_begin(sides, refiner,
		   sides->graph->count <= VERTICES_FEW || sides->left != sides->wanted);
	*steps += sides->graph->edges + sides->graph->count;
	while (moves - kept < patience || best.off > 0) {
		int v = pass_next(sides, refiner, slack);
		struct moment now;

		if (v == TMAP_NONE)
			break;
		*steps += 2 * vertex_move(sides, refiner, v) + 1;
		refiner->order[moves++] = v;
		now = moment_of(sides, slack);
		if (moment_is_better(now, best)) {
			best = now;
			kept = moves;
		}
	}
	while (moves > kept) /* back to the best moment */
		side_change(sides, refiner->order[--moves]);
	sides->cut = best.cut;
	tmap_heap_clear(&refiner->heap[0]);
	tmap_heap_clear(&refiner->heap[1]);
	return kept > 0;
}

int64_t tmap_sides_refine(struct tmap_sides *sides, struct tmap_refiner *refiner, int slack,
			  int passes)
{
	int64_t steps = 0;

	while (passes-- > 0 && pass_run(sides, refiner, slack, &steps))
		;
	return steps;
}
