/*
 * text_forms.h - the forms of a collective as a table for people.
 */
#ifndef TMAP_FORMATS_REPORT_LANES_TEXT_FORMS_H
#define TMAP_FORMATS_REPORT_LANES_TEXT_FORMS_H

#include "core/guidelines/forms.h"

#include <stdio.h>

int tmap_text_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err);

#endif
