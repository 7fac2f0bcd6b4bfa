/*
 * level_numbers.h - which object stands for each one at a level inside nodes, by number.
 * The part of core/machine/levels.c that reads the topologies.
 */
#ifndef TMAP_CORE_MACHINE_LEVEL_NUMBERS_H
#define TMAP_CORE_MACHINE_LEVEL_NUMBERS_H

#include "core/machine/level_order.h"
#include "core/machine/partition.h"

/** The partition of the level at @p at in the order of levels. O(N + objects x levels). */
int tmap_level_partition(struct tmap_partition *p, const struct tmap_machine *machine,
			 const struct tmap_level_order *order, int at, struct tmap_error *err);

#endif
