/*
 * shuffle.h - the same seats, dealt to the ranks at random: what reordering has to beat.
 */
#ifndef TM_POLICIES_SHUFFLE_H
#define TM_POLICIES_SHUFFLE_H

#include "core/machine/placement.h"

/** Rank r takes the seat of the r-th rank of 0 .. p-1 shuffled (core/base/random.h): the same
 *  for the same seed everywhere. On failure *p is as it was. O(p). */
int tm_shuffle_place(struct tm_placement *p, uint64_t seed, struct tm_error *err);

#endif
