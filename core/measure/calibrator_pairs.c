/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* The part of all seconds that one message may take. */
static const double message_part = 0.003;

/* A receiver is so late, at least, in microseconds, and by so many times what a message takes. */
enum { LATE_US = 2000, LATE_TIMES = 3 };

/* Fewer bytes show no bandwidth. Where so few take too long, others have the cores, and they are sent so many
 * times more before it is given up. */
enum { LEAST_BYTES = 1024, MORE_TIMES = 12 };

/* The largest size that takes no longer than a message may; and pairs have met before they are
 * measured. */
static int distance_scout(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			  struct tmap_error *err)
{
	double most = it->seconds * message_part;

	distance->largest = 0;
	for (int64_t bytes = 1; bytes <= TMAP_CALIBRATION_BYTES_MAX; bytes *= 2) {
		struct tmap_trial trial = tmap_calibrator_pair_trial(
			distance, tmap_calibrator_random_pair(it, distance), TMAP_TRIAL_ROUND_TRIP,
			bytes);
		struct tmap_trial_result result;

		int times = 0;

		trial.repetitions = 3; /* of which one may be interrupted, or two */
		do
			if (tmap_calibrator_run(it, &trial, &result, err) < 0)
				return -1;
		while (result.seconds[0] > most && distance->largest < LEAST_BYTES &&
		       times++ < MORE_TIMES &&
		       !tmap_calibrator_is_late(it, TMAP_CALIBRATION_MESSAGES));
		if (result.seconds[0] > most)
			break;
		distance->largest = bytes;
	}
	if (distance->largest < LEAST_BYTES)
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
	struct tmap_trial trial = tmap_calibrator_pair_trial(
		distance, tmap_calibrator_random_pair(it, distance), TMAP_TRIAL_ROUND_TRIP, bytes);
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

/* By halving: messages of so many bytes and more wait for their receivers. @p part of the time is there for
 * it. */
static int border_find(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
		       double part, struct tmap_error *err)
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

		if (tmap_calibrator_is_late(it, part)) {
			distance->eager_before = waits;
			return tmap_calibrator_note(
				it, err,
				"there was no time to see from which size on, between %lld and "
				"%lld bytes, messages at distance %d wait for their receivers",
				(long long)leaves + 1, (long long)waits, distance->pairs.distance);
		}
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

/* What each of many messages keeps its ranks busy: one after another, and no answer between. */
static int overhead_measure(struct tmap_calibrator *it, struct tmap_calibration_distance *distance,
			    struct tmap_error *err)
{
	enum { MANY = 64 };
	struct tmap_trial_result all = { 0 };
	double one, many;

	for (int i = 0; i < distance->pairs.count; i++) {
		struct tmap_trial trial =
			tmap_calibrator_pair_trial(distance, i, TMAP_TRIAL_AT_ONCE, 8);

		trial.repetitions = 7;
		if (tmap_calibrator_time(it, &trial, &one, err) < 0)
			return -1;
		trial.window = MANY + 1;
		if (tmap_calibrator_time(it, &trial, &many, err) < 0)
			return -1;
		all.seconds[all.count++] = fmax(0, (many - one) / MANY);
		if (tmap_calibrator_is_late(it, TMAP_CALIBRATION_MESSAGES))
			break;
	}
	tmap_trial_sort(&all);
	distance->overhead_s = tmap_trial_median(&all);
	return 0;
}

int tmap_calibrator_run_pairs(struct tmap_calibrator *it, struct tmap_error *err)
{
	int unknown = 0;

	for (int d = 0; d < it->distance_count; d++)
		if (distance_scout(it, &it->distance[d], err) < 0 ||
		    tmap_calibrator_weigh_pairs(it, &it->distance[d], err) < 0 ||
		    border_find(it, &it->distance[d],
				TMAP_CALIBRATION_BORDERS * (d + 1) / it->distance_count, err) < 0)
			return -1;
	if (tmap_calibrator_run_passes(it, err) < 0)
		return -1;
	for (int d = 0; d < it->distance_count; d++) {
		if (overhead_measure(it, &it->distance[d], err) < 0)
			return -1;
		if (tmap_calibrator_is_late(it, TMAP_CALIBRATION_COPIERS))
			unknown++;
		else if (tmap_calibrator_find_copier(it, &it->distance[d], err) < 0)
			return -1;
	}
	if (unknown &&
	    tmap_calibrator_note(
		    it, err, "there was no time to see who copies messages at %d of %d distances",
		    unknown, it->distance_count) < 0)
		return -1;
	return tmap_calibrator_fit(it, err);
}
