/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * edges.h - how many edges of a tree or a ring lie at each distance.
 */
#ifndef TMAP_CORE_TREE_EDGES_H
#define TMAP_CORE_TREE_EDGES_H

#include "core/base/error.h"

#include <stdint.h>

/** Edges at one distance. */
struct tmap_edge_count {
	double distance;
	int64_t edges;
};

/** Count the @p count values of @p distance, without the one at index @p skip (TMAP_NONE: none).
 *  *rows are [*row_count], rising by distance, the caller's to free (a valid pointer even where
 *  there are no edges). O(count x log d + d^2) for d distinct values. */
int tmap_edges_count(const double *distance, int count, int skip, struct tmap_edge_count **rows,
		     int *row_count, struct tmap_error *err);

/** Merge @p more[more_count] into *rows[*count], both rising: each distance once, with the sum of
 *  its edges. *rows is the caller's to free; NULL and 0 at first. O(count + more_count). */
int tmap_edges_merge(struct tmap_edge_count **rows, int *count, const struct tmap_edge_count *more,
		     int more_count, struct tmap_error *err);

/** Sum of the distances. */
double tmap_edges_weight(const struct tmap_edge_count *rows, int row_count);

#endif
