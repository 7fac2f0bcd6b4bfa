/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree.h - the distance-aware broadcast tree (Ma et al., section IV-B, Algorithm 1).
 *
 * Kruskal over the complete graph of the ranks, edges sorted by distance, then those
 * at the root first (by the other end), then by smaller and larger rank. That order
 * is total, so the tree is unique. On an ultrametric it has a closed form: the leader
 * of a set is the root if the set holds it, else its smallest rank; going up, the
 * leader of a set becomes the parent of the leaders of the sets that it swallows:
 *
 *     step 0    5-1   2-7   0-6        leaders 5, 2, 0
 *     step 1    5-2   5-0              leader  5 = root
 */
#ifndef TMAP_CORE_TREE_TREE_H
#define TMAP_CORE_TREE_TREE_H

#include "core/distance/distance.h"
#include "core/tree/edges.h"

struct tmap_tree {
	int size, root;
	int *parent;      /**< [size]; TMAP_NONE for the root */
	double *distance; /**< [size]: to the parent; 0 for the root */
	int *turn;        /**< [size]: how many siblings the parent serves before; NULL where the
			       rule that built the tree gives none (Algorithm 1 does not) */
	int64_t shared_radix; /**< children whose ranks differ from their parent's in one digit of
				   this radix are served together; 0: one after another */
};

/** The tree of Algorithm 1 rooted at @p root. O(p x steps) time; 12 bytes a rank are kept, and
 *  4 more a rank and 4 a set of the metric are needed on the way. Refuses a root that is not
 *  one of the ranks (TMAP_INPUT). */
int tmap_tree_init(struct tmap_tree *tree, const struct tmap_metric *metric, int root,
		   struct tmap_error *err);
void tmap_tree_fini(struct tmap_tree *tree);

/** Give back distances and turns, for who asks for parents alone. */
void tmap_tree_keep_parents(struct tmap_tree *tree);

/** A tree of @p size ranks in which only the root's two values are set: for those who fill in
 *  parent[] and distance[] by another rule. Refuses a root that is not one of the ranks. */
int tmap_tree_alloc(struct tmap_tree *tree, int size, int root, struct tmap_error *err);

/** Give a tree its turn[], 0 for every rank. */
int tmap_tree_add_turns(struct tmap_tree *tree, struct tmap_error *err);

/** Set distance[] of a tree whose parents stand: how far its edges reach by @p metric, by
 *  whatever rule it was built. O(p x steps). */
void tmap_tree_set_distances(struct tmap_tree *tree, const struct tmap_metric *metric);

/** What is reported of a tree. */
struct tmap_tree_shape {
	double weight;                 /**< sum of the distances */
	int depth;                     /**< edges on the longest path from the root */
	int fanout;                    /**< largest number of children */
	int count;                     /**< distinct distances, rising */
	struct tmap_edge_count *edges; /**< [count]; release with tmap_tree_shape_fini() */
};

/** Measure any tree; it must be one (parents acyclic). O(p log d + d^2), d distinct distances;
 *  4 bytes a rank on the way. */
int tmap_tree_measure(const struct tmap_tree *tree, struct tmap_tree_shape *shape,
		      struct tmap_error *err);
void tmap_tree_shape_fini(struct tmap_tree_shape *shape);

/** Edges between the root and each rank: [size], the caller's to free. O(p). */
int *tmap_tree_depths(const struct tmap_tree *tree, struct tmap_error *err);

/** Children in rising rank order, as index ranges: the children of r are
 *  child[first[r]] .. child[first[r + 1] - 1]. Both are the caller's to free. O(p). */
int tmap_tree_children(const struct tmap_tree *tree, int **first, int **child,
		       struct tmap_error *err);

#endif
