/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_plot.h - measured times over sizes, predicted ones dashed, as a picture.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_MEASURED_PLOT_H
#define TMAP_FORMATS_REPORT_TIMES_MEASURED_PLOT_H

#include "core/measure/measured.h"

#include <stdio.h>

int tmap_svg_write_measured(FILE *out, const struct tmap_measured *measured,
			    struct tmap_error *err);

#endif
