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

int tmap_others_add(struct tmap_others *others, const struct tmap_profile *profile, double chosen_s,
		    const char *best, double best_s, struct tmap_error *err)
{
	double slower = best_s > 0 ? chosen_s / best_s : 1;

	bool is_else = slower > TMAP_OTHERS_TOLERANCE;

	if (tmap_grow(&others->other, &others->capacity, (size_t)others->asked + 1,
		      sizeof *others->other, err) < 0)
		return -1;
	others->other[others->asked] = (struct tmap_other){ .profile = profile,
							    .best = is_else ? best : others->chosen,
							    .best_s = is_else ? best_s : chosen_s,
							    .chosen_s = chosen_s,
							    .slower = slower,
							    .is_else = is_else };
	others->count += is_else;
	if (!others->asked || chosen_s < others->least_s) {
		others->least = profile;
		others->least_s = chosen_s;
	}
	if (!others->asked || chosen_s > others->most_s) {
		others->most = profile;
		others->most_s = chosen_s;
	}
	others->asked++;
	return 0;
}

/* What takes no time, as nothing is sent, takes none by any costs. */
static void others_end(struct tmap_others *others)
{
	if (others->most_s <= 0)
		others->asked = others->count = 0;
}

/* Rows stand best first, and of equals the first one is kept. */
static int others_ask(struct tmap_others *others, const struct tmap_score *score,
		      const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_cost_model model = { 0 };
	double chosen = 0, best = 0;
	int row = 0,
	    status = tmap_cost_model_init(&model, score->placement, &score->metric, &score->levels,
					  profile, err);

	for (int i = 0; i < score->applicable && status == 0; i++) {
		double seconds;

		status = tmap_cost(&seconds, &model, &score->row[i].call, err);
		if (status < 0)
			break;
		if (i == 0)
			chosen = best = seconds;
		if (seconds < best) {
			best = seconds;
			row = i;
		}
	}
	if (status == 0)
		status = tmap_others_add(others, profile, chosen, score->row[row].name, best, err);
	tmap_cost_model_fini(&model);
	return status;
}

int tmap_others_of_score(struct tmap_others *others, const struct tmap_score *score,
			 struct tmap_error *err)
{
	struct tmap_others made = { .candidates = score->applicable };
	const struct tmap_profile *profile;
	int next = 0;

	if (score->applicable)
		made.chosen = score->row[0].name;
	while (score->applicable && (profile = tmap_profile_next_other(score->profile, &next)))
		if (others_ask(&made, score, profile, err) < 0) {
			tmap_others_fini(&made);
			return -1;
		}
	others_end(&made);
	*others = made;
	return 0;
}

/* The row that takes least by the profile of number @p other, or by the own one: TMAP_NONE. A row that
 * is there takes its time by every profile, so each finds one where any does. */
static int baselines_find_best(const struct tmap_baselines *baselines, int other)
{
	double least = 0;
	int best = TMAP_NONE;

	for (int i = 0; i < baselines->count; i++) {
		const struct tmap_baseline *row = &baselines->row[i];
		double seconds;

		if (row->reason)
			continue;
		seconds = other == TMAP_NONE ? row->totals.cost.seconds : row->other_s[other];
		if (best == TMAP_NONE || seconds < least) {
			best = i;
			least = seconds;
		}
	}
	return best;
}

int tmap_others_of_baselines(struct tmap_others *others, const struct tmap_baselines *baselines,
			     struct tmap_error *err)
{
	int chosen = baselines_find_best(baselines, TMAP_NONE);
	struct tmap_others made = { 0 };

	if (chosen == TMAP_NONE) {
		*others = made;
		return 0;
	}
	made.chosen = baselines->row[chosen].name;
	for (int i = 0; i < baselines->count; i++)
		made.candidates += !baselines->row[i].reason;
	for (int o = 0; o < baselines->other_count; o++) {
		const struct tmap_baseline *best =
			&baselines->row[baselines_find_best(baselines, o)];

		if (tmap_others_add(&made, baselines->other[o].profile,
				    baselines->row[chosen].other_s[o], best->name, best->other_s[o],
				    err) < 0) {
			tmap_others_fini(&made);
			return -1;
		}
	}
	others_end(&made);
	*others = made;
	return 0;
}
