/*
 * grouping.h - vertices put into groups of equal size that talk much among themselves.
 */
#ifndef TMAP_CORE_MAPPERS_GROUPING_H
#define TMAP_CORE_MAPPERS_GROUPING_H

#include "core/map/graph.h"

/** of[v] = the group of a vertex; each group has @p size of them, which must divide their number.
 *  A group begins with the vertex that talks most to those that are in groups already, so that
 *  none are left over between them, and grows by the one that talks most to it.
 *  O(edges x log vertices). */
int tmap_group_vertices(int *of, const struct tmap_graph *graph, int size, struct tmap_error *err);

#endif
