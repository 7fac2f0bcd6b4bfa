/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/climb.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES = 16, /* partners that are tried near one neighbour */
	NEIGHBOURS = 6,  /* neighbours that are tried in a round */
	ROUNDS = 24,
	SAMPLES = 256, /* swaps that the first temperature is taken from */
};

void tmap_climb_fini(struct tmap_climb *climb)
{
	free(climb->at);
	free(climb->of);
	free(climb->tried.met);
	free(climb->tried.move);
	tmap_prices_fini(&climb->prices);
	*climb = (struct tmap_climb){ 0 };
}

int tmap_climb_init(struct tmap_climb *climb, struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_slots *slots = search->slots;
	struct tmap_climb made = { .search = search, .nest = &search->objective->nest };

	made.at = tmap_alloc_raw((size_t)search->count, sizeof *made.at, err);
	made.of = tmap_alloc_raw((size_t)search->count, sizeof *made.of, err);
	made.tried.met = tmap_alloc((size_t)search->count, sizeof *made.tried.met, err);
	made.tried.move = tmap_alloc((size_t)search->count, sizeof *made.tried.move, err);
	if (!made.at || !made.of || !made.tried.met || !made.tried.move ||
	    tmap_prices_init(&made.prices, search, err) < 0) {
		tmap_climb_fini(&made);
		return -1;
	}
	if (made.nest->depth && made.nest->set_count[made.nest->depth - 1] == search->count)
		made.idle = search->price[made.nest->depth - 1];
	if (made.idle >= 1 && tmap_goal_has_hops(search->objective->criteria->goal))
		made.idle = 0; /* neighbors in the network are not alike */
	made.has_near = search->objective->criteria->near_count > 0;
	made.near_in_seconds = search->objective->criteria->goal == TMAP_GOAL_SECONDS &&
		!search->objective->criteria->level_cost;
	made.is_free = !slots->group || slots->group_count == 0;
	for (int r = 0; r < search->size && made.is_free; r++)
		made.is_free = slots->fixed[r] == TMAP_NONE;
	*climb = made;
	return 0;
}

/* What the devices that a rank needs cost it at a position. */
static double near_cost(const struct tmap_climb *climb, int rank, int position)
{
	if (!climb->has_near || rank >= climb->search->size)
		return 0;
	return tmap_objective_near_cost(climb->search->objective, rank, climb->nest->slot[position],
					climb->near_in_seconds);
}

void tmap_climb_set(struct tmap_climb *climb, const int *slot_of)
{
	const struct tmap_graph *graph = &climb->search->graph;
	double cost = 0;

	for (int i = 0; i < graph->count; i++) {
		climb->of[i] = climb->nest->position[slot_of[i]];
		climb->at[climb->of[i]] = i;
	}
	for (int v = 0; v < graph->count; v++)
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
			if (tmap_graph_peer(graph, v, i) > v)
				cost += graph->weight[i] *
					tmap_prices_of(&climb->prices, climb->of[v],
						       climb->of[tmap_graph_peer(graph, v, i)]);
	for (int v = 0; climb->has_near && v < climb->search->size; v++)
		cost += near_cost(climb, v, climb->of[v]);
	climb->cost = cost;
	climb->search->left -= graph->edges;
}

/* What the edges of @p a cost more if it goes to position @p to; the one to @p other stays as
 * long as it is, for that one comes back the same way. */
static double move_change(const struct tmap_climb *climb, int a, int to, int other)
{
	const struct tmap_graph *graph = &climb->search->graph;
	int from = climb->of[a];
	double change = near_cost(climb, a, to) - near_cost(climb, a, from);

	for (int64_t i = tmap_graph_begin(graph, a); i < tmap_graph_end(graph, a); i++) {
		int peer = tmap_graph_peer(graph, a, i), at = climb->of[peer];

		if (peer != other)
			change += graph->weight[i] *
				(tmap_prices_of(&climb->prices, to, at) -
				 tmap_prices_of(&climb->prices, from, at));
	}
	climb->search->left -= tmap_graph_degree(graph, a);
	return change;
}

static double swap_change(const struct tmap_climb *climb, int a, int b)
{
	climb->search->left -= 2;
	return move_change(climb, a, climb->of[b], b) + move_change(climb, b, climb->of[a], a);
}

static bool swap_is_allowed(const struct tmap_climb *climb, int a, int b)
{
	if (a == b)
		return false;
	return climb->is_free ||
		tmap_assignment_may_swap(climb->search->slots, a, climb->nest->slot[climb->of[a]],
					 b, climb->nest->slot[climb->of[b]]);
}

static void swap_apply(struct tmap_climb *climb, int a, int b, double change)
{
	int held = climb->of[a];

	climb->of[a] = climb->of[b];
	climb->of[b] = held;
	climb->at[climb->of[a]] = a;
	climb->at[climb->of[b]] = b;
	climb->cost += change;
}

static int random_below(struct tmap_climb *climb, int64_t bound)
{
	return (int)tmap_random_below(&climb->search->random, (uint64_t)bound);
}

/* Less than this is a rounding error. */
static double cost_grain(const struct tmap_climb *climb)
{
	return 1e-9 * fabs(climb->cost) / (1 + climb->search->graph.count);
}

/* Partners of another rank are tried. */
static void tried_begin(struct tmap_climb *climb, int a)
{
	const struct tmap_graph *graph = &climb->search->graph;
	struct tmap_climb_tried *tried = &climb->tried;

	tried->turn++;
	for (int64_t i = tmap_graph_begin(graph, a); i < tmap_graph_end(graph, a); i++)
		tried->met[tmap_graph_peer(graph, a, i)].peer = tried->turn;
}

/* What is known already takes as many steps as if it were not: a budget ends at the same swap. */
static void tried_spend(struct tmap_climb *climb, int rank)
{
	climb->search->left -= tmap_graph_degree(&climb->search->graph, rank);
}

/* Was @p b tried as a partner of @p a? Then it is no better now. */
static bool tried_again(struct tmap_climb *climb, int a, int b)
{
	struct tmap_climb_met *met = &climb->tried.met[b];
	bool again = met->tried == climb->tried.turn;

	climb->search->left -= 2;
	met->tried = climb->tried.turn;
	if (again) {
		tried_spend(climb, a);
		tried_spend(climb, b);
	}
	return again;
}

/* What the edges of @p a cost more in the place of @p b: as much as anywhere in its group, unless one of
 *  them leads to @p b. */
static double tried_change(struct tmap_climb *climb, int a, int b)
{
	struct tmap_climb_tried *tried = &climb->tried;
	int to = climb->of[b];
	struct tmap_climb_move *move = &tried->move[climb->nest->group[to]];

	if (climb->has_near || tried->met[b].peer == tried->turn)
		return move_change(climb, a, to, b);
	if (move->turn == tried->turn)
		tried_spend(climb, a);
	else
		*move = (struct tmap_climb_move){ tried->turn, move_change(climb, a, to, b) };
	return move->change;
}

/* The best partner for @p a in a set; TMAP_NONE where none gains more than *gain. */
static int partner_find(struct tmap_climb *climb, int a, int layer, int set, double *gain)
{
	int first = climb->nest->start[layer][set];
	int count = climb->nest->start[layer][set + 1] - first, best = TMAP_NONE;
	int offset = random_below(climb, count);

	for (int k = 0; k < count && k < CANDIDATES; k++) {
		int b = climb->at[first + (offset + k) % count];
		double change;

		if (!swap_is_allowed(climb, a, b) || tried_again(climb, a, b))
			continue;
		change = tried_change(climb, a, b) + move_change(climb, b, climb->of[a], a);
		if (change < *gain - cost_grain(climb)) {
			*gain = change;
			best = b;
		}
	}
	return best;
}

/* A better partner for a rank that is far from a device, in one of the sets around it or anywhere. */
static int device_find(struct tmap_climb *climb, int a, int best, double *gain)
{
	const struct tmap_nest *nest = climb->nest;

	for (int l = 0; l < nest->depth; l++) {
		int b = partner_find(climb, a, l, tmap_nest_set(nest, l, climb->of[a]), gain);

		best = b != TMAP_NONE ? b : best;
	}
	if (nest->depth) {
		int b = partner_find(climb, a, 0, random_below(climb, nest->set_count[0]), gain);

		best = b != TMAP_NONE ? b : best;
	}
	return best;
}

/* Bring a rank nearer to one of its neighbours in the graph, or to a device, if that gains. */
static bool rank_improve(struct tmap_climb *climb, int a)
{
	const struct tmap_graph *graph = &climb->search->graph;
	const struct tmap_nest *nest = climb->nest;
	int64_t edges = tmap_graph_degree(graph, a), offset = 0;
	int best = TMAP_NONE;
	double gain = 0;

	tried_begin(climb, a);
	if (edges > NEIGHBOURS)
		offset = (int64_t)tmap_random_below(&climb->search->random, (uint64_t)edges);
	for (int64_t k = 0; k < edges && k < NEIGHBOURS; k++) {
		int to = climb->of[tmap_graph_peer(
			graph, a, tmap_graph_begin(graph, a) + (offset + k) % edges)];

		for (int l = tmap_nest_layer(nest, climb->of[a], to); l < nest->depth; l++) {
			int b = partner_find(climb, a, l, tmap_nest_set(nest, l, to), &gain);

			best = b != TMAP_NONE ? b : best;
		}
	}
	if (near_cost(climb, a, climb->of[a]) > 0)
		best = device_find(climb, a, best, &gain);
	if (best != TMAP_NONE)
		swap_apply(climb, a, best, gain);
	return best != TMAP_NONE;
}

void tmap_climb_descend(struct tmap_climb *climb)
{
	struct tmap_search *search = climb->search;
	int found = 1, count = search->size;

	for (int round = 0; round < ROUNDS && found; round++) {
		int offset = random_below(climb, count);
		int stride = count > 2 ? 1 + random_below(climb, count - 1) : 1;

		while (count % stride == 0 && stride > 1) /* nearly all are met, and none often */
			stride--;
		found = 0;
		for (int k = 0; k < count && tmap_search_affords(search, 0); k++)
			found += rank_improve(climb, (int)((offset + (int64_t)k * stride) % count));
	}
}

/* Two that might change places; false where they may not. */
static bool swap_propose(struct tmap_climb *climb, int *a, int *b)
{
	const struct tmap_graph *graph = &climb->search->graph;
	const struct tmap_nest *nest = climb->nest;
	int layer = random_below(climb, nest->depth + 1) - 1, around, set;
	int64_t edges;

	*a = random_below(climb, climb->search->size);
	edges = tmap_graph_degree(graph, *a);
	around = climb->of[*a];
	if (edges > 0 && random_below(climb, 2))
		around = climb->of[tmap_graph_peer(
			graph, *a,
			tmap_graph_begin(graph, *a) +
				(int64_t)tmap_random_below(&climb->search->random,
							   (uint64_t)edges))];
	if (layer < 0) {
		*b = climb->at[random_below(climb, nest->count)];
	} else {
		set = tmap_nest_set(nest, layer, around);
		*b = climb->at[nest->start[layer][set] +
			       random_below(climb,
					    nest->start[layer][set + 1] - nest->start[layer][set])];
	}
	climb->search->left--;
	return tmap_prices_of(&climb->prices, climb->of[*a], climb->of[*b]) > climb->idle &&
		swap_is_allowed(climb, *a, *b);
}

static double swap_mean_change(struct tmap_climb *climb)
{
	double sum = 0;
	int count = 0, a, b;

	for (int k = 0; k < SAMPLES; k++) {
		double change = swap_propose(climb, &a, &b) ? fabs(swap_change(climb, a, b)) : 0;

		count += change > 0;
		sum += change;
	}
	return count ? sum / count : 0;
}

bool tmap_climb_is_least(const struct tmap_climb *climb)
{
	const struct tmap_graph *graph = &climb->search->graph;
	double both = 0; /* every edge is listed at both ends */

	for (int v = 0; v < graph->count; v++)
		for (int64_t i = tmap_graph_begin(graph, v); i < tmap_graph_end(graph, v); i++)
			both += graph->weight[i];
	return climb->cost <= climb->idle * both / 2 * (1 + 1e-9);
}

/* One proposal at a temperature. */
static void swap_anneal(struct tmap_climb *climb, double temperature)
{
	double change, chance;
	int a, b;

	if (!swap_propose(climb, &a, &b))
		return;
	change = swap_change(climb, a, b);
	chance = (double)(tmap_random_next(&climb->search->random) >> 11) * 0x1p-53;
	if (change <= 0 || chance < exp(-change / temperature))
		swap_apply(climb, a, b, change);
}

int tmap_climb_anneal(struct tmap_climb *climb, double heat, int64_t steps, struct tmap_error *err)
{
	size_t bytes = (size_t)climb->search->count * sizeof *climb->of;
	int64_t begin = climb->search->left;
	double first = heat * swap_mean_change(climb), least = climb->cost;
	int *best = tmap_alloc_raw(bytes, 1, err);

	if (!best)
		return -1;
	memcpy(best, climb->of, bytes);
	while (first > 0 && begin - climb->search->left < steps) {
		double part = (double)(begin - climb->search->left) / (double)steps;
		double temperature = first * exp(-7 * part);

		for (int k = 0; k < climb->search->count; k++)
			swap_anneal(climb, temperature);
		if (climb->cost < least - cost_grain(climb)) {
			least = climb->cost;
			memcpy(best, climb->of, bytes);
		}
	}
	memcpy(climb->of, best, bytes);
	free(best);
	for (int i = 0; i < climb->search->count; i++)
		climb->at[climb->of[i]] = i;
	climb->cost = least;
	tmap_climb_descend(climb);
	return 0;
}

int tmap_climb_evaluate(struct tmap_climb *climb, struct tmap_error *err)
{
	return tmap_search_evaluate_at(climb->search, climb->nest, climb->at, NULL, err);
}
