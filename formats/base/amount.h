/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * amount.h - numbers for people: three digits and a unit.
 */
#ifndef TMAP_FORMATS_BASE_AMOUNT_H
#define TMAP_FORMATS_BASE_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#define TMAP_AMOUNT_ROOM 16

/** "936", "15.5Mi", "1.02k": steps of 1024 for bytes, of 1000 for others. Returns @p text. */
const char *tmap_amount_print(int64_t amount, bool bytes, char text[TMAP_AMOUNT_ROOM]);

/** Room for any time, with its final zero. */
#define TMAP_SECONDS_ROOM 24

/** "12.3 us", "2.00 us", "107 s", "0 s": a time in the unit that suits, three digits with their
 *  zeros; more where it is 1000 s or more. Every time that people read is written so. Returns
 *  @p text. */
char *tmap_seconds_print(double seconds, char text[TMAP_SECONDS_ROOM]);

#endif
