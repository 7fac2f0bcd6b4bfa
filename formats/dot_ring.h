/*
 * dot_ring.h - a ring as a graph for Graphviz' neato, every node of which has its place.
 *
 * The ranks stand on a circle in the order of the ring, the first at the top, clockwise; the
 * boxes of formats/boxes.h are sectors around them. The graph's attribute "layout" says neato,
 * so any of Graphviz' programs draws it.
 */
#ifndef TM_DOT_RING_H
#define TM_DOT_RING_H

#include "core/ring.h"
#include "formats/view.h"

#include <stdio.h>

/** The graph; @p weight and @p edges as tm_ring_measure() gives them. With view->fold the circle
 *  is made of the pieces of formats/ring_pieces.h, and the heading says so. */
int tm_dot_write_ring(FILE *out, const struct tm_view *view, const struct tm_ring *ring,
		      double weight, const struct tm_edge_count *edges, int edge_count,
		      struct tm_error *err);

#endif
