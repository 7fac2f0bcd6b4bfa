/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_rows.h - how far below its parent each item of a tree is drawn.
 *
 * Graphviz puts the children of a parent into one row, which for broadcast trees is as
 * wide as the job. So leaves of a parent are put into several rows, and so do large subtrees
 * that hang on edges of one length (the nodes of a cluster): the picture becomes about
 * twice as wide as it is high.
 *
 *       0---.-----.          leaves 1 to 4 of 0 in two rows; below the subtrees of 5 and 8
 *      /|\   5     8          those of 11 and 14
 *     1 2 3 /|\   /|\
 *      4     | 11    | 14
 *             /|\     /|\
 */
#ifndef TMAP_FORMATS_REPORT_TREE_TREE_ROWS_H
#define TMAP_FORMATS_REPORT_TREE_TREE_ROWS_H

#include "core/tree/fold.h"

struct tmap_tree_rows {
	int *below; /**< [fold->count]: rows between an item and its parent, at least 1;
				  the root's is not used */
	int *under; /**< [fold->count]: the item in the lowest row of the subtree under
				  which an item's own is put, one row apart; TMAP_NONE: none */
};

/** O(items). */
int tmap_tree_rows_init(struct tmap_tree_rows *rows, const struct tmap_fold *fold,
			const struct tmap_tree *tree, struct tmap_error *err);
void tmap_tree_rows_fini(struct tmap_tree_rows *rows);

#endif
