/*
 * show_sweep.h - a sweep as a map: letters for a terminal, colours as SVG, lines as CSV.
 */
#ifndef TM_SHOW_SWEEP_H
#define TM_SHOW_SWEEP_H

#include "core/score/sweep.h"

#include <stdio.h>

/** A row for each number of ranks, a column for each size, and what the letters mean. */
int tm_text_write_sweep(FILE *out, const struct tm_sweep *sweep, struct tm_error *err);

/** "ranks,bytes,algorithm,seconds", a line for each cell. */
int tm_csv_write_sweep(FILE *out, const struct tm_sweep *sweep, struct tm_error *err);

/** The same map as a picture, which says name and seconds under the pointer. */
int tm_svg_write_sweep(FILE *out, const struct tm_sweep *sweep, struct tm_error *err);

#endif
