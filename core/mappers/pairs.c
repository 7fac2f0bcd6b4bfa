/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/pairs.h"

#include "core/base/mem.h"
#include "core/mappers/bisect.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8 };

struct pairs {
	const struct tmap_graph *graph;
	const struct tmap_nest *nest;
	const double *price;
	struct tmap_random *random;
	int layer;
	int *at, *of;  /* [positions], [ranks]: the position of each */
	int *name;     /* [ranks]: scratch of tmap_graph_extract(), TMAP_NONE */
	int *seen;     /* [sets]: the last set that was found beside this one */
	int *beside;   /* [sets]: the sets beside one */
	bool *changed; /* [sets]: in this round, or in the one before */
	bool *before;
	int64_t *left;
};

static void pairs_fini(struct pairs *p)
{
	free(p->of);
	free(p->name);
	free(p->seen);
	free(p->beside);
	free(p->changed);
	free(p->before);
}

static int pairs_init(struct pairs *p, struct tmap_error *err)
{
	int sets = p->nest->set_count[p->layer];

	p->of = tmap_alloc_raw((size_t)p->nest->count, sizeof *p->of, err);
	p->name = tmap_alloc_raw((size_t)p->nest->count, sizeof *p->name, err);
	p->seen = tmap_alloc_raw((size_t)sets, sizeof *p->seen, err);
	p->beside = tmap_alloc_raw((size_t)sets, sizeof *p->beside, err);
	p->changed = tmap_alloc_raw((size_t)sets, sizeof *p->changed, err);
	p->before = tmap_alloc_raw((size_t)sets, sizeof *p->before, err);
	if (!p->of || !p->name || !p->seen || !p->beside || !p->changed || !p->before)
		return -1;
	for (int x = 0; x < p->nest->count; x++) {
		p->of[p->at[x]] = x;
		p->name[x] = TMAP_NONE;
	}
	for (int s = 0; s < sets; s++) {
		p->seen[s] = TMAP_NONE;
		p->changed[s] = true;
	}
	return 0;
}

/* Sets of higher numbers to which something is sent. */
static int beside_list(struct pairs *p, int set)
{
	const int *start = p->nest->start[p->layer];
	int count = 0;

	for (int x = start[set]; x < start[set + 1]; x++) {
		int v = p->at[x];

		for (int64_t i = tmap_graph_begin(p->graph, v); i < tmap_graph_end(p->graph, v);
		     i++) {
			int other = tmap_nest_set(p->nest, p->layer,
						  p->of[tmap_graph_peer(p->graph, v, i)]);

			if (other <= set || p->seen[other] == set)
				continue;
			p->seen[other] = set;
			p->beside[count++] = other;
		}
		*p->left -= tmap_graph_degree(p->graph, v);
	}
	return count;
}

static double layer_price(const struct pairs *p, int layer)
{
	return layer < p->nest->depth ? p->price[layer] : 0;
}

/* What the ranks of list[] cost more in set b than in set a, for what they send to others. */
static void bias_fill(struct pairs *p, double *bias, const int *list, int count, int a, int b)
{
	const int *start = p->nest->start[p->layer];

	for (int k = 0; k < count; k++) {
		int v = list[k];

		bias[k] = 0;
		for (int64_t i = tmap_graph_begin(p->graph, v); i < tmap_graph_end(p->graph, v);
		     i++) {
			int to = p->of[tmap_graph_peer(p->graph, v, i)];
			int set = tmap_nest_set(p->nest, p->layer, to);

			if (set == a || set == b)
				continue;
			bias[k] += p->graph->weight[i] *
				(layer_price(p, tmap_nest_layer(p->nest, start[b], to)) -
				 layer_price(p, tmap_nest_layer(p->nest, start[a], to)));
		}
		*p->left -= 2 * tmap_graph_degree(p->graph, v);
	}
}

/* Those that change sides take the positions that the others leave; all others stay. */
static void sides_apply(struct pairs *p, const int *list, const bool *right, int size, int count)
{
	int from_a = 0, from_b = size;

	for (;;) {
		int x, y;

		while (from_a < size && !right[from_a])
			from_a++;
		while (from_b < count && right[from_b])
			from_b++;
		if (from_a == size || from_b == count)
			break;
		x = p->of[list[from_a]];
		y = p->of[list[from_b]];
		p->of[p->at[y] = list[from_a++]] = y;
		p->of[p->at[x] = list[from_b++]] = x;
	}
}

/* Two sets cost what their layer does; within one, at least what the next layer does. Siblings
 * are as far as each other from all other sets. */
static int pair_refine(struct pairs *p, int a, int b, struct tmap_error *err)
{
	const int *start = p->nest->start[p->layer];
	int size = start[a + 1] - start[a], count = size + start[b + 1] - start[b], status = -1;
	int apart = tmap_nest_layer(p->nest, start[a], start[b]);
	double scale = layer_price(p, apart) - layer_price(p, p->layer + 1);
	int *list = tmap_alloc_raw((size_t)count, sizeof *list, err);
	bool *right = tmap_alloc_raw((size_t)count, sizeof *right, err);
	double *bias = tmap_alloc_raw((size_t)count, sizeof *bias, err);
	struct tmap_graph pair = { 0 };
	int64_t steps = 0;

	if (list && right && bias) {
		memcpy(list, p->at + start[a], (size_t)size * sizeof *list);
		memcpy(list + size, p->at + start[b], (size_t)(count - size) * sizeof *list);
		for (int k = 0; k < count; k++)
			right[k] = k >= size;
		status = tmap_graph_extract(&pair, p->graph, list, count, p->name, err);
	}
	if (status == 0) {
		for (int64_t i = 0; i < pair.start[count]; i++)
			pair.weight[i] *= scale;
		if (apart < p->layer)
			bias_fill(p, bias, list, count, a, b);
		status = tmap_bisect_improve(right, apart < p->layer ? bias : NULL, &pair,
					     p->random, &steps, err);
	}
	if (status == 1) {
		sides_apply(p, list, right, size, count);
		p->changed[a] = p->changed[b] = true;
	}
	*p->left -= steps + 4 * count;
	tmap_graph_fini(&pair);
	free(list);
	free(right);
	free(bias);
	return status < 0 ? -1 : 0;
}

int tmap_pairs_refine(int *at, const struct tmap_graph *graph, const struct tmap_nest *nest,
		      const double *price, int layer, struct tmap_random *random, int64_t *left,
		      struct tmap_error *err)
{
	struct pairs p = { graph, nest, price, random, layer, at, .left = left };
	int sets = nest->set_count[layer], status = pairs_init(&p, err);
	bool goes_on = status == 0;

	for (int round = 0; round < ROUNDS && goes_on; round++) {
		memcpy(p.before, p.changed, (size_t)sets * sizeof *p.before);
		memset(p.changed, 0, (size_t)sets * sizeof *p.changed);
		goes_on = false;
		for (int a = 0; a < sets && status == 0 && *left > 0; a++) {
			int count = beside_list(&p, a);

			for (int k = 0; k < count && status == 0 && *left > 0; k++) {
				int b = p.beside[k];

				if (p.before[a] || p.before[b] || p.changed[a] || p.changed[b])
					status = pair_refine(&p, a, b, err);
			}
			goes_on = goes_on || p.changed[a];
		}
		for (int s = 0; s < sets; s++)
			p.seen[s] = TMAP_NONE;
		goes_on = goes_on && status == 0 && *left > 0;
	}
	pairs_fini(&p);
	return status;
}
