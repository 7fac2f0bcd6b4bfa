/*
 * text_guidelines.h - performance guidelines on a screen of 80 columns, for people.
 */
#ifndef TMAP_FORMATS_REPORT_GUIDELINES_TEXT_GUIDELINES_H
#define TMAP_FORMATS_REPORT_GUIDELINES_TEXT_GUIDELINES_H

#include "core/guidelines/guidelines.h"

#include <stdio.h>

int tmap_text_write_guidelines(FILE *out, const struct tmap_guidelines *guidelines,
			       struct tmap_error *err);

#endif
