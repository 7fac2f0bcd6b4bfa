/*
 * meaning.h - what a distance says, in words.
 */
#ifndef TM_MEANING_H
#define TM_MEANING_H

#include "core/distance/distance.h"

/** Room for any meaning, with its final zero. */
#define TM_MEANING_ROOM 128

/** What two ranks at @p distance on scale @p scale (TM_NONE: measured, any other
 *  below 0: the latency of a cost profile) have in common:
 *  "same package, different memory controllers". Returns @p text, cut to its room. */
char *tm_meaning_print(const struct tm_machine *machine, int scale, double distance,
		       char text[TM_MEANING_ROOM]);

/** A distance or a weight as people read it: "5", "2.25", "1.3e-06". Returns @p text. */
char *tm_number_print(double number, char text[TM_MEANING_ROOM]);

#endif
