#include "core/mappers/rows.h"

#include "core/mappers/closest.h"
#include "core/base/mem.h"

#include <stdlib.h>

/* What a greedy order looks at: virtual rank v is rank (v + root) mod size. */
struct greedy {
	int size, root;
	struct tm_closest closest;
	int *order;          /* [size]: the virtual ranks as they came */
	int placed;
};

static int rank_of(const struct greedy *g, int v)
{
	return (int)(((int64_t)v + g->root) % g->size);
}

static bool is_placed(const struct greedy *g, int v)
{
	return g->closest.of[rank_of(g, v)] != TM_NONE;
}

static void put(struct greedy *g, int v, int to)
{
	tm_closest_put(&g->closest, rank_of(g, v), to == TM_NONE ? TM_NONE : rank_of(g, to));
	g->order[g->placed++] = v;
}

/* The root of the first call that has one. */
static int find_root(const struct tm_traffic *traffic)
{
	for (int c = 0; c < traffic->call_count; c++)
		if (tm_collective_rows[tm_call_algorithm(&traffic->call[c])->collective].has_root)
			return traffic->call[c].root;
	return 0;
}

static int run(struct tm_quest *quest, void (*place_all)(struct greedy *g), struct tm_error *err)
{
	struct greedy g = { .size = quest->size };
	int status = -1;

	g.root = find_root(quest->objective->traffic);
	g.order = tm_alloc_raw((size_t)g.size, sizeof *g.order, err);
	if (g.order && tm_closest_init(&g.closest, &quest->ladder, err) == 0) {
		place_all(&g);
		tm_closest_fill(&g.closest);
		status = tm_quest_offer_at(quest, &quest->ladder, g.closest.at, NULL, err);
		tm_closest_fini(&g.closest);
	}
	free(g.order);
	return status;
}

/* The partner of @p v in the last round in which it has one without a place; TM_NONE. */
static int last_partner(const struct greedy *g, int v)
{
	int step = 1;

	while (step <= (g->size - 1) / 2)
		step *= 2;
	for (; step > 0; step /= 2)
		if ((v ^ step) < g->size && !is_placed(g, v ^ step))
			return v ^ step;
	return TM_NONE;
}

static void place_doubling(struct greedy *g)
{
	int from = 0, served = 0, next = 0;

	put(g, 0, TM_NONE);
	while (g->placed < g->size) {
		int v = last_partner(g, from);

		while (v == TM_NONE) { /* on with the first that has a partner to serve */
			from = g->order[next];
			v = last_partner(g, from);
			next += v == TM_NONE;
			served = 0;
		}
		put(g, v, from);
		if (++served == 2) {
			from = v;
			served = 0;
		}
	}
}

static void place_ring(struct greedy *g)
{
	for (int v = 0; v < g->size; v++)
		put(g, v, v - 1);
}

/* The subtree below @p v of fewer than @p span ranks: small subtrees first, which are served
 * last, when most messages are under way. */
static void place_subtree(struct greedy *g, int v, int64_t span)
{
	for (int64_t step = 1; step < span && v + step < g->size; step *= 2) {
		put(g, (int)(v + step), v);
		place_subtree(g, (int)(v + step), step);
	}
}

static void place_bcast(struct greedy *g)
{
	put(g, 0, TM_NONE);
	place_subtree(g, 0, g->size);
}

/* The edges with the largest messages first, which are those over the largest subtrees. */
static void place_gather(struct greedy *g)
{
	int64_t step = 1;

	while (2 * step < g->size)
		step *= 2;
	put(g, 0, TM_NONE);
	for (; step > 0; step /= 2)
		for (int64_t v = 0; v + step < g->size; v += 2 * step)
			put(g, (int)(v + step), (int)v);
}

int tm_map_greedy_doubling(struct tm_quest *quest, struct tm_error *err)
{
	return run(quest, place_doubling, err);
}

int tm_map_greedy_ring(struct tm_quest *quest, struct tm_error *err)
{
	return run(quest, place_ring, err);
}

int tm_map_greedy_bcast(struct tm_quest *quest, struct tm_error *err)
{
	return run(quest, place_bcast, err);
}

int tm_map_greedy_gather(struct tm_quest *quest, struct tm_error *err)
{
	return run(quest, place_gather, err);
}
