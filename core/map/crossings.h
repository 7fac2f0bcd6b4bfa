/*
 * crossings.h - what passes the borders of each level of the machine.
 */
#ifndef TM_CROSSINGS_H
#define TM_CROSSINGS_H

#include "core/machine/levels.h"
#include "core/map/objective.h"

/** Over one level: between ranks that are in different objects of it. */
struct tm_border {
	double messages, bytes; /**< calls as often as their weight says */
};

/** border[levels->count] of a placement, which has the ranks that the traffic is of. The entries
 *  of a pattern are a message each. O(p x levels + messages of the folded schedules x levels). */
int tm_crossings_count(struct tm_border *border, const struct tm_placement *p,
		       const struct tm_levels *levels, const struct tm_traffic *traffic,
		       struct tm_error *err);

#endif
