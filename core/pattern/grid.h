/*
 * grid.h - the pattern of a grid: each rank talks to its neighbours.
 */
#ifndef TM_PATTERN_GRID_H
#define TM_PATTERN_GRID_H

#include "core/pattern/pattern.h"
#include "core/schedule/neighborhood.h"

/** Add @p bytes from each rank to each of its neighbours, times the neighbour's weight.
 *  O(p x degree x dimensions). */
int tm_pattern_add_grid(struct tm_pattern_builder *b, const struct tm_neighborhood *grid,
			double bytes, struct tm_error *err);

#endif
