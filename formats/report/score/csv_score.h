/*
 * csv_score.h - a score as a table: a line for each algorithm and level.
 *
 *     algorithm,seconds,rounds,messages,bytes,level,level_messages,level_bytes,...
 *     ring,0.0004,31,992,65011712,node,248,16252928,...
 *
 * An algorithm that cannot run has one line with nothing after its name.
 */
#ifndef TM_CSV_SCORE_H
#define TM_CSV_SCORE_H

#include "core/score/score.h"

#include <stdio.h>

/** Write the table. O(algorithms x levels). */
int tm_csv_write_score(FILE *out, const struct tm_score *score, struct tm_error *err);

#endif
