/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/grid_parts.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS_MAX = 64, STEPS_MAX = 300000 };

struct box {
	int side[TMAP_DIMENSIONS_MAX];
};

/* The search for the best way to cut: the box of each layer. */
struct box_search {
	const struct tmap_neighborhood *grid;
	const struct tmap_nest *nest;
	const double *price;
	int capacity[LAYERS_MAX]; /* positions in a set of each layer */
	/* the result */
	bool is_found;
	struct box best[LAYERS_MAX];
	double most; /* what it saves */
	/* scratch */
	struct box now[LAYERS_MAX];
	int64_t steps;
};

/* Edges that stay in one box, of all boxes together: each dimension's part of each offset. */
static double box_edges_inside(const struct tmap_neighborhood *grid, const struct box *box)
{
	double sum = 0, boxes = 1;

	for (int d = 0; d < grid->dimensions; d++)
		boxes *= (double)grid->dim[d] / box->side[d];
	for (int k = 0; k < grid->degree; k++) {
		double edges = grid->weight ? grid->weight[k] : 1;

		for (int d = 0; d < grid->dimensions; d++) {
			int off = abs(grid->offset[k * grid->dimensions + d]);
			bool whole = grid->periodic[d] && box->side[d] == grid->dim[d];

			edges *= whole ? box->side[d] : off < box->side[d] ? box->side[d] - off : 0;
		}
		sum += edges;
	}
	return sum * boxes;
}

static void box_choose_layer(struct box_search *s, int layer, double saved);

/* The sides of the box of a layer, from dimension @p d on; @p rest is still to be divided. */
static void box_choose_side(struct box_search *s, int layer, int d, int rest, double saved)
{
	int around = layer > 0 ? s->now[layer - 1].side[d] : s->grid->dim[d];

	if (d + 1 == s->grid->dimensions) {
		double price = s->price[layer];

		if (around % rest)
			return;
		s->now[layer].side[d] = rest;
		if (layer + 1 < s->nest->depth)
			price -= s->price[layer + 1];
		s->steps += s->grid->degree;
		box_choose_layer(s, layer + 1,
				 saved + price * box_edges_inside(s->grid, &s->now[layer]));
		return;
	}
	for (int side = 1; side <= around && side <= rest; side++) {
		if (around % side || rest % side || s->steps > STEPS_MAX)
			continue;
		s->now[layer].side[d] = side;
		box_choose_side(s, layer, d + 1, rest / side, saved);
	}
}

static void box_choose_layer(struct box_search *s, int layer, double saved)
{
	s->steps++;
	if (layer < s->nest->depth) {
		box_choose_side(s, layer, 0, s->capacity[layer], saved);
	} else if (!s->is_found || saved > s->most * (1 + 1e-12)) {
		s->is_found = true;
		s->most = saved;
		memcpy(s->best, s->now, sizeof s->now);
	}
}

/* False where the sets of a layer differ. */
static bool box_search_init(struct box_search *s)
{
	const struct tmap_nest *nest = s->nest;

	if (nest->depth > LAYERS_MAX || nest->count != s->grid->size)
		return false;
	for (int l = 0; l < nest->depth; l++) {
		s->capacity[l] = nest->count / nest->set_count[l];
		for (int i = 0; i < nest->set_count[l]; i++)
			if (nest->start[l][i + 1] - nest->start[l][i] != s->capacity[l])
				return false;
	}
	return true;
}

/* Where a rank goes: the number of its box in the box around it, layer by layer. */
static int box_position(const struct box_search *s, const int *coordinate)
{
	int rest[TMAP_DIMENSIONS_MAX], position = 0, dimensions = s->grid->dimensions;
	struct box around;

	memcpy(rest, coordinate, (size_t)dimensions * sizeof *rest);
	memcpy(around.side, s->grid->dim, (size_t)dimensions * sizeof *rest);
	for (int l = 0; l <= s->nest->depth; l++) {
		bool is_last = l == s->nest->depth;
		int number = 0;

		for (int d = 0; d < dimensions; d++) {
			int side = is_last ? 1 : s->best[l].side[d];

			number = number * (around.side[d] / side) + rest[d] / side;
			rest[d] %= side;
			around.side[d] = side;
		}
		position += number * (is_last ? 1 : s->capacity[l]);
	}
	return position;
}

int tmap_grid_boxes(int *at, const struct tmap_neighborhood *grid, const struct tmap_nest *nest,
		    const double *price, int64_t *steps, struct tmap_error *err)
{
	struct box_search *s = tmap_alloc(1, sizeof *s, err);
	int status = 1;

	if (!s)
		return -1;
	s->grid = grid;
	s->nest = nest;
	s->price = price;
	if (box_search_init(s)) {
		box_choose_layer(s, 0, 0);
		*steps += s->steps;
	}
	if (s->is_found) {
		int coordinate[TMAP_DIMENSIONS_MAX] = { 0 };

		for (int r = 0; r < grid->size; r++) {
			at[box_position(s, coordinate)] = r;
			for (int d = grid->dimensions - 1; d >= 0; d--) {
				if (++coordinate[d] < grid->dim[d])
					break;
				coordinate[d] = 0;
			}
		}
		*steps += (int64_t)grid->size * (nest->depth + 1);
		status = 0;
	}
	free(s);
	return status;
}
