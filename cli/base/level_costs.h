/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * level_costs.h - what it costs to go from one object of a level to another one, in words:
 * "node:100,package:20,numa:10,core:1".
 */
#ifndef TMAP_CLI_BASE_LEVEL_COSTS_H
#define TMAP_CLI_BASE_LEVEL_COSTS_H

#include "core/machine/levels.h"

/** *costs = one number for each level of the machine, the caller's to free. A level that is not
 *  named costs as the next one inwards that is, 0 where there is none; one that the machine has not, or
 *  that has the objects of an outer one, stands for that, so that the same costs serve on several
 *  machines. Refuses words that are levels of no machine ("switch0": tiers count from 1),
 *  a level twice, a tier that costs less than an inner one, and what is no number of at least 0. */
int tmap_level_costs_parse(double **costs, const char *text, const struct tmap_levels *levels,
			   struct tmap_error *err);

#endif
