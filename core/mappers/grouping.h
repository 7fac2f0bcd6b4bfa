/*
 * grouping.h - vertices put into groups of equal size that talk much among themselves.
 */
#ifndef TM_GROUPING_H
#define TM_GROUPING_H

#include "core/map/graph.h"

/** of[v] = the group of a vertex; each group has @p size of them, which must divide their number.
 *  A group begins with the vertex that talks most to those that are in groups already, so that
 *  none are left over between them, and grows by the one that talks most to it.
 *  O(edges x log vertices). */
int tm_group_vertices(int *of, const struct tm_graph *graph, int size, struct tm_error *err);

#endif
