/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/grid_parts.h"

#include "core/base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct cutter {
	const struct tmap_neighborhood *grid;
	const struct tmap_nest *nest;
	int *at;                            /* [positions]: ranks, those of a part side by side */
	int *room;                          /* [positions] */
	int *count;                         /* [longest dimension + 1] */
	double across[TMAP_DIMENSIONS_MAX]; /* edges of a rank that cross a cut of a dimension */
	int64_t steps;
};

static int grid_coordinate(const struct tmap_neighborhood *grid, int rank, int d)
{
	for (int k = grid->dimensions - 1; k > d; k--)
		rank /= grid->dim[k];
	assert(grid->dim[d] > 0);
	return rank % grid->dim[d];
}

static void part_range(const struct cutter *c, int begin, int end, int d, int *least, int *most)
{
	*least = c->grid->dim[d];
	*most = 0;
	for (int x = begin; x < end; x++) {
		int at = grid_coordinate(c->grid, c->at[x], d);

		*least = at < *least ? at : *least;
		*most = at > *most ? at : *most;
	}
}

/* The dimension whose cut crosses the fewest edges: those of a slice, about. */
static int cut_dimension(const struct cutter *c, int begin, int end)
{
	double fewest = INFINITY;
	int best = 0;

	for (int d = 0; d < c->grid->dimensions; d++) {
		int least, most;
		double edges;

		part_range(c, begin, end, d, &least, &most);
		if (least == most)
			continue;
		edges = c->across[d] / (most - least + 1);
		if (c->grid->periodic[d] && most - least + 1 == c->grid->dim[d])
			edges *= 2;
		if (edges < fewest * (1 - 1e-12)) {
			fewest = edges;
			best = d;
		}
	}
	return best;
}

/* The ranks of a part by one coordinate; a stable sort. */
static void part_sort(struct cutter *c, int begin, int end, int d)
{
	int least, most;

	part_range(c, begin, end, d, &least, &most);
	for (int i = least; i <= most + 1; i++)
		c->count[i] = 0;
	for (int x = begin; x < end; x++)
		c->count[grid_coordinate(c->grid, c->at[x], d) + 1]++;
	c->count[least] = begin;
	for (int i = least + 1; i <= most; i++)
		c->count[i] += c->count[i - 1];
	for (int x = begin; x < end; x++)
		c->room[c->count[grid_coordinate(c->grid, c->at[x], d)]++] = c->at[x];
	for (int x = begin; x < end; x++)
		c->at[x] = c->room[x];
}

/* In every part the ranks come first, then the numbers of no rank. */
static void part_cut(struct cutter *c, int begin, int end)
{
	int ranks_end = end;

	while (ranks_end > begin && c->at[ranks_end - 1] >= c->grid->size)
		ranks_end--;
	if (ranks_end > begin)
		part_sort(c, begin, ranks_end, cut_dimension(c, begin, ranks_end));
	c->steps += (int64_t)(end - begin) * (2 * c->grid->dimensions + 4);
}

static void part_halve(struct cutter *c, int layer, int first, int count)
{
	const int *start;
	int middle;

	while (count == 1) {
		int set = first;

		count = tmap_nest_children(c->nest, layer, set, &first);
		layer++;
	}
	if (count == 0)
		return;
	start = c->nest->start[layer];
	middle = tmap_nest_middle(c->nest, layer, first, count);
	part_cut(c, start[first], start[first + count]);
	part_halve(c, layer, first, middle);
	part_halve(c, layer, first + middle, count - middle);
}

int tmap_grid_halves(int *at, const struct tmap_neighborhood *grid, const struct tmap_nest *nest,
		     int64_t *steps, struct tmap_error *err)
{
	struct cutter c = { .grid = grid, .nest = nest, .at = at };
	int longest = 0, status = -1;

	for (int d = 0; d < grid->dimensions; d++)
		longest = grid->dim[d] > longest ? grid->dim[d] : longest;
	c.room = tmap_alloc_raw((size_t)nest->count, sizeof *c.room, err);
	c.count = tmap_alloc_raw((size_t)longest + 2, sizeof *c.count, err);
	if (c.room && c.count) {
		for (int d = 0; d < grid->dimensions; d++)
			for (int k = 0; k < grid->degree; k++)
				c.across[d] += abs(grid->offset[k * grid->dimensions + d]) *
					(grid->weight ? grid->weight[k] : 1);
		for (int x = 0; x < nest->count; x++)
			at[x] = x;
		part_halve(&c, TMAP_NONE, 0, 1);
		*steps += c.steps;
		status = 0;
	}
	free(c.room);
	free(c.count);
	return status;
}
