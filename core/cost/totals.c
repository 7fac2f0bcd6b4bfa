/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/totals.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* *product = count x times x bytes, each at least 0. */
static int bytes_multiply(int64_t count, int64_t times, int64_t bytes, int64_t *product,
			  struct tmap_error *err)
{
	int64_t messages;

	if (__builtin_mul_overflow(count, times, &messages) ||
	    __builtin_mul_overflow(messages, bytes, product))
		return tmap_fail(err, TMAP_INPUT,
				 "more than 2^63-1 bytes would be sent: the size of a "
				 "message is too large for that many");
	return 0;
}

/* Every edge between two objects of a level carries @p times messages. */
static int totals_set_crossings(struct tmap_totals *totals, const struct tmap_load *load,
				const int64_t *edges, int64_t times, struct tmap_error *err)
{
	int levels = load->levels->count;

	totals->crossing = tmap_alloc((size_t)levels, sizeof *totals->crossing, err);
	if (!totals->crossing)
		return -1;
	totals->level_count = levels;
	for (int i = 0; i < levels; i++) {
		struct tmap_totals_level *it = &totals->crossing[i];

		if (bytes_multiply(edges[i], times, 1, &it->messages, err) < 0)
			return -1;
		it->bytes = TMAP_NONE;
		if (load->bytes != TMAP_NONE &&
		    bytes_multiply(edges[i], times, load->bytes, &it->bytes, err) < 0)
			return -1;
	}
	return 0;
}

static int totals_measure_tree(struct tmap_totals *totals, const struct tmap_tree *tree,
			       struct tmap_error *err)
{
	struct tmap_tree_shape shape;

	if (tmap_tree_measure(tree, &shape, err) < 0)
		return -1;
	totals->weight = shape.weight;
	totals->depth = shape.depth;
	totals->fanout = shape.fanout;
	totals->edges = shape.edges;
	totals->edge_count = shape.count;
	return 0;
}

int tmap_totals_of_tree(struct tmap_totals *totals, const struct tmap_tree *tree,
			const struct tmap_load *load, struct tmap_error *err)
{
	const struct tmap_placement *p = load->process->placement;
	int64_t *edges = tmap_tree_count_crossings(tree, load->levels, p, err);
	struct tmap_totals made = { .has_cost = load->bytes != TMAP_NONE };
	int status = -1;

	if (edges && totals_measure_tree(&made, tree, err) == 0 &&
	    totals_set_crossings(&made, load, edges, 1, err) == 0)
		status = tmap_accesses_of_tree(&made.accesses, tree, p, err);
	if (status == 0 && made.has_cost)
		status = tmap_tree_cost(&made.cost, tree, load->model, load->bytes,
					load->chunk_bytes, err);
	free(edges);
	if (status < 0)
		tmap_totals_fini(&made);
	else
		*totals = made;
	return status;
}

int tmap_totals_of_ring(struct tmap_totals *totals, const struct tmap_ring *ring,
			const struct tmap_load *load, struct tmap_error *err)
{
	const struct tmap_placement *p = load->process->placement;
	int64_t *edges = tmap_ring_count_crossings(ring, load->levels, p, err);
	struct tmap_totals made = { .has_cost = load->bytes != TMAP_NONE };
	int status = -1;

	if (edges &&
	    tmap_ring_measure(ring, &made.weight, &made.edges, &made.edge_count, err) == 0 &&
	    totals_set_crossings(&made, load, edges, ring->size - 1, err) == 0)
		status = tmap_accesses_of_ring(&made.accesses, ring, p, err);
	if (status == 0 && made.has_cost)
		status = tmap_ring_cost(&made.cost, ring, load->model, load->bytes, err);
	free(edges);
	if (status < 0)
		tmap_totals_fini(&made);
	else
		*totals = made;
	return status;
}

void tmap_totals_fini(struct tmap_totals *totals)
{
	free(totals->edges);
	free(totals->crossing);
	tmap_accesses_fini(&totals->accesses);
	*totals = (struct tmap_totals){ 0 };
}
