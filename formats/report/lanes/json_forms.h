/*
 * json_forms.h - the forms of a collective as a document.
 *
 *     {"kind": "forms", "format": 1, "collective": "bcast", ..., "least": {"rounds": 5, ...},
 *      "forms": [{"name": "lane", "applicable": true, "rounds": 8, ..., "seconds": 5.7e-4}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_LANES_JSON_FORMS_H
#define TMAP_FORMATS_REPORT_LANES_JSON_FORMS_H

#include "core/guidelines/forms.h"

#include <stdio.h>

int tmap_json_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err);

#endif
