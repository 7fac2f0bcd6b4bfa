/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crossings.h - what passes the borders of each level of the machine.
 */
#ifndef TMAP_CORE_MAP_CROSSINGS_H
#define TMAP_CORE_MAP_CROSSINGS_H

#include "core/machine/levels.h"
#include "core/map/objective.h"

/** Over one level: between ranks that are in different objects of it. */
struct tmap_border {
	double messages, bytes; /**< calls times their weight */
};

/** border[levels->count] of a placement, which has the ranks that the traffic is of. The entries
 *  of a pattern are a message each. O(p x levels + messages of the folded schedules x levels). */
int tmap_crossings_count(struct tmap_border *border, const struct tmap_placement *p,
			 const struct tmap_levels *levels, const struct tmap_traffic *traffic,
			 struct tmap_error *err);

#endif
