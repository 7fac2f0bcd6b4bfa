/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/random.h"

#include "core/base/wraps.h"

TMAP_WRAPS uint64_t tmap_random_next(struct tmap_random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* The incomplete stretch is shorter than the bound: how long it is, is asked for only so near the end. */
uint64_t tmap_random_below(struct tmap_random *random, uint64_t bound)
{
	uint64_t number = tmap_random_next(random);

	while (number > UINT64_MAX - bound &&
	       number > UINT64_MAX - (UINT64_MAX % bound + 1) % bound)
		number = tmap_random_next(random);
	return number % bound;
}

/* Some numbers are drawn before the places are looked at, which lie anywhere in a long list. */
void tmap_random_shuffle(struct tmap_random *random, int *list, int count)
{
	enum { AHEAD = 32 };
	int with[AHEAD];

	for (int i = count - 1; i > 0;) {
		int draws = i < AHEAD ? i : AHEAD;

		for (int d = 0; d < draws; d++) {
			with[d] = (int)tmap_random_below(random, (uint64_t)(i - d) + 1);
			__builtin_prefetch(&list[with[d]], 1);
		}
		for (int d = 0; d < draws; d++, i--) {
			int held = list[i];

			list[i] = list[with[d]];
			list[with[d]] = held;
		}
	}
}
