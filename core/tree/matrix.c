#include "core/tree/matrix.h"

#include "core/base/mem.h"
#include "core/tree/paths.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

int tm_matrix_init(struct tm_matrix *matrix, int size, struct tm_error *err)
{
	double *value;

	if (size < 1)
		return tm_fail(err, TM_INPUT, "a matrix of %d ranks: it has at least one", size);
	value = tm_alloc((size_t)size * (size_t)size, sizeof *value, err);
	if (!value)
		return -1;
	*matrix = (struct tm_matrix){ .size = size, .value = value };
	return 0;
}

void tm_matrix_fini(struct tm_matrix *matrix)
{
	free(matrix->value);
	*matrix = (struct tm_matrix){ 0 };
}

double tm_matrix_distance(const struct tm_matrix *matrix, int a, int b)
{
	return a == b ? 0 : matrix->value[(size_t)a * (size_t)matrix->size + (size_t)b];
}

static int check_pair(double there, double back, int a, int b, int size, struct tm_error *err)
{
	if (!isfinite(there) || there < 0)
		return tm_fail(err, TM_INPUT, "the distance of the ranks %d and %d is %g: a distance "
			       "is finite and not negative", a, b, there);
	if (there > DBL_MAX / size)
		return tm_fail(err, TM_INPUT, "the distance of the ranks %d and %d is %g: so long "
			       "distances of %d ranks cannot be added up", a, b, there, size);
	if (there != back)
		return tm_fail(err, TM_INPUT, "the distance of the ranks %d and %d is %.17g one way "
			       "and %.17g the other: it must be the same", a, b, there, back);
	return 0;
}

int tm_matrix_check(const struct tm_matrix *matrix, struct tm_error *err)
{
	for (int a = 0; a < matrix->size; a++)
		for (int b = a + 1; b < matrix->size; b++)
			if (check_pair(tm_matrix_distance(matrix, a, b),
				       tm_matrix_distance(matrix, b, a), a, b, matrix->size, err) < 0)
				return -1;
	return 0;
}

/* Prim's algorithm while it grows. Edges have a total order, Algorithm 1's. */
struct growth {
	const struct tm_matrix *matrix;
	int root;
	bool *is_in;         /* [size] */
	int *nearest;        /* [size]: where the least edge into the tree ends */
	double *distance;    /* [size]: of that edge */
	int *order;          /* [count]: the ranks in the tree, as they came */
	int count;
};

/* Of equally long edges, is a0-a1 before b0-b1 in the queue? */
static bool is_before(int root, int a0, int a1, int b0, int b1)
{
	bool a_at_root = a0 == root || a1 == root, b_at_root = b0 == root || b1 == root;
	int a_low = a0 < a1 ? a0 : a1, b_low = b0 < b1 ? b0 : b1;
	int64_t a_sum = (int64_t)a0 + a1, b_sum = (int64_t)b0 + b1;

	if (a_at_root || b_at_root)
		return a_at_root && (!b_at_root || a_sum < b_sum);
	return a_low != b_low ? a_low < b_low : a_sum < b_sum;
}

static void take(struct growth *growth, int rank)
{
	bool is_first = growth->count == 0;

	growth->is_in[rank] = true;
	growth->order[growth->count++] = rank;
	for (int r = 0; r < growth->matrix->size; r++) {
		double distance = tm_matrix_distance(growth->matrix, rank, r);

		if (growth->is_in[r])
			continue;
		if (is_first || distance < growth->distance[r] ||
		    (distance == growth->distance[r] &&
		     is_before(growth->root, r, rank, r, growth->nearest[r]))) {
			growth->nearest[r] = rank;
			growth->distance[r] = distance;
		}
	}
}

/* The rank with the least edge into the tree, or TM_NONE: all are in. */
static int find_next(const struct growth *growth)
{
	int next = TM_NONE;

	for (int r = 0; r < growth->matrix->size; r++)
		if (!growth->is_in[r] &&
		    (next == TM_NONE || growth->distance[r] < growth->distance[next] ||
		     (growth->distance[r] == growth->distance[next] &&
		      is_before(growth->root, r, growth->nearest[r], next,
				growth->nearest[next]))))
			next = r;
	return next;
}

static void growth_fini(struct growth *growth)
{
	free(growth->is_in);
	free(growth->nearest);
	free(growth->distance);
	free(growth->order);
}

static int growth_init(struct growth *growth, const struct tm_matrix *matrix, int root,
		       struct tm_error *err)
{
	size_t size = (size_t)matrix->size;

	*growth = (struct growth){ .matrix = matrix, .root = root };
	growth->is_in = tm_alloc(size, sizeof *growth->is_in, err);
	growth->nearest = tm_alloc(size, sizeof *growth->nearest, err);
	growth->distance = tm_alloc(size, sizeof *growth->distance, err);
	growth->order = tm_alloc(size, sizeof *growth->order, err);
	if (!growth->is_in || !growth->nearest || !growth->distance || !growth->order) {
		growth_fini(growth);
		return -1;
	}
	take(growth, root);
	return 0;
}

int tm_matrix_tree(struct tm_tree *tree, const struct tm_matrix *matrix, int root,
		   struct tm_error *err)
{
	struct growth growth;
	struct tm_tree made;
	int rank;

	if (tm_tree_alloc(&made, matrix->size, root, err) < 0)
		return -1;
	if (growth_init(&growth, matrix, root, err) < 0) {
		tm_tree_fini(&made);
		return -1;
	}
	while ((rank = find_next(&growth)) != TM_NONE) {
		made.parent[rank] = growth.nearest[rank];
		take(&growth, rank);
	}
	growth_fini(&growth);
	tm_matrix_set_tree(&made, matrix);
	*tree = made;
	return 0;
}

/* The distances of a rank to those that came before are those of its place in the tree:
 * through the rank it hangs on. */
static bool agrees(const struct growth *growth, int rank)
{
	int by = growth->nearest[rank];
	double edge = growth->distance[rank];

	for (int i = 0; i < growth->count; i++) {
		double before = tm_matrix_distance(growth->matrix, by, growth->order[i]);

		if (tm_matrix_distance(growth->matrix, rank, growth->order[i]) !=
		    (before > edge ? before : edge))
			return false;
	}
	return true;
}

int tm_matrix_is_ultrametric(const struct tm_matrix *matrix, struct tm_error *err)
{
	struct growth growth;
	bool all = true;
	int rank;

	if (growth_init(&growth, matrix, 0, err) < 0)
		return -1;
	while (all && (rank = find_next(&growth)) != TM_NONE) {
		all = agrees(&growth, rank);
		take(&growth, rank);
	}
	growth_fini(&growth);
	return all;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The distinct distances of a tree's edges, rising; one rank has the distance 0. */
static double *find_values(const struct tm_tree *tree, int *count, struct tm_error *err)
{
	double *value = tm_alloc((size_t)tree->size, sizeof *value, err);
	int found = 0, kept = 0;

	if (!value)
		return NULL;
	for (int r = 0; r < tree->size; r++)
		if (r != tree->root)
			value[found++] = tree->distance[r];
	qsort(value, (size_t)found, sizeof *value, compare_doubles);
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
static int fill_step(struct tm_metric_step *step, const struct tm_tree *tree, double value,
		     struct tm_error *err)
{
	step->value = value;
	step->of_rank = tm_alloc((size_t)tree->size, sizeof *step->of_rank, err);
	if (!step->of_rank)
		return -1;
	for (int r = 0; r < tree->size; r++)
		step->of_rank[r] = r == tree->root || tree->distance[r] > value ?
			step->set_count++ : step->of_rank[tree->parent[r]];
	return 0;
}

static int fill_steps(struct tm_metric *metric, const struct tm_tree *tree, struct tm_error *err)
{
	int count, status = 0;
	double *value = find_values(tree, &count, err);

	if (!value)
		return -1;
	metric->step = tm_alloc((size_t)count, sizeof *metric->step, err);
	metric->step_count = metric->step ? count : 0;
	for (int i = 0; i < metric->step_count && status == 0; i++)
		status = fill_step(&metric->step[i], tree, value[i], err);
	free(value);
	return metric->step ? status : -1;
}

int tm_matrix_metric(struct tm_metric *metric, const struct tm_matrix *matrix,
		     struct tm_error *err)
{
	struct tm_metric made = { .size = matrix->size };
	struct tm_tree tree;
	int status;

	if (tm_matrix_tree(&tree, matrix, 0, err) < 0)
		return -1;
	status = fill_steps(&made, &tree, err);
	tm_tree_fini(&tree);
	if (status < 0)
		tm_metric_fini(&made);
	else
		*metric = made;
	return status;
}

struct edge {
	double distance;
	int low, high;
};

static int by_queue_order(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

static struct edge *sort_edges(const struct tm_matrix *matrix, size_t *count, struct tm_error *err)
{
	size_t size = (size_t)matrix->size, n = 0;
	struct edge *edges = tm_alloc_raw(size * (size - 1) / 2, sizeof *edges, err);

	for (int low = 0; edges && low < matrix->size; low++)
		for (int high = low + 1; high < matrix->size; high++)
			edges[n++] = (struct edge){ tm_matrix_distance(matrix, low, high), low,
						    high };
	if (edges)
		qsort(edges, n, sizeof *edges, by_queue_order);
	*count = n;
	return edges;
}

/* Algorithm 2 as it stands. */
static int join_greedily(struct tm_paths *paths, const struct tm_matrix *matrix,
			 struct tm_error *err)
{
	size_t count;
	struct edge *edges = sort_edges(matrix, &count, err);

	if (!edges)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (!tm_paths_is_full(paths, edges[i].low) &&
		    !tm_paths_is_full(paths, edges[i].high) &&
		    paths->other[edges[i].low] != edges[i].high)
			tm_paths_join(paths, edges[i].low, edges[i].high);
	free(edges);
	return 0;
}

static int ring_greedily(struct tm_ring *ring, const struct tm_matrix *matrix, struct tm_error *err)
{
	struct tm_paths paths;
	struct tm_ring made;
	int status;

	if (tm_paths_init(&paths, matrix->size, err) < 0)
		return -1;
	status = join_greedily(&paths, matrix, err);
	if (status == 0)
		status = tm_ring_alloc(&made, matrix->size, err);
	if (status == 0) {
		tm_paths_close(&paths);
		tm_ring_walk(&made, paths.neighbour, NULL);
		tm_matrix_set_ring(&made, matrix);
		*ring = made;
	}
	tm_paths_fini(&paths);
	return status;
}

int tm_matrix_ring(struct tm_ring *ring, const struct tm_matrix *matrix, struct tm_error *err)
{
	struct tm_metric metric;
	int nested = tm_matrix_is_ultrametric(matrix, err), status;

	if (nested < 0)
		return -1;
	if (!nested)
		return ring_greedily(ring, matrix, err);
	if (tm_matrix_metric(&metric, matrix, err) < 0)
		return -1;
	status = tm_ring_init(ring, &metric, err);
	tm_metric_fini(&metric);
	return status;
}

void tm_matrix_set_tree(struct tm_tree *tree, const struct tm_matrix *matrix)
{
	for (int r = 0; r < tree->size; r++)
		tree->distance[r] = r == tree->root ? 0 :
			tm_matrix_distance(matrix, r, tree->parent[r]);
}

void tm_matrix_set_ring(struct tm_ring *ring, const struct tm_matrix *matrix)
{
	for (int i = 0; i < tm_ring_steps(ring); i++)
		ring->distance[i] = tm_matrix_distance(matrix, ring->order[i],
						       ring->order[(i + 1) % ring->size]);
}
