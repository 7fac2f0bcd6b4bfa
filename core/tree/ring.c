#include "core/tree/ring.h"

#include "core/base/mem.h"
#include "core/tree/paths.h"

#include <stdlib.h>

/*
 * The paths while they grow. Ranks have places: sorted by their sets of the first step, and
 * rising in each, so that what is joined first lies together. Paths, ends and lists are
 * in terms of places.
 */
struct growth {
	const struct tm_metric *metric;
	int *rank_of;        /* [size]: the rank at each place */
	struct tm_paths paths;
	int *end;            /* [count]: the ends of paths, rising by rank in each set */
	int count;
	int *next;           /* [size]: the following end of the same set */
	int *first;          /* [largest set_count + 2]: each set's first end */
};

static int largest_set_count(const struct tm_metric *metric)
{
	int largest = 0;

	for (int i = 0; i < metric->step_count; i++)
		if (metric->step[i].set_count > largest)
			largest = metric->step[i].set_count;
	return largest;
}

static int set_of(const struct growth *growth, int step, int place)
{
	return tm_metric_set(growth->metric, step, growth->rank_of[place]);
}

/* A stable counting sort of the ranks by their sets; those that are alone come last. */
static void find_places(struct growth *growth)
{
	const struct tm_metric *metric = growth->metric;
	int sets = metric->step[0].set_count, *begin = growth->first;

	for (int set = 0; set <= sets + 1; set++)
		begin[set] = 0;
	for (int rank = 0; rank < metric->size; rank++) {
		int set = tm_metric_set(metric, 0, rank);

		begin[(set == TM_NONE ? sets : set) + 1]++;
	}
	for (int set = 0; set <= sets; set++)
		begin[set + 1] += begin[set];
	for (int rank = 0; rank < metric->size; rank++) {
		int set = tm_metric_set(metric, 0, rank);

		growth->rank_of[begin[set == TM_NONE ? sets : set]++] = rank;
	}
}

/* Put the ends into the order of their ranks; next[] serves as the index by rank. */
static void sort_ends(struct growth *growth)
{
	int *place_of = growth->next, found = 0;

	for (int rank = 0; rank < growth->metric->size; rank++)
		place_of[rank] = TM_NONE;
	for (int i = 0; i < growth->count; i++)
		place_of[growth->rank_of[growth->end[i]]] = growth->end[i];
	for (int rank = 0; rank < growth->metric->size; rank++)
		if (place_of[rank] != TM_NONE)
			growth->end[found++] = place_of[rank];
}

/* Join @p end, which is not in the list, to the first of the list that is no end of its own
 * path, as long as it has room. The list holds at most one such end, so two looks do. */
static void join_to_list(struct growth *growth, int end, int *list)
{
	while (!tm_paths_is_full(&growth->paths, end)) {
		int *link = list;

		if (*link != TM_NONE && *link == growth->paths.other[end])
			link = &growth->next[*link];
		if (*link == TM_NONE)
			return;
		tm_paths_join(&growth->paths, end, *link);
		if (tm_paths_is_full(&growth->paths, *link))
			*link = growth->next[*link];
	}
}

/* The ends of each set, as lists in rising order. */
static void list_ends(struct growth *growth, int step)
{
	for (int set = 0; set < growth->metric->step[step].set_count; set++)
		growth->first[set] = TM_NONE;
	for (int i = growth->count - 1; i >= 0; i--) {
		int end = growth->end[i];
		int set = set_of(growth, step, end);

		if (set == TM_NONE)
			continue;
		growth->next[end] = growth->first[set];
		growth->first[set] = end;
	}
}

static void join_step(struct growth *growth, int step)
{
	int kept = 0;

	list_ends(growth, step);
	for (int set = 0; set < growth->metric->step[step].set_count; set++) {
		while (growth->first[set] != TM_NONE) {
			int end = growth->first[set];

			growth->first[set] = growth->next[end];
			join_to_list(growth, end, &growth->first[set]);
		}
	}
	for (int i = 0; i < growth->count; i++)
		if (!tm_paths_is_full(&growth->paths, growth->end[i]))
			growth->end[kept++] = growth->end[i];
	growth->count = kept;
}

static void growth_fini(struct growth *growth)
{
	tm_paths_fini(&growth->paths);
	free(growth->rank_of);
	free(growth->end);
	free(growth->next);
	free(growth->first);
}

static int growth_init(struct growth *growth, const struct tm_metric *metric, struct tm_error *err)
{
	size_t size = (size_t)metric->size;

	*growth = (struct growth){ .metric = metric, .count = metric->size };
	if (tm_paths_init(&growth->paths, metric->size, err) < 0)
		return -1;
	growth->rank_of = tm_alloc_raw(size, sizeof *growth->rank_of, err);
	growth->end = tm_alloc_raw(size, sizeof *growth->end, err);
	growth->next = tm_alloc_raw(size, sizeof *growth->next, err);
	growth->first = tm_alloc_raw((size_t)largest_set_count(metric) + 2,
				     sizeof *growth->first, err);
	if (!growth->rank_of || !growth->end || !growth->next || !growth->first)
		return -1;
	find_places(growth);
	for (int place = 0; place < metric->size; place++)
		growth->end[place] = place;
	return 0;
}

int tm_ring_alloc(struct tm_ring *ring, int size, struct tm_error *err)
{
	struct tm_ring made = { .size = size };

	made.order = tm_alloc_raw((size_t)size, sizeof *made.order, err);
	if (made.order)
		made.distance = tm_alloc((size_t)size, sizeof *made.distance, err);
	if (!made.distance) {
		tm_ring_fini(&made);
		return -1;
	}
	*ring = made;
	return 0;
}

static int rank_at(const int *rank_of, int place)
{
	return rank_of ? rank_of[place] : place;
}

void tm_ring_walk(struct tm_ring *ring, int (*neighbour)[2], const int *rank_of)
{
	int last = 0, place;

	ring->order[0] = 0;
	if (ring->size == 1)
		return;
	while (rank_at(rank_of, last) != 0)
		last++;
	place = neighbour[last][rank_at(rank_of, neighbour[last][1]) <
				rank_at(rank_of, neighbour[last][0])];
	for (int i = 1; i < ring->size; i++) {
		int to = neighbour[place][neighbour[place][0] == last];

		ring->order[i] = rank_at(rank_of, place);
		last = place;
		place = to;
	}
}

void tm_ring_set_distances(struct tm_ring *ring, const struct tm_metric *metric)
{
	for (int i = 0; i < tm_ring_steps(ring); i++)
		ring->distance[i] = tm_metric_distance(metric, ring->order[i],
						       ring->order[(i + 1) % ring->size]);
}

int tm_ring_init(struct tm_ring *ring, const struct tm_metric *metric, struct tm_error *err)
{
	struct tm_ring made = { 0 };
	struct growth growth;
	int status = growth_init(&growth, metric, err);

	for (int step = 0; status == 0 && step < metric->step_count && growth.count > 1; step++) {
		if (step > 0)
			sort_ends(&growth);
		join_step(&growth, step);
	}
	if (status == 0)
		status = tm_ring_alloc(&made, metric->size, err);
	if (status == 0) {
		tm_paths_close(&growth.paths);
		tm_ring_walk(&made, growth.paths.neighbour, growth.rank_of);
		tm_ring_set_distances(&made, metric);
		*ring = made;
	}
	growth_fini(&growth);
	return status;
}

void tm_ring_fini(struct tm_ring *ring)
{
	free(ring->order);
	free(ring->distance);
	*ring = (struct tm_ring){ 0 };
}

int tm_ring_steps(const struct tm_ring *ring)
{
	return ring->size > 1 ? ring->size : 0;
}

int tm_ring_measure(const struct tm_ring *ring, double *weight, struct tm_edge_count **edges,
		    int *count, struct tm_error *err)
{
	if (tm_edges_count(ring->distance, tm_ring_steps(ring), TM_NONE, edges, count, err) < 0)
		return -1;
	*weight = tm_edges_weight(*edges, *count);
	return 0;
}
