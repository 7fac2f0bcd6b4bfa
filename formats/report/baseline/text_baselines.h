/*
 * text_baselines.h - trees or rings side by side, as tables for people.
 */
#ifndef TMAP_FORMATS_REPORT_BASELINE_TEXT_BASELINES_H
#define TMAP_FORMATS_REPORT_BASELINE_TEXT_BASELINES_H

#include "core/score/baselines.h"
#include "formats/base/view.h"

#include <stdio.h>

/** Room for any time that tmap_text_seconds() prints, with its final zero. */
#define TMAP_SECONDS_ROOM 24

/** Edges at each distance and what the distances mean; weight, depth and fan-out; the costs; how
 *  the libraries are told. */
int tmap_text_write_baselines(FILE *out, const struct tmap_view *view,
			      const struct tmap_baselines *versus, struct tmap_error *err);

/** What crosses each level; where a size is given, the time by the profile. */
int tmap_text_write_costs(FILE *out, const struct tmap_baselines *versus, struct tmap_error *err);

/** "12.3 us": three digits in the unit that suits. Returns @p text. */
char *tmap_text_seconds(double seconds, char text[TMAP_SECONDS_ROOM]);

#endif
