/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/suggestion.h"

#include <math.h>

/* Up to this part, two values differ by rounding errors only. */
static const double rounding = 1e-9;

/* What is printed as 0 %. */
static const double nothing = 0.0005;

/* Whose costs speak against a mapping that was judged by all. */
static void passed_explain(struct tmap_passed *it, const struct tmap_suggestion *s,
			   const struct tmap_robust_other *other)
{
	bool is_beside_launched = !other->is_harmless || s->is_kept;

	it->loss = is_beside_launched ? other->beside_launched : other->beside_taken;
	it->mean = other->mean;
	it->reason = it->loss.part < nothing ? TMAP_PASSED_LITTLE :
		is_beside_launched           ? TMAP_PASSED_HARMFUL :
					       TMAP_PASSED_WORSE;
}

static double state_gain(const struct tmap_suggestion *s, enum tmap_state_name name)
{
	double before = tmap_evaluation_value(&s->state[TMAP_LAUNCHED].evaluation, s->goal);
	double after = tmap_evaluation_value(&s->state[name].evaluation, s->goal);

	return before > 0 ? (before - after) / before : 0;
}

/* Is so much more saved that it must be said? */
static bool gain_is_passed(double gain, const struct tmap_suggestion *s)
{
	return gain - s->gain > rounding && gain - s->gain >= s->minimum_gain;
}

static bool passed_find_simple(struct tmap_passed *it, const struct tmap_suggestion *s,
			       enum tmap_state_name name)
{
	const struct tmap_robust_other *other = &s->robust.other[name - TMAP_BLOCK];
	bool was_chosen = tmap_mapper_at(s->mapper)->map != NULL;

	*it = (struct tmap_passed){ .name = name,
				    .reason = was_chosen ? TMAP_PASSED_MAPPER : TMAP_PASSED_EFFORT,
				    .gain = state_gain(s, name) };
	if (!s->state[name].placement.size || !gain_is_passed(it->gain, s))
		return false;
	if (other->is_there && !(other->is_harmless && was_chosen))
		passed_explain(it, s, other);
	return true;
}

/* Not if it is as good as one of those before: that says enough. */
static bool passed_find_searched(struct tmap_passed *it, const struct tmap_suggestion *s,
				 const struct tmap_passed *before, int count)
{
	const struct tmap_robust_other *other = &s->robust.other[TMAP_ROBUST_SEARCHED];

	for (int i = 0; i < count; i++)
		if (fabs(before[i].gain - other->own_gain) <= rounding)
			return false;
	*it = (struct tmap_passed){ .name = TMAP_STATE_COUNT, .gain = other->own_gain };
	if (!other->is_there ||
	    !(other->is_harmless ? gain_is_passed(it->gain, s) : it->gain - s->gain > rounding))
		return false;
	passed_explain(it, s, other);
	return true;
}

int tmap_suggestion_find_passed(struct tmap_passed passed[TMAP_PASSED_MOST],
				const struct tmap_suggestion *s)
{
	int count = 0;

	if (!tmap_mapper_at(s->mapper)->moves)
		return 0;
	for (enum tmap_state_name name = TMAP_BLOCK; name <= TMAP_CYCLIC; name++)
		count += passed_find_simple(&passed[count], s, name);
	return count + passed_find_searched(&passed[count], s, passed, count);
}
