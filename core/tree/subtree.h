/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * subtree.h - which subtrees of a tree are equal.
 *
 * Two ranks are of one class if their distances to their parents are equal, they sit on
 * nodes of one kind, and their children are of the same classes, counted, in any order.
 */
#ifndef TMAP_CORE_TREE_SUBTREE_H
#define TMAP_CORE_TREE_SUBTREE_H

#include "core/machine/placement.h"
#include "core/tree/tree.h"

/** Class of every rank: [size], the caller's to free; NULL with *err set. @p first and
 *  @p child are tmap_tree_children()'s. Expected O(p log f), f the fan-out; 12 bytes a rank on
 *  the way. */
int *tmap_subtree_classes(const struct tmap_placement *placement, const struct tmap_tree *tree,
			  const int *first, const int *child, struct tmap_error *err);

#endif
