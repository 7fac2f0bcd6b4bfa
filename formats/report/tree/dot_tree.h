/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_tree.h - a tree, or two side by side, as a graph for Graphviz' dot.
 *
 * Ranks are nodes inside the boxes of formats/draw/boxes.h, edges point from parent to child and
 * are drawn as their distances. Leaves of one parent are in several rows, so that the
 * picture does not become wider than a page; what is folded has a double frame.
 */
#ifndef TMAP_FORMATS_REPORT_TREE_DOT_TREE_H
#define TMAP_FORMATS_REPORT_TREE_DOT_TREE_H

#include "core/score/baselines.h"
#include "formats/base/view.h"

#include <stdio.h>

/** The graph of @p count trees (1 or 2) over the ranks of the view. With view->fold equal
 *  subtrees are drawn once, and of a parent with too many children for a picture the first
 *  ones; the heading says so. The first @p count of @p baselines are these trees: what
 *  they are called and what crosses the levels; NULL where there is one of which nothing more
 *  is said. */
int tmap_dot_write_trees(FILE *out, const struct tmap_view *view,
			 const struct tmap_tree *const *tree, int count,
			 const struct tmap_baselines *baselines, struct tmap_error *err);

#endif
