/*
 * level_numbers.h - which object stands for each one at a level inside nodes, by number.
 * The part of core/machine/levels.c that looks into the topologies.
 */
#ifndef TMAP_CORE_MACHINE_LEVEL_NUMBERS_H
#define TMAP_CORE_MACHINE_LEVEL_NUMBERS_H

#include "core/machine/levels.h"

/** Fill in local[], node_base[] and number_count of the level that stands at @p at in the whole
 *  order; local[] and node_base[] are there. On failure some of local[] may be allocated. */
int tmap_level_number_objects(struct tmap_level *level, const struct tmap_machine *machine,
			      const struct tmap_level_order *order, int at, struct tmap_error *err);

#endif
