/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_fold.h - the ranks of each node, and which nodes are alike.
 *
 * Two nodes are alike if they have the same topology and the same places are taken on
 * them, equally often, whichever ranks these are; of a sub-communicator, the others take the same
 * PUs of them, too. A regular job of 43,808 nodes is one
 * class, so whatever is worked out per class costs nothing:
 *
 *     class 0    n0 n1 n3    4 cores taken
 *     class 1    n2          3 cores taken
 *
 * Where even a class is too large, a sample stands for the job: so many of its first nodes that
 * analysing it is quick. Their ranks are numbered as before, without gaps, so what was block,
 * cyclic or neither remains so:
 *
 *     ranks by node        0 4 8 | 1 5 9 | 2 6 10 | 3 7 11
 *     the first two of it  0 2 4 | 1 3 5
 */
#ifndef TMAP_CORE_MACHINE_NODE_FOLD_H
#define TMAP_CORE_MACHINE_NODE_FOLD_H

#include "core/machine/placement.h"

struct tmap_node_fold {
	int *first;    /**< [node_count + 1]: the ranks of node n are rank[first[n]] up to
				     rank[first[n + 1] - 1], rising */
	int *rank;     /**< [size] */
	int *class_of; /**< [node_count]; TMAP_NONE for a node without ranks */
	int class_count;
	int *example; /**< [class_count]: its first node */
	int *nodes;   /**< [class_count]: how many nodes are like it */
};

/** Sort the ranks by node and fold the nodes. O(p + N) expected time and memory. */
int tmap_node_fold_init(struct tmap_node_fold *fold, const struct tmap_placement *p,
			struct tmap_error *err);
void tmap_node_fold_fini(struct tmap_node_fold *fold);

struct tmap_sample {
	const struct tmap_placement *placement;
	const struct tmap_node_fold *fold;
	int nodes;                  /**< how many nodes it has; 0: all of the job's */
	struct tmap_placement part; /**< zeroed where it is the whole job */
	struct tmap_node_fold part_fold;
};

/** The whole job, if it has at most so many ranks; else the first used nodes that have together,
 *  a power of two of them and at least two. The sample stays where it is; the placement and its
 *  fold must outlive it. O(p + N) time. */
int tmap_sample_init(struct tmap_sample *sample, const struct tmap_placement *p,
		     const struct tmap_node_fold *fold, int most_ranks, struct tmap_error *err);

/** Ranks that it will have, and *nodes. O(N). */
int tmap_sample_count(const struct tmap_placement *p, const struct tmap_node_fold *fold,
		      int most_ranks, int *nodes);
void tmap_sample_fini(struct tmap_sample *sample);

#endif
