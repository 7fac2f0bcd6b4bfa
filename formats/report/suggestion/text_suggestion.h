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

/** Write that @p simple, TM_BLOCK or TM_CYCLIC, does nearly as well, and the command line
 *  @p flags that gives it; NULL: none is known. */
void tm_suggestion_write_simple(const struct tm_suggestion *suggestion, int simple,
				const char *flags, FILE *out);

#endif
