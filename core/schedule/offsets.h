/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * offsets.h - neighbours that the user lists: "1,0,0;-1,0,0;0,2,0@0.5".
 *
 * One offset a neighbour, with as many coordinates as the grid has dimensions; what follows
 * an @ is how much is sent there, 1 where nothing does.
 */
#ifndef TMAP_CORE_SCHEDULE_OFFSETS_H
#define TMAP_CORE_SCHEDULE_OFFSETS_H

#include "core/schedule/neighborhood.h"

/** Set the offsets of a neighborhood that has its dimensions, and its weights if one is not 1.
 *  Refuses (TMAP_INPUT) another number of coordinates, the offset 0,...,0, one that is listed
 *  twice, and weights that are not positive. */
int tmap_offsets_parse(struct tmap_neighborhood *neighborhood, const char *text,
		       struct tmap_error *err);

#endif
