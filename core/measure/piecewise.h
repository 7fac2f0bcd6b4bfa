/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * piecewise.h - times of messages of many sizes as at most three straight lines.
 *
 *     seconds |                  . *        seconds = latency_s + bytes x byte_s
 *             |              . *
 *             |      o     *                of the last piece that begins at or below the size:
 *             |     . . '                   libraries send short, eager and rendezvous messages
 *             | . .'                        in different ways, and lines need not meet
 *             +-----|------|----- bytes
 *          piece 0  1      2                o an outlier: it has no part in a line
 *
 * Times differ by a part of themselves, so residuals are relative. Their scatter is found before any
 * line is, from each point and its two neighbors; each line is found by reweighted least squares
 * (Huber's weights, then Tukey's biweight, c = 4.685), and of all ways to cut the sizes into pieces that
 * one is taken whose sum of the biweight's losses, with log(points) for each number that is chosen
 * (two for a line, one for a border), is least: BIC (Schwarz 1978) for a scatter that is known.
 * Outliers that follow one another on one side of a line cost as much as they are off, so that no
 * size is left without a line that holds there as well as may be. No line is negative anywhere.
 */
#ifndef TMAP_CORE_MEASURE_PIECEWISE_H
#define TMAP_CORE_MEASURE_PIECEWISE_H

#include "core/base/error.h"
#include "core/measure/time_line.h"

#define TMAP_PIECES_MAX 3

/** So many points are fitted at most. */
#define TMAP_FIT_POINTS_MAX 400

struct tmap_piece {
	int64_t from_bytes;
	double latency_s, byte_s;             /**< neither negative */
	double latency_low_s, latency_high_s; /**< 95 % confidence intervals, cut off at 0 */
	double byte_low_s, byte_high_s;
	double residual; /**< root mean square of those that are no outliers, relative */
	double r2;       /**< the part of the weighted variance that the line explains, 0 to 1 */
	int points;      /**< in it, with its outliers */
};

struct tmap_piecewise {
	int count;
	struct tmap_piece piece[TMAP_PIECES_MAX]; /**< the first begins at 0 bytes */
	double criterion; /**< BIC: of two fits of the same points the smaller one is better */
	double scatter;   /**< of times around the lines, relative, as for a normal distribution */
	int outliers;
};

/** The lines of @p count points, 4 to TMAP_FIT_POINTS_MAX of 2 sizes at least, sorted by bytes.
 *  @p border: a size at which a piece is known to begin; 0: none is. TMAP_INPUT for too few, and for
 *  times that are not positive. */
int tmap_piecewise_fit(struct tmap_piecewise *fit, struct tmap_fit_point *point, int count,
		       int64_t border, struct tmap_error *err);

/** What the lines say of a size. */
double tmap_piecewise_at(const struct tmap_piecewise *fit, int64_t bytes);

#endif
