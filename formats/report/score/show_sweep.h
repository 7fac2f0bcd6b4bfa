/*
 * show_sweep.h - a sweep as a map: letters for a terminal, colours as SVG, lines as CSV.
 */
#ifndef TMAP_FORMATS_REPORT_SCORE_SHOW_SWEEP_H
#define TMAP_FORMATS_REPORT_SCORE_SHOW_SWEEP_H

#include "core/score/sweep.h"

#include <stdio.h>

/** A row for each number of ranks, a column for each size, and what the letters mean. */
int tmap_text_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

/** "ranks,bytes,algorithm,seconds", a line for each cell. */
int tmap_csv_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

/** The same map as a picture, which says name and seconds under the pointer. */
int tmap_svg_write_sweep(FILE *out, const struct tmap_sweep *sweep, struct tmap_error *err);

#endif
