/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_report.h - measured times beside predicted ones, as text, CSV and JSON.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_MEASURED_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_MEASURED_REPORT_H

#include "core/measure/measured.h"

#include <stdio.h>

int tmap_text_write_measured(FILE *out, const struct tmap_measured *measured,
			     struct tmap_error *err);
int tmap_csv_write_measured(FILE *out, const struct tmap_measured *measured,
			    struct tmap_error *err);
int tmap_json_write_measured(FILE *out, const struct tmap_measured *measured,
			     struct tmap_error *err);

#endif
