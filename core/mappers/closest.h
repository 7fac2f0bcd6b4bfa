/*
 * closest.h - ranks put one by one on the free position that is closest to another rank's.
 */
#ifndef TM_CLOSEST_H
#define TM_CLOSEST_H

#include "core/map/nest.h"

struct tm_closest {
	const struct tm_nest *nest; /**< borrowed */
	int *next;           /**< [count + 1]: towards the next free position */
	int *at;             /**< [count]: who is at a position; TM_NONE: it is free */
	int *of;             /**< [count]: the position of each rank; TM_NONE: it has none */
};

int tm_closest_init(struct tm_closest *closest, const struct tm_nest *nest, struct tm_error *err);
void tm_closest_fini(struct tm_closest *closest);

/** Put a rank as close to another one as there is room (TM_NONE: on the first free position):
 *  into the smallest set around it that has a free position, on the first one there.
 *  O(depth), amortized. */
void tm_closest_put(struct tm_closest *closest, int rank, int to);

/** Everyone who has no position yet takes the free ones, in order. O(count). */
void tm_closest_fill(struct tm_closest *closest);

#endif
