/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/calibrator.h"

#include <math.h>

/* Ranks that are asked, at most, and bytes of each; caches of one core hold two such. */
enum { RANKS = 4, OWN_BYTES = 256 << 10, TYPED_BYTES = 64 << 10 };

/* Seconds a byte, of the rank in the middle; 0: no time passes, as in a simulator. */
static int own_measure(struct tmap_calibrator *it, enum tmap_trial_kind kind, double *byte_s,
		       struct tmap_error *err)
{
	struct tmap_trial_result all = { 0 };

	for (int i = 0; i < RANKS; i++) {
		int rank = (int)tmap_random_below(&it->random, (uint64_t)it->placement->size);
		struct tmap_trial trial = {
			.kind = kind, .bytes = OWN_BYTES, .window = 4, .repetitions = 5, .count = 1
		};
		double seconds;

		trial.from[0] = trial.to[0] = rank;
		if (tmap_calibrator_time(it, &trial, &seconds, err) < 0)
			return -1;
		all.seconds[all.count++] = seconds;
	}
	tmap_trial_sort(&all);
	*byte_s = tmap_trial_median(&all) / OWN_BYTES;
	return 0;
}

/* What a derived datatype adds to a message at the nearest distance, of which each rank has half. */
static int typed_measure(struct tmap_calibrator *it, struct tmap_error *err)
{
	const struct tmap_calibration_distance *nearest = &it->distance[0];
	struct tmap_trial trial = {
		.kind = TMAP_TRIAL_ROUND_TRIP, .window = 1, .repetitions = 7, .count = 1
	};
	double plain, typed;

	trial.bytes = nearest->largest < TYPED_BYTES ? nearest->largest / 64 * 64 : TYPED_BYTES;
	trial.from[0] = nearest->pairs.a[0];
	trial.to[0] = nearest->pairs.b[0];
	if (tmap_calibrator_time(it, &trial, &plain, err) < 0)
		return -1;
	trial.kind = TMAP_TRIAL_TYPED;
	if (tmap_calibrator_time(it, &trial, &typed, err) < 0)
		return -1;
	it->datatype_byte_s = fmax(0, typed - plain) / (2 * (double)trial.bytes);
	return 0;
}

int tmap_calibrator_run_memory(struct tmap_calibrator *it, struct tmap_error *err)
{
	if (own_measure(it, TMAP_TRIAL_COPY, &it->copy_byte_s, err) < 0)
		return -1;
	return own_measure(it, TMAP_TRIAL_REDUCE, &it->reduce_byte_s, err);
}

int tmap_calibrator_run_own(struct tmap_calibrator *it, struct tmap_error *err)
{
	return tmap_calibrator_run_memory(it, err) < 0 ? -1 : typed_measure(it, err);
}
