/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sweep_report.h - a sweep as a map: letters for a terminal, colours as SVG; cells as CSV and JSON.
 */
#ifndef TMAP_FORMATS_REPORT_SCORE_SWEEP_REPORT_H
#define TMAP_FORMATS_REPORT_SCORE_SWEEP_REPORT_H

#include "core/score/sweep.h"

#include <stdio.h>

/** A row for each number of ranks, a column for each size, and the names of the letters. */
int tmap_text_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

/** The sweep document. */
int tmap_json_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

/** "ranks,bytes,algorithm,seconds", a line for each cell; of a library also what it is set by and
 *  takes by itself. */
int tmap_csv_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

/** The same map as a picture, with name and seconds as tooltips. */
int tmap_svg_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

#endif
