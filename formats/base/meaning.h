/*
 * meaning.h - what a distance says, in words.
 */
#ifndef TMAP_FORMATS_BASE_MEANING_H
#define TMAP_FORMATS_BASE_MEANING_H

#include "core/distance/distance.h"

/** Room for any meaning, with its final zero. */
#define TMAP_MEANING_ROOM 128

/** What two ranks at @p distance on scale @p scale (TMAP_NONE: measured, any other
 *  below 0: the latency of a cost profile) have in common:
 *  "same package, different memory controllers". Returns @p text, cut to its room. */
char *tmap_meaning_print(const struct tmap_machine *machine, int scale, double distance,
			 char text[TMAP_MEANING_ROOM]);

/** A distance or a weight as people read it: "5", "2.25", "1.3e-06". Returns @p text. */
char *tmap_number_print(double number, char text[TMAP_MEANING_ROOM]);

#endif
