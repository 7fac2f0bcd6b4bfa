/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.h - the machine walked depth first.
 */
#ifndef TMAP_CORE_MAPPERS_WALK_H
#define TMAP_CORE_MAPPERS_WALK_H

#include "core/machine/placement.h"

/** place_of[r] = the place that comes r-th as one walks the machine depth first: switches from the
 *  top tier down, nodes, and inside a node its objects in preorder. Each set of the process
 *  distance (of every scale, where all nodes are of one kind) is then one interval of ranks, so
 *  the path and the ring of the ranks cross every border as seldom as any order can, at all
 *  distances at once. Places on one object keep their order.
 *  O(N log N + p log p), 8 bytes a rank. */
int tmap_walk(int *place_of, const struct tmap_placement *p, struct tmap_error *err);

#endif
