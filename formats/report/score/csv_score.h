/*
 * csv_score.h - a score as a table: a line for each algorithm and level.
 *
 *     algorithm,seconds,rounds,messages,bytes,level,level_messages,level_bytes,...
 *     ring,0.0004,31,992,65011712,node,248,16252928,...
 *
 * An algorithm that cannot run has one line with nothing after its name.
 */
#ifndef TMAP_FORMATS_REPORT_SCORE_CSV_SCORE_H
#define TMAP_FORMATS_REPORT_SCORE_CSV_SCORE_H

#include "core/score/score.h"

#include <stdio.h>

/** Write the table. O(algorithms x levels). */
int tmap_csv_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err);

#endif
