/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * units.h - sizes in bytes as people write them: "4096", "64k", "3MB", "1GiB".
 *
 * K M G T P E, alone or followed by B or iB, in any case, are powers of 1024: so users of OSU's
 * and IMB's benchmarks read them.
 */
#ifndef TMAP_CORE_BASE_UNITS_H
#define TMAP_CORE_BASE_UNITS_H

#include "core/base/error.h"

#include <stdint.h>

/** Room for any size that tmap_units_print_bytes() prints, with its final zero. */
#define TMAP_UNITS_ROOM 24

/** *bytes = the size that @p text names: a whole number and at most one unit, nothing else.
 *  More than 2^63-1 bytes (JSON's integers end there) and anything malformed give TMAP_INPUT. */
int tmap_units_parse_bytes(const char *text, int64_t *bytes, struct tmap_error *err);

/** The shortest exact form with a power of 1024: 65536 is "64KiB", 65537 "65537".
 *  tmap_units_parse_bytes() reads it back to the same number. Returns @p text. */
char *tmap_units_print_bytes(int64_t bytes, char text[TMAP_UNITS_ROOM]);

/** The same in a sentence, where a number has its unit: 65537 is "65537 B". */
char *tmap_units_print_size(int64_t bytes, char text[TMAP_UNITS_ROOM]);

/** *number = the whole decimal number that is all of @p text, with an optional minus sign.
 *  No spaces, no plus, no other base; outside [min, max] or malformed gives TMAP_INPUT. */
int tmap_units_parse_int(const char *text, int64_t min, int64_t max, int64_t *number,
			 struct tmap_error *err);

#endif
