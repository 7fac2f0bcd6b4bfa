/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recognise.h - which launcher's file a text is, where nobody says so.
 *
 * By lines that only such files have: the patterns of struct tmap_launcher. A file of hosts has
 * none and is never guessed, since any prose could be one.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_RECOGNISE_H
#define TMAP_FORMATS_LAUNCHERS_RECOGNISE_H

#include "formats/launchers/launchers.h"

/** *launcher = the only row that has a line of its own in the text. Refuses a text with none, and
 *  one with those of several. O(length x patterns). */
int tmap_launcher_recognise(const struct tmap_launcher **launcher, const char *text,
			    struct tmap_error *err);

#endif
