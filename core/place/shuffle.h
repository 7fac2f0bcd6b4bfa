/*
 * shuffle.h - the same places in a random order: what reordering has to beat.
 */
#ifndef TMAP_CORE_PLACE_SHUFFLE_H
#define TMAP_CORE_PLACE_SHUFFLE_H

#include "core/machine/placement.h"

/** Rank r takes the place of the r-th rank of 0 .. p-1 shuffled (core/base/random.h): the same
 *  for the same seed everywhere. On failure *p is as it was. O(p). */
int tmap_shuffle_place(struct tmap_placement *p, uint64_t seed, struct tmap_error *err);

#endif
