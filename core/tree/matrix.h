/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - measured distances: a p x p matrix from a file, hwloc or the probe.
 *
 * Nothing nests in a measured matrix, so what is linear on a machine is quadratic here;
 * the results are the same trees and rings. Where a matrix is an ultrametric after all
 * (d(a,c) <= max(d(a,b), d(b,c)) everywhere), it becomes a metric of nested sets, and
 * all that works on metrics works on it.
 *
 * A distance is finite, not negative and the same both ways; the diagonal is not
 * read (hwloc writes 10 there): a rank with itself is at 0.
 */
#ifndef TMAP_CORE_TREE_MATRIX_H
#define TMAP_CORE_TREE_MATRIX_H

#include "core/tree/ring.h"

struct tmap_matrix {
	int size;
	double *value; /**< [size x size], row by row */
};

/** A matrix of zeros. Refuses fewer than one rank. */
int tmap_matrix_init(struct tmap_matrix *matrix, int size, struct tmap_error *err);
void tmap_matrix_fini(struct tmap_matrix *matrix);

/** The distance of two ranks; 0 for a rank with itself. */
double tmap_matrix_distance(const struct tmap_matrix *matrix, int a, int b);

/** Refuses a matrix that is no distance, naming the first pair of ranks and both values: who
 *  has measured both ways decides what one value they stand for. Refuses distances so long
 *  that the weight of a tree or ring may not be finite. O(p^2). */
int tmap_matrix_check(const struct tmap_matrix *matrix, struct tmap_error *err);

/** 1 if a checked matrix is an ultrametric, 0 if not, -1 with *err set. A minimum spanning tree
 *  decides: a matrix is one exactly if each distance is the largest on the path between its
 *  ends. O(p^2) time, O(p) memory. */
int tmap_matrix_is_ultrametric(const struct tmap_matrix *matrix, struct tmap_error *err);

/** The nested sets of a checked matrix that is an ultrametric. O(p x (p + steps)) time; 4 bytes
 *  a rank and step, a step for each distinct distance. */
int tmap_matrix_metric(struct tmap_metric *metric, const struct tmap_matrix *matrix,
		       struct tmap_error *err);

/** The tree of Algorithm 1 over a checked matrix, by Prim's dense algorithm: the edges are
 *  totally ordered, so it is the same tree. O(p^2) time, O(p) memory. */
int tmap_matrix_tree(struct tmap_tree *tree, const struct tmap_matrix *matrix, int root,
		     struct tmap_error *err);

/** The ring of Algorithm 2 over a checked matrix: O(p^2) if it is an ultrametric, else the
 *  greedy itself, O(p^2 log p) time and 8 p^2 bytes. */
int tmap_matrix_ring(struct tmap_ring *ring, const struct tmap_matrix *matrix,
		     struct tmap_error *err);

/** Set the distances of any tree or ring over the ranks of the matrix. O(p). */
void tmap_matrix_set_tree(struct tmap_tree *tree, const struct tmap_matrix *matrix);
void tmap_matrix_set_ring(struct tmap_ring *ring, const struct tmap_matrix *matrix);

#endif
