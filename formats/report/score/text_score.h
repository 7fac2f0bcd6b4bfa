/*
 * text_score.h - a score on a screen of 80 columns, for people.
 */
#ifndef TM_TEXT_SCORE_H
#define TM_TEXT_SCORE_H

#include "core/score/score.h"

#include <stdio.h>

/** The algorithms, what crosses each level, who cannot run, and how to select the best.
 *  O(algorithms x levels). */
int tm_text_write_score(FILE *out, const struct tm_score *score, struct tm_error *err);

#endif
