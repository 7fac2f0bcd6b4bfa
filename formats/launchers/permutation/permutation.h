/*
 * permutation.h - which rank takes whose place, as a file of its own.
 *
 *     # rank r takes the place of the rank in line r
 *     0
 *     4                          {"kind": "permutation", "format": 1, "size": 3,
 *     8                           "place_of": [0, 4, 8, ...]}
 *
 * It goes from ranks to places; MPICH_RANK_ORDER (rank_order.h) goes from places to ranks.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_PERMUTATION_PERMUTATION_H
#define TMAP_FORMATS_LAUNCHERS_PERMUTATION_PERMUTATION_H

#include "formats/launchers/launcher.h"

/** The permutation that @p path ("-": standard input) holds, as text (a rank a line, "#"
 *  comments) or as a JSON document with a member place_of, such as a suggestion; [*count], the
 *  caller's to free. Refuses what is no rank, and ranks that are doubled or missing. O(length). */
int *tmap_permutation_read(int *count, const char *path, struct tmap_error *err);

/** The same from a text; messages begin with @p name. */
int *tmap_permutation_parse(int *count, const char *text, const char *name, struct tmap_error *err);

/** Refuses a job whose ranks go to places that no rank had. */
int tmap_permutation_check(const struct tmap_launch *job, struct tmap_error *err);

/** The other direction: inverse[place_of[r]] = r; the caller's to free. */
int *tmap_permutation_invert(const int *place_of, int size, struct tmap_error *err);

#endif
