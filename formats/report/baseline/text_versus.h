/*
 * text_versus.h - trees or rings side by side, as tables for people.
 */
#ifndef TM_TEXT_VERSUS_H
#define TM_TEXT_VERSUS_H

#include "core/score/baseline.h"
#include "formats/base/view.h"

#include <stdio.h>

/** Room for any time that tm_text_seconds() prints, with its final zero. */
#define TM_SECONDS_ROOM 24

/** Edges at each distance and what the distances mean; weight, depth and fan-out; the costs; how
 *  the libraries are told. */
int tm_text_write_versus(FILE *out, const struct tm_view *view, const struct tm_versus *versus,
			 struct tm_error *err);

/** What crosses each level; where a size is given, the time by the profile. */
int tm_text_write_costs(FILE *out, const struct tm_versus *versus, struct tm_error *err);

/** "12.3 us": three digits in the unit that suits. Returns @p text. */
char *tm_text_seconds(double seconds, char text[TM_SECONDS_ROOM]);

#endif
