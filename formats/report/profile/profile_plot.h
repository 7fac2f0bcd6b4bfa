/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_plot.h - what a message costs, as a picture: seconds over bytes, both logarithmic.
 *
 *     1 ms |                 . o  7      a colour and a marker for each distance; the line of each
 *          |      o     . o /            piece, a bar where the next one begins; what was measured as
 *    10 us |  . o  . |-'- '    1         markers, hollow where the fit does not follow it
 *          +--------------------
 *             8    1KiB   64KiB
 */
#ifndef TMAP_FORMATS_REPORT_PROFILE_PROFILE_PLOT_H
#define TMAP_FORMATS_REPORT_PROFILE_PROFILE_PLOT_H

#include "core/cost/profile.h"

#include <stdio.h>

/** A profile without points has markers where they help to tell the distances apart. Refuses one of
 *  more distances than can be told apart. O(rows + points). */
int tmap_svg_write_profile(FILE *out, const struct tmap_profile *profile, struct tmap_error *err);

#endif
