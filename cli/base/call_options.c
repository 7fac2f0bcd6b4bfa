/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/call_options.h"

#include "cli/base/other_file.h"
#include "core/cost/profile_trust.h"
#include "core/distance/distance.h"

#include <stdlib.h>

/* The least and the largest distance of two ranks. */
static int find_span(struct tmap_profile *profile, const struct tmap_placement *placement,
		     struct tmap_error *err)
{
	struct tmap_metric metric = { 0 };
	int64_t *pairs = NULL;

	if (tmap_metric_init(&metric, placement, TMAP_SCALE_PROCESS, err) == 0)
		pairs = tmap_metric_count_pairs(&metric, err);
	for (int s = 0; pairs && s < metric.step_count; s++) {
		if (!pairs[s])
			continue;
		if (!profile->job_most)
			profile->job_least = (int)metric.step[s].value;
		profile->job_most = (int)metric.step[s].value;
	}
	tmap_metric_fini(&metric);
	free(pairs);
	return pairs ? 0 : -1;
}

int tmap_profile_option(struct tmap_profile_request *choice, const char *name,
			const struct tmap_placement *placement, struct tmap_error *err)
{
	const char *variable = name ? NULL : getenv(TMAP_PROFILE_VARIABLE);
	bool is_named = variable && *variable;

	if (tmap_profile_choose(choice, is_named ? variable : name, placement->machine, err) < 0) {
		tmap_refuse_other_file(TMAP_FILE_PROFILE, err);
		return tmap_wrap(err, is_named ? TMAP_PROFILE_VARIABLE : "--profile");
	}
	if (is_named)
		choice->profile.reason = TMAP_PROFILE_BY_VARIABLE;
	if (tmap_profile_compare_placement(&choice->profile, placement, err) < 0)
		return -1;
	return choice->profile.is_published ? 0 : find_span(&choice->profile, placement, err);
}
