/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured_plot.h - measured times over sizes, or bandwidths, predicted ones dashed, as a picture.
 *
 * The bandwidth of a call is its bytes, as MPI counts them, over the time of the slowest rank: of one
 * collective, algorithms, orders and machines compare by it; of two collectives it says nothing, as they
 * move these bytes unequally often.
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_MEASURED_PLOT_H
#define TMAP_FORMATS_REPORT_TIMES_MEASURED_PLOT_H

#include "core/base/keyword.h"
#include "core/measure/measured.h"

#include <stdio.h>

enum tmap_measured_plot { TMAP_PLOT_TIME, TMAP_PLOT_BANDWIDTH };

extern const struct tmap_keywords tmap_measured_plots; /**< by name, in the order of the enum */

/** Of one document: measured[count], at least one; of several a panel each. */
int tmap_svg_write_measured(FILE *out, const struct tmap_measured *measured, int count,
			    enum tmap_measured_plot what, struct tmap_error *err);

#endif
