/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/prices.h"

#include "core/base/mem.h"

#include <stdlib.h>

enum { TABLE = 512 /* positions of which all pairs are written down */ };

void tmap_prices_fini(struct tmap_prices *prices)
{
	free(prices->code);
	free(prices->table);
	*prices = (struct tmap_prices){ 0 };
}

double tmap_prices_compute(const struct tmap_prices *prices, int a, int b)
{
	const struct tmap_objective *objective = prices->search->objective;
	const struct tmap_nest *nest = &objective->nest;
	int layer = tmap_nest_layer(nest, a, b);

	if (tmap_goal_has_hops(objective->criteria->goal)) {
		const int *node = objective->slots->placement->node;
		int from = node[nest->slot[a]], to = node[nest->slot[b]];

		if (from != to) /* and within a node what the nest has */
			return tmap_routes_hops(objective->criteria->routes, from, to);
	}
	return layer < nest->depth ? prices->search->price[layer] : 0;
}

static int sets_around(const struct tmap_nest *nest, int layer)
{
	return layer == TMAP_NONE ? 1 : nest->set_count[layer];
}

/* As the largest set of the layer around takes. */
static int layer_bits(const struct tmap_nest *nest, int layer)
{
	int most = 1, first, bits = 0;

	for (int s = 0; s < sets_around(nest, layer - 1); s++) {
		int count = tmap_nest_children(nest, layer - 1, s, &first);

		most = count > most ? count : most;
	}
	while ((int64_t)1 << bits < most)
		bits++;
	return bits;
}

static void codes_add_layer(uint32_t *code, const struct tmap_nest *nest, int layer, int bits)
{
	for (int s = 0; s < sets_around(nest, layer - 1); s++) {
		int first, count = tmap_nest_children(nest, layer - 1, s, &first);

		for (int c = 0; c < count && bits; c++)
			for (int x = nest->start[layer][first + c];
			     x < nest->start[layer][first + c + 1]; x++)
				code[x] = (uint32_t)((uint64_t)code[x] << bits) | (uint32_t)c;
	}
}

/* No codes where they take too many bits. */
static int prices_make_codes(struct tmap_prices *prices, struct tmap_error *err)
{
	const struct tmap_nest *nest = &prices->search->objective->nest;
	int end = 0, begin = 0;

	for (int l = 0; l < nest->depth; l++)
		end += layer_bits(nest, l);
	if (end >= TMAP_PRICES_BITS)
		return 0;
	prices->code = tmap_alloc((size_t)nest->count, sizeof *prices->code, err);
	if (!prices->code)
		return -1;
	for (int l = 0; l < nest->depth; l++, end = begin) {
		int bits = layer_bits(nest, l);

		codes_add_layer(prices->code, nest, l, bits);
		begin = end - bits;
		for (int i = begin; i < end; i++)
			prices->of_bit[1 + i] = prices->search->price[l];
	}
	return 0;
}

static int prices_fill_table(struct tmap_prices *prices, struct tmap_error *err)
{
	size_t count = (size_t)prices->search->count;

	prices->table = tmap_alloc_raw(count * count, sizeof *prices->table, err);
	for (size_t a = 0; prices->table && a < count; a++)
		for (size_t b = 0; b < count; b++)
			prices->table[a * count + b] = tmap_prices_compute(prices, (int)a, (int)b);
	return prices->table ? 0 : -1;
}

int tmap_prices_init(struct tmap_prices *prices, const struct tmap_search *search,
		     struct tmap_error *err)
{
	struct tmap_prices made = { .search = search };
	int status = 0;

	if (!tmap_goal_has_hops(search->objective->criteria->goal))
		status = prices_make_codes(&made, err);
	if (status == 0 && !made.code && search->count <= TABLE)
		status = prices_fill_table(&made, err);
	if (status < 0)
		tmap_prices_fini(&made);
	else
		*prices = made;
	return status;
}
