/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gains_report.h - what a suggestion gains by each measure, in a sentence or two.
 *
 *     The predicted time stays the same; the cost falls by 53.8 %, the busiest link's load by 64.2 %.
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_GAINS_REPORT_H
#define TMAP_FORMATS_REPORT_SUGGESTION_GAINS_REPORT_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** What a goal's value is called in a sentence: "busiest link's load". */
const char *tmap_goal_noun(enum tmap_goal goal);

/** Room for any text of tmap_longer_print() whose @p than has up to 20 bytes. */
enum { TMAP_LONGER_ROOM = 64 };

/** "12.5 % longer than as launched", "10 times as long as launched" from twice on; without what
 *  it is compared with where @p than is NULL. Returns @p text. */
const char *tmap_longer_print(double part, const char *than, char text[TMAP_LONGER_ROOM]);

/** "by 12.3 %" for what falls or rises by that part, "to 10 times" where it rises to twice or more (@p part
 *  <= -1). Returns @p text. */
const char *tmap_change_print(double part, char text[TMAP_LONGER_ROOM]);

/** Write what the goal gains; where that is next to nothing, what the other measures gain; which of
 *  them rise; and what is better by what is shown, and was not taken. Ends lines. */
void tmap_text_write_gains(FILE *out, const struct tmap_suggestion *s);

#endif
