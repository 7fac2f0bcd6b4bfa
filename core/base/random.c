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

uint64_t tmap_random_below(struct tmap_random *random, uint64_t bound)
{
	uint64_t rest = (UINT64_MAX % bound + 1) % bound; /* 2^64 mod bound */
	uint64_t number;

	do
		number = tmap_random_next(random);
	while (number > UINT64_MAX - rest);
	return number % bound;
}

void tmap_random_shuffle(struct tmap_random *random, int *list, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int j = (int)tmap_random_below(random, (uint64_t)i + 1), held = list[i];

		list[i] = list[j];
		list[j] = held;
	}
}
