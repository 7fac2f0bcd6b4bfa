/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lattice.h - a grid found in a graph, whatever the numbers of its vertices are.
 *
 *     5 -- 2 -- 7        edges at opposite sides of a square are parallel; edges of one vertex
 *     |    |    |        that are in no square together lie in one dimension. Without the edges of
 *     0 -- 4 -- 1        a dimension the graph falls into slices, which are its coordinates.
 *
 * (The factors of a Cartesian product, as Feigenbaum, Hershberger and Schäffer find them, for
 * products of paths and cycles.) Edges that are lighter than those of the grid may go anywhere:
 * diagonals, coarser grids, collectives.
 */
#ifndef TMAP_CORE_MAPPERS_LATTICE_H
#define TMAP_CORE_MAPPERS_LATTICE_H

#include "core/map/graph.h"
#include "core/schedule/neighborhood.h"

struct tmap_lattice {
	struct tmap_neighborhood grid; /**< its offsets weigh what the vertices send on average */
	int *number;                   /**< [grid.size]: of each vertex, its number in the grid */
};

/** The grid of the first @p size vertices, of two dimensions or more; 1 where there is none, -1
 *  with *err set. Steps taken are added to *steps. O(edges x dimensions), nearly. */
int tmap_lattice_find(struct tmap_lattice *lattice, const struct tmap_graph *graph, int size,
		      int64_t *steps, struct tmap_error *err);
void tmap_lattice_fini(struct tmap_lattice *lattice);

#endif
