/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot.h - seconds over bytes, both logarithmic, a line each with its name at its end.
 *
 *     1 ms |               .o ring         a band from low to high around each line,
 *          |          ..o''                a marker at each point,
 *    10 us |    o..o''                     dashes for what is predicted
 *          +--------------------
 *             8    1KiB   64KiB
 *
 * Lines differ in colour (Okabe and Ito's) and in the shape of their markers, and their names stand
 * beside them: they are told apart in grey, too. What is 0 has no place on such an axis and is left
 * out.
 */
#ifndef TMAP_FORMATS_DRAW_PLOT_H
#define TMAP_FORMATS_DRAW_PLOT_H

#include "core/base/error.h"

#include <stdint.h>
#include <stdio.h>

struct tmap_plot_point {
	int64_t bytes;
	double seconds;
	double low, high; /**< of the band; both 0: none */
};

struct tmap_plot_line {
	const char *name; /**< NULL: it is named by the line before it, whose colour it has, dashed */
	int count;
	struct tmap_plot_point *point; /**< [count], bytes rising */
};

struct tmap_plot {
	const char *title;
	const char *x_label, *y_label; /**< with their units */
	const char *note;              /**< below, of bands and dashes; NULL: none */
	int count;
	struct tmap_plot_line *line; /**< [count] */
};

/** Refuses (TMAP_INPUT) a plot without a point that is above 0. */
int tmap_plot_write_svg(FILE *out, const struct tmap_plot *plot, struct tmap_error *err);

#endif
