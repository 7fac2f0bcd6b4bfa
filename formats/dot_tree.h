/*
 * dot_tree.h - a tree as a graph for Graphviz' dot.
 *
 * Ranks are nodes inside the boxes of formats/boxes.h, edges point from parent to child and
 * are drawn as their distances. Leaves of one parent stand in several rows, so that the
 * picture does not become wider than a page; what is folded has a double frame.
 */
#ifndef TM_DOT_TREE_H
#define TM_DOT_TREE_H

#include "core/tree.h"
#include "formats/view.h"

#include <stdio.h>

/** The graph; with view->fold equal subtrees are drawn once and the heading says so. */
int tm_dot_write_tree(FILE *out, const struct tm_view *view, const struct tm_tree *tree,
		      const struct tm_tree_shape *shape, struct tm_error *err);

#endif
