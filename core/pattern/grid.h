/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.h - the pattern of a grid: each rank sends to its neighbours.
 */
#ifndef TMAP_CORE_PATTERN_GRID_H
#define TMAP_CORE_PATTERN_GRID_H

#include "core/pattern/pattern.h"
#include "core/schedule/neighborhood.h"

/** Add @p bytes from each rank to each of its neighbours, times the neighbour's weight.
 *  O(p x degree x dimensions). */
int tmap_pattern_add_grid(struct tmap_pattern_builder *b, const struct tmap_neighborhood *grid,
			  double bytes, struct tmap_error *err);

/** The same as a pattern of its own, whose rows are computed and not stored; the grid is borrowed.
 *  1 where it must be added to a builder: everyone to everyone, neighbours in random order, more than
 *  TMAP_GRID_COMPUTED_MOST neighbours, bytes that a builder refuses. O(p x degree). */
int tmap_pattern_of_grid(struct tmap_pattern *pattern, const struct tmap_neighborhood *grid,
			 double bytes, struct tmap_error *err);

enum { TMAP_GRID_COMPUTED_MOST = 64 };

#endif
