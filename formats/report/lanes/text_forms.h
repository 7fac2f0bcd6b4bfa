/*
 * text_forms.h - the forms of a collective as a table for people.
 */
#ifndef TM_TEXT_FORMS_H
#define TM_TEXT_FORMS_H

#include "core/guidelines/forms.h"

#include <stdio.h>

int tm_text_write_forms(FILE *out, const struct tm_forms *forms, struct tm_error *err);

#endif
