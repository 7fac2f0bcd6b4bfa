/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radix.h - mixed-radix orders: the ranks count through the levels of the machine.
 *
 *     2 nodes of 2 packages of 2 cores
 *     core,package,node    0 1 | 2 3   4 5 | 6 7    the order of the machine (block)
 *     node,core,package    0 2 | 4 6   1 3 | 5 7    next ranks on next nodes
 *     package,core,node    0 2 | 1 3   4 6 | 5 7    next ranks on next packages of a node
 *     package,node         0 4 | 1 5   2 6 | 3 7    then on the next node, then next cores
 *
 * The first level changes fastest. Each core has a number at every level of the order:
 * which of the objects of that level it lies in, counted from the left within the next
 * outer level of the order. So levels that are left out do not count: "node,core" numbers
 * the cores of a whole node. Cores are sorted by these numbers, those of the last level
 * first, and rank r gets the r-th; where nodes or objects differ in size, the order skips
 * what is not there. "core" comes last if it is not named; with "pu" it is the PUs that are sorted.
 */
#ifndef TMAP_CORE_PLACE_RADIX_H
#define TMAP_CORE_PLACE_RADIX_H

#include "core/machine/placement.h"

/** *p = @p ranks ranks (TMAP_NONE: one for each core, or PU) in the order @p order,
 *  "LEVEL,LEVEL,..." with the names of the network's tiers, "node", and the levels inside nodes
 *  ("package", "numa", "l3", ...). Each is bound to its core, or PU. Refuses a level that the
 *  machine has not or that is named twice, and more ranks than cores, or PUs.
 *  O(levels x (cores + objects)) time, O(cores) memory. */
int tmap_radix_place(struct tmap_placement *p, struct tmap_machine *machine, const char *order,
		     int ranks, struct tmap_error *err);

#endif
