/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scratch.h - room for what comes and cannot go where it belongs at once, used again and again.
 *
 * A room is used again by a receive that waits until the step has ended that emptied it. Not in the
 * round of the former, if that step waits for sends of its round: two ranks could wait for each
 * other then.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_SCRATCH_H
#define TMAP_MPI_RUN_EXECUTOR_SCRATCH_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tmap_scratch {
	int64_t offset, bytes;
	size_t last_step; /**< that emptied it; TMAP_SCRATCH_NEW: it is new */
	int64_t round;    /**< in which that step is */
	bool waits_for_sends;
};

#define TMAP_SCRATCH_NEW ((size_t)-1)

struct tmap_scratch_pool {
	size_t count, capacity, next;
	struct tmap_scratch *free; /**< emptied, or about to be; the oldest are used first */
	int64_t bytes;
};

/** Room for @p bytes in a round: one that is free, or a new one at the end of the scratch, which
 *  grows. */
int tmap_scratch_pool_take(struct tmap_scratch_pool *pool, int64_t bytes, int64_t round,
			   int64_t *scratch_bytes, struct tmap_scratch *taken,
			   struct tmap_error *err);

/** Step @p last_step, of the round for which it was taken, empties it. */
int tmap_scratch_pool_give(struct tmap_scratch_pool *pool, const struct tmap_scratch *taken,
			   size_t last_step, bool waits_for_sends, struct tmap_error *err);

#endif
