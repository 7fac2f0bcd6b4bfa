/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hatch.h - areas that lie on one another, told apart without colour.
 *
 *     ────────────        each has the colour of its number (palette.h), faint, lines of a slope
 *     / / /X\X\X\ \       of its own, and an edge above and below
 *     ────────────
 *
 * Five slopes and seven colours: no two of 35 are alike in both, and the next five differ in slope.
 */
#ifndef TMAP_FORMATS_DRAW_HATCH_H
#define TMAP_FORMATS_DRAW_HATCH_H

#include "formats/draw/svg.h"

/** Once a picture, before the first area: the lines of numbers below @p count. */
void tmap_hatch_define(FILE *out, int count);

/** What @p count points enclose: the first half are its upper edge, the second half its lower one. */
void tmap_hatch_area(FILE *out, const struct tmap_svg_point *point, int count, int number);

#endif
