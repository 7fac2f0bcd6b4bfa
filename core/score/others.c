/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/score/others.h"

#include "core/base/mem.h"
#include "core/cost/profile_same.h"

#include <stdlib.h>

void tmap_others_fini(struct tmap_others *others)
{
	free(others->other);
	*others = (struct tmap_others){ 0 };
}

/* Rows stand best first, and of equals the first one is kept. */
static int other_fill(struct tmap_other *other, const struct tmap_score *score,
		      struct tmap_error *err)
{
	struct tmap_cost_model model = { 0 };
	double first = 0, best = 0;
	int status = tmap_cost_model_init(&model, score->placement, &score->metric, &score->levels,
					  other->profile, err);

	for (int i = 0; i < score->applicable && status == 0; i++) {
		double seconds;

		status = tmap_cost(&seconds, &model, &score->row[i].call, err);
		if (status < 0)
			break;
		if (i == 0)
			first = best = seconds;
		if (seconds < best) {
			best = seconds;
			other->best = i;
		}
	}
	other->slower = best > 0 ? first / best : 1;
	tmap_cost_model_fini(&model);
	return status;
}

int tmap_others_init(struct tmap_others *others, const struct tmap_score *score,
		     struct tmap_error *err)
{
	struct tmap_others made = { 0 };
	const struct tmap_profile *profile;
	int published = 0, next = 0;

	while (tmap_keywords_at(&tmap_profiles, (size_t)published))
		published++;
	made.other = tmap_alloc((size_t)published, sizeof *made.other, err);
	if (!made.other)
		return -1;
	while ((profile = tmap_profile_next_other(score->profile, &next))) {
		struct tmap_other other = { .profile = profile };

		if (other_fill(&other, score, err) < 0) {
			tmap_others_fini(&made);
			return -1;
		}
		made.asked++;
		if (other.slower > TMAP_OTHERS_TOLERANCE)
			made.other[made.count++] = other;
	}
	*others = made;
	return 0;
}
