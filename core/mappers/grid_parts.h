/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid_parts.h - a grid of ranks cut along the borders of a machine.
 *
 *     8 x 4 ranks on 4 nodes of 2 packages of 4 cores
 *
 *     0 0 1 1 | 4 4 5 5       a node gets a box of 4 x 2 ranks, a package one of 2 x 2:
 *     0 0 1 1 | 4 4 5 5       the boxes that cut the fewest edges, weighed by what they
 *     --------+--------       cost at each layer
 *     2 2 3 3 | 6 6 7 7
 *     2 2 3 3 | 6 6 7 7
 */
#ifndef TMAP_CORE_MAPPERS_GRID_PARTS_H
#define TMAP_CORE_MAPPERS_GRID_PARTS_H

#include "core/map/objective.h"
#include "core/schedule/neighborhood.h"

#include <stdint.h>

/** The grid of the program, or that of a neighborhood collective; NULL where there is none. */
const struct tmap_neighborhood *tmap_grid_of_traffic(const struct tmap_traffic *traffic);

/** Boxes all the way: each set of a layer gets a box of equal size, whose sides divide those of the
 *  box around it; of all ways the one whose edges cost least at the prices [nest->depth] of the
 *  layers (of at most so many as a bounded search tries). at[position] = rank. Returns 1
 *  where it cannot be: there are more positions than ranks, the sets of a layer differ in size,
 *  or no box divides. -1 with *err set. Steps taken are added to *steps. */
int tmap_grid_boxes(int *at, const struct tmap_neighborhood *grid, const struct tmap_nest *nest,
		    const double *price, int64_t *steps, struct tmap_error *err);

/** Halves: the ranks are cut in two where the sets of a layer are, across the dimension in which
 *  the fewest edges are cut, again and again; any number of ranks, positions and sets. Positions
 *  behind the ranks get the numbers from grid->size on.
 *  O(p x dimensions x log sets). */
int tmap_grid_halves(int *at, const struct tmap_neighborhood *grid, const struct tmap_nest *nest,
		     int64_t *steps, struct tmap_error *err);

#endif
