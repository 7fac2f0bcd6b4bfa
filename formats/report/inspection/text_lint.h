/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_lint.h - findings as a report for people.
 *
 *     2 findings (1 warning, 1 hint)
 *
 *     unbound (warning)
 *       ranks   0,2 (2)
 *       why     not bound, though there is a core for each: ...
 *       fix     bind them: ...
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_TEXT_LINT_H
#define TMAP_FORMATS_REPORT_INSPECTION_TEXT_LINT_H

#include "core/lint/lint.h"
#include "formats/launchers/origin.h"

#include <stdio.h>

/** The report, with the launcher in whose words fixes are, if that is one. A list of ranks longer
 *  than three lines is cut; JSON has all of it. */
int tmap_text_write_lint(FILE *out, const struct tmap_lint *lint,
			 const struct tmap_origin_launcher *launcher, struct tmap_error *err);

#endif
