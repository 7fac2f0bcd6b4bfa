#include "core/mappers/climb.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES = 16, /* partners that are looked at near one neighbour */
	NEIGHBOURS = 6,  /* neighbours that are looked at in a round */
	ROUNDS = 24,
	SAMPLES = 256, /* swaps that the first temperature is taken from */
	TABLE = 512,   /* positions of which all pairs are written down */
};

void tmap_climb_fini(struct tmap_climb *climb)
{
	free(climb->at);
	free(climb->of);
	free(climb->table);
	*climb = (struct tmap_climb){ 0 };
}

static double find_price(const struct tmap_climb *climb, int a, int b)
{
	int layer = tmap_nest_layer(climb->nest, a, b);

	return layer < climb->nest->depth ? climb->quest->price[layer] : 0;
}

static int fill_table(struct tmap_climb *climb, struct tmap_error *err)
{
	size_t count = (size_t)climb->nest->count;

	if (count > TABLE)
		return 0;
	climb->table = tmap_alloc_raw(count * count, sizeof *climb->table, err);
	for (size_t a = 0; climb->table && a < count; a++)
		for (size_t b = 0; b < count; b++)
			climb->table[a * count + b] = find_price(climb, (int)a, (int)b);
	return climb->table ? 0 : -1;
}

int tmap_climb_init(struct tmap_climb *climb, struct tmap_search *quest, struct tmap_error *err)
{
	const struct tmap_slots *slots = quest->slots;
	struct tmap_climb made = { .quest = quest, .nest = &quest->objective->nest };

	made.at = tmap_alloc_raw((size_t)quest->count, sizeof *made.at, err);
	made.of = tmap_alloc_raw((size_t)quest->count, sizeof *made.of, err);
	if (!made.at || !made.of || fill_table(&made, err) < 0) {
		tmap_climb_fini(&made);
		return -1;
	}
	if (made.nest->depth && made.nest->set_count[made.nest->depth - 1] == quest->count)
		made.idle = quest->price[made.nest->depth - 1];
	made.is_free = !slots->group || slots->group_count == 0;
	for (int r = 0; r < quest->size && made.is_free; r++)
		made.is_free = slots->fixed[r] == TMAP_NONE;
	*climb = made;
	return 0;
}

static double price(const struct tmap_climb *climb, int a, int b)
{
	if (climb->table)
		return climb->table[(size_t)a * (size_t)climb->nest->count + (size_t)b];
	return find_price(climb, a, b);
}

void tmap_climb_set(struct tmap_climb *climb, const int *slot_of)
{
	const struct tmap_graph *graph = &climb->quest->graph;
	double cost = 0;

	for (int i = 0; i < graph->count; i++) {
		climb->of[i] = climb->nest->position[slot_of[i]];
		climb->at[climb->of[i]] = i;
	}
	for (int v = 0; v < graph->count; v++)
		for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++)
			if (graph->peer[i] > v)
				cost += graph->weight[i] *
					price(climb, climb->of[v], climb->of[graph->peer[i]]);
	climb->cost = cost;
	climb->quest->left -= graph->start[graph->count];
}

/* What the edges of @p a cost more if it goes to position @p to; the one to @p other stays as
 * long as it is, for that one comes back the same way. */
static double change_of(const struct tmap_climb *climb, int a, int to, int other)
{
	const struct tmap_graph *graph = &climb->quest->graph;
	int from = climb->of[a];
	double change = 0;

	for (int64_t i = graph->start[a]; i < graph->start[a + 1]; i++) {
		int peer = graph->peer[i], at = climb->of[peer];

		if (peer != other)
			change +=
				graph->weight[i] * (price(climb, to, at) - price(climb, from, at));
	}
	climb->quest->left -= graph->start[a + 1] - graph->start[a];
	return change;
}

static double change_of_swap(const struct tmap_climb *climb, int a, int b)
{
	climb->quest->left -= 2;
	return change_of(climb, a, climb->of[b], b) + change_of(climb, b, climb->of[a], a);
}

static bool may_swap(const struct tmap_climb *climb, int a, int b)
{
	if (a == b)
		return false;
	return climb->is_free ||
		tmap_assignment_may_swap(climb->quest->slots, a, climb->nest->slot[climb->of[a]], b,
					 climb->nest->slot[climb->of[b]]);
}

static void swap(struct tmap_climb *climb, int a, int b, double change)
{
	int held = climb->of[a];

	climb->of[a] = climb->of[b];
	climb->of[b] = held;
	climb->at[climb->of[a]] = a;
	climb->at[climb->of[b]] = b;
	climb->cost += change;
}

static int below(struct tmap_climb *climb, int64_t bound)
{
	return (int)tmap_random_below(&climb->quest->random, (uint64_t)bound);
}

/* Less than this is a rounding error. */
static double grain(const struct tmap_climb *climb)
{
	return 1e-9 * fabs(climb->cost) / (1 + climb->quest->graph.count);
}

/* The best partner for @p a in a set; TMAP_NONE where none gains. */
static int best_partner(struct tmap_climb *climb, int a, int layer, int set, double *gain)
{
	int first = climb->nest->start[layer][set];
	int count = climb->nest->start[layer][set + 1] - first, best = TMAP_NONE;
	int offset = below(climb, count);

	for (int k = 0; k < count && k < CANDIDATES; k++) {
		int b = climb->at[first + (offset + k) % count];
		double change;

		if (!may_swap(climb, a, b))
			continue;
		change = change_of_swap(climb, a, b);
		if (change < *gain - grain(climb)) {
			*gain = change;
			best = b;
		}
	}
	return best;
}

/* Brings a rank nearer to one that it talks to, if that gains. */
static bool improve(struct tmap_climb *climb, int a)
{
	const struct tmap_graph *graph = &climb->quest->graph;
	const struct tmap_nest *nest = climb->nest;
	int64_t edges = graph->start[a + 1] - graph->start[a], offset = 0;
	int best = TMAP_NONE;
	double gain = 0;

	if (edges > NEIGHBOURS)
		offset = (int64_t)tmap_random_below(&climb->quest->random, (uint64_t)edges);
	for (int64_t k = 0; k < edges && k < NEIGHBOURS; k++) {
		int to = climb->of[graph->peer[graph->start[a] + (offset + k) % edges]];

		for (int l = tmap_nest_layer(nest, climb->of[a], to); l < nest->depth; l++) {
			int b = best_partner(climb, a, l, tmap_nest_set(nest, l, to), &gain);

			best = b != TMAP_NONE ? b : best;
		}
	}
	if (best != TMAP_NONE)
		swap(climb, a, best, gain);
	return best != TMAP_NONE;
}

void tmap_climb_descend(struct tmap_climb *climb)
{
	struct tmap_search *quest = climb->quest;
	int found = 1, count = quest->size;

	for (int round = 0; round < ROUNDS && found; round++) {
		int offset = below(climb, count);
		int stride = count > 2 ? 1 + below(climb, count - 1) : 1;

		while (count % stride == 0 && stride > 1) /* nearly all are met, and none often */
			stride--;
		found = 0;
		for (int k = 0; k < count && tmap_search_affords(quest, 0); k++)
			found += improve(climb, (int)((offset + (int64_t)k * stride) % count));
	}
}

/* Two that might change places; false where they may not. */
static bool propose(struct tmap_climb *climb, int *a, int *b)
{
	const struct tmap_graph *graph = &climb->quest->graph;
	const struct tmap_nest *nest = climb->nest;
	int layer = below(climb, nest->depth + 1) - 1, around, set;
	int64_t edges;

	*a = below(climb, climb->quest->size);
	edges = graph->start[*a + 1] - graph->start[*a];
	around = climb->of[*a];
	if (edges > 0 && below(climb, 2))
		around = climb->of[graph->peer[graph->start[*a] +
					       (int64_t)tmap_random_below(&climb->quest->random,
									  (uint64_t)edges)]];
	if (layer < 0) {
		*b = climb->at[below(climb, nest->count)];
	} else {
		set = tmap_nest_set(nest, layer, around);
		*b = climb->at[nest->start[layer][set] +
			       below(climb, nest->start[layer][set + 1] - nest->start[layer][set])];
	}
	climb->quest->left--;
	return price(climb, climb->of[*a], climb->of[*b]) > climb->idle && may_swap(climb, *a, *b);
}

static double mean_change(struct tmap_climb *climb)
{
	double sum = 0;
	int count = 0, a, b;

	for (int k = 0; k < SAMPLES; k++) {
		double change = propose(climb, &a, &b) ? fabs(change_of_swap(climb, a, b)) : 0;

		count += change > 0;
		sum += change;
	}
	return count ? sum / count : 0;
}

bool tmap_climb_is_least(const struct tmap_climb *climb)
{
	const struct tmap_graph *graph = &climb->quest->graph;
	double both = 0; /* every edge stands there from both ends */

	for (int64_t i = 0; i < graph->start[graph->count]; i++)
		both += graph->weight[i];
	return climb->cost <= climb->idle * both / 2 * (1 + 1e-9);
}

/* One proposal at a temperature. */
static void anneal_step(struct tmap_climb *climb, double temperature)
{
	double change, chance;
	int a, b;

	if (!propose(climb, &a, &b))
		return;
	change = change_of_swap(climb, a, b);
	chance = (double)(tmap_random_next(&climb->quest->random) >> 11) * 0x1p-53;
	if (change <= 0 || chance < exp(-change / temperature))
		swap(climb, a, b, change);
}

int tmap_climb_anneal(struct tmap_climb *climb, double heat, int64_t steps, struct tmap_error *err)
{
	size_t bytes = (size_t)climb->quest->count * sizeof *climb->of;
	int64_t begin = climb->quest->left;
	double first = heat * mean_change(climb), least = climb->cost, temperature = first;
	int *best = tmap_alloc_raw(bytes, 1, err);

	if (!best)
		return -1;
	memcpy(best, climb->of, bytes);
	while (first > 0 && begin - climb->quest->left < steps) {
		double part = (double)(begin - climb->quest->left) / (double)steps;

		temperature = first * exp(-7 * part);
		for (int k = 0; k < climb->quest->count; k++)
			anneal_step(climb, temperature);
		if (climb->cost < least - grain(climb)) {
			least = climb->cost;
			memcpy(best, climb->of, bytes);
		}
	}
	memcpy(climb->of, best, bytes);
	free(best);
	for (int i = 0; i < climb->quest->count; i++)
		climb->at[climb->of[i]] = i;
	climb->cost = least;
	tmap_climb_descend(climb);
	return 0;
}

int tmap_climb_evaluate(struct tmap_climb *climb, struct tmap_error *err)
{
	return tmap_search_evaluate_at(climb->quest, climb->nest, climb->at, NULL, err);
}
