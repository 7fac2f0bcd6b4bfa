/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of a pass over a distance; and passes: of times that do not differ from one another, as in a
 * simulation, nothing is learnt from more than a few. */
enum { STRATA = 24, PASSES = 4, PASSES_MAX = TMAP_FIT_POINTS_MAX / STRATA };

/* From so little times of the same message differ nowhere but in a simulation. */
static const double no_spread = 1.01;

/* The part of all seconds that one message may take, and that all pairs together may. */
static const double message_part = 0.003, pairs_part = 0.4;

/* A receiver is so late, at least, in microseconds, and by so many times what a message takes. */
enum { LATE_US = 2000, LATE_TIMES = 3 };

static struct tmap_trial pair_trial(const struct tmap_calibration_distance *distance, int pair,
				    enum tmap_trial_kind kind, int64_t bytes)
{
	struct tmap_trial trial = { .kind = kind, .bytes = bytes, .window = 1, .count = 1 };

	trial.from[0] = distance->pairs.a[pair];
	trial.to[0] = distance->pairs.b[pair];
	return trial;
}

/* Of those that are not left out, as one never is. */
static int random_pair(struct tmap_calibrator *it, const struct tmap_calibration_distance *distance)
{
	int pair;

	do
		pair = (int)tmap_random_below(&it->random, (uint64_t)distance->pairs.count);
	while (distance->is_left_out[pair]);
	return pair;
}

/* The largest size that takes no longer than a message may; and pairs have met before they are
 * measured. */
static int distance_scout(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			  struct tmap_error *err)
{
	double most = it->seconds * message_part;

	distance->largest = 0;
	for (int64_t bytes = 1; bytes <= TMAP_CALIBRATION_BYTES_MAX; bytes *= 2) {
		struct tmap_trial trial = pair_trial(distance, random_pair(it, distance),
						     TMAP_TRIAL_ROUND_TRIP, bytes);
		struct tmap_trial_result result;

		trial.repetitions = 3; /* of which one may be interrupted, or two */
		if (tmap_calibrator_run(it, &trial, &result, err) < 0)
			return -1;
		if (result.seconds[0] > most)
			break;
		distance->largest = bytes;
	}
	if (distance->largest < 1024)
		return tmap_fail(err, TMAP_INPUT,
				 "%g seconds are too few: at distance %d a message of %lld bytes "
				 "takes longer than %g s",
				 it->seconds, distance->pairs.distance,
				 (long long)(distance->largest ? 2 * distance->largest : 1), most);
	return 0;
}

/* Does a message leave before its receiver is there? */
static int leaves_at_once(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			  int64_t bytes, bool *at_once, struct tmap_error *err)
{
	struct tmap_trial trial =
		pair_trial(distance, random_pair(it, distance), TMAP_TRIAL_ROUND_TRIP, bytes);
	struct tmap_trial_result result;
	double alone, late_s;

	trial.repetitions = 1;
	if (tmap_calibrator_time(it, &trial, &alone, err) < 0)
		return -1;
	late_s = fmax(LATE_US * 1e-6, LATE_TIMES * alone);
	trial.kind = TMAP_TRIAL_LATE;
	trial.window = (int)(late_s * 1e6);
	/* the sender may be interrupted until the receiver is there, or while it sends */
	trial.repetitions = 5;
	if (tmap_calibrator_run(it, &trial, &result, err) < 0)
		return -1;
	*at_once = tmap_trial_median(&result) < late_s / 2;
	return 0;
}

/* By halving: messages of so many bytes and more wait for their receivers. */
static int border_find(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
		       struct tmap_error *err)
{
	int64_t leaves = 0, waits = distance->largest;
	bool at_once;

	if (leaves_at_once(it, distance, waits, &at_once, err) < 0)
		return -1;
	if (at_once) {
		distance->eager_before = INT64_MAX;
		return 0;
	}
	while (leaves + 1 < waits) {
		int64_t bytes = leaves + (waits - leaves) / 2;

		if (waits > 4 * leaves) /* in the middle of their logarithms */
			bytes = (int64_t)sqrt((double)(leaves + 1) * (double)waits);
		if (leaves_at_once(it, distance, bytes, &at_once, err) < 0)
			return -1;
		if (at_once)
			leaves = bytes;
		else
			waits = bytes;
	}
	distance->eager_before = waits;
	return 0;
}

/* One size of a stratum, evenly spread over its part of the logarithms; the first one is 0 bytes. */
static int64_t stratum_size(struct tmap_calibrator *it, int stratum, int64_t largest)
{
	double jitter = (double)tmap_random_below(&it->random, 1 << 20) / (1 << 20);

	if (stratum == 0)
		return 0;
	return (int64_t)exp2(log2((double)largest) * (stratum - 1 + jitter) / (STRATA - 1));
}

static int point_measure(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			 int stratum, struct tmap_error *err)
{
	int64_t bytes = stratum_size(it, stratum, distance->largest);
	bool is_small = bytes <= 4096;
	int pair = random_pair(it, distance);
	struct tmap_trial trial = pair_trial(distance, pair, TMAP_TRIAL_ROUND_TRIP, bytes);
	struct tmap_trial_result result;
	struct tmap_calibration_point *point;

	trial.window = is_small ? 8 : 1;
	trial.repetitions = is_small || bytes <= distance->largest / 16 ? 7 : 3;
	if (tmap_calibrator_run(it, &trial, &result, err) < 0 ||
	    tmap_grow(&distance->point, &distance->capacity, (size_t)distance->count + 1,
		      sizeof *distance->point, err) < 0)
		return -1;
	if (!(result.seconds[0] > 0)) /* shorter than the clock's step */
		return 0;
	point = &distance->point[distance->count++];
	*point = (struct tmap_calibration_point){
		.bytes = bytes,
		.seconds = tmap_trial_median(&result),
		.pair = pair,
		.spread = result.seconds[result.count - 1] / result.seconds[0],
		.rise = tmap_trial_median(&result) / result.seconds[0],
	};
	return 0;
}

/* Do times of the same message differ? */
static bool points_spread(const struct tmap_calibrator *it)
{
	for (int d = 0; d < it->distance_count; d++)
		for (int i = 0; i < it->distance[d].count; i++)
			if (it->distance[d].point[i].spread > no_spread)
				return true;
	return false;
}

/* A pass over sizes of all distances, in random order. The first one is needed, of later ones as much is
 * made as there is time for. */
static int pass_measure(struct tmap_calibrator *it, int pass, int passes, int *order,
			struct tmap_error *err)
{
	int each = it->distance_count * STRATA;

	for (int i = 0; i < each; i++)
		order[i] = i;
	tmap_random_shuffle(&it->random, order, each);
	for (int i = 0; i < each; i++) {
		if (pass > 0 && it->runner.spent(it->runner.data) > pairs_part * it->seconds)
			break;
		tmap_progress_report(it->runner.progress, pass * each + i, passes * each,
				     "messages");
		if (point_measure(it, &it->distance[order[i] / STRATA], order[i] % STRATA, err) < 0)
			return -1;
	}
	return 0;
}

static int points_measure(struct tmap_calibrator *it, struct tmap_error *err)
{
	int *order = tmap_alloc_raw((size_t)it->distance_count * STRATA, sizeof *order, err);
	int passes = PASSES, status = order ? 0 : -1;

	for (int pass = 0; pass < passes && status == 0; pass++) {
		status = pass_measure(it, pass, passes, order, err);
		if (points_spread(it))
			passes = PASSES_MAX;
	}
	free(order);
	return status;
}

/* What each of many messages keeps its ranks busy: one after another, and no answer between. */
static int overhead_measure(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			    struct tmap_error *err)
{
	enum { MANY = 64 };
	struct tmap_trial_result all = { .count = distance->pairs.count };
	double one, many;
	int count = distance->pairs.count;

	for (int i = 0; i < count; i++) {
		struct tmap_trial trial = pair_trial(distance, i, TMAP_TRIAL_AT_ONCE, 8);

		trial.repetitions = 7;
		if (tmap_calibrator_time(it, &trial, &one, err) < 0)
			return -1;
		trial.window = MANY + 1;
		if (tmap_calibrator_time(it, &trial, &many, err) < 0)
			return -1;
		all.seconds[i] = fmax(0, (many - one) / MANY);
	}
	tmap_trial_sort(&all);
	distance->overhead_s = tmap_trial_median(&all);
	return 0;
}

int tmap_calibrator_run_pairs(struct tmap_calibrator *it, struct tmap_error *err)
{
	for (int d = 0; d < it->distance_count; d++)
		if (distance_scout(it, &it->distance[d], err) < 0 ||
		    tmap_calibrator_weigh_pairs(it, &it->distance[d], err) < 0 ||
		    border_find(it, &it->distance[d], err) < 0)
			return -1;
	if (points_measure(it, err) < 0)
		return -1;
	for (int d = 0; d < it->distance_count; d++)
		if (overhead_measure(it, &it->distance[d], err) < 0 ||
		    tmap_calibrator_find_copier(it, &it->distance[d], err) < 0)
			return -1;
	return tmap_calibrator_fit(it, err);
}
