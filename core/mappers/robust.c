/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/robust.h"

#include "core/base/mem.h"
#include "core/mappers/robust_judging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A search after the first has so much less of the budget. */
enum { SHARE = 10 };

/* Up to this two ratios are as good. */
static const double slack = 1 + TMAP_ROBUST_HARM;

static int judging_map(struct tmap_judging *j, int mapper, int64_t effort, struct tmap_error *err)
{
	const struct tmap_robust_request *request = j->request;
	struct tmap_robust_candidate *candidate = &j->candidate[j->count];

	if (tmap_map(&candidate->mapping, request->objective, mapper, effort, request->seed,
		     request->progress, err) < 0)
		return -1;
	j->count++;
	return 0;
}

/* As launched, and what launchers do by themselves. */
static int judging_add_simple(struct tmap_judging *j, struct tmap_error *err)
{
	static const char *const names[] = { "block", "cyclic", NULL };
	const struct tmap_slots *slots = j->request->objective->slots;
	struct tmap_mapping *launched = &j->candidate[0].mapping;
	bool on_slots = true;

	j->count = 1;
	launched->mapper = tmap_keywords_find(&tmap_mappers, "identity", err);
	launched->size = slots->rank_count;
	for (int r = 0; r < slots->rank_count; r++)
		on_slots = on_slots && slots->now[r] != TMAP_NONE;
	if (on_slots) {
		launched->slot_of =
			tmap_alloc_raw((size_t)slots->rank_count, sizeof *launched->slot_of, err);
		if (!launched->slot_of)
			return -1;
		memcpy(launched->slot_of, slots->now,
		       (size_t)slots->rank_count * sizeof *launched->slot_of);
	}
	for (int i = 0; names[i]; i++)
		if (judging_map(j, tmap_keywords_find(&tmap_mappers, names[i], err), 0, err) < 0)
			return -1;
	return 0;
}

/* From now on the search minds these costs, too. */
static int judging_add_to_panel(struct tmap_judging *j, int costs, struct tmap_error *err)
{
	const struct tmap_objective *own = j->request->objective;
	double own_s = j->own_s[0];
	int at = j->panel.count;

	for (int i = 1; i < TMAP_ROBUST_SIMPLE; i++)
		own_s = fmin(own_s, j->own_s[i]);
	if (tmap_judging_make_costs(&j->panel_profile[at], &j->panel_criteria[at], j, costs, err) <
		    0 ||
	    tmap_objective_init(&j->panel_member[at], own->slots, own->traffic,
				&j->panel_criteria[at], err) < 0)
		return -1;
	j->panel_costs[at] = costs;
	j->panel_scale[at] = own_s / j->best_s[costs];
	j->panel_limit_s[at] = tmap_judging_limit(j, costs);
	j->panel.count++;
	return 0;
}

/* The costs that one more search should mind: those by which the last candidate does most harm, else
 * those by which it is worst; TMAP_NONE: it minded them. */
static int judging_next_costs(const struct tmap_judging *j)
{
	const struct tmap_robust_candidate *last = &j->candidate[j->count - 1];
	int next = last->is_harmless ? last->worst_costs : last->harm_costs;

	if (j->best_s[next] <= 0)
		return TMAP_NONE;
	for (int i = 0; i < j->panel.count; i++)
		if (j->panel_costs[i] == next ||
		    (last->is_harmless &&
		     last->seconds[j->panel_costs[i]] * slack >=
			     last->worst * j->best_s[j->panel_costs[i]]))
			return TMAP_NONE;
	return next;
}

static int judging_search(struct tmap_judging *j, struct tmap_error *err)
{
	struct tmap_objective *objective = j->request->objective;
	int64_t messages = objective->messages, effort = j->request->effort;
	int next = 0;

	for (int i = 0; i < j->searches && next != TMAP_NONE; i++) {
		int status;

		if (i > 0) {
			if (judging_add_to_panel(j, next, err) < 0)
				return -1;
			tmap_objective_set_panel(objective, &j->panel);
		}
		status = judging_map(j, j->request->mapper, i ? effort / SHARE : effort, err);
		objective->panel = NULL;
		objective->messages = messages;
		if (status < 0 || tmap_judging_judge(j, i ? j->count - 1 : 0, err) < 0)
			return -1;
		next = judging_next_costs(j);
	}
	return 0;
}

/* May it be taken? Block and cyclic, where all mappers were asked for. */
static bool candidate_serves(const struct tmap_judging *j, int index)
{
	if (index == 0)
		return j->request->can_stay;
	return j->candidate[index].is_harmless &&
		(index >= TMAP_ROBUST_SIMPLE || !tmap_mapper_at(j->request->mapper)->map);
}

/* The best of the first @p count candidates that serve; TMAP_NONE: none does. */
static int judging_best(const struct tmap_judging *j, int count)
{
	double least = INFINITY;
	int best = TMAP_NONE;

	for (int i = 0; i < count; i++)
		if (candidate_serves(j, i))
			least = fmin(least, j->candidate[i].worst);
	for (int i = 0; i < count; i++) {
		const struct tmap_robust_candidate *it = &j->candidate[i];

		if (candidate_serves(j, i) && it->worst <= least * slack &&
		    (best == TMAP_NONE || it->mean < j->candidate[best].mean * (1 - 1e-9)))
			best = i;
	}
	return best;
}

/* What is there if nothing that was searched for is taken: the best simple order, unless ranks can stay
 * and it is not worth that they move. */
static int judging_plain(const struct tmap_judging *j)
{
	int simple = judging_best(j, TMAP_ROBUST_SIMPLE);
	double least, mean;

	if (simple == TMAP_NONE || !j->request->can_stay)
		return simple;
	tmap_judging_gains(&least, &mean, j, 0, simple);
	return least >= 0 && mean >= j->request->minimum_gain ? simple : 0;
}

/* Where ranks cannot stay nothing does harm, so that one is found. *unconvincing = the mean gain of what
 * is best, and not taken. */
static int judging_pick(double *unconvincing, const struct tmap_judging *j)
{
	int best = judging_best(j, j->count), plain = judging_plain(j);
	double least, mean;

	*unconvincing = 0;
	if (plain == TMAP_NONE || best < TMAP_ROBUST_SIMPLE)
		return best;
	tmap_judging_gains(&least, &mean, j, plain, best);
	if (tmap_robust_convinces(least, mean,
				  fmin(j->request->minimum_gain, TMAP_ROBUST_CONVINCING)))
		return best;
	tmap_judging_gains(&least, unconvincing, j, 0, best);
	return plain;
}

static void robust_fill(struct tmap_robust *robust, const struct tmap_judging *j, int taken,
			double unconvincing)
{
	const double *before = j->candidate[0].seconds, *after = j->candidate[taken].seconds;

	*robust = (struct tmap_robust){ .machines = j->machines,
					.costs = j->costs,
					.variations = j->number[j->costs - 1] / j->machines,
					.unconvincing_mean = unconvincing,
					.varied = { INFINITY, -INFINITY } };
	for (int c = 0; c < j->costs; c++) {
		double gain = tmap_judging_gain(before[c], after[c]);

		robust->varied.least = fmin(robust->varied.least, gain);
		robust->varied.most = fmax(robust->varied.most, gain);
		if (c < j->machines)
			robust->gain[c] = gain;
	}
	tmap_judging_gains(&robust->least, &robust->mean, j, 0, taken);
	robust->is_simple = taken < TMAP_ROBUST_SIMPLE;
	for (int i = 1; i < TMAP_ROBUST_SIMPLE; i++)
		robust->simple_holds[i - 1] = j->candidate[i].is_harmless &&
			j->candidate[i].worst <= j->candidate[taken].worst * slack;
	tmap_judging_fill_others(robust->other, j, taken);
}

static int judging_run(struct tmap_judging *j, struct tmap_mapping *mapping,
		       struct tmap_robust *robust, struct tmap_error *err)
{
	double unconvincing;
	int taken;

	while (tmap_keywords_at(&tmap_profiles, (size_t)j->machines) &&
	       j->machines < TMAP_ROBUST_MACHINES_MOST)
		j->machines++;
	if (tmap_judging_list_costs(j, err) < 0)
		return -1;
	j->best_s = tmap_alloc((size_t)j->costs, sizeof *j->best_s, err);
	if (!j->best_s || judging_add_simple(j, err) < 0 || judging_search(j, err) < 0)
		return -1;
	taken = judging_pick(&unconvincing, j);
	robust_fill(robust, j, taken, unconvincing);
	*mapping = j->candidate[taken].mapping;
	j->candidate[taken].mapping = (struct tmap_mapping){ 0 };
	return tmap_objective_evaluate(&mapping->evaluation, j->request->objective,
				       mapping->slot_of, err);
}

int tmap_robust_map(struct tmap_mapping *mapping, struct tmap_robust *robust,
		    const struct tmap_robust_request *request, struct tmap_error *err)
{
	struct tmap_judging j = { .request = request };
	int status;

	j.panel = (struct tmap_panel){ 0, j.panel_member, j.panel_scale, j.panel_limit_s };
	status = judging_run(&j, mapping, robust, err);
	for (int i = 0; i < TMAP_ROBUST_CANDIDATES_MOST; i++) {
		tmap_mapping_fini(&j.candidate[i].mapping);
		tmap_alike_fini(&j.candidate[i].alike);
		free(j.candidate[i].seconds);
	}
	for (int i = 0; i < TMAP_ROBUST_SEARCHES_MOST; i++) {
		tmap_objective_fini(&j.panel_member[i]);
		tmap_profile_varied_fini(&j.panel_profile[i]);
	}
	free(j.best_s);
	free(j.number);
	return status;
}
