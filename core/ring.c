#include "core/ring.h"

#include "core/mem.h"

#include <stdlib.h>

/* The paths while they grow. An end has fewer than two neighbours; the other end of a
 * path of one rank is that rank. other[] holds for ends only, next[] for listed ones. */
struct paths {
	const struct tm_metric *metric;
	int (*neighbour)[2]; /* [size], TM_NONE where there is none (yet) */
	int *other;          /* [size] */
	int *end;            /* [count]: the ends, rising */
	int count;
	int *next;           /* [size]: the following end of the same set */
	int *first;          /* [largest set_count]: each set's first end */
};

static int largest_set_count(const struct tm_metric *metric)
{
	int largest = 0;

	for (int i = 0; i < metric->step_count; i++)
		if (metric->step[i].set_count > largest)
			largest = metric->step[i].set_count;
	return largest;
}

static bool is_full(const struct paths *paths, int rank)
{
	return paths->neighbour[rank][1] != TM_NONE;
}

static void add_neighbour(struct paths *paths, int rank, int neighbour)
{
	paths->neighbour[rank][paths->neighbour[rank][0] != TM_NONE] = neighbour;
}

static void join(struct paths *paths, int a, int b)
{
	int far_a = paths->other[a], far_b = paths->other[b];

	add_neighbour(paths, a, b);
	add_neighbour(paths, b, a);
	paths->other[far_a] = far_b;
	paths->other[far_b] = far_a;
}

/* Join @p end, which is not in the list, to the first of the list that is no end of its own
 * path, as long as it has room. The list holds at most one such end, so two looks do. */
static void join_to_list(struct paths *paths, int end, int *list)
{
	while (!is_full(paths, end)) {
		int *link = list;

		if (*link != TM_NONE && *link == paths->other[end])
			link = &paths->next[*link];
		if (*link == TM_NONE)
			return;
		join(paths, end, *link);
		if (is_full(paths, *link))
			*link = paths->next[*link];
	}
}

/* The ends of each set, as lists in rising order. */
static void list_ends(struct paths *paths, int step)
{
	for (int set = 0; set < paths->metric->step[step].set_count; set++)
		paths->first[set] = TM_NONE;
	for (int i = paths->count - 1; i >= 0; i--) {
		int end = paths->end[i];
		int set = tm_metric_set(paths->metric, step, end);

		if (set == TM_NONE)
			continue;
		paths->next[end] = paths->first[set];
		paths->first[set] = end;
	}
}

static void join_step(struct paths *paths, int step)
{
	int kept = 0;

	list_ends(paths, step);
	for (int set = 0; set < paths->metric->step[step].set_count; set++) {
		while (paths->first[set] != TM_NONE) {
			int end = paths->first[set];

			paths->first[set] = paths->next[end];
			join_to_list(paths, end, &paths->first[set]);
		}
	}
	for (int i = 0; i < paths->count; i++)
		if (!is_full(paths, paths->end[i]))
			paths->end[kept++] = paths->end[i];
	paths->count = kept;
}

static void paths_fini(struct paths *paths)
{
	free(paths->neighbour);
	free(paths->other);
	free(paths->end);
	free(paths->next);
	free(paths->first);
}

static int paths_init(struct paths *paths, const struct tm_metric *metric, struct tm_error *err)
{
	size_t size = (size_t)metric->placement->size;

	*paths = (struct paths){ .metric = metric, .count = metric->placement->size };
	paths->neighbour = tm_alloc_raw(size, sizeof *paths->neighbour, err);
	paths->other = paths->neighbour ? tm_alloc_raw(size, sizeof *paths->other, err) : NULL;
	paths->end = paths->other ? tm_alloc_raw(size, sizeof *paths->end, err) : NULL;
	paths->next = paths->end ? tm_alloc_raw(size, sizeof *paths->next, err) : NULL;
	paths->first = paths->next ? tm_alloc_raw((size_t)largest_set_count(metric),
						  sizeof *paths->first, err) : NULL;
	if (!paths->first)
		return -1;
	for (int rank = 0; rank < paths->count; rank++) {
		paths->neighbour[rank][0] = paths->neighbour[rank][1] = TM_NONE;
		paths->other[rank] = paths->end[rank] = rank;
	}
	return 0;
}

/* Of one path that holds all ranks, a cycle: its two ends become neighbours. */
static void close_path(struct paths *paths)
{
	for (int i = 0; i < paths->count; i++)
		if (!is_full(paths, paths->end[i]))
			add_neighbour(paths, paths->end[i], paths->other[paths->end[i]]);
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

void tm_ring_walk(struct tm_ring *ring, int (*neighbour)[2])
{
	int last = 0, rank = neighbour[0][0] < neighbour[0][1] ? neighbour[0][0] : neighbour[0][1];

	ring->order[0] = 0;
	for (int i = 1; i < ring->size; i++) {
		int to = neighbour[rank][neighbour[rank][0] == last];

		ring->order[i] = rank;
		last = rank;
		rank = to;
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
	struct paths paths;
	int status = paths_init(&paths, metric, err);

	for (int step = 0; status == 0 && step < metric->step_count; step++)
		join_step(&paths, step);
	if (status == 0)
		status = tm_ring_alloc(&made, metric->placement->size, err);
	if (status == 0) {
		close_path(&paths);
		tm_ring_walk(&made, paths.neighbour);
		tm_ring_set_distances(&made, metric);
		*ring = made;
	}
	paths_fini(&paths);
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
