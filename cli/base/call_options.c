/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/call_options.h"

#include "cli/base/other_file.h"
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
	if (tmap_profile_choose(choice, name, placement->machine, err) < 0) {
		tmap_refuse_other_file(TMAP_FILE_PROFILE, err);
		return tmap_wrap(err, "--profile");
	}
	return choice->profile.is_published ? 0 : find_span(&choice->profile, placement, err);
}
