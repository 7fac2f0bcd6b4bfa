/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * closest.h - ranks put one by one on the free position that is closest to another rank's.
 */
#ifndef TMAP_CORE_MAPPERS_CLOSEST_H
#define TMAP_CORE_MAPPERS_CLOSEST_H

#include "core/map/nest.h"

struct tmap_closest {
	const struct tmap_nest *nest; /**< borrowed */
	int *next;                    /**< [count + 1]: towards the next free position */
	int *at;                      /**< [count]: the rank at a position; TMAP_NONE: it is free */
	int *of; /**< [count]: the position of each rank; TMAP_NONE: it has none */
};

int tmap_closest_init(struct tmap_closest *closest, const struct tmap_nest *nest,
		      struct tmap_error *err);
void tmap_closest_fini(struct tmap_closest *closest);

/** Put a rank as close to another one as there is room (TMAP_NONE: on the first free position):
 *  into the smallest set around it that has a free position, on the first one there.
 *  O(depth), amortized. */
void tmap_closest_put(struct tmap_closest *closest, int rank, int to);

/** Ranks without a position take the free ones, in order. O(count). */
void tmap_closest_fill(struct tmap_closest *closest);

#endif
