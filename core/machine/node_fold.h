/*
 * node_fold.h - the ranks of each node, and which nodes are alike.
 *
 * Two nodes are alike if they have the same topology and the same places are taken on
 * them, equally often, whichever ranks these are. A regular job of 43,808 nodes is one
 * class, so whatever is worked out per class costs nothing:
 *
 *     class 0    n0 n1 n3    4 cores taken
 *     class 1    n2          3 cores taken
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

#endif
