/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cache_sweep.h - memory that is written to have other data leave the caches.
 *
 *     call | look at the result, new data | sweep | barrier | call ...    the call's data comes from
 *                                                                         memory
 *
 * Every line is read and changed, so that it has to be in the caches, and what was there goes. Stores
 * that go by the caches, as those of long copies do, would leave it.
 */
#ifndef TMAP_MPI_RUN_BENCH_CACHE_SWEEP_H
#define TMAP_MPI_RUN_BENCH_CACHE_SWEEP_H

#include "core/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { TMAP_CACHE_LINE = 64 };

struct tmap_cache_sweep {
	size_t bytes; /**< 0: none */
	unsigned char *memory;
};

/** Of @p bytes, 0 or more, of this rank alone. */
int tmap_cache_sweep_init(struct tmap_cache_sweep *it, int64_t bytes, struct tmap_error *err);
void tmap_cache_sweep_fini(struct tmap_cache_sweep *it);

/** Add 1 to the first byte of each line. O(bytes). */
void tmap_cache_sweep_run(const struct tmap_cache_sweep *it);

#endif
