/*
 * amount.h - numbers for people: three digits and a unit.
 */
#ifndef TM_AMOUNT_H
#define TM_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#define TM_AMOUNT_ROOM 16

/** "936", "15.5Mi", "1.02k": steps of 1024 for bytes, of 1000 for others. Returns @p text. */
const char *tm_amount_print(int64_t amount, bool bytes, char text[TM_AMOUNT_ROOM]);

#endif
