/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guideline_plots.h - guidelines as measured, drawn. (Luebbe 2017, section 3.2 and figures 1 and 2.)
 *
 *     overview    time over size, native and mock-up, a panel for each guideline and root;
 *                 violations are ringed
 *     focus       one guideline and size: a box of each launch, over the native's median of medians
 */
#ifndef TMAP_FORMATS_REPORT_TIMES_GUIDELINE_PLOTS_H
#define TMAP_FORMATS_REPORT_TIMES_GUIDELINE_PLOTS_H

#include "core/base/keyword.h"
#include "core/measure/guideline_tests.h"

#include <stdio.h>

enum tmap_guideline_plot { TMAP_PLOT_OVERVIEW, TMAP_PLOT_FOCUS };

extern const struct tmap_keywords tmap_guideline_plots; /**< by name, in the order of the enum */

/** Both refuse (TMAP_INPUT) more panels, or more launches, than somebody can look at. */
int tmap_svg_write_guideline_overview(FILE *out, const struct tmap_guideline_tests *tests,
				      struct tmap_error *err);

/** The test with the largest ratio, of those that are violated if some are. */
int tmap_svg_write_guideline_focus(FILE *out, const struct tmap_guideline_tests *tests,
				   struct tmap_error *err);

#endif
