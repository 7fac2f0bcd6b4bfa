/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/matrix.h"

#include "core/base/mem.h"
#include "core/tree/paths.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

int tmap_matrix_init(struct tmap_matrix *matrix, int size, struct tmap_error *err)
{
	double *value;

	if (size < 1)
		return tmap_fail(err, TMAP_INPUT, "a matrix of %d ranks: it has at least one",
				 size);
	value = tmap_alloc((size_t)size * (size_t)size, sizeof *value, err);
	if (!value)
		return -1;
	*matrix = (struct tmap_matrix){ .size = size, .value = value };
	return 0;
}

void tmap_matrix_fini(struct tmap_matrix *matrix)
{
	free(matrix->value);
	*matrix = (struct tmap_matrix){ 0 };
}

double tmap_matrix_distance(const struct tmap_matrix *matrix, int a, int b)
{
	return a == b ? 0 : matrix->value[(size_t)a * (size_t)matrix->size + (size_t)b];
}

static int pair_check(double there, double back, int a, int b, int size, struct tmap_error *err)
{
	if (!isfinite(there) || there < 0)
		return tmap_fail(err, TMAP_INPUT,
				 "the distance of the ranks %d and %d is %g: a distance "
				 "is finite and not negative",
				 a, b, there);
	if (there > DBL_MAX / size)
		return tmap_fail(err, TMAP_INPUT,
				 "the distance of the ranks %d and %d is %g: so long "
				 "distances of %d ranks cannot be added up",
				 a, b, there, size);
	if (there != back)
		return tmap_fail(err, TMAP_INPUT,
				 "the distance of the ranks %d and %d is %.17g one way "
				 "and %.17g the other: it must be the same",
				 a, b, there, back);
	return 0;
}

int tmap_matrix_check(const struct tmap_matrix *matrix, struct tmap_error *err)
{
	for (int a = 0; a < matrix->size; a++)
		for (int b = a + 1; b < matrix->size; b++)
			if (pair_check(tmap_matrix_distance(matrix, a, b),
				       tmap_matrix_distance(matrix, b, a), a, b, matrix->size,
				       err) < 0)
				return -1;
	return 0;
}

/* Prim's algorithm while it grows. Edges have a total order, Algorithm 1's. */
struct tree_growth {
	const struct tmap_matrix *matrix;
	int root;
	bool *is_in;      /* [size] */
	int *nearest;     /* [size]: where the least edge into the tree ends */
	double *distance; /* [size]: of that edge */
	int *order;       /* [count]: the ranks in the tree, as they came */
	int count;
};

/* Of equally long edges, is a0-a1 before b0-b1 in the queue? */
static bool edge_is_before(int root, int a0, int a1, int b0, int b1)
{
	bool a_at_root = a0 == root || a1 == root, b_at_root = b0 == root || b1 == root;
	int a_low = a0 < a1 ? a0 : a1, b_low = b0 < b1 ? b0 : b1;
	int64_t a_sum = (int64_t)a0 + a1, b_sum = (int64_t)b0 + b1;

	if (a_at_root || b_at_root)
		return a_at_root && (!b_at_root || a_sum < b_sum);
	return a_low != b_low ? a_low < b_low : a_sum < b_sum;
}

static void tree_growth_take(struct tree_growth *growth, int rank)
{
	bool is_first = growth->count == 0;

	growth->is_in[rank] = true;
	growth->order[growth->count++] = rank;
	for (int r = 0; r < growth->matrix->size; r++) {
		double distance = tmap_matrix_distance(growth->matrix, rank, r);

		if (growth->is_in[r])
			continue;
		if (is_first || distance < growth->distance[r] ||
		    (distance == growth->distance[r] &&
		     edge_is_before(growth->root, r, rank, r, growth->nearest[r]))) {
			growth->nearest[r] = rank;
			growth->distance[r] = distance;
		}
	}
}

/* The rank with the least edge into the tree, or TMAP_NONE: all are in. */
static int tree_growth_next(const struct tree_growth *growth)
{
	int next = TMAP_NONE;

	for (int r = 0; r < growth->matrix->size; r++)
		if (!growth->is_in[r] &&
		    (next == TMAP_NONE || growth->distance[r] < growth->distance[next] ||
		     (growth->distance[r] == growth->distance[next] &&
		      edge_is_before(growth->root, r, growth->nearest[r], next,
				     growth->nearest[next]))))
			next = r;
	return next;
}

static void tree_growth_fini(struct tree_growth *growth)
{
	free(growth->is_in);
	free(growth->nearest);
	free(growth->distance);
	free(growth->order);
}

static int tree_growth_init(struct tree_growth *growth, const struct tmap_matrix *matrix, int root,
			    struct tmap_error *err)
{
	size_t size = (size_t)matrix->size;

	*growth = (struct tree_growth){ .matrix = matrix, .root = root };
	growth->is_in = tmap_alloc(size, sizeof *growth->is_in, err);
	growth->nearest = tmap_alloc(size, sizeof *growth->nearest, err);
	growth->distance = tmap_alloc(size, sizeof *growth->distance, err);
	growth->order = tmap_alloc(size, sizeof *growth->order, err);
	if (!growth->is_in || !growth->nearest || !growth->distance || !growth->order) {
		tree_growth_fini(growth);
		return -1;
	}
	tree_growth_take(growth, root);
	return 0;
}

int tmap_matrix_tree(struct tmap_tree *tree, const struct tmap_matrix *matrix, int root,
		     struct tmap_error *err)
{
	struct tree_growth growth;
	struct tmap_tree made;
	int rank;

	if (tmap_tree_alloc(&made, matrix->size, root, err) < 0)
		return -1;
	if (tree_growth_init(&growth, matrix, root, err) < 0) {
		tmap_tree_fini(&made);
		return -1;
	}
	while ((rank = tree_growth_next(&growth)) != TMAP_NONE) {
		made.parent[rank] = growth.nearest[rank];
		tree_growth_take(&growth, rank);
	}
	tree_growth_fini(&growth);
	tmap_matrix_set_tree(&made, matrix);
	*tree = made;
	return 0;
}

/* The distances of a rank to those that came before are those of its place in the tree:
 * through the rank it hangs on. */
static bool tree_growth_agrees(const struct tree_growth *growth, int rank)
{
	int by = growth->nearest[rank];
	double edge = growth->distance[rank];

	for (int i = 0; i < growth->count; i++) {
		double before = tmap_matrix_distance(growth->matrix, by, growth->order[i]);

		if (tmap_matrix_distance(growth->matrix, rank, growth->order[i]) !=
		    (before > edge ? before : edge))
			return false;
	}
	return true;
}

int tmap_matrix_is_ultrametric(const struct tmap_matrix *matrix, struct tmap_error *err)
{
	struct tree_growth growth;
	bool all = true;
	int rank;

	if (tree_growth_init(&growth, matrix, 0, err) < 0)
		return -1;
	while (all && (rank = tree_growth_next(&growth)) != TMAP_NONE) {
		all = tree_growth_agrees(&growth, rank);
		tree_growth_take(&growth, rank);
	}
	tree_growth_fini(&growth);
	return all;
}

static int distances_rising(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The distinct distances of a tree's edges, rising; one rank has the distance 0. */
static double *tree_distances(const struct tmap_tree *tree, int *count, struct tmap_error *err)
{
	double *value = tmap_alloc((size_t)tree->size, sizeof *value, err);
	int found = 0, kept = 0;

	if (!value)
		return NULL;
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			value[found++] = tree->distance[r];
	qsort(value, (size_t)found, sizeof *value, distances_rising);
	for (int i = 0; i < found; i++)
		if (!kept || value[kept - 1] < value[i])
			value[kept++] = value[i];
	*count = kept ? kept : 1;
	return value;
}

/*
 * The sets of one step: the tree without its longer edges falls apart into them. The tree
 * of Algorithm 1 from rank 0 hangs each rank under a leader, and leaders from rank 0 are
 * smallest ranks: parents come first.
 */
static int step_init(struct tmap_metric_step *step, const struct tmap_tree *tree, double value,
		     struct tmap_error *err)
{
	struct tmap_partition *sets = &step->sets;

	step->value = value;
	sets->of_rank = tmap_alloc((size_t)tree->size, sizeof *sets->of_rank, err);
	if (!sets->of_rank)
		return -1;
	sets->size = tree->size;
	for (int r = 0; r < tree->size; r++)
		sets->of_rank[r] = r == tree->root || tree->distance[r] > value ?
			sets->count++ :
			sets->of_rank[tree->parent[r]];
	return 0;
}

static int metric_fill_steps(struct tmap_metric *metric, const struct tmap_tree *tree,
			     struct tmap_error *err)
{
	int count, status = 0;
	double *value = tree_distances(tree, &count, err);

	if (!value)
		return -1;
	metric->step = tmap_alloc((size_t)count, sizeof *metric->step, err);
	metric->step_count = metric->step ? count : 0;
	for (int i = 0; i < metric->step_count && status == 0; i++)
		status = step_init(&metric->step[i], tree, value[i], err);
	free(value);
	return metric->step ? status : -1;
}

int tmap_matrix_metric(struct tmap_metric *metric, const struct tmap_matrix *matrix,
		       struct tmap_error *err)
{
	struct tmap_metric made = { .size = matrix->size };
	struct tmap_tree tree;
	int status;

	if (tmap_matrix_tree(&tree, matrix, 0, err) < 0)
		return -1;
	status = metric_fill_steps(&made, &tree, err);
	tmap_tree_fini(&tree);
	if (status < 0)
		tmap_metric_fini(&made);
	else
		*metric = made;
	return status;
}

struct edge {
	double distance;
	int low, high;
};

static int edges_by_queue_order(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

static struct edge *edges_sort(const struct tmap_matrix *matrix, size_t *count,
			       struct tmap_error *err)
{
	size_t size = (size_t)matrix->size, n = 0;
	struct edge *edges = tmap_alloc_raw(size * (size - 1) / 2, sizeof *edges, err);

	for (int low = 0; edges && low < matrix->size; low++)
		for (int high = low + 1; high < matrix->size; high++)
			edges[n++] =
				(struct edge){ tmap_matrix_distance(matrix, low, high), low, high };
	if (edges)
		qsort(edges, n, sizeof *edges, edges_by_queue_order);
	*count = n;
	return edges;
}

/* Algorithm 2, literally. */
static int paths_join_greedily(struct tmap_paths *paths, const struct tmap_matrix *matrix,
			       struct tmap_error *err)
{
	size_t count;
	struct edge *edges = edges_sort(matrix, &count, err);

	if (!edges)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (!tmap_paths_is_full(paths, edges[i].low) &&
		    !tmap_paths_is_full(paths, edges[i].high) &&
		    paths->other[edges[i].low] != edges[i].high)
			tmap_paths_join(paths, edges[i].low, edges[i].high);
	free(edges);
	return 0;
}

static int matrix_ring_greedily(struct tmap_ring *ring, const struct tmap_matrix *matrix,
				struct tmap_error *err)
{
	struct tmap_paths paths;
	struct tmap_ring made;
	int status;

	if (tmap_paths_init(&paths, matrix->size, err) < 0)
		return -1;
	status = paths_join_greedily(&paths, matrix, err);
	if (status == 0)
		status = tmap_ring_alloc(&made, matrix->size, err);
	if (status == 0) {
		tmap_paths_close(&paths);
		tmap_ring_walk(&made, paths.neighbour, NULL);
		tmap_matrix_set_ring(&made, matrix);
		*ring = made;
	}
	tmap_paths_fini(&paths);
	return status;
}

int tmap_matrix_ring(struct tmap_ring *ring, const struct tmap_matrix *matrix,
		     struct tmap_error *err)
{
	struct tmap_metric metric;
	int nested = tmap_matrix_is_ultrametric(matrix, err), status;

	if (nested < 0)
		return -1;
	if (!nested)
		return matrix_ring_greedily(ring, matrix, err);
	if (tmap_matrix_metric(&metric, matrix, err) < 0)
		return -1;
	status = tmap_ring_init(ring, &metric, err);
	tmap_metric_fini(&metric);
	return status;
}

void tmap_matrix_set_tree(struct tmap_tree *tree, const struct tmap_matrix *matrix)
{
	for (int r = 0; r < tree->size; r++)
		tree->distance[r] =
			r == tree->root ? 0 : tmap_matrix_distance(matrix, r, tree->parent[r]);
}

void tmap_matrix_set_ring(struct tmap_ring *ring, const struct tmap_matrix *matrix)
{
	for (int i = 0; i < tmap_ring_steps(ring); i++)
		ring->distance[i] = tmap_matrix_distance(matrix, ring->order[i],
							 ring->order[(i + 1) % ring->size]);
}
