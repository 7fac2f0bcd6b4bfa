/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permutation.h - the rows that only reorder ranks: a permutation as text, as JSON, as lines of C.
 *
 *     # rank r takes the place of the rank in line r
 *     0
 *     4                          {"kind": "permutation", "format": 1, "size": 3,
 *     8                           "place_of": [0, 4, 8, ...]}
 *
 * It goes from ranks to places; MPICH_RANK_ORDER (cray.h) goes from places to ranks.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_PERMUTATION_PERMUTATION_H
#define TMAP_FORMATS_LAUNCHERS_PERMUTATION_PERMUTATION_H

#include "formats/launchers/common/launcher.h"

/** The permutation of a text (a rank a line, "#" comments) or of a JSON document with a member
 *  place_of, such as a suggestion. */
int tmap_permutation_parse_list(struct tmap_rank_list *list, const struct tmap_launcher_file *file,
				int *line, struct tmap_error *err);

/** Only for ranks that change places among each other. */
TMAP_LAUNCHER_WRITES(permutation);
TMAP_LAUNCHER_NOTES(permutation);
int tmap_permutation_write_json(FILE *out, const struct tmap_launch *job, int number,
				struct tmap_error *err);
TMAP_LAUNCHER_WRITES(c);
TMAP_LAUNCHER_NOTES(c);

#endif
