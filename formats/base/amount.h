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

#endif
