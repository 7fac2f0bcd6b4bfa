/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refine.h - two sides of a graph made to send each other less.
 *
 * Fiduccia and Mattheyses: vertices change sides one by one, the one that gains most first, and
 * none twice in a pass; the best moment of the pass is what is left of it. Moves go from the
 * side that has too much, so the sides stay near their sizes.
 */
#ifndef TMAP_CORE_MAPPERS_REFINE_H
#define TMAP_CORE_MAPPERS_REFINE_H

#include "core/map/graph.h"
#include "core/map/heap.h"

#include <stdbool.h>

struct tmap_sides {
	const struct tmap_graph *graph; /**< borrowed */
	bool *right;                    /**< [graph->count]: on which side a vertex is */
	int wanted;                     /**< ranks that should be on the left */
	int left;                       /**< ranks that are */
	const double *bias; /**< [graph->count]: what a vertex costs more on the right, for what is
				  outside the graph; NULL: nothing */
	double cut; /**< weight of the edges between the sides, and bias of those on the right */
};

struct tmap_refiner {
	struct tmap_heap heap[2]; /**< vertices that may leave the left, and the right side */
	double *gain;             /**< [vertices]: what the cut loses if it moves */
	bool *moved;              /**< [vertices]: in this pass */
	int *order;               /**< [vertices]: the vertices that moved, in order */
};

/** Room for graphs of up to @p vertices vertices. */
int tmap_refiner_init(struct tmap_refiner *refiner, int vertices, struct tmap_error *err);
void tmap_refiner_fini(struct tmap_refiner *refiner);

/** Set left and cut from right[]. O(edges). */
void tmap_sides_count(struct tmap_sides *sides);

/** Passes as long as they help, at most @p passes. Afterwards left differs from wanted by at most
 *  @p slack ranks, if that can be: with vertices of one rank it always can. Returns the steps
 *  taken. O(passes x (edges + vertices) x log vertices). */
int64_t tmap_sides_refine(struct tmap_sides *sides, struct tmap_refiner *refiner, int slack,
			  int passes);

#endif
