/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/tree_cost.h"

#include "core/algorithms/plan.h"
#include "core/base/mem.h"
#include "core/cost/clock.h"

#include <math.h>
#include <stdlib.h>

int64_t tmap_chunk_count(int64_t bytes, int64_t chunk_bytes)
{
	if (chunk_bytes <= 0 || bytes <= chunk_bytes)
		return 1;
	return bytes / chunk_bytes + (bytes % chunk_bytes != 0);
}

/* The messages of a round, or of one piece. */
struct edges {
	int count;
	int *from, *to;
	int64_t *bytes;
};

static void edges_fini(struct edges *edges)
{
	free(edges->from);
	free(edges->to);
	free(edges->bytes);
	*edges = (struct edges){ 0 };
}

static int edges_init(struct edges *edges, int count, struct tmap_error *err)
{
	size_t room = (size_t)count;

	*edges = (struct edges){ .count = count };
	edges->from = tmap_alloc_raw(room, sizeof *edges->from, err);
	edges->to = tmap_alloc_raw(room, sizeof *edges->to, err);
	edges->bytes = tmap_alloc_raw(room, sizeof *edges->bytes, err);
	if (edges->from && edges->to && edges->bytes)
		return 0;
	edges_fini(edges);
	return -1;
}

static void edges_weigh(struct edges *edges, int64_t bytes)
{
	for (int i = 0; i < edges->count; i++)
		edges->bytes[i] = bytes;
}

/* All edges of a tree, in the order of the plan: those of a round follow each other. */
static int edges_of_plan(struct edges *edges, const struct tmap_plan *plan, struct tmap_error *err)
{
	if (edges_init(edges, plan->tree.size - 1, err) < 0)
		return -1;
	for (int i = 0; i < edges->count; i++) {
		edges->to[i] = plan->order[i + 1];
		edges->from[i] = plan->tree.parent[edges->to[i]];
	}
	return 0;
}

static int edges_take(struct tmap_clock *clock, const struct edges *edges, int begin, int end,
		      const struct tmap_round_info *info, struct tmap_error *err)
{
	if (begin == end)
		return 0;
	return tmap_clock_take(clock, info, edges->from + begin, edges->to + begin,
			       edges->bytes + begin, end - begin, err);
}

/* A message down a tree. */
struct descent {
	struct tmap_clock *clock;
	const struct tmap_plan *plan;
	struct edges edges;
	int64_t bytes, pieces;
};

/* What the plan has in one of its rounds. */
static int descent_take(const struct descent *it, int64_t arrival,
			const struct tmap_round_info *info, struct tmap_error *err)
{
	const int *start = it->plan->start;

	return edges_take(it->clock, &it->edges, start[arrival + 1] - 1, start[arrival + 2] - 1,
			  info, err);
}

/* Rounds of all pieces as one; their bytes are those of all. */
static int descent_fold(struct descent *it, struct tmap_error *err)
{
	struct tmap_round_info info = { .span = (it->pieces - 1) * it->plan->period + 1,
					.times = it->pieces,
					.single = !it->plan->shares_turns };

	edges_weigh(&it->edges, it->bytes);
	for (; info.round < it->plan->rounds; info.round++)
		if (descent_take(it, info.round, &info, err) < 0)
			return -1;
	return 0;
}

/* Round by round, the pieces that are under way from the first to the last. */
static int descent_unfold(struct descent *it, struct tmap_error *err)
{
	int64_t rounds = it->plan->rounds, period = it->plan->period;
	int64_t all = rounds + (it->pieces - 1) * period;
	struct tmap_round_info info = { .span = 1, .times = 1, .single = !it->plan->shares_turns };

	for (; info.round < all; info.round++) {
		int64_t piece = info.round < rounds ? 0 : (info.round - rounds) / period + 1;

		for (; piece < it->pieces && piece * period <= info.round; piece++) {
			edges_weigh(&it->edges,
				    it->bytes / it->pieces + (piece < it->bytes % it->pieces));
			if (descent_take(it, info.round - piece * period, &info, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int ring_rounds(struct tmap_clock *clock, const struct edges *edges, int64_t rounds,
		       bool folded, struct tmap_error *err)
{
	struct tmap_round_info info = { .span = folded ? rounds : 1,
					.times = folded ? rounds : 1,
					.single = true };

	for (; info.round < (folded ? 1 : rounds); info.round++)
		if (edges_take(clock, edges, 0, edges->count, &info, err) < 0)
			return -1;
	return 0;
}

/* The busiest controller and adapter, when every edge carries so many messages of so many bytes. */
static int cost_set_busiest(struct tmap_tree_cost *cost, const struct tmap_cost_model *model,
			    const struct edges *edges, double bytes, double messages,
			    struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		double *passed = link->is_memory || link->is_adapter ?
			tmap_alloc(2 * (size_t)link->count, sizeof *passed, err) :
			NULL;
		double *busiest = link->is_memory ? &cost->controller_s : &cost->adapter_s;

		if (!link->is_memory && !link->is_adapter)
			continue;
		if (!passed)
			return -1;
		for (int i = 0; i < edges->count; i++) {
			struct tmap_position from = tmap_pair_position(kinds, edges->from[i]);
			struct tmap_position to = tmap_pair_position(kinds, edges->to[i]);

			if (!link->crossed[tmap_pair_kind(kinds, from, to)])
				continue;
			passed[2 * tmap_cost_object(link, from)]++;
			passed[2 * tmap_cost_object(link, to) + !link->is_sum]++;
		}
		for (int o = 0; o < 2 * link->count; o++)
			*busiest = fmax(*busiest,
					tmap_cost_busy(link, o / 2, passed[o] * bytes,
						       passed[o] * messages));
		free(passed);
	}
	return 0;
}

static int cost_set_in_flight(struct tmap_tree_cost *cost, const struct tmap_tree *tree,
			      struct tmap_error *err)
{
	int *depth = tmap_tree_depths(tree, err);

	if (!depth)
		return -1;
	for (int r = 0; r < tree->size; r++)
		if (depth[r] > cost->in_flight)
			cost->in_flight = depth[r];
	if (cost->chunks < cost->in_flight)
		cost->in_flight = cost->chunks;
	free(depth);
	return 0;
}

static bool rounds_are_few(const struct tmap_cost_model *model, int count, int64_t times)
{
	return (double)count * (double)times <= (double)model->most_exact;
}

static int plan_cost(struct tmap_tree_cost *cost, const struct tmap_plan *plan,
		     struct tmap_clock *clock, int64_t bytes, struct tmap_error *err)
{
	struct descent it = { .clock = clock, .plan = plan, .bytes = bytes, .pieces = cost->chunks };
	int status = edges_of_plan(&it.edges, plan, err);

	if (status == 0 && bytes > 0 && it.edges.count > 0)
		status = rounds_are_few(clock->model, it.edges.count, it.pieces) ?
			descent_unfold(&it, err) :
			descent_fold(&it, err);
	if (status == 0)
		status = tmap_clock_end(clock, err);
	if (status == 0 && bytes > 0)
		status = cost_set_busiest(cost, clock->model, &it.edges, (double)bytes,
					  (double)it.pieces, err);
	edges_fini(&it.edges);
	return status;
}

/* Takes the clock's end. A sender may end with its receiver, whose is the path: the last in this
 * order is (NULL: that of the ranks). */
static void cost_set_end(struct tmap_tree_cost *cost, const struct tmap_clock *clock,
			 const int *order)
{
	cost->path_s = tmap_clock_last(clock, &cost->last);
	for (int i = 0; order && i < clock->model->kinds.size; i++)
		if (clock->at[order[i]] >= cost->path_s)
			cost->last = order[i];
	cost->seconds = fmax(cost->path_s, fmax(cost->controller_s, cost->adapter_s));
}

int tmap_tree_cost(struct tmap_tree_cost *cost, const struct tmap_tree *tree,
		   struct tmap_cost_model *model, int64_t bytes, int64_t chunk_bytes,
		   struct tmap_error *err)
{
	struct tmap_tree_cost made = { .chunks = tmap_chunk_count(bytes, chunk_bytes) };
	struct tmap_plan plan = { 0 };
	struct tmap_clock clock;
	int status;

	if (bytes < 0 || chunk_bytes < 0)
		return tmap_fail(err, TMAP_INPUT, "a message or a chunk has no fewer than 0 bytes");
	if (tmap_plan_init_tree(&plan, tree, err) < 0)
		return -1;
	status = tmap_clock_init(&clock, model, err);
	if (status == 0) {
		status = plan_cost(&made, &plan, &clock, bytes, err);
		made.last = tree->root;
		if (status == 0 && bytes > 0)
			cost_set_end(&made, &clock, plan.order);
		tmap_clock_fini(&clock);
	}
	tmap_plan_fini(&plan);
	if (status == 0)
		status = cost_set_in_flight(&made, tree, err);
	if (status == 0)
		*cost = made;
	return status;
}

static int edges_of_ring(struct edges *edges, const struct tmap_ring *ring, int64_t bytes,
			 struct tmap_error *err)
{
	if (edges_init(edges, tmap_ring_steps(ring), err) < 0)
		return -1;
	for (int i = 0; i < edges->count; i++) {
		edges->from[i] = ring->order[i];
		edges->to[i] = ring->order[(i + 1) % ring->size];
	}
	edges_weigh(edges, bytes);
	return 0;
}

int tmap_ring_cost(struct tmap_tree_cost *cost, const struct tmap_ring *ring,
		   struct tmap_cost_model *model, int64_t bytes, struct tmap_error *err)
{
	struct tmap_tree_cost made = { .chunks = 1, .in_flight = tmap_ring_steps(ring) };
	int64_t rounds = ring->size - 1, whole;
	bool folded = !rounds_are_few(model, ring->size, rounds);
	struct tmap_clock clock;
	struct edges edges;
	int status;

	if (__builtin_mul_overflow(bytes, rounds, &whole))
		return tmap_fail(err, TMAP_INPUT, "a rank would send more than 2^63-1 bytes");
	if (edges_of_ring(&edges, ring, folded ? whole : bytes, err) < 0)
		return -1;
	status = tmap_clock_init(&clock, model, err);
	if (status == 0) {
		if (bytes > 0)
			status = ring_rounds(&clock, &edges, rounds, folded, err);
		if (status == 0)
			status = tmap_clock_end(&clock, err);
		if (status == 0 && bytes > 0)
			status = cost_set_busiest(&made, model, &edges,
						  (double)rounds * (double)bytes, (double)rounds,
						  err);
		if (status == 0)
			cost_set_end(&made, &clock, NULL);
		tmap_clock_fini(&clock);
	}
	edges_fini(&edges);
	if (status == 0)
		*cost = made;
	return status;
}
