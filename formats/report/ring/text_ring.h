/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_ring.h - a ring as lines, for people: a line or more for each stretch on one node,
 * with the distance of each step.
 *
 *     n0:  0 -1- 1 -1- 3 -7-
 *     n1:  11 -1- 9 -1- 8 -1- 10 -5- 14 -1- 12 -1- 13 -1- 15 -7-
 *     2 more like n1: n3, n2
 *         from rank 27, 23
 *     n0:  7 -1- 5 -1- 4 -1- 6 -5- 2 -1- 0
 *
 * Ranks in equal steps at equal distances are "250 -1- 248 .. 2" where things are folded.
 */
#ifndef TMAP_FORMATS_REPORT_RING_TEXT_RING_H
#define TMAP_FORMATS_REPORT_RING_TEXT_RING_H

#include "core/tree/ring.h"
#include "formats/base/view.h"

#include <stdio.h>

/** Title, statistics (@p weight and the counted @p edges, as tmap_ring_measure() gives them) and
 *  the lines. O(p). */
int tmap_text_write_ring(FILE *out, const struct tmap_view *view, const struct tmap_ring *ring,
			 double weight, const struct tmap_edge_count *edges, int edge_count,
			 struct tmap_error *err);

#endif
