/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tree/tree.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* The climb: the ranks that still lead a set, and the leader of each set of a step. */
struct climb {
	const struct tmap_metric *metric;
	struct tmap_tree *tree;
	int *active; /* [count], rising */
	int count;
	int *leader; /* [sets of the step that has most] */
};

/* Every active rank joins the leader of its set, the root or else the smallest rank. */
static void climb_step(struct climb *climb, int step)
{
	struct tmap_tree *tree = climb->tree;
	int root_set = tmap_metric_set(climb->metric, step, tree->root);
	int kept = 0;

	for (int set = 0; set < climb->metric->step[step].sets.count; set++)
		climb->leader[set] = TMAP_NONE;
	if (root_set != TMAP_NONE)
		climb->leader[root_set] = tree->root;
	for (int i = 0; i < climb->count; i++) {
		int rank = climb->active[i];
		int set = tmap_metric_set(climb->metric, step, rank);

		if (set != TMAP_NONE && climb->leader[set] == TMAP_NONE)
			climb->leader[set] = rank;
		if (set == TMAP_NONE || climb->leader[set] == rank) {
			climb->active[kept++] = rank;
		} else {
			tree->parent[rank] = climb->leader[set];
			tree->distance[rank] = climb->metric->step[step].value;
		}
	}
	climb->count = kept;
}

static int climb_init(struct climb *climb, const struct tmap_metric *metric, struct tmap_tree *tree,
		      struct tmap_error *err)
{
	size_t size = (size_t)tree->size;

	*climb = (struct climb){ .metric = metric, .tree = tree, .count = tree->size };
	climb->active = tmap_alloc_raw(size, sizeof *climb->active, err);
	if (climb->active)
		climb->leader = tmap_alloc_raw((size_t)tmap_metric_most_sets(metric),
					       sizeof *climb->leader, err);
	if (!climb->leader)
		return -1;
	for (int rank = 0; rank < tree->size; rank++)
		climb->active[rank] = rank;
	return 0;
}

static void climb_fini(struct climb *climb)
{
	free(climb->active);
	free(climb->leader);
}

int tmap_tree_init(struct tmap_tree *tree, const struct tmap_metric *metric, int root,
		   struct tmap_error *err)
{
	struct tmap_tree made;
	struct climb climb;

	if (tmap_tree_alloc(&made, metric->size, root, err) < 0)
		return -1;
	if (climb_init(&climb, metric, &made, err) < 0) {
		climb_fini(&climb);
		tmap_tree_fini(&made);
		return -1;
	}
	for (int step = 0; step < metric->step_count && climb.count > 1; step++)
		climb_step(&climb, step);
	climb_fini(&climb);
	*tree = made;
	return 0;
}

int tmap_tree_alloc(struct tmap_tree *tree, int size, int root, struct tmap_error *err)
{
	struct tmap_tree made = { .size = size, .root = root };

	if (root < 0 || root >= size)
		return tmap_fail(err, TMAP_INPUT, "root %d is not one of the %d ranks (0 to %d)",
				 root, size, size - 1);
	made.parent = tmap_alloc_raw((size_t)size, sizeof *made.parent, err);
	if (made.parent)
		made.distance = tmap_alloc_raw((size_t)size, sizeof *made.distance, err);
	if (!made.distance) {
		tmap_tree_fini(&made);
		return -1;
	}
	made.parent[root] = TMAP_NONE;
	made.distance[root] = 0;
	*tree = made;
	return 0;
}

int tmap_tree_add_turns(struct tmap_tree *tree, struct tmap_error *err)
{
	int *turn = tmap_alloc((size_t)tree->size, sizeof *turn, err);

	if (!turn)
		return -1;
	free(tree->turn);
	tree->turn = turn;
	return 0;
}

void tmap_tree_fini(struct tmap_tree *tree)
{
	free(tree->parent);
	free(tree->distance);
	free(tree->turn);
	*tree = (struct tmap_tree){ 0 };
}

void tmap_tree_keep_parents(struct tmap_tree *tree)
{
	free(tree->distance);
	free(tree->turn);
	tree->distance = NULL;
	tree->turn = NULL;
}

void tmap_tree_set_distances(struct tmap_tree *tree, const struct tmap_metric *metric)
{
	for (int rank = 0; rank < tree->size; rank++)
		tree->distance[rank] = rank == tree->root ?
			0 :
			tmap_metric_distance(metric, rank, tree->parent[rank]);
}

int *tmap_tree_depths(const struct tmap_tree *tree, struct tmap_error *err)
{
	int *depth = tmap_alloc((size_t)tree->size, sizeof *depth, err);

	if (!depth)
		return NULL;
	/* Climb to a rank whose depth is known (0: not yet, but for the root), then write
	 * the depths on a second climb: every rank is written once. */
	for (int rank = 0; rank < tree->size; rank++) {
		int climbed = 0, at = rank;

		for (; at != tree->root && depth[at] == 0; at = tree->parent[at])
			climbed++;
		climbed += depth[at];
		for (at = rank; at != tree->root && depth[at] == 0; at = tree->parent[at])
			depth[at] = climbed--;
	}
	return depth;
}

static int int_largest(const int *values, int count)
{
	int most = 0;

	for (int i = 0; i < count; i++)
		if (values[i] > most)
			most = values[i];
	return most;
}

static int tree_fanout(const struct tmap_tree *tree, int *fanout, struct tmap_error *err)
{
	int *children = tmap_alloc((size_t)tree->size, sizeof *children, err);

	if (!children)
		return -1;
	for (int rank = 0; rank < tree->size; rank++)
		if (rank != tree->root)
			children[tree->parent[rank]]++;
	*fanout = int_largest(children, tree->size);
	free(children);
	return 0;
}

static int tree_depth(const struct tmap_tree *tree, int *deepest, struct tmap_error *err)
{
	int *depth = tmap_tree_depths(tree, err);

	if (!depth)
		return -1;
	*deepest = int_largest(depth, tree->size);
	free(depth);
	return 0;
}

int tmap_tree_measure(const struct tmap_tree *tree, struct tmap_tree_shape *shape,
		      struct tmap_error *err)
{
	struct tmap_tree_shape made = { 0 };

	if (tree_fanout(tree, &made.fanout, err) < 0 || tree_depth(tree, &made.depth, err) < 0 ||
	    tmap_edges_count(tree->distance, tree->size, tree->root, &made.edges, &made.count,
			     err) < 0)
		return -1;
	made.weight = tmap_edges_weight(made.edges, made.count);
	*shape = made;
	return 0;
}

void tmap_tree_shape_fini(struct tmap_tree_shape *shape)
{
	free(shape->edges);
	*shape = (struct tmap_tree_shape){ 0 };
}

/* Counting sort by parent: first[r + 1] counts, then starts, then ends behind r's children. */
static void children_by_parent(const struct tmap_tree *tree, int *first, int *child)
{
	for (int rank = 0; rank < tree->size; rank++)
		if (rank != tree->root && tree->parent[rank] + 2 <= tree->size)
			first[tree->parent[rank] + 2]++;
	for (int rank = 2; rank <= tree->size; rank++)
		first[rank] += first[rank - 1];
	for (int rank = 0; rank < tree->size; rank++)
		if (rank != tree->root)
			child[first[tree->parent[rank] + 1]++] = rank;
}

int tmap_tree_children(const struct tmap_tree *tree, int **first, int **child,
		       struct tmap_error *err)
{
	size_t size = (size_t)tree->size;
	int *starts = tmap_alloc(size + 1, sizeof *starts, err);
	int *children = starts ? tmap_alloc_raw(size - 1, sizeof *children, err) : NULL;

	if (!children) {
		free(starts);
		return -1;
	}
	children_by_parent(tree, starts, children);
	*first = starts;
	*child = children;
	return 0;
}
