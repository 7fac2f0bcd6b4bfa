/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/executor/scratch.h"

#include "core/base/mem.h"

#include <stdbool.h>

/* So much is on its way at once before one receive waits for another; where messages are larger,
 * two of them. */
enum { ENOUGH_BYTES = 256 << 10, ENOUGH = 2, TRIED = 16, ALIGNED = 16 };

static bool is_usable(const struct tmap_scratch *free, int64_t bytes, int64_t round)
{
	return free->bytes >= bytes && (free->round < round || !free->waits_for_sends);
}

int tmap_scratch_pool_take(struct tmap_scratch_pool *pool, int64_t bytes, int64_t round,
			   int64_t *scratch_bytes, struct tmap_scratch *taken,
			   struct tmap_error *err)
{
	bool is_rich = pool->bytes >= ENOUGH_BYTES && pool->count >= ENOUGH;

	for (size_t i = 0; is_rich && i < pool->count && i < TRIED; i++) {
		size_t at = (pool->next + i) % pool->count;

		if (!is_usable(&pool->free[at], bytes, round))
			continue;
		*taken = pool->free[at];
		taken->round = round;
		pool->free[at] = pool->free[--pool->count];
		pool->next = at;
		return 0;
	}
	*taken = (struct tmap_scratch){ *scratch_bytes, bytes, TMAP_SCRATCH_NEW, round, false };
	if (__builtin_add_overflow(*scratch_bytes, bytes, scratch_bytes) ||
	    *scratch_bytes > INT64_MAX - ALIGNED)
		return tmap_fail(err, TMAP_SYSTEM, "out of memory");
	*scratch_bytes = (*scratch_bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
	pool->bytes += bytes;
	return 0;
}

int tmap_scratch_pool_give(struct tmap_scratch_pool *pool, const struct tmap_scratch *taken,
			   size_t last_step, bool waits_for_sends, struct tmap_error *err)
{
	if (tmap_grow(&pool->free, &pool->capacity, pool->count + 1, sizeof *pool->free, err) < 0)
		return -1;
	pool->free[pool->count] = *taken;
	pool->free[pool->count].last_step = last_step;
	pool->free[pool->count++].waits_for_sends = waits_for_sends;
	return 0;
}
