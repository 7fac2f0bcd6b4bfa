/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lane_prediction.h - what measured lanes should have taken, by a cost profile.
 *
 *     exchanges     so many rounds: the first k ranks of each node to those of the next one
 *     collective    what the library takes on one rank of each node, on k lanes in the same rounds
 *
 * Both are schedules of the whole job, so that lanes share adapters and memory as all messages do.
 */
#ifndef TMAP_CORE_MEASURE_LANE_PREDICTION_H
#define TMAP_CORE_MEASURE_LANE_PREDICTION_H

#include "core/cost/profile.h"
#include "core/measure/lane_times.h"

struct tmap_lane_prediction {
	bool is_predicted;
	double seconds;
	bool has_speedup; /**< one lane was measured, too */
	double speedup;   /**< as of struct tmap_lane_experiment */
};

/** More messages than these are not looked at one by one: nothing is predicted. */
#define TMAP_LANE_MESSAGES_MOST 4000000

struct tmap_lane_predictions {
	const char *reason; /**< why some are not there, or none; NULL: all are */
	int count;          /**< of those that are there */
	char *algorithm;    /**< of the first size, what each lane does; NULL: exchanges */
	struct tmap_lane_prediction *prediction; /**< [times->count] */
};

/** Of each experiment. O(messages) a pair of size and lanes, and tmap_cost_model_init(). */
int tmap_lane_predictions_init(struct tmap_lane_predictions *predictions,
			       const struct tmap_lane_times *times,
			       const struct tmap_profile *profile, struct tmap_error *err);
void tmap_lane_predictions_fini(struct tmap_lane_predictions *predictions);

#endif
