/*
 * rank_trees.h - the trees and the ring that MPI libraries build from rank numbers alone.
 *
 *     binomial_near   0 -> 1, 2, 4;  1 -> 3, 5;  2 -> 6;  3 -> 7     highest bit cleared
 *     binomial_far    0 -> 4, 2, 1;  4 -> 6, 5;  2 -> 3;  6 -> 7     lowest bit cleared
 *
 * They do not know the machine; what they cost depends on who sits where.
 */
#ifndef TM_RANK_TREES_H
#define TM_RANK_TREES_H

#include "core/ring.h"
#include "core/word.h"

enum tm_rank_tree {
	TM_BINOMIAL_NEAR, /**< Open MPI's broadcast: ompi_coll_base_topo_build_bmtree() */
	TM_BINOMIAL_FAR,  /**< MPICH's broadcast; gather, scatter and reduce of both */
};

/** The trees by name, in the order of enum tm_rank_tree. */
extern const struct tm_words tm_rank_trees;

/** The tree of a kind over the ranks of @p metric, rooted at @p root (rank r is number
 *  (r - root) mod p in it), with its distances. O(p x steps). */
int tm_rank_tree_init(struct tm_tree *tree, enum tm_rank_tree kind, const struct tm_metric *metric,
		      int root, struct tm_error *err);

/** The ring 0, 1, ..., p-1 over the ranks of @p metric, with its distances. O(p x steps). */
int tm_rank_ring_init(struct tm_ring *ring, const struct tm_metric *metric, struct tm_error *err);

#endif
