/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/robust.h"

#include "core/base/mem.h"
#include "core/cost/profile_vary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIMPLE = 3, /* candidates: as launched, block, cyclic */
	SEARCHES_MOST = 5,
	SEARCHES_LARGE = 2, /* of jobs that have no variations */
	CANDIDATES_MOST = SIMPLE + SEARCHES_MOST,
	SHARE = 10, /* a search after the first has so much less of the budget */
};

/* Up to this two ratios are as good. */
static const double slack = 1 + TMAP_ROBUST_HARM;

/* A mapping that may be taken. */
struct candidate {
	struct tmap_mapping
		mapping;    /* no slots: as launched, where that is no mapping of the slots */
	int twin;           /* the candidate before that is the same mapping, or TMAP_NONE */
	double *seconds;    /* [costs] */
	double worst, mean; /* ratio to the best simple one, over all costs */
	int worst_costs;
	double harm; /* the largest ratio to the longest time that it may take, */
	int harm_costs;
	bool is_harmless;
};

struct judging {
	const struct tmap_robust_request *request;
	int machines, costs, searches;
	int *number;                   /* [costs]: variation x machines + row of tmap_profiles */
	double own_s[CANDIDATES_MOST]; /* by the objective's costs */
	double *best_s;                /* [costs]: of the simple ones */
	int count;
	struct candidate candidate[CANDIDATES_MOST]; /* as launched first */
	int panel_costs[SEARCHES_MOST];
	struct tmap_profile_varied panel_profile[SEARCHES_MOST];
	struct tmap_criteria panel_criteria[SEARCHES_MOST];
	struct tmap_objective panel_member[SEARCHES_MOST];
	double panel_scale[SEARCHES_MOST], panel_limit_s[SEARCHES_MOST];
	struct tmap_panel panel;
};

/* Costs number @p costs: all profiles as they are come first. */
static int costs_make(struct tmap_profile_varied *varied, struct tmap_criteria *criteria,
		      const struct judging *j, int costs, struct tmap_error *err)
{
	*criteria = *j->request->objective->criteria;
	criteria->only_goal = true;
	criteria->profile = &varied->profile;
	return tmap_profile_vary(varied, tmap_profile_at(j->number[costs] % j->machines),
				 j->number[costs] / j->machines, err);
}

/* The costs that are asked: as many as fit into a budget, but all profiles. */
static int costs_list(struct judging *j, struct tmap_error *err)
{
	const struct tmap_objective *objective = j->request->objective;
	int64_t budget = j->request->effort > TMAP_EFFORT ? j->request->effort : TMAP_EFFORT;
	int64_t each = CANDIDATES_MOST *
		(3 * objective->messages + 8 * (int64_t)objective->slots->placement->size);
	int most = j->machines * tmap_profile_variations();

	j->number = tmap_alloc((size_t)most, sizeof *j->number, err);
	if (!j->number)
		return -1;
	for (int n = 0; n < most && (n < j->machines || budget / each > j->costs); n++) {
		const struct tmap_profile *profile = tmap_profile_at(n % j->machines);
		struct tmap_profile_varied varied;
		int status = tmap_profile_vary(&varied, profile, n / j->machines, err);

		if (status == 0 && tmap_profile_varied_is_plausible(&varied, profile))
			j->number[j->costs++] = n;
		tmap_profile_varied_fini(&varied);
		if (status < 0)
			return -1;
	}
	j->searches = budget / each > j->machines ? SEARCHES_MOST : SEARCHES_LARGE;
	return 0;
}

static int find_twin(const struct judging *j, int index)
{
	const struct tmap_mapping *mapping = &j->candidate[index].mapping;

	for (int i = 0; i < index && mapping->slot_of; i++)
		if (j->candidate[i].mapping.slot_of &&
		    memcmp(j->candidate[i].mapping.slot_of, mapping->slot_of,
			   (size_t)mapping->size * sizeof *mapping->slot_of) == 0)
			return i;
	return TMAP_NONE;
}

static int candidate_evaluate(double *seconds, const struct candidate *candidate,
			      struct tmap_objective *objective, const struct tmap_placement *before,
			      struct tmap_error *err)
{
	struct tmap_evaluation evaluation = { 0 };
	int status = candidate->mapping.slot_of ?
		tmap_objective_evaluate_some(&evaluation, objective, candidate->mapping.slot_of,
					     TMAP_EVALUATE_SECONDS, err) :
		tmap_objective_evaluate_placement(&evaluation, before, objective->traffic,
						  objective->criteria, err);

	*seconds = evaluation.seconds;
	return status;
}

/* The candidates from @p first on, by all costs. */
static int judging_evaluate(struct judging *j, int first, struct tmap_error *err)
{
	const struct tmap_objective *own = j->request->objective;
	int status = 0;

	for (int i = first; i < j->count; i++) {
		j->candidate[i].seconds =
			tmap_alloc((size_t)j->costs, sizeof *j->candidate[i].seconds, err);
		if (!j->candidate[i].seconds)
			return -1;
		j->candidate[i].twin = find_twin(j, i);
	}
	for (int c = 0; c < j->costs && status == 0; c++) {
		struct tmap_profile_varied varied = { 0 };
		struct tmap_criteria criteria;
		struct tmap_objective objective = { 0 };

		status = costs_make(&varied, &criteria, j, c, err);
		if (status == 0)
			status = tmap_objective_init(&objective, own->slots, own->traffic,
						     &criteria, err);
		for (int i = first; i < j->count && status == 0; i++) {
			struct candidate *it = &j->candidate[i];

			if (it->twin != TMAP_NONE)
				it->seconds[c] = j->candidate[it->twin].seconds[c];
			else
				status = candidate_evaluate(&it->seconds[c], it, &objective,
							    j->request->before, err);
		}
		tmap_objective_fini(&objective);
		tmap_profile_varied_fini(&varied);
	}
	for (int i = first; i < j->count && status == 0; i++)
		if (j->candidate[i].twin != TMAP_NONE)
			j->own_s[i] = j->own_s[j->candidate[i].twin];
		else
			status = candidate_evaluate(&j->own_s[i], &j->candidate[i],
						    j->request->objective, j->request->before, err);
	return status;
}

/* By these costs no mapping may take longer; where ranks cannot stay there is no such time. */
static double limit_of(const struct judging *j, int costs)
{
	double harm = j->number[costs] < j->machines ? TMAP_ROBUST_HARM : TMAP_ROBUST_HARM_VARIED;

	return j->request->can_stay ? (1 + harm) * j->candidate[0].seconds[costs] : INFINITY;
}

/* Its ratios; what takes no time by some costs takes none by these whatever the mapping. */
static void candidate_judge(struct candidate *it, const struct judging *j)
{
	double sum = 0;

	it->worst = it->harm = 0;
	for (int c = 0; c < j->costs; c++) {
		double ratio = j->best_s[c] > 0 ? it->seconds[c] / j->best_s[c] : 1;
		double limit = limit_of(j, c), harm = limit > 0 ? it->seconds[c] / limit : 0;

		sum += log(ratio > 0 ? ratio : 1);
		if (ratio > it->worst) {
			it->worst = ratio;
			it->worst_costs = c;
		}
		if (harm > it->harm) {
			it->harm = harm;
			it->harm_costs = c;
		}
	}
	it->mean = exp(sum / j->costs);
	it->is_harmless = it->harm <= 1;
}

static int judging_map(struct judging *j, int mapper, int64_t effort, struct tmap_error *err)
{
	const struct tmap_robust_request *request = j->request;
	struct candidate *candidate = &j->candidate[j->count];

	if (tmap_map(&candidate->mapping, request->objective, mapper, effort, request->seed,
		     request->progress, err) < 0)
		return -1;
	j->count++;
	return 0;
}

/* As launched, and what launchers do by themselves. */
static int judging_add_simple(struct judging *j, struct tmap_error *err)
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

/* The candidates from @p first on; the simple ones, which the others are compared with, are among the
 * first that are judged. */
static int judging_judge(struct judging *j, int first, struct tmap_error *err)
{
	if (judging_evaluate(j, first, err) < 0)
		return -1;
	for (int c = 0; c < j->costs && first == 0; c++)
		for (int i = 0; i < SIMPLE; i++)
			if (i == 0 || j->candidate[i].seconds[c] < j->best_s[c])
				j->best_s[c] = j->candidate[i].seconds[c];
	for (int i = first; i < j->count; i++)
		candidate_judge(&j->candidate[i], j);
	return 0;
}

/* From now on the search minds these costs, too. */
static int judging_add_to_panel(struct judging *j, int costs, struct tmap_error *err)
{
	const struct tmap_objective *own = j->request->objective;
	double own_s = j->own_s[0];
	int at = j->panel.count;

	for (int i = 1; i < SIMPLE; i++)
		own_s = fmin(own_s, j->own_s[i]);
	if (costs_make(&j->panel_profile[at], &j->panel_criteria[at], j, costs, err) < 0 ||
	    tmap_objective_init(&j->panel_member[at], own->slots, own->traffic,
				&j->panel_criteria[at], err) < 0)
		return -1;
	j->panel_costs[at] = costs;
	j->panel_scale[at] = own_s / j->best_s[costs];
	j->panel_limit_s[at] = limit_of(j, costs);
	j->panel.count++;
	return 0;
}

/* The costs that one more search should mind: those by which the last candidate does most harm, else
 * those by which it is worst; TMAP_NONE: it minded them. */
static int judging_next_costs(const struct judging *j)
{
	const struct candidate *last = &j->candidate[j->count - 1];
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

static int judging_search(struct judging *j, struct tmap_error *err)
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
		/* the costs of each batch are made anew, as kept they are an objective each */
		if (status < 0 || judging_judge(j, i ? j->count - 1 : 0, err) < 0)
			return -1;
		next = judging_next_costs(j);
	}
	return 0;
}

/* May it be taken? Block and cyclic, where all mappers were asked for. */
static bool candidate_serves(const struct judging *j, int index)
{
	if (index == 0)
		return j->request->can_stay;
	return j->candidate[index].is_harmless &&
		(index >= SIMPLE || !tmap_mapper_at(j->request->mapper)->map);
}

/* Sums of the same terms in another order are the same. */
static double gain_of(double before, double after)
{
	double gain = before > 0 ? (before - after) / before : 0;

	return fabs(gain) > 1e-9 ? gain : 0;
}

/* The best of the first @p count candidates that serve; TMAP_NONE: none does. */
static int judging_best(const struct judging *j, int count)
{
	double least = INFINITY;
	int best = TMAP_NONE;

	for (int i = 0; i < count; i++)
		if (candidate_serves(j, i))
			least = fmin(least, j->candidate[i].worst);
	for (int i = 0; i < count; i++) {
		const struct candidate *it = &j->candidate[i];

		if (candidate_serves(j, i) && it->worst <= least * slack &&
		    (best == TMAP_NONE || it->mean < j->candidate[best].mean * (1 - 1e-9)))
			best = i;
	}
	return best;
}

/* What one saves of another over the machines. */
static void gains_find(double *least, double *mean, const struct judging *j, int before, int after)
{
	*least = INFINITY;
	*mean = 0;
	for (int c = 0; c < j->machines; c++) {
		double gain =
			gain_of(j->candidate[before].seconds[c], j->candidate[after].seconds[c]);

		*least = fmin(*least, gain);
		*mean += gain / j->machines;
	}
}

/* What is there if nothing that was searched for is taken: the best simple order, unless ranks can stay
 * and it is not worth that they move. */
static int judging_plain(const struct judging *j)
{
	int simple = judging_best(j, SIMPLE);
	double least, mean;

	if (simple == TMAP_NONE || !j->request->can_stay)
		return simple;
	gains_find(&least, &mean, j, 0, simple);
	return least >= 0 && mean >= j->request->minimum_gain ? simple : 0;
}

/* Where ranks cannot stay nothing does harm, so that one is found. *unconvincing = the mean gain of what
 * is best, and not taken. */
static int judging_pick(double *unconvincing, const struct judging *j)
{
	int best = judging_best(j, j->count), plain = judging_plain(j);
	double least, mean;

	*unconvincing = 0;
	if (plain == TMAP_NONE || best < SIMPLE)
		return best;
	gains_find(&least, &mean, j, plain, best);
	if (tmap_robust_convinces(least, mean,
				  fmin(j->request->minimum_gain, TMAP_ROBUST_CONVINCING)))
		return best;
	gains_find(&least, unconvincing, j, 0, best);
	return plain;
}

static void robust_fill(struct tmap_robust *robust, const struct judging *j, int taken,
			double unconvincing)
{
	const double *before = j->candidate[0].seconds, *after = j->candidate[taken].seconds;
	int own = TMAP_NONE;

	*robust = (struct tmap_robust){ .machines = j->machines,
					.costs = j->costs,
					.variations = j->number[j->costs - 1] / j->machines,
					.unconvincing_mean = unconvincing,
					.varied = { INFINITY, -INFINITY } };
	for (int c = 0; c < j->costs; c++) {
		double gain = gain_of(before[c], after[c]);

		robust->varied.least = fmin(robust->varied.least, gain);
		robust->varied.most = fmax(robust->varied.most, gain);
		if (c < j->machines)
			robust->gain[c] = gain;
	}
	gains_find(&robust->least, &robust->mean, j, 0, taken);
	robust->is_simple = taken < SIMPLE;
	for (int i = 1; i < SIMPLE; i++)
		robust->simple_holds[i - 1] = j->candidate[i].is_harmless &&
			j->candidate[i].worst <= j->candidate[taken].worst * slack;
	for (int i = SIMPLE; i < j->count; i++)
		if (!j->candidate[i].is_harmless && j->own_s[i] < j->own_s[taken] * (1 - 1e-9) &&
		    (own == TMAP_NONE || j->own_s[i] < j->own_s[own]))
			own = i;
	if (own == TMAP_NONE)
		return;
	robust->has_refused = true;
	robust->refused_gain = gain_of(j->own_s[0], j->own_s[own]);
	robust->refused_loss = -gain_of(before[j->candidate[own].harm_costs],
					j->candidate[own].seconds[j->candidate[own].harm_costs]);
	robust->refused_machine = j->number[j->candidate[own].harm_costs] % j->machines;
	robust->refused_variation = j->number[j->candidate[own].harm_costs] / j->machines;
}

static int judging_run(struct judging *j, struct tmap_mapping *mapping, struct tmap_robust *robust,
		       struct tmap_error *err)
{
	double unconvincing;
	int taken;

	while (tmap_keywords_at(&tmap_profiles, (size_t)j->machines) &&
	       j->machines < TMAP_ROBUST_MACHINES_MOST)
		j->machines++;
	if (costs_list(j, err) < 0)
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
	struct judging j = { .request = request };
	int status;

	j.panel = (struct tmap_panel){ 0, j.panel_member, j.panel_scale, j.panel_limit_s };
	status = judging_run(&j, mapping, robust, err);
	for (int i = 0; i < CANDIDATES_MOST; i++) {
		tmap_mapping_fini(&j.candidate[i].mapping);
		free(j.candidate[i].seconds);
	}
	for (int i = 0; i < SEARCHES_MOST; i++) {
		tmap_objective_fini(&j.panel_member[i]);
		tmap_profile_varied_fini(&j.panel_profile[i]);
	}
	free(j.best_s);
	free(j.number);
	return status;
}
