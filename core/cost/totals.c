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
		status = tmap_tree_cost(&made.cost, tree, load->process, load->profile, load->bytes,
					load->chunk_bytes, err);
	free(edges);
	if (status < 0)
		tmap_totals_fini(&made);
	else
		*totals = made;
	return status;
}

/* The slowest of a ring's steps, and the rank that takes it. */
static double ring_slowest_step(const struct tmap_ring *ring, const struct tmap_load *load,
				int *rank)
{
	double slowest = 0;

	for (int i = 0; i < tmap_ring_steps(ring); i++) {
		int to = ring->order[(i + 1) % ring->size];
		double distance = tmap_metric_distance(load->process, ring->order[i], to);
		const struct tmap_profile_row *row =
			tmap_profile_find(load->profile, distance, load->bytes);
		double seconds = row->latency_s + (double)load->bytes * row->byte_s;

		if (seconds > slowest) {
			slowest = seconds;
			*rank = to;
		}
	}
	return slowest;
}

static double controller_busiest(const struct tmap_accesses *accesses)
{
	int64_t most = 0;

	for (int i = 0; i < accesses->count; i++)
		if (accesses->row[i].reads + accesses->row[i].writes > most)
			most = accesses->row[i].reads + accesses->row[i].writes;
	return (double)most;
}

/* Steps that leave the node that is left most often; -1 with *err set. */
static int node_most_leaving(const struct tmap_ring *ring, const struct tmap_placement *p,
			     struct tmap_error *err)
{
	int *leaving = tmap_alloc((size_t)p->machine->node_count, sizeof *leaving, err), most = 0;

	if (!leaving)
		return -1;
	for (int i = 0; i < tmap_ring_steps(ring); i++) {
		int node = p->node[ring->order[i]];

		if (node != p->node[ring->order[(i + 1) % ring->size]] && ++leaving[node] > most)
			most = leaving[node];
	}
	free(leaving);
	return most;
}

static int ring_cost(struct tmap_totals *totals, const struct tmap_ring *ring,
		     const struct tmap_load *load, struct tmap_error *err)
{
	struct tmap_tree_cost *cost = &totals->cost;
	double rounds = ring->size - 1, bytes = (double)load->bytes;
	int leaving = node_most_leaving(ring, load->process->placement, err);

	if (leaving < 0)
		return -1;
	*cost = (struct tmap_tree_cost){ .chunks = 1, .in_flight = tmap_ring_steps(ring) };
	cost->path_s = rounds * ring_slowest_step(ring, load, &cost->last);
	cost->controller_s =
		controller_busiest(&totals->accesses) * bytes * load->profile->memory_byte_s;
	cost->adapter_s = rounds * leaving * bytes * load->profile->adapter_byte_s;
	cost->seconds = cost->path_s;
	if (cost->controller_s > cost->seconds)
		cost->seconds = cost->controller_s;
	if (cost->adapter_s > cost->seconds)
		cost->seconds = cost->adapter_s;
	return 0;
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
		status = ring_cost(&made, ring, load, err);
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
