/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/time_line.h"

#include "core/measure/sample_statistics.h"

#include <math.h>

static const double huber = 1.345;

void tmap_time_line_sums_add(struct tmap_time_line_sums *sums, double weight, double x, double y)
{
	sums->w += weight;
	sums->x += weight * x;
	sums->y += weight * y;
	sums->xx += weight * x * x;
	sums->xy += weight * x * y;
}

/* The line of least squares that is nowhere negative. */
static struct tmap_time_line sums_line(const struct tmap_time_line_sums *sums)
{
	double spread = sums->w * sums->xx - sums->x * sums->x;
	double slope = spread > 1e-12 * sums->w * sums->xx ?
		(sums->w * sums->xy - sums->x * sums->y) / spread :
		0;
	double start = (sums->y - slope * sums->x) / sums->w;

	if (slope < 0 || !(sums->xx > 0))
		return (struct tmap_time_line){ sums->y / sums->w, 0 };
	if (start < 0)
		return (struct tmap_time_line){ 0, sums->xy / sums->xx };
	return (struct tmap_time_line){ start, slope };
}

static double biweight_weight(double residual)
{
	double part = residual / TMAP_TIME_LINE_OUTLIER;

	return fabs(part) >= 1 ? 0 : (1 - part * part) * (1 - part * part);
}

/* Twice the loss, so that it is the residual's square where that is small. */
static double biweight_loss(double residual)
{
	double part = residual / TMAP_TIME_LINE_OUTLIER, left = 1 - part * part;

	return TMAP_TIME_LINE_OUTLIER * TMAP_TIME_LINE_OUTLIER / 3 *
		(fabs(part) >= 1 ? 1 : 1 - left * left * left);
}

static double huber_weight(double residual)
{
	return fabs(residual) <= huber ? 1 : huber / fabs(residual);
}

double tmap_time_line_residual(const struct tmap_fit_point *point,
			       const struct tmap_time_line *line, double scatter)
{
	double wanted = tmap_time_line_at(line, point->bytes);

	return (point->seconds - wanted) / (wanted * scatter);
}

/* Of the five points around one the seconds in the middle. */
static double seconds_around(const struct tmap_fit_point *point, int count, int at)
{
	enum { AROUND = 2 };
	double seconds[2 * AROUND + 1];
	int found = 0;

	for (int i = at - AROUND; i <= at + AROUND; i++)
		if (i >= 0 && i < count)
			seconds[found++] = point[i].seconds;
	return tmap_numbers_median(seconds, (size_t)found);
}

/* Reweighted from a first line on; the sum of the losses of the last one. */
static double line_improve(struct tmap_time_line *line, const struct tmap_fit_point *point,
			   int count, double scatter)
{
	enum { HUBER_ROUNDS = 4, BIWEIGHT_ROUNDS = 8 };
	double loss = 0;

	for (int round = 0; round < HUBER_ROUNDS + BIWEIGHT_ROUNDS; round++) {
		struct tmap_time_line_sums sums = { 0 };
		struct tmap_time_line next;

		for (int i = 0; i < count; i++) {
			double wanted = tmap_time_line_at(line, point[i].bytes);
			double residual = tmap_time_line_residual(&point[i], line, scatter);
			double weight = round < HUBER_ROUNDS ? huber_weight(residual) :
							       biweight_weight(residual);

			tmap_time_line_sums_add(&sums, weight / (wanted * wanted),
						(double)point[i].bytes, point[i].seconds);
		}
		if (!(sums.w > 0)) /* all are far from it, and it stays */
			break;
		next = sums_line(&sums);
		if (!(tmap_time_line_at(&next, point[0].bytes) > 0)) /* 0 seconds of 0 bytes */
			break;
		*line = next;
	}
	for (int i = 0; i < count; i++)
		loss += biweight_loss(tmap_time_line_residual(&point[i], line, scatter));
	return loss;
}

/* A first line: through all points; through what most of them are around each, as a short time beside long
 * ones has much weight in the former; and through either half. */
static struct tmap_time_line line_begin(const struct tmap_fit_point *point, int count, int start)
{
	struct tmap_time_line_sums sums = { 0 };
	int half = count / 2, from = start == 3 ? half : 0, to = start == 2 ? count - half : count;

	for (int i = from; i < to; i++) {
		double seconds = start == 1 ? seconds_around(point, count, i) : point[i].seconds;

		tmap_time_line_sums_add(&sums, 1 / (seconds * seconds), (double)point[i].bytes,
					seconds);
	}
	return sums_line(&sums);
}

struct tmap_time_line tmap_time_line_fit(const struct tmap_fit_point *point, int count,
					 double scatter, double *loss)
{
	enum { STARTS = 4 };
	struct tmap_time_line best = { 0, 0 };

	*loss = INFINITY;
	for (int start = 0; start < STARTS; start++) {
		struct tmap_time_line line = line_begin(point, count, start);
		double its;

		if (!(tmap_time_line_at(&line, point[0].bytes) > 0))
			continue;
		its = line_improve(&line, point, count, scatter);
		if (its < *loss) {
			*loss = its;
			best = line;
		}
	}
	return best;
}
