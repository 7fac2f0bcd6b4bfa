/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_tree.h - a tree as indented lines, for people.
 *
 *     rank               distance  node
 *     0                      root  n0
 *     |-- 1-3                   1  n0             three leaves
 *     |-- 4                     5  n0
 *     |   `-- 5-7               1  n0
 *     `-- 3 like 0: 8, 16, 24   7  n[1-3]         three subtrees that equal one shown
 */
#ifndef TMAP_FORMATS_REPORT_TREE_TEXT_TREE_H
#define TMAP_FORMATS_REPORT_TREE_TEXT_TREE_H

#include "core/tree/tree.h"
#include "formats/base/view.h"

#include <stdio.h>

/** Title, statistics and lines. O(p log p) where equal subtrees are folded, else O(p). */
int tmap_text_write_tree(FILE *out, const struct tmap_view *view, const struct tmap_tree *tree,
			 const struct tmap_tree_shape *shape, struct tmap_error *err);

#endif
