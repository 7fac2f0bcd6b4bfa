/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"
#include "core/measure/sample_statistics.h"

#include <math.h>
#include <stdlib.h>

/* Passes that are compared, and messages of each of a piece, at least. */
enum { LEAST_PASSES = 2, LEAST_MESSAGES = 3, LEAST_AGAIN = 12 };

/* What is measured once more takes longer or shorter than before by that part only where a machine is not
 * quiet. */
static const double quiet_drift = 0.1;

/* How far messages are from the line of a piece, as logarithms: of a pass; TMAP_NONE: of all. */
static int points_residuals(double *room, const struct tmap_calibration_distance *distance,
			    const struct tmap_calibration_point *point, int points, int piece,
			    int pass)
{
	const struct tmap_piecewise *fit = &distance->fit;
	int count = 0;

	for (int i = 0; i < points; i++) {
		bool is_before = point[i].bytes < fit->piece[piece].from_bytes;
		bool is_behind = piece + 1 < fit->count &&
			point[i].bytes >= fit->piece[piece + 1].from_bytes;
		double wanted = tmap_calibration_time(distance, point[i].bytes);

		if (!is_before && !is_behind && wanted > 0 &&
		    !distance->is_left_out[point[i].pair] &&
		    (pass == TMAP_NONE || point[i].pass == pass))
			room[count++] = log(point[i].seconds / wanted);
	}
	return count;
}

/* What 95 % of the passes over a piece differ from its line by, at most: of each its message in the middle. 0:
 * there are too few messages to know. */
static double piece_variation(const struct tmap_calibration_distance *distance, int piece,
			      int passes, double *room, double *of_pass)
{
	int count = 0;

	for (int pass = 0; pass < passes; pass++) {
		int n = points_residuals(room, distance, distance->point, distance->count, piece,
					 pass);

		n += points_residuals(room + n, distance, distance->again, distance->again_count,
				      piece, pass);
		if (n >= LEAST_MESSAGES)
			of_pass[count++] = fabs(tmap_numbers_median(room, (size_t)n));
	}
	if (count < LEAST_PASSES)
		return 0;
	tmap_numbers_sort(of_pass, (size_t)count);
	return of_pass[(int)ceil(0.95 * count) - 1];
}

/* Does what was found no longer hold? */
static int piece_note(struct tmap_calibrator *it, const struct tmap_calibration_distance *distance,
		      int piece, double *room, struct tmap_error *err)
{
	int n = points_residuals(room, distance, distance->again, distance->again_count, piece,
				 TMAP_NONE);
	double ratio;

	if (n < LEAST_AGAIN)
		return 0;
	ratio = exp(tmap_numbers_median(room, (size_t)n));
	if (fabs(log(ratio)) <= log(1 + quiet_drift))
		return 0;
	it->is_noisy = true;
	return tmap_calibrator_note(
		it, err,
		"the machine was not quiet: messages of %lld bytes and more at distance %d took "
		"%.2g times as long at the end as before",
		(long long)distance->fit.piece[piece].from_bytes, distance->pairs.distance, ratio);
}

static int distance_vary(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			 struct tmap_error *err)
{
	size_t points = (size_t)(distance->count + distance->again_count) + 1;
	double *room = tmap_alloc_raw(points, sizeof *room, err);
	double *of_pass = tmap_alloc_raw((size_t)it->passes + 1, sizeof *of_pass, err);
	int status = room && of_pass ? 0 : -1;
	double most = 0;

	for (int k = 0; k < distance->fit.count && status == 0; k++) {
		distance->variation[k] = piece_variation(distance, k, it->passes, room, of_pass);
		most = fmax(most, distance->variation[k]);
		status = piece_note(it, distance, k, room, err);
	}
	for (int k = 0; k < distance->fit.count; k++) /* then as the others do */
		if (!(distance->variation[k] > 0))
			distance->variation[k] = most;
	it->variation = fmax(it->variation, most);
	free(room);
	free(of_pass);
	return status;
}

int tmap_calibrator_vary(struct tmap_calibrator *it, struct tmap_error *err)
{
	it->variation = fmax(it->variation, it->own_variation);
	for (int d = 0; d < it->distance_count; d++)
		if (distance_vary(it, &it->distance[d], err) < 0)
			return -1;
	return 0;
}
