/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exact_lines.h - times that were computed, as at most three straight lines.
 *
 *     seconds |                *
 *             |             *         a line for each stretch of sizes; cuts are where a line may
 *             |       * * '           begin, and the best ones do: least squares of the relative
 *             | * * '                 differences. Nothing is noise, so no point is an outlier, as
 *             +-------|---|---- bytes it may be for core/measure/piecewise.h.
 *                    cuts
 */
#ifndef TMAP_CORE_MEASURE_EXACT_LINES_H
#define TMAP_CORE_MEASURE_EXACT_LINES_H

#include "core/measure/piecewise.h"

/** The lines of @p count points of positive times, sorted by bytes. @p cut: @p cuts indexes of points,
 *  rising from 0, at which a line may begin. Confidence intervals are 0. O(points + cuts^2). */
int tmap_exact_lines_fit(struct tmap_piecewise *fit, const struct tmap_fit_point *point, int count,
			 const int *cut, int cuts, struct tmap_error *err);

#endif
