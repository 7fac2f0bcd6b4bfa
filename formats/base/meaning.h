/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * meaning.h - distances as people read them; their meaning is core/distance/distance.h's.
 */
#ifndef TMAP_FORMATS_BASE_MEANING_H
#define TMAP_FORMATS_BASE_MEANING_H

#include "core/distance/distance.h"

/** A distance or a weight as people read it: "5", "2.25", "1.3e-06". Returns @p text. */
char *tmap_number_print(double number, char text[TMAP_MEANING_ROOM]);

#endif
