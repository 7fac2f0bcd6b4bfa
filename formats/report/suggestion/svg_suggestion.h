/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg_suggestion.h - a job as it is and as it is suggested, side by side as a picture.
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_SVG_SUGGESTION_H
#define TMAP_FORMATS_REPORT_SUGGESTION_SVG_SUGGESTION_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Draw both placements with their predicted times, as formats/report/inspection/svg_machine.h
 *  does. */
int tmap_suggestion_write_svg(const struct tmap_suggestion *suggestion, FILE *out,
			      struct tmap_error *err);

#endif
