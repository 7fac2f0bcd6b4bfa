/*
 * json_forms.h - the forms of a collective as a document.
 *
 *     {"kind": "forms", "format": 1, "collective": "bcast", ..., "least": {"rounds": 5, ...},
 *      "forms": [{"name": "lane", "applicable": true, "rounds": 8, ..., "seconds": 5.7e-4}, ...]}
 */
#ifndef TM_JSON_FORMS_H
#define TM_JSON_FORMS_H

#include "core/guidelines/forms.h"

#include <stdio.h>

int tm_json_write_forms(FILE *out, const struct tm_forms *forms, struct tm_error *err);

#endif
