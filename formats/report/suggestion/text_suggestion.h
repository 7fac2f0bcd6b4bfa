/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_suggestion.h - what a suggestion gains, on one screen.
 */
#ifndef TMAP_FORMATS_REPORT_SUGGESTION_TEXT_SUGGESTION_H
#define TMAP_FORMATS_REPORT_SUGGESTION_TEXT_SUGGESTION_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Write the before-and-after table, the verdict and the command line @p launch. */
int tmap_suggestion_write_text(const struct tmap_suggestion *suggestion, const char *launch,
			       FILE *out, struct tmap_error *err);

/** Write that @p simple, TMAP_BLOCK or TMAP_CYCLIC, does nearly as well, and the command line
 *  @p flags that gives it; NULL: none is known. */
void tmap_suggestion_write_simple(const struct tmap_suggestion *suggestion, int simple,
				  const char *flags, FILE *out);

#endif
