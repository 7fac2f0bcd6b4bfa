/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * series.h - sizes or numbers one after the other: "8,1KiB,64KiB", "1..1MiB", "1..1MiB*4".
 *
 *     1..1KiB      1 2 4 8 ... 1024       doubling, and the end itself
 *     1..1KiB*4    1 4 16 ... 1024
 */
#ifndef TMAP_CORE_BASE_SERIES_H
#define TMAP_CORE_BASE_SERIES_H

#include "core/base/error.h"

#include <stdint.h>

/** *item = [*count] of what @p text lists, rising, each once, all from @p least to @p most; the
 *  caller's to free. Malformed words are TMAP_USAGE. */
int tmap_series_parse(const char *text, int64_t least, int64_t most, int64_t **item, int *count,
		      struct tmap_error *err);

#endif
