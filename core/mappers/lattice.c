/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/lattice.h"

#include "core/base/mem.h"
#include "core/mappers/lattice_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
	DEGREE_MAX = 2 * TMAP_DIMENSIONS_MAX,
	WEIGHTS_MAX = 16, /* different weights, if the light edges may be others */
};

/* The heavy edges: slot s of the row of a vertex leads to peer[s]; both slots of an edge have
 * the number of the lower one. */
struct frame {
	int size;
	int *start;    /* [size + 1] */
	int *peer;     /* [start[size]] */
	int *edge;     /* [start[size]]: the slot that stands for the edge */
	int *parallel; /* [start[size]]: disjoint sets of slots: edges of one direction and place */
	int *same;     /* [start[size]]: edges of one dimension */
	int *mark;     /* [size]: the slot of a neighbour of the vertex at hand, + 1 */
	int *slice;    /* [size]: disjoint sets of vertices */
	int dimension[TMAP_DIMENSIONS_MAX]; /* the slots that stand for them */
	int dimensions;
	int64_t steps;
};

static int set_find(int *parent, int x)
{
	while (parent[x] != x)
		x = parent[x] = parent[parent[x]];
	return x;
}

/* The lower one stands for both. */
static void set_join(int *parent, int a, int b)
{
	a = set_find(parent, a);
	b = set_find(parent, b);
	parent[a > b ? a : b] = a > b ? b : a;
}

static void frame_fini(struct frame *f)
{
	free(f->start);
	free(f->peer);
	free(f->edge);
	free(f->parallel);
	free(f->same);
	free(f->mark);
	free(f->slice);
}

static int frame_init(struct frame *f, const struct tmap_graph *graph, int size,
		      struct tmap_error *err)
{
	size_t slots = (size_t)size * DEGREE_MAX;

	if ((size_t)graph->edges < slots)
		slots = (size_t)graph->edges;
	*f = (struct frame){ .size = size };
	f->start = tmap_alloc_raw((size_t)size + 1, sizeof *f->start, err);
	f->peer = tmap_alloc_raw(slots, sizeof *f->peer, err);
	f->edge = tmap_alloc_raw(slots, sizeof *f->edge, err);
	f->parallel = tmap_alloc_raw(slots, sizeof *f->parallel, err);
	f->same = tmap_alloc_raw(slots, sizeof *f->same, err);
	f->mark = tmap_alloc((size_t)size, sizeof *f->mark, err);
	f->slice = tmap_alloc_raw((size_t)size, sizeof *f->slice, err);
	return f->start && f->peer && f->edge && f->parallel && f->same && f->mark && f->slice ? 0 :
												 -1;
}

static int slot_find(const struct frame *f, int from, int to)
{
	for (int s = f->start[from]; s < f->start[from + 1]; s++)
		if (f->peer[s] == to)
			return s;
	return TMAP_NONE;
}

/* The edges that are at least so heavy; false where they are no grid's: by their number, or as only one
 * of two vertices has one. */
static bool frame_fill(struct frame *f, const struct tmap_graph *graph, double least)
{
	int next = 0;

	for (int v = 0; v < f->size; v++) {
		f->start[v] = next;
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
			if (graph->weight[i] < least)
				continue;
			if (next - f->start[v] == DEGREE_MAX)
				return false;
			f->peer[next++] = tmap_graph_peer(graph, v, i);
		}
		f->steps += tmap_graph_degree(graph, v);
		if (next == f->start[v])
			return false;
	}
	f->start[f->size] = next;
	for (int v = 0; v < f->size; v++)
		for (int s = f->start[v]; s < f->start[v + 1]; s++) {
			f->edge[s] = f->peer[s] > v ? s : slot_find(f, f->peer[s], v);
			f->parallel[s] = f->same[s] = s;
			if (f->edge[s] == TMAP_NONE)
				return false;
		}
	f->steps += 8 * (int64_t)next;
	return true;
}

/* The slot of @p b that leads to the fourth corner of the square over @p v, of which the slots of
 * neighbour @p a are marked; TMAP_NONE where there is none, -2 where there are several. */
static int square_find(const struct frame *f, int v, int b)
{
	int found = TMAP_NONE;

	for (int s = f->start[b]; s < f->start[b + 1]; s++) {
		if (f->peer[s] == v || !f->mark[f->peer[s]])
			continue;
		if (found != TMAP_NONE)
			return -2;
		found = s;
	}
	return found;
}

/* One pass over all pairs of edges at a vertex: first those in squares are made parallel, then the
 * others one dimension. */
static bool frame_join(struct frame *f, bool squares)
{
	bool is_grid = true;

	for (int v = 0; v < f->size && is_grid; v++)
		for (int sa = f->start[v]; sa < f->start[v + 1] && is_grid; sa++) {
			int a = f->peer[sa];

			for (int s = f->start[a]; s < f->start[a + 1]; s++)
				f->mark[f->peer[s]] = s + 1;
			for (int sb = sa + 1; sb < f->start[v + 1]; sb++) {
				int b = f->peer[sb];
				int corner = f->mark[b] ? TMAP_NONE : square_find(f, v, b);

				f->steps += DEGREE_MAX;
				if (corner == -2) {
					is_grid = false;
				} else if (corner == TMAP_NONE && !squares) {
					set_join(f->same, set_find(f->parallel, f->edge[sa]),
						 set_find(f->parallel, f->edge[sb]));
				} else if (corner != TMAP_NONE && squares) {
					int far = f->mark[f->peer[corner]] - 1;

					set_join(f->parallel, f->edge[sa], f->edge[corner]);
					set_join(f->parallel, f->edge[sb], f->edge[far]);
				}
			}
			for (int s = f->start[a]; s < f->start[a + 1]; s++)
				f->mark[f->peer[s]] = 0;
		}
	return is_grid;
}

static int edge_dimension(struct frame *f, int slot)
{
	return set_find(f->same, set_find(f->parallel, f->edge[slot]));
}

static bool dimensions_list(struct frame *f)
{
	f->dimensions = 0;
	for (int s = 0; s < f->start[f->size]; s++) {
		int d = 0, found = edge_dimension(f, s);

		while (d < f->dimensions && f->dimension[d] != found)
			d++;
		if (d == TMAP_DIMENSIONS_MAX)
			return false;
		if (d == f->dimensions)
			f->dimension[f->dimensions++] = found;
	}
	return f->dimensions > 1;
}

/* The two slices beside each one; false where one has more. */
static bool slices_link(struct frame *f, int d, int *beside)
{
	for (int v = 0; v < f->size; v++)
		beside[2 * v] = beside[2 * v + 1] = TMAP_NONE;
	for (int v = 0; v < f->size; v++)
		for (int s = f->start[v]; s < f->start[v + 1]; s++) {
			int from = set_find(f->slice, v), to = set_find(f->slice, f->peer[s]), k;

			if (edge_dimension(f, s) != f->dimension[d])
				continue;
			for (k = 0; k < 2 && beside[2 * from + k] != TMAP_NONE; k++)
				if (beside[2 * from + k] == to)
					break;
			if (k == 2 || from == to)
				return false;
			beside[2 * from + k] = to;
		}
	return true;
}

/* The coordinates of one dimension: its slices are a path or a cycle. */
static bool coordinates_set(struct frame *f, int d, int *coordinate, int *beside,
			    struct tmap_neighborhood *grid)
{
	int first = TMAP_NONE, before = TMAP_NONE, at, side = 0;

	for (int v = 0; v < f->size; v++)
		f->slice[v] = v;
	for (int v = 0; v < f->size; v++)
		for (int s = f->start[v]; s < f->start[v + 1]; s++)
			if (f->peer[s] > v && edge_dimension(f, s) != f->dimension[d])
				set_join(f->slice, v, f->peer[s]);
	f->steps += 8 * (int64_t)f->start[f->size];
	if (!slices_link(f, d, beside))
		return false;
	for (int v = 0; v < f->size && first == TMAP_NONE; v++)
		if (set_find(f->slice, v) == v && beside[2 * v + 1] == TMAP_NONE)
			first = v;
	for (int v = 0; v < f->size; v++)
		coordinate[v] = TMAP_NONE;
	grid->periodic[d] = first == TMAP_NONE;
	if (first == TMAP_NONE)
		first = set_find(f->slice, 0);
	for (at = first; at != TMAP_NONE && (side == 0 || at != first); side++) {
		int next = beside[2 * at] == before ? beside[2 * at + 1] : beside[2 * at];

		if (side == 0)
			next = beside[2 * at];
		coordinate[at] = side;
		before = at;
		at = next;
	}
	grid->dim[d] = side;
	for (int v = 0; v < f->size; v++) { /* of the slice, the lowest vertex has it */
		coordinate[v] = coordinate[set_find(f->slice, v)];
		if (coordinate[v] == TMAP_NONE) /* in another piece of the graph */
			return false;
	}
	return side > 1;
}

/* The grid's number of each vertex; false where two have the same. */
static bool numbers_set(struct tmap_lattice *lattice, struct frame *f, int *coordinate, int *beside)
{
	int64_t product = 1;

	memset(lattice->number, 0, (size_t)f->size * sizeof *lattice->number);
	for (int d = 0; d < f->dimensions; d++) {
		if (!coordinates_set(f, d, coordinate, beside, &lattice->grid))
			return false;
		product *= lattice->grid.dim[d];
		if (product > f->size)
			return false;
		for (int v = 0; v < f->size; v++)
			lattice->number[v] =
				lattice->number[v] * lattice->grid.dim[d] + coordinate[v];
	}
	memset(f->mark, 0, (size_t)f->size * sizeof *f->mark);
	for (int v = 0; v < f->size; v++)
		if (f->mark[lattice->number[v]]++)
			return false;
	return product == f->size;
}

/* The different weights, heaviest first; WEIGHTS_MAX + 1 where there are more. */
static int weights_list(double *weight, const struct tmap_graph *graph, int size)
{
	int count = 0;

	for (int v = 0; v < size; v++)
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++) {
			double w = graph->weight[i];
			int k = 0;

			while (k < count && weight[k] > w * (1 + 1e-9))
				k++;
			if (k < count && weight[k] > w * (1 - 1e-9))
				continue;
			if (count == WEIGHTS_MAX)
				return WEIGHTS_MAX + 1;
			memmove(weight + k + 1, weight + k, (size_t)(count - k) * sizeof *weight);
			weight[k] = w;
			count++;
		}
	return count;
}

void tmap_lattice_fini(struct tmap_lattice *lattice)
{
	tmap_neighborhood_fini(&lattice->grid);
	free(lattice->number);
	*lattice = (struct tmap_lattice){ 0 };
}

int tmap_lattice_find(struct tmap_lattice *lattice, const struct tmap_graph *graph, int size,
		      int64_t *steps, struct tmap_error *err)
{
	struct tmap_lattice made = { .grid = { .stencil = TMAP_STENCIL_OFFSETS, .size = size } };
	double weight[WEIGHTS_MAX + 1];
	int weights = weights_list(weight, graph, size), status = -1;
	int *coordinate = tmap_alloc_raw((size_t)size, sizeof *coordinate, err);
	int *beside = tmap_alloc_raw(2 * (size_t)size, sizeof *beside, err);
	struct frame f = { 0 };

	made.number = tmap_alloc_raw((size_t)size, sizeof *made.number, err);
	if (weights > WEIGHTS_MAX) { /* all edges or none */
		weights = 1;
		weight[0] = 0;
	}
	if (made.number && coordinate && beside && frame_init(&f, graph, size, err) == 0)
		status = 1;
	for (int k = weights - 1; k >= 0 && status == 1; k--) {
		memset(f.mark, 0, (size_t)size * sizeof *f.mark);
		if (frame_fill(&f, graph, weight[k] * (1 - 1e-9)) && frame_join(&f, true) &&
		    frame_join(&f, false) && dimensions_list(&f)) {
			made.grid.dimensions = f.dimensions;
			if (numbers_set(&made, &f, coordinate, beside))
				status = tmap_lattice_weigh(&made, graph, weight, weights, steps,
							    err);
		}
	}
	*steps += f.steps + graph->edges;
	frame_fini(&f);
	free(coordinate);
	free(beside);
	if (status != 0)
		tmap_lattice_fini(&made);
	else
		*lattice = made;
	return status;
}
