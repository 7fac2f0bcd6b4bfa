/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_looks.h - the look of each line of a plot.
 *
 *     in each panel's order   bcast: ring 0, knomial 1    reduce: knomial 0, chain 1, ring 2
 *     by name                 bcast: ring 0, knomial 1    reduce: knomial 1, chain 2, ring 0
 *
 * A look is a number: colour, marker and hatching come of it. Colours repeat; by
 * name, two lines of one panel get different ones as long as there are enough.
 */
#ifndef TMAP_FORMATS_DRAW_PLOT_LOOKS_H
#define TMAP_FORMATS_DRAW_PLOT_LOOKS_H

#include "formats/draw/plot.h"

/** *look = that of each line, panel after panel, the caller's to free; a line without a name has that of
 *  the line before it, a faint one none (TMAP_NONE). By name O(lines^3). */
int tmap_plot_looks_make(int **look, const struct tmap_plot *plot, struct tmap_error *err);

#endif
