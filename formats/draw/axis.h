/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.h - one axis of a plot: from where to where it goes, and what stands at it.
 *
 *     TMAP_AXIS_BYTES     |  8    64   512   4KiB ...      powers of 2
 *     TMAP_AXIS_COUNT     |  1    2    4     8 ...         powers of 2
 *     TMAP_AXIS_SECONDS   |  1 us      10 us      100 us   powers of 10; 2 and 5 times these, where
 *     TMAP_AXIS_RATE      |  1 MB/s    10 MB/s   100 MB/s  there are few
 *     TMAP_AXIS_RATIO     |  0.5   1   2    5    10
 *     TMAP_AXIS_NUMBER    |  0.9  1.0  1.1  1.2            even steps of 1, 2 or 5
 *
 * All but the last are logarithmic: what is 0 has no place on them.
 */
#ifndef TMAP_FORMATS_DRAW_AXIS_H
#define TMAP_FORMATS_DRAW_AXIS_H

#include <stdbool.h>

enum tmap_axis_kind {
	TMAP_AXIS_BYTES,
	TMAP_AXIS_COUNT,
	TMAP_AXIS_SECONDS,
	TMAP_AXIS_RATE, /**< bytes a second */
	TMAP_AXIS_RATIO,
	TMAP_AXIS_NUMBER,
};

struct tmap_axis {
	enum tmap_axis_kind kind;
	double least, most; /**< of the values, or of their logarithms */
};

/** It holds nothing yet. */
void tmap_axis_init(struct tmap_axis *axis, enum tmap_axis_kind kind);

/** Has @p value a place on such an axis? */
bool tmap_axis_shows(const struct tmap_axis *axis, double value);

/** It goes at least as far as @p value, if that has a place. */
void tmap_axis_include(struct tmap_axis *axis, double value);

/** All values are in: it gets ends that are easy to read. False where there was none. */
bool tmap_axis_finish(struct tmap_axis *axis);

/** Where @p value is, from 0 to 1 of the axis. */
double tmap_axis_place(const struct tmap_axis *axis, double value);

struct tmap_axis_tick {
	double at; /**< from 0 to 1 */
	char text[32];
};

enum { TMAP_AXIS_TICKS = 40 };

/** What stands at it, rising; about @p wanted of them, from 4 on. Returns how many. */
int tmap_axis_ticks(const struct tmap_axis *axis, int wanted,
		    struct tmap_axis_tick tick[TMAP_AXIS_TICKS]);

#endif
