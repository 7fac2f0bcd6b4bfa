/*
 * text_guidelines.h - performance guidelines on a screen of 80 columns, for people.
 */
#ifndef TM_TEXT_GUIDELINES_H
#define TM_TEXT_GUIDELINES_H

#include "core/guidelines/guidelines.h"

#include <stdio.h>

int tm_text_write_guidelines(FILE *out, const struct tm_guidelines *guidelines,
			     struct tm_error *err);

#endif
