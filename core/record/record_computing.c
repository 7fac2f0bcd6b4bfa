/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_computing.h"

#include "core/base/mem.h"
#include "core/record/record_traffic.h"

#include <math.h>
#include <stdlib.h>

/* By the costs, as launched: how long all that takes of which the record has no seconds. */
static int predict(double *seconds, const struct tmap_record *untimed, int library,
		   const struct tmap_profile *profile, struct tmap_error *err)
{
	const struct tmap_criteria criteria = { .profile = profile,
						.scale = TMAP_SCALE_PROCESS,
						.only_goal = true,
						.only_seconds = true };
	struct tmap_record_traffic recorded = { 0 };
	struct tmap_evaluation evaluation = { 0 };
	int status = tmap_record_traffic_init(&recorded, untimed, library, err);
	const struct tmap_traffic traffic = {
		.pattern = recorded.has_pattern ? &recorded.pattern : NULL,
		.call_count = recorded.call_count,
		.call = recorded.call,
		.weight = recorded.weight,
		.own = recorded.own,
	};

	if (status == 0 && (traffic.pattern || traffic.call_count))
		status = tmap_objective_evaluate_placement(&evaluation, &untimed->placement,
							   &traffic, &criteria, err);
	tmap_record_traffic_fini(&recorded);
	*seconds = evaluation.seconds;
	return status;
}

int tmap_record_run_time(struct tmap_run_time *run, const struct tmap_record *record, int library,
			 const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_record untimed = *record; /* borrows all but the list of its calls */
	double rest = record->seconds, predicted;
	int status;

	untimed.call = tmap_alloc((size_t)record->call_count, sizeof *untimed.call, err);
	if (!untimed.call)
		return -1;
	untimed.call_count = 0;
	for (int i = 0; i < record->call_count; i++) {
		rest -= record->call[i].seconds_sum / record->placement.size;
		if (record->call[i].mode != TMAP_BLOCKING)
			untimed.call[untimed.call_count++] = record->call[i];
	}
	status = predict(&predicted, &untimed, library, profile, err);
	free(untimed.call);
	if (status == 0)
		*run = (struct tmap_run_time){ .recorded_s = record->seconds,
					       .computing_s = fmax(0, rest - predicted) };
	return status;
}
