/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.h - random numbers that are the same everywhere and for ever.
 *
 * A seed given on a command line must give the same placement on every machine and in
 * every version, so the generator is part of the contract: SplitMix64 (Steele, Lea,
 * Flood, OOPSLA 2014), started at the seed.
 *
 *     state += 0x9e3779b97f4a7c15
 *     z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9
 *     z = (z ^ z >> 27) * 0x94d049bb133111eb
 *     number = z ^ z >> 31
 */
#ifndef TMAP_CORE_BASE_RANDOM_H
#define TMAP_CORE_BASE_RANDOM_H

#include <stdint.h>

struct tmap_random {
	uint64_t state; /**< the seed, to begin with */
};

/** The next 64 bits. */
uint64_t tmap_random_next(struct tmap_random *random);

/** One of 0 .. bound-1, all equally likely; bound >= 1. Numbers of the last, incomplete
 *  stretch of length @p bound below 2^64 are drawn again; the result is the number modulo
 *  @p bound. */
uint64_t tmap_random_below(struct tmap_random *random, uint64_t bound);

/** Fisher-Yates: for i = count-1 down to 1, exchange list[i] with list[one of 0 .. i]. */
void tmap_random_shuffle(struct tmap_random *random, int *list, int count);

#endif
