/*
 * node_list.h - ranks on the nodes that a list names, each on the next core.
 *
 *     list     0 1 0 0        rank 0: node 0, core 0     rank 2: node 0, core 1
 *                             rank 1: node 1, core 0     rank 3: node 0, core 2
 */
#ifndef TMAP_CORE_PLACE_NODE_LIST_H
#define TMAP_CORE_PLACE_NODE_LIST_H

#include "core/machine/placement.h"

/** *p = @p size ranks, rank r on node list[r], bound to the first core that may be used and that
 *  no smaller rank has. Refuses numbers that are no nodes and more ranks on a node than cores;
 *  *culprit is then the rank that is refused, or TMAP_NONE (NULL: not asked). O(size + N). */
int tmap_node_list_place(struct tmap_placement *p, struct tmap_machine *machine, const int *list,
			 int size, int *culprit, struct tmap_error *err);

#endif
