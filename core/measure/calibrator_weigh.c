/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include <math.h>

/* A pair is slow whose large message takes so many times what that of the fastest usually does, whenever it is
 * sent. */
static const double slow_factor = 1.15;

/* Of the largest message that part, which takes far longer than its latency and leaves time for others. */
enum { LARGE_PART = 4, REPETITIONS = 4, SMALL_BYTES = 8 };

/* A message of a pair: the least of a few times, and the one in the middle. */
static int pair_time(struct tmap_calibrator *it, const struct tmap_calibration_distance *distance,
		     int pair, int64_t bytes, double *least, double *middle, struct tmap_error *err)
{
	struct tmap_trial trial =
		tmap_calibrator_pair_trial(distance, pair, TMAP_TRIAL_ROUND_TRIP, bytes);
	struct tmap_trial_result result;

	trial.repetitions = REPETITIONS;
	if (tmap_calibrator_run(it, &trial, &result, err) < 0)
		return -1;
	*least = result.seconds[0];
	*middle = tmap_trial_median(&result);
	return 0;
}

/* The least times of a message between each pair; *usual: what it takes in the middle between the fastest. */
static int pairs_time(struct tmap_calibrator *it, const struct tmap_calibration_distance *distance,
		      int64_t bytes, double *least, double *usual, struct tmap_error *err)
{
	*usual = INFINITY;
	for (int k = 0; k < distance->pairs.count; k++) {
		double middle;

		if (pair_time(it, distance, k, bytes, &least[k], &middle, err) < 0)
			return -1;
		*usual = fmin(*usual, middle);
	}
	return 0;
}

/* Is a pair slow? Once more, if it seems so: it may have been bad luck. */
static int pair_is_slow(bool *is_slow, struct tmap_calibrator *it,
			const struct tmap_calibration_distance *distance, int pair, double *large,
			double usual, struct tmap_error *err)
{
	double again, middle;

	*is_slow = *large > slow_factor * usual;
	if (!*is_slow)
		return 0;
	if (pair_time(it, distance, pair, distance->largest / LARGE_PART, &again, &middle, err) < 0)
		return -1;
	*large = fmin(*large, again);
	*is_slow = *large > slow_factor * usual;
	return 0;
}

/* Where small messages are slow, too, a rank is, and no adapter. */
static int pair_leave_out(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			  int pair, double large, double small, struct tmap_error *err)
{
	int a = distance->pairs.a[pair], b = distance->pairs.b[pair];

	distance->is_left_out[pair] = true;
	if (small > slow_factor)
		it->is_slow[a] = it->is_slow[b] = true;
	return tmap_calibrator_note(
		it, err,
		"ranks %d and %d are left out: their large messages take %.2g times as long as "
		"those of other ranks at distance %d",
		a, b, large, distance->pairs.distance);
}

int tmap_calibrator_weigh_pairs(struct tmap_calibrator *it,
				struct tmap_calibration_distance *distance, struct tmap_error *err)
{
	double large[TMAP_DISTANCE_PAIRS_MAX], small[TMAP_DISTANCE_PAIRS_MAX];
	double usual_large, usual_small;

	if (distance->pairs.count < 2)
		return 0;
	if (pairs_time(it, distance, distance->largest / LARGE_PART, large, &usual_large, err) <
		    0 ||
	    pairs_time(it, distance, SMALL_BYTES, small, &usual_small, err) < 0)
		return -1;
	for (int k = 0; k < distance->pairs.count; k++) {
		bool is_slow;

		if (pair_is_slow(&is_slow, it, distance, k, &large[k], usual_large, err) < 0 ||
		    (is_slow &&
		     pair_leave_out(it, distance, k, large[k] / usual_large, small[k] / usual_small,
				    err) < 0))
			return -1;
	}
	return 0;
}
