/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prices.h - what a byte costs between two positions, for searches that ask for it all the time.
 *
 *     position     0     1     2     3     4     5
 *     node         0     0     0     0     1     1
 *     package      0     0     1     1     0     0       the number within its node, and so on inwards,
 *     code        0 0   0 0   0 1   0 1   1 0   1 0     each in as many bits as the largest set takes
 *
 * The highest bit in which two codes differ says which layer divides the positions, and so the price.
 * Where hops count the price goes by the nodes, and of few positions all pairs are written down.
 */
#ifndef TMAP_CORE_MAPPERS_PRICES_H
#define TMAP_CORE_MAPPERS_PRICES_H

#include "core/map/search.h"

/** No bit differs, or the highest one is 0 .. 31. */
enum { TMAP_PRICES_BITS = 33 };

struct tmap_prices {
	const struct tmap_search *search; /**< borrowed */
	uint32_t *code;                   /**< [count]; NULL: there are none */
	double of_bit[TMAP_PRICES_BITS]; /**< the price where this bit differs, counted from 1; 0: none */
	double *table; /**< [count x count]: the price of each pair; NULL: there are codes, or too many
			    positions */
};

/** O(count x layers), but where hops count O(count x count) for few positions. */
int tmap_prices_init(struct tmap_prices *prices, const struct tmap_search *search,
		     struct tmap_error *err);
void tmap_prices_fini(struct tmap_prices *prices);

/** The price from the nest, or from the routes: what is written down. O(layers). */
double tmap_prices_compute(const struct tmap_prices *prices, int a, int b);

static inline double tmap_prices_of(const struct tmap_prices *prices, int a, int b)
{
	if (prices->code) {
		uint64_t apart = prices->code[a] ^ prices->code[b];

		return prices->of_bit[63 - __builtin_clzll(apart << 1 | 1)];
	}
	if (prices->table)
		return prices->table[(size_t)a * (size_t)prices->search->count + (size_t)b];
	return tmap_prices_compute(prices, a, b);
}

#endif
