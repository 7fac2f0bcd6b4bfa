/*
 * text_score.h - a score on a screen of 80 columns, for people.
 */
#ifndef TMAP_FORMATS_REPORT_SCORE_TEXT_SCORE_H
#define TMAP_FORMATS_REPORT_SCORE_TEXT_SCORE_H

#include "core/score/score.h"

#include <stdio.h>

/** The algorithms, what crosses each level, who cannot run, and how to select the best.
 *  O(algorithms x levels). */
int tmap_text_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err);

#endif
