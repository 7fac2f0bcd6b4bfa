/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/lattice_parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <string.h>

enum { OFFSETS_MAX = 128 };

/* How far a rank is from another one, the short way round; of the two directions one. */
static void offset_set(const struct tmap_neighborhood *grid, int from, int to, int *offset)
{
	int sign = 0;

	for (int d = grid->dimensions - 1; d >= 0; d--) {
		int side = grid->dim[d], off = to % side - from % side;

		if (grid->periodic[d] && 2 * off > side)
			off -= side;
		if (grid->periodic[d] && 2 * off < -side)
			off += side;
		offset[d] = off;
		from /= side;
		to /= side;
	}
	for (int d = 0; d < grid->dimensions && sign == 0; d++)
		sign = (offset[d] > 0) - (offset[d] < 0);
	for (int d = 0; d < grid->dimensions; d++)
		offset[d] *= sign;
}

/* One more edge; where there are too many offsets it is left out. Returns the steps that it took. */
static int offset_add(struct tmap_neighborhood *grid, const int *offset, double weight)
{
	int width = grid->dimensions, k = 0;

	while (k < grid->degree &&
	       memcmp(offset, grid->offset + k * width, (size_t)width * sizeof *offset) != 0)
		k++;
	if (k == OFFSETS_MAX)
		return 1 + k / 8;
	if (k == grid->degree) {
		memcpy(grid->offset + k * width, offset, (size_t)width * sizeof *offset);
		grid->degree++;
	}
	grid->weight[k] += weight / grid->size;
	return 1 + k / 8; /* a comparison is much shorter than a step */
}

int tmap_lattice_weigh(struct tmap_lattice *lattice, const struct tmap_graph *graph,
		       const double *weight, int weights, int64_t *steps, struct tmap_error *err)
{
	struct tmap_neighborhood *grid = &lattice->grid;
	int offset[TMAP_DIMENSIONS_MAX];

	grid->offset = tmap_alloc((size_t)OFFSETS_MAX * (size_t)grid->dimensions,
				  sizeof *grid->offset, err);
	grid->weight = tmap_alloc(OFFSETS_MAX, sizeof *grid->weight, err);
	if (!grid->offset || !grid->weight)
		return -1;
	for (int w = 0; w < weights; w++) {
		double most = w ? weight[w - 1] * (1 - 1e-9) : INFINITY;
		double least = weight[w] * (1 - 1e-9);

		for (int v = 0; v < grid->size; v++)
			for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v);
			     i++) {
				if (tmap_graph_peer(graph, v, i) < v ||
				    tmap_graph_peer(graph, v, i) >= grid->size ||
				    graph->weight[i] < least || graph->weight[i] >= most)
					continue;
				offset_set(grid, lattice->number[v],
					   lattice->number[tmap_graph_peer(graph, v, i)], offset);
				*steps += offset_add(grid, offset, graph->weight[i]);
			}
		*steps += graph->edges;
	}
	return 0;
}
