/*
 * text_suggestion.h - what a suggestion gains, on one screen.
 */
#ifndef TM_TEXT_SUGGESTION_H
#define TM_TEXT_SUGGESTION_H

#include "core/mappers/suggestion.h"

#include <stdio.h>

/** Write the before-and-after table, the verdict and the command line @p launch. */
int tm_suggestion_write_text(const struct tm_suggestion *suggestion, const char *launch, FILE *out,
			     struct tm_error *err);

#endif
