/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/closest.h"

#include <stdlib.h>

/* A greedy order: virtual rank v is rank (v + root) mod size. */
struct greedy {
	int size, root;
	struct tmap_closest closest;
	int *order; /* [size]: the virtual ranks as they came */
	int placed;
};

static int greedy_rank(const struct greedy *g, int v)
{
	return (int)(((int64_t)v + g->root) % g->size);
}

static bool greedy_is_placed(const struct greedy *g, int v)
{
	return g->closest.of[greedy_rank(g, v)] != TMAP_NONE;
}

static void greedy_put(struct greedy *g, int v, int to)
{
	tmap_closest_put(&g->closest, greedy_rank(g, v),
			 to == TMAP_NONE ? TMAP_NONE : greedy_rank(g, to));
	g->order[g->placed++] = v;
}

/* The root of the first call that has one. */
static int traffic_root(const struct tmap_traffic *traffic)
{
	for (int c = 0; c < traffic->call_count; c++)
		if (tmap_collective_rows[tmap_call_algorithm(&traffic->call[c])->collective]
			    .has_root)
			return traffic->call[c].root;
	return 0;
}

static int greedy_map(struct tmap_search *search, void (*place_all)(struct greedy *g),
		      struct tmap_error *err)
{
	struct greedy g = { .size = search->size };
	int status = -1;

	g.root = traffic_root(search->objective->traffic);
	g.order = tmap_alloc_raw((size_t)g.size, sizeof *g.order, err);
	if (g.order && tmap_closest_init(&g.closest, &search->levels, err) == 0) {
		place_all(&g);
		tmap_closest_fill(&g.closest);
		status = tmap_search_evaluate_at(search, &search->levels, g.closest.at, NULL, err);
		tmap_closest_fini(&g.closest);
	}
	free(g.order);
	return status;
}

/* The partner of @p v in the last round in which it has one without a place; TMAP_NONE. */
static int greedy_last_partner(const struct greedy *g, int v)
{
	int step = 1;

	while (step <= (g->size - 1) / 2)
		step *= 2;
	for (; step > 0; step /= 2)
		if ((v ^ step) < g->size && !greedy_is_placed(g, v ^ step))
			return v ^ step;
	return TMAP_NONE;
}

static void place_doubling(struct greedy *g)
{
	int from = 0, served = 0, next = 0;

	greedy_put(g, 0, TMAP_NONE);
	while (g->placed < g->size) {
		int v = greedy_last_partner(g, from);

		while (v == TMAP_NONE) { /* on with the first that has a partner to serve */
			from = g->order[next];
			v = greedy_last_partner(g, from);
			next += v == TMAP_NONE;
			served = 0;
		}
		greedy_put(g, v, from);
		if (++served == 2) {
			from = v;
			served = 0;
		}
	}
}

static void place_ring(struct greedy *g)
{
	for (int v = 0; v < g->size; v++)
		greedy_put(g, v, v - 1);
}

/* The subtree below @p v of fewer than @p span ranks: small subtrees first, which are served
 * last, when most messages are under way. */
static void place_subtree(struct greedy *g, int v, int64_t span)
{
	for (int64_t step = 1; step < span && v + step < g->size; step *= 2) {
		greedy_put(g, (int)(v + step), v);
		place_subtree(g, (int)(v + step), step);
	}
}

static void place_bcast(struct greedy *g)
{
	greedy_put(g, 0, TMAP_NONE);
	place_subtree(g, 0, g->size);
}

/* The edges with the largest messages first, which are those over the largest subtrees. */
static void place_gather(struct greedy *g)
{
	int64_t step = 1;

	while (2 * step < g->size)
		step *= 2;
	greedy_put(g, 0, TMAP_NONE);
	for (; step > 0; step /= 2)
		for (int64_t v = 0; v + step < g->size; v += 2 * step)
			greedy_put(g, (int)(v + step), (int)v);
}

int tmap_map_greedy_doubling(struct tmap_search *search, struct tmap_error *err)
{
	return greedy_map(search, place_doubling, err);
}

int tmap_map_greedy_ring(struct tmap_search *search, struct tmap_error *err)
{
	return greedy_map(search, place_ring, err);
}

int tmap_map_greedy_bcast(struct tmap_search *search, struct tmap_error *err)
{
	return greedy_map(search, place_bcast, err);
}

int tmap_map_greedy_gather(struct tmap_search *search, struct tmap_error *err)
{
	return greedy_map(search, place_gather, err);
}
