/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_report.h - measured times beside predicted ones, as text, CSV and JSON.
 *
 * Text has a section for each collective and root; CSV and JSON are of one that was asked for, or of all:
 *
 *     bytes,algorithm,own,...              {"kind": "measured", "collective": ..., "sizes": [...]}
 *     collective,root,bytes,algorithm,...  {"kind": "measured_collectives", "collectives": [...]}
 *
 * All say who the neighbors of neighborhood collectives are, CSV in columns behind the root that are there
 * only then. Text and JSON say whether topomap's algorithms were measured by rounds, as they are predicted.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_MEASURED_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_MEASURED_REPORT_H

#include "core/measure/measured.h"

#include <stdio.h>

/** Of one document: measured[count], at least one. */
int tmap_text_write_measured(FILE *out, const struct tmap_measured *measured, int count,
			     struct tmap_error *err);
int tmap_csv_write_measured(FILE *out, const struct tmap_measured *measured,
			    struct tmap_error *err);
int tmap_json_write_measured(FILE *out, const struct tmap_measured *measured,
			     struct tmap_error *err);

/** Of one document: measured[count], at least one. */
int tmap_csv_write_all_measured(FILE *out, const struct tmap_measured *measured, int count,
				struct tmap_error *err);
int tmap_json_write_all_measured(FILE *out, const struct tmap_measured *measured, int count,
				 struct tmap_error *err);

#endif
