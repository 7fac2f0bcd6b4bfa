/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * time_line.h - a straight line through times of messages, in which outliers have no part.
 *
 *     seconds = latency_s + bytes x byte_s        neither is negative
 *
 * Times differ by a part of themselves, so residuals are relative, in units of their scatter. Reweighted
 * least squares: Huber's weights first, then Tukey's biweight, c = 4.685.
 */
#ifndef TMAP_CORE_MEASURE_TIME_LINE_H
#define TMAP_CORE_MEASURE_TIME_LINE_H

#include <stdbool.h>
#include <stdint.h>

/** Beyond so many times the scatter a point is an outlier. */
#define TMAP_TIME_LINE_OUTLIER 4.685

struct tmap_fit_point {
	int64_t bytes;
	double seconds;  /**< positive */
	bool is_outlier; /**< found by a fit of pieces (piecewise.h) */
};

struct tmap_time_line {
	double latency_s, byte_s;
};

/** What points of a line add up to, each with its weight. */
struct tmap_time_line_sums {
	double w, x, y, xx, xy;
};

static inline double tmap_time_line_at(const struct tmap_time_line *line, int64_t bytes)
{
	return line->latency_s + (double)bytes * line->byte_s;
}

/** How far a point is from a line, in units of the scatter. */
double tmap_time_line_residual(const struct tmap_fit_point *point,
			       const struct tmap_time_line *line, double scatter);

void tmap_time_line_sums_add(struct tmap_time_line_sums *sums, double weight, double x, double y);

/** The line of @p count > 0 points; *loss: the sum of their losses, each of which is the square of its
 *  residual where that is small, and TMAP_TIME_LINE_OUTLIER^2 / 3 at most. O(count). */
struct tmap_time_line tmap_time_line_fit(const struct tmap_fit_point *point, int count,
					 double scatter, double *loss);

#endif
