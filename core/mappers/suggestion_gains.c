/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/suggestion.h"

#include "core/cost/profile_same.h"

#include <math.h>

double tmap_suggestion_saved(const struct tmap_suggestion *s, enum tmap_goal goal)
{
	double before = tmap_evaluation_value(&s->state[TMAP_LAUNCHED].evaluation, goal);
	double after = tmap_evaluation_value(&s->state[TMAP_SUGGESTED].evaluation, goal);

	if (before > 0)
		return (before - after) / before;
	return after > 0 ? -INFINITY : 0;
}

bool tmap_suggestion_is_worth_it(const struct tmap_suggestion *s)
{
	double gain = s->robust.machines ? s->robust.mean : s->gain;
	double least = s->robust.machines ? s->robust.least : s->gain;
	bool gains = false, rises = gain < -TMAP_LEAST_GAIN;

	if (gain > 0 && tmap_robust_convinces(least, gain, s->minimum_gain))
		return true;
	if (s->robust.is_simple && least >= 0 && gain > 0 && gain >= s->minimum_gain)
		return true;
	if (s->robust.machines && s->profile->reason == TMAP_PROFILE_BY_ADAPTER && s->gain > 0 &&
	    tmap_robust_convinces(gain, s->gain, s->minimum_gain))
		return true;
	if (s->robust.machines) /* whose other values are those of one of them */
		return false;
	for (int i = 0; i < TMAP_GOAL_COUNT && s->has_traffic; i++) {
		double saved = tmap_suggestion_saved(s, (enum tmap_goal)i);

		gains = gains || (i != (int)s->goal && saved > 0 && saved >= s->minimum_gain);
		rises = rises || (i != (int)s->goal && -saved >= TMAP_LEAST_GAIN);
	}
	return gains && !rises;
}

/* What is saved of the time by other costs. */
static int other_gain(double *gain, const struct tmap_suggestion *s,
		      const struct tmap_suggestion_request *request,
		      const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_criteria criteria = request->criteria;
	struct tmap_evaluation before = { 0 }, after = { 0 };

	criteria.profile = profile;
	if (tmap_objective_evaluate_placement(&before, s->before, request->traffic, &criteria,
					      err) < 0 ||
	    tmap_objective_evaluate_placement(&after, &s->after, request->traffic, &criteria, err) <
		    0)
		return -1;
	*gain = before.seconds > 0 ? (before.seconds - after.seconds) / before.seconds : 0;
	return 0;
}

int tmap_suggestion_ask_others(struct tmap_suggestion *s,
			       const struct tmap_suggestion_request *request,
			       struct tmap_error *err)
{
	const struct tmap_profile *profile;
	int next = 0;

	s->others_count = 0;
	if (!request->traffic || s->goal != TMAP_GOAL_SECONDS || s->is_kept ||
	    s->after.size != s->before->size ||
	    (!s->robust.machines && s->after.size > TMAP_SUGGESTION_OTHERS_MOST_RANKS))
		return 0;
	while (s->others_count < TMAP_SUGGESTION_OTHERS_MOST &&
	       (profile = tmap_profile_next_other(s->profile, &next))) {
		struct tmap_other_gain *other = &s->others[s->others_count];

		other->profile = profile;
		if (s->robust.machines) /* which has been asked already */
			other->gain = s->robust.gain[next - 1];
		else if (other_gain(&other->gain, s, request, other->profile, err) < 0)
			return -1;
		s->others_count++;
	}
	return 0;
}

int tmap_suggestion_simple(const struct tmap_suggestion *s)
{
	double least = (1 + TMAP_LEAST_GAIN) *
		tmap_evaluation_value(&s->state[TMAP_SUGGESTED].evaluation, s->goal);
	int best = TMAP_NONE;

	for (int i = TMAP_BLOCK; i < TMAP_STATE_COUNT; i++) {
		double value = tmap_evaluation_value(&s->state[i].evaluation, s->goal);

		if (s->robust.machines && !s->robust.simple_holds[i - TMAP_BLOCK])
			continue;
		if (s->state[i].placement.size && value <= least &&
		    (best == TMAP_NONE || value < least)) {
			least = value;
			best = i;
		}
	}
	return s->gain < TMAP_LEAST_GAIN ? TMAP_NONE : best;
}
