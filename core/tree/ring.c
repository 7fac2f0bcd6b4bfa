/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/ring.h"

#include "core/base/mem.h"
#include "core/tree/paths.h"

#include <stdlib.h>

/* Ranks that are near lie anywhere in memory where they are shuffled: so many on they are looked for. */
enum { AHEAD = 16 };

/*
 * The paths while they grow. Ranks have places: sorted by their sets of the first step, and
 * rising in each, so that what is joined first lies together. Paths, ends and lists are
 * in terms of places.
 */
struct path_growth {
	const struct tmap_metric *metric;
	int *rank_of; /* [size]: the rank at each place */
	struct tmap_paths paths;
	int *end; /* [count]: the ends of paths, rising by rank in each set */
	int count;
	int *next;  /* [size]: the following end of the same set */
	int *first; /* [sets of the step that has most + 1]: each set's first end */
};

static int place_set(const struct path_growth *growth, int step, int place)
{
	return tmap_metric_set(growth->metric, step, growth->rank_of[place]);
}

/* Put the ends into the order of their ranks; next[] serves as the index by rank. */
static void path_ends_sort(struct path_growth *growth)
{
	int *place_of = growth->next, found = 0;

	for (int rank = 0; rank < growth->metric->size; rank++)
		place_of[rank] = TMAP_NONE;
	for (int i = 0; i < growth->count; i++)
		place_of[growth->rank_of[growth->end[i]]] = growth->end[i];
	for (int rank = 0; rank < growth->metric->size; rank++)
		if (place_of[rank] != TMAP_NONE)
			growth->end[found++] = place_of[rank];
}

/* Join @p end, which is not in the list, to the first of the list that is no end of its own
 * path, as long as it has room. The list holds at most one such end, so two tries do. */
static void path_join_to_list(struct path_growth *growth, int end, int *list)
{
	while (!tmap_paths_is_full(&growth->paths, end)) {
		int *link = list;

		if (*link != TMAP_NONE && *link == growth->paths.other[end])
			link = &growth->next[*link];
		if (*link == TMAP_NONE)
			return;
		tmap_paths_join(&growth->paths, end, *link);
		if (tmap_paths_is_full(&growth->paths, *link))
			*link = growth->next[*link];
	}
}

/* The ends of each set, as lists in rising order. */
static void path_ends_list(struct path_growth *growth, int step)
{
	const struct tmap_placement *placement = growth->metric->placement;

	for (int set = 0; set < growth->metric->step[step].sets.count; set++)
		growth->first[set] = TMAP_NONE;
	for (int i = growth->count - 1; i >= 0; i--) {
		int end = growth->end[i];
		int set = place_set(growth, step, end);

		if (placement && i >= AHEAD) {
			int rank = growth->rank_of[growth->end[i - AHEAD]];

			__builtin_prefetch(&placement->node[rank]);
			__builtin_prefetch(&placement->place[rank]);
		}

		if (set == TMAP_NONE)
			continue;
		growth->next[end] = growth->first[set];
		growth->first[set] = end;
	}
}

static void path_growth_step(struct path_growth *growth, int step)
{
	int kept = 0;

	path_ends_list(growth, step);
	for (int set = 0; set < growth->metric->step[step].sets.count; set++) {
		while (growth->first[set] != TMAP_NONE) {
			int end = growth->first[set];

			growth->first[set] = growth->next[end];
			path_join_to_list(growth, end, &growth->first[set]);
		}
	}
	for (int i = 0; i < growth->count; i++)
		if (!tmap_paths_is_full(&growth->paths, growth->end[i]))
			growth->end[kept++] = growth->end[i];
	growth->count = kept;
}

static void path_growth_fini(struct path_growth *growth)
{
	tmap_paths_fini(&growth->paths);
	free(growth->rank_of);
	free(growth->end);
	free(growth->next);
	free(growth->first);
}

static int path_growth_init(struct path_growth *growth, const struct tmap_metric *metric,
			    struct tmap_error *err)
{
	size_t size = (size_t)metric->size;

	*growth = (struct path_growth){ .metric = metric, .count = metric->size };
	if (tmap_paths_init(&growth->paths, metric->size, err) < 0)
		return -1;
	growth->rank_of = tmap_alloc_raw(size, sizeof *growth->rank_of, err);
	growth->end = tmap_alloc_raw(size, sizeof *growth->end, err);
	growth->next = tmap_alloc_raw(size, sizeof *growth->next, err);
	growth->first = tmap_alloc_raw((size_t)tmap_metric_most_sets(metric) + 1,
				       sizeof *growth->first, err);
	if (!growth->rank_of || !growth->end || !growth->next || !growth->first)
		return -1;
	tmap_partition_sort(&metric->step[0].sets, metric->placement, growth->first,
			    growth->rank_of);
	for (int place = 0; place < metric->size; place++)
		growth->end[place] = place;
	return 0;
}

int tmap_ring_alloc(struct tmap_ring *ring, int size, struct tmap_error *err)
{
	struct tmap_ring made = { .size = size };

	made.order = tmap_alloc_raw((size_t)size, sizeof *made.order, err);
	if (made.order)
		made.distance = tmap_alloc((size_t)size, sizeof *made.distance, err);
	if (!made.distance) {
		tmap_ring_fini(&made);
		return -1;
	}
	*ring = made;
	return 0;
}

static int place_rank(const int *rank_of, int place)
{
	return rank_of ? rank_of[place] : place;
}

void tmap_ring_walk(struct tmap_ring *ring, int (*neighbour)[2], const int *rank_of)
{
	int last = 0, place;

	ring->order[0] = 0;
	if (ring->size == 1)
		return;
	while (place_rank(rank_of, last) != 0)
		last++;
	place = neighbour[last][place_rank(rank_of, neighbour[last][1]) <
				place_rank(rank_of, neighbour[last][0])];
	for (int i = 1; i < ring->size; i++) {
		int to = neighbour[place][neighbour[place][0] == last];

		ring->order[i] = place_rank(rank_of, place);
		last = place;
		place = to;
	}
}

void tmap_ring_set_distances(struct tmap_ring *ring, const struct tmap_metric *metric)
{
	for (int i = 0; i < tmap_ring_steps(ring); i++) {
		if (metric->placement && i + AHEAD < ring->size) {
			__builtin_prefetch(&metric->placement->node[ring->order[i + AHEAD]]);
			__builtin_prefetch(&metric->placement->place[ring->order[i + AHEAD]]);
		}
		ring->distance[i] = tmap_metric_distance(metric, ring->order[i],
							 ring->order[(i + 1) % ring->size]);
	}
}

int tmap_ring_init(struct tmap_ring *ring, const struct tmap_metric *metric, struct tmap_error *err)
{
	struct tmap_ring made = { 0 };
	struct path_growth growth;
	int status = path_growth_init(&growth, metric, err);

	for (int step = 0; status == 0 && step < metric->step_count && growth.count > 1; step++) {
		if (step > 0)
			path_ends_sort(&growth);
		path_growth_step(&growth, step);
	}
	if (status == 0)
		status = tmap_ring_alloc(&made, metric->size, err);
	if (status == 0) {
		tmap_paths_close(&growth.paths);
		tmap_ring_walk(&made, growth.paths.neighbour, growth.rank_of);
		tmap_ring_set_distances(&made, metric);
		*ring = made;
	}
	path_growth_fini(&growth);
	return status;
}

void tmap_ring_fini(struct tmap_ring *ring)
{
	free(ring->order);
	free(ring->distance);
	*ring = (struct tmap_ring){ 0 };
}

int tmap_ring_steps(const struct tmap_ring *ring)
{
	return ring->size > 1 ? ring->size : 0;
}

int tmap_ring_measure(const struct tmap_ring *ring, double *weight, struct tmap_edge_count **edges,
		      int *count, struct tmap_error *err)
{
	if (tmap_edges_count(ring->distance, tmap_ring_steps(ring), TMAP_NONE, edges, count, err) <
	    0)
		return -1;
	*weight = tmap_edges_weight(*edges, *count);
	return 0;
}
