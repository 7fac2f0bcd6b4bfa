/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * score_report.h - the algorithms of a collective on one placement, best first, for people and
 * for programs.
 *
 *     algorithm       time     rounds   messages      bytes        CSV has a line for each
 *     ring          473 us         31        992     62.0Mi        algorithm and level, and one
 *     bruck         791 us          5        160     62.0Mi        with a name only for those
 *                                                                  that cannot run
 */
#ifndef TMAP_FORMATS_REPORT_SCORE_SCORE_REPORT_H
#define TMAP_FORMATS_REPORT_SCORE_SCORE_REPORT_H

#include "core/score/score.h"

#include <stdio.h>

/** Times, rounds and bytes, best first, what crosses each level, what libraries choose by
 *  default, and how to select the best; 79 columns where names leave room for it. */
int tmap_text_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err);

/** A line for each algorithm and level. */
int tmap_csv_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err);

/** The score document of topomap-json(5). */
int tmap_json_write_score(FILE *out, const struct tmap_score *score, struct tmap_error *err);

#endif
