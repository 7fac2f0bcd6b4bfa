/*
 * units.h - sizes in bytes as people write them: "64KiB", "3k", "4096".
 *
 * KiB MiB GiB TiB PiB EiB are powers of 1024; k M G are powers of 1000. A capital K alone is
 * refused, because half of its readers take it for 1000 and half for 1024.
 */
#ifndef TM_UNITS_H
#define TM_UNITS_H

#include "core/base/error.h"

#include <stdint.h>

/** Room for any size that tm_units_print_bytes() prints, with its final zero. */
#define TM_UNITS_ROOM 24

/** *bytes = the size that @p text names: a whole number and at most one unit, nothing else.
 *  More than 2^63-1 bytes (JSON's integers end there) and anything malformed give TM_INPUT. */
int tm_units_parse_bytes(const char *text, int64_t *bytes, struct tm_error *err);

/** The shortest exact form with a power of 1024: 65536 is "64KiB", 65537 "65537".
 *  tm_units_parse_bytes() reads it back to the same number. Returns @p text. */
char *tm_units_print_bytes(int64_t bytes, char text[TM_UNITS_ROOM]);

/** *number = the whole decimal number that is all of @p text, with an optional minus sign.
 *  No spaces, no plus, no other base; outside [min, max] or malformed gives TM_INPUT. */
int tm_units_parse_int(const char *text, int64_t min, int64_t max, int64_t *number,
		       struct tm_error *err);

#endif
