/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_map_report.h - a map of measured times: letters for a terminal, colours as SVG; cells as
 * CSV and JSON.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_MEASURED_MAP_REPORT_H
#define TMAP_FORMATS_REPORT_TIMES_MEASURED_MAP_REPORT_H

#include "core/measure/measured_map.h"

#include <stdio.h>

int tmap_text_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				 struct tmap_error *err);

/** "ranks,bytes,algorithm,seconds,second,second_seconds,gain,ties". */
int tmap_csv_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				struct tmap_error *err);

/** The document measured_map. */
int tmap_json_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				 struct tmap_error *err);

int tmap_svg_write_measured_map(FILE *out, const struct tmap_measured_map *map,
				struct tmap_error *err);

#endif
