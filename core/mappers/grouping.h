/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grouping.h - vertices put into groups of equal size with much traffic inside.
 */
#ifndef TMAP_CORE_MAPPERS_GROUPING_H
#define TMAP_CORE_MAPPERS_GROUPING_H

#include "core/map/graph.h"

/** of[v] = the group of a vertex; each group has @p size of them, which must divide their number.
 *  A group begins with the vertex that has most traffic with vertices of other groups, so that
 *  none are left over between them, and grows by the one that has most traffic with it.
 *  O(edges x log vertices). */
int tmap_group_vertices(int *of, const struct tmap_graph *graph, int size, struct tmap_error *err);

#endif
