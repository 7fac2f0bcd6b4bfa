/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_ring.h - a ring, or two side by side, as a graph for Graphviz' neato, every node
 * of which has its place.
 *
 * The ranks are on a circle in the order of the ring, the first at the top, clockwise; the
 * boxes of formats/draw/boxes.h are sectors around them. The graph's attribute "layout" is neato,
 * so any of Graphviz' programs draws it.
 */
#ifndef TMAP_FORMATS_REPORT_RING_DOT_RING_H
#define TMAP_FORMATS_REPORT_RING_DOT_RING_H

#include "core/score/baselines.h"
#include "formats/base/view.h"

#include <stdio.h>

/** The graph of @p count rings (1 or 2) over the ranks of the view. With view->fold a circle is
 *  made of the pieces of formats/report/ring/ring_pieces.h, and the heading says so. @p baselines
 *  as for tmap_dot_write_trees(). */
int tmap_dot_write_rings(FILE *out, const struct tmap_view *view,
			 const struct tmap_ring *const *ring, int count,
			 const struct tmap_baselines *baselines, struct tmap_error *err);

#endif
