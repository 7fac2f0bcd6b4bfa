/*
 * level_numbers.h - which object stands for each one at a level inside nodes, by number.
 * The part of core/machine/levels.c that looks into the topologies.
 */
#ifndef TM_LEVEL_NUMBERS_H
#define TM_LEVEL_NUMBERS_H

#include "core/machine/levels.h"

/** Fill in local[], node_base[] and number_count of the level that stands at @p at in the whole
 *  order; local[] and node_base[] are there. On failure some of local[] may be allocated. */
int tm_level_number_objects(struct tm_level *level, const struct tm_machine *machine,
			    const struct tm_level_order *order, int at, struct tm_error *err);

#endif
