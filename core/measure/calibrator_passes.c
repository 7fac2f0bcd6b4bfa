/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of a pass over a distance; and passes: of times that do not differ from one another, as in a
 * simulation, nothing is learnt from more than a few. And so many once more at the end. */
enum { STRATA = 24, PASSES = 4, PASSES_MAX = TMAP_FIT_POINTS_MAX / STRATA, PASSES_AGAIN = 8 };

/* Without them there are no lines, however late it is. */
enum { LEAST_POINTS = 12 };

/* From so little times of the same message differ nowhere but in a simulation. */
static const double no_spread = 1.01;

/* One size of a stratum, evenly spread over its part of the logarithms; the first one is 0 bytes. */
static int64_t stratum_size(struct tmap_calibrator *it, int stratum, int64_t largest)
{
	double jitter = (double)tmap_random_below(&it->random, 1 << 20) / (1 << 20);

	if (stratum == 0)
		return 0;
	return (int64_t)exp2(log2((double)largest) * (stratum - 1 + jitter) / (STRATA - 1));
}

/* Its time becomes the next of the points. */
static int point_measure(struct tmap_calibrator *it,
			 const struct tmap_calibration_distance *distance, int stratum,
			 struct tmap_calibration_point **point, int *count, size_t *capacity,
			 struct tmap_error *err)
{
	int64_t bytes = stratum_size(it, stratum, distance->largest);
	bool is_small = bytes <= 4096;
	int pair = tmap_calibrator_random_pair(it, distance);
	struct tmap_trial trial =
		tmap_calibrator_pair_trial(distance, pair, TMAP_TRIAL_ROUND_TRIP, bytes);
	struct tmap_trial_result result;

	trial.window = is_small ? 8 : 1;
	trial.repetitions = is_small || bytes <= distance->largest / 16 ? 7 : 3;
	if (tmap_calibrator_run(it, &trial, &result, err) < 0 ||
	    tmap_grow(point, capacity, (size_t)*count + 1, sizeof **point, err) < 0)
		return -1;
	if (!(result.seconds[0] > 0)) /* shorter than the clock's step */
		return 0;
	(*point)[(*count)++] = (struct tmap_calibration_point){
		.bytes = bytes,
		.seconds = tmap_trial_median(&result),
		.pair = pair,
		.pass = it->passes,
		.spread = result.seconds[result.count - 1] / result.seconds[0],
		.rise = tmap_trial_median(&result) / result.seconds[0],
	};
	return 0;
}

bool tmap_calibrator_has_spread(const struct tmap_calibrator *it)
{
	for (int d = 0; d < it->distance_count; d++)
		for (int i = 0; i < it->distance[d].count; i++)
			if (it->distance[d].point[i].spread > no_spread)
				return true;
	return false;
}

/* A pass over sizes of all distances, in random order, as far as there is time; *all: it was. */
static int pass_measure(struct tmap_calibrator *it, double part, bool is_again, int *order,
			bool *all, struct tmap_error *err)
{
	int each = it->distance_count * STRATA;

	*all = true;
	for (int i = 0; i < each; i++)
		order[i] = i;
	tmap_random_shuffle(&it->random, order, each);
	for (int i = 0; i < each; i++) {
		struct tmap_calibration_distance *distance = &it->distance[order[i] / STRATA];
		int stratum = order[i] % STRATA;

		if ((is_again || distance->count >= LEAST_POINTS) &&
		    tmap_calibrator_is_late(it, part)) {
			*all = false;
			continue;
		}
		if ((is_again ?
			     point_measure(it, distance, stratum, &distance->again,
					   &distance->again_count, &distance->again_capacity, err) :
			     point_measure(it, distance, stratum, &distance->point,
					   &distance->count, &distance->capacity, err)) < 0)
			return -1;
	}
	it->passes++;
	return 0;
}

int tmap_calibrator_run_passes(struct tmap_calibrator *it, struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)it->distance_count * STRATA, sizeof *order, err);
	int passes = PASSES, status = order ? 0 : -1;
	bool all = true;

	for (int pass = 0; pass < passes && all && status == 0; pass++) {
		tmap_progress_report(it->runner.progress, pass, passes, "messages");
		status = pass_measure(it, TMAP_CALIBRATION_MESSAGES, false, order, &all, err);
		it->whole_passes += all;
		if (tmap_calibrator_has_spread(it))
			passes = PASSES_MAX;
	}
	free(order);
	if (status < 0 || it->whole_passes >= PASSES)
		return status;
	if (!it->whole_passes)
		return tmap_calibrator_note(
			it, err, "there was no time for any of %d rounds of messages", passes);
	return tmap_calibrator_note(it, err,
				    "there was no time for more than %d of %d rounds of messages",
				    it->whole_passes, passes);
}

int tmap_calibrator_run_again(struct tmap_calibrator *it, struct tmap_error *err)
{
	const struct {
		double *cost, before;
	} own[] = {
		{ &it->copy_byte_s, it->copy_byte_s },
		{ &it->reduce_byte_s, it->reduce_byte_s },
	};
	int *order, status;
	bool all = true;

	if (!tmap_calibrator_has_spread(it))
		return 0;
	order = tmap_alloc_raw((size_t)it->distance_count * STRATA, sizeof *order, err);
	status = order ? 0 : -1;
	for (int pass = 0; pass < PASSES_AGAIN && all && status == 0; pass++)
		status = pass_measure(it, 1, true, order, &all, err);
	free(order);
	if (status == 0 && !tmap_calibrator_is_late(it, 1))
		status = tmap_calibrator_run_memory(it, err);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		if (*own[i].cost > 0 && own[i].before > 0)
			it->own_variation =
				fmax(it->own_variation, fabs(log(*own[i].cost / own[i].before)));
		*own[i].cost = own[i].before;
	}
	return status;
}
