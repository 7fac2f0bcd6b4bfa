/*
 * svg_suggestion.h - a job as it is and as it is suggested, side by side as a picture.
 */
#ifndef TM_SVG_SUGGESTION_H
#define TM_SVG_SUGGESTION_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Draw both placements with their predicted times, as formats/report/inspection/svg_machine.h does. */
int tm_suggestion_write_svg(const struct tm_suggestion *suggestion, FILE *out,
			    struct tm_error *err);

#endif
