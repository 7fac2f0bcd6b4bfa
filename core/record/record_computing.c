/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_computing.h"

#include "core/base/mem.h"
#include "core/record/record_traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Those of the record's calls that block, or the others. */
static void calls_pick(struct tmap_record *picked, const struct tmap_record *record,
		       bool are_blocking)
{
	picked->call_count = 0;
	for (int i = 0; i < record->call_count; i++)
		if ((record->call[i].mode == TMAP_BLOCKING) == are_blocking)
			picked->call[picked->call_count++] = record->call[i];
}

int tmap_record_run_time(struct tmap_run_time *run, const struct tmap_record *record, int library,
			 const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_record part = *record; /* borrows all but the list of its calls */
	double taken = 0, explained = 0, untimed, rest;
	int status;

	part.call = tmap_alloc((size_t)record->call_count, sizeof *part.call, err);
	if (!part.call)
		return -1;
	calls_pick(&part, record, false);
	status = predict(&untimed, &part, library, profile, err);
	calls_pick(&part, record, true);
	for (int i = 0; i < part.call_count; i++)
		taken += part.call[i].seconds_sum / record->placement.size;
	memset(part.sent, 0, sizeof part.sent);
	if (status == 0)
		status = predict(&explained, &part, library, profile, err);
	free(part.call);
	rest = record->seconds - taken - untimed;
	if (status == 0)
		*run = (struct tmap_run_time){
			.recorded_s = record->seconds,
			.computing_s = fmax(0, rest),
			.waiting_s = fmin(fmax(0, taken - TMAP_RUN_EXPLAINED * explained),
					  record->seconds - fmax(0, rest)),
			.exceeds = rest < 0,
		};
	return status;
}
