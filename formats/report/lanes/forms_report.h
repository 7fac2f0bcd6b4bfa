/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms_report.h - the forms of a collective, by lanes, by leaders and as algorithms have it:
 * what each moves and how long it takes.
 *
 *     form               rounds    rank    node    lane     time  adapter  gain
 *     lane                    8  2.00Mi  2.00Mi   256Ki   340 us   1.00Mi  1.13
 *
 *     {"kind": "forms", "format": 1, "collective": "bcast", ..., "least": {"rounds": 5, ...},
 *      "forms": [{"name": "lane", "applicable": true, "rounds": 8, ..., "seconds": 5.7e-4}, ...]}
 */
#ifndef TMAP_FORMATS_REPORT_LANES_FORMS_REPORT_H
#define TMAP_FORMATS_REPORT_LANES_FORMS_REPORT_H

#include "core/guidelines/forms.h"

#include <stdio.h>

int tmap_text_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err);
int tmap_json_write_forms(FILE *out, const struct tmap_forms *forms, struct tmap_error *err);

#endif
