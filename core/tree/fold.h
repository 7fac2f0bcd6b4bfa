/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fold.h - a tree with equal subtrees listed once.
 *
 * Two subtrees are equal if they have the same distances in the same shape on the same
 * kinds of nodes; which ranks they hold does not matter. Of equal children of one parent
 * the first is shown and the others are one line, and equal leaves are one line:
 *
 *     0                          item 0
 *     |-- 1-3                    item 1   3 copies, leaves
 *     |-- 4                      item 2
 *     |   `-- 5-7                item 3   3 copies, leaves
 *     `-- 8, 12, 16 like 4       item 4   3 copies of the subtree of rank 4
 *
 * So the tree of 11 million ranks on equal nodes takes as many items as that of two nodes.
 */
#ifndef TMAP_CORE_TREE_FOLD_H
#define TMAP_CORE_TREE_FOLD_H

#include "core/machine/placement.h"
#include "core/tree/tree.h"

struct tmap_fold_item {
	int rank;     /**< the rank, or the first of the copies */
	int parent;   /**< item above; TMAP_NONE for the root's */
	int depth;    /**< edges below the root */
	int like;     /**< rank whose subtree the copies equal; TMAP_NONE: a rank of its own,
			       or leaves, or the rest */
	bool is_rest; /**< the copies are subtrees of any shape: there were too many */
	int copies;   /**< 1, or the number of subtrees that this item represents */
	int member;   /**< the copies' top ranks, rising: member[member .. member + copies - 1] */
	bool last;    /**< the last item below its parent */
};

struct tmap_fold {
	int count;
	struct tmap_fold_item *item; /**< [count], parents before children; children by distance,
					then by rank */
	int *member;                 /**< [members], borrowed by the items */
	int member_count;
	size_t item_capacity, member_capacity;
};

/** Fold @p tree where @p least or more (at least 2) children of a parent are equal;
 *  @p least TMAP_NONE folds nothing: one item a rank. Below a parent stand at most @p most items
 *  (at least 2; TMAP_NONE: any number), the last of them for the rest. O(p log p) time, O(p)
 *  memory. */
int tmap_fold_init(struct tmap_fold *fold, const struct tmap_placement *placement,
		   const struct tmap_tree *tree, int least, int most, struct tmap_error *err);
void tmap_fold_fini(struct tmap_fold *fold);

#endif
