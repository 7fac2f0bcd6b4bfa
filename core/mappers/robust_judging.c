/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/robust_judging.h"

#include "core/base/mem.h"

#include <math.h>
#include <string.h>

enum { SEARCHES_LARGE = 2 /* of jobs that have no variations */ };

int tmap_judging_make_costs(struct tmap_profile_varied *varied, struct tmap_criteria *criteria,
			    const struct tmap_judging *j, int costs, struct tmap_error *err)
{
	*criteria = *j->request->objective->criteria;
	criteria->only_goal = criteria->only_seconds = true;
	criteria->profile = &varied->profile;
	return tmap_profile_vary(varied, tmap_profile_at(j->number[costs] % j->machines),
				 j->number[costs] / j->machines, err);
}

/* What a large matrix is given for its search is none of it. */
static int64_t judging_budget(const struct tmap_robust_request *request)
{
	return request->effort > tmap_effort_for(request->objective) ? request->effort :
								       TMAP_EFFORT;
}

int tmap_judging_list_costs(struct tmap_judging *j, struct tmap_error *err)
{
	const struct tmap_objective *objective = j->request->objective;
	int64_t budget = judging_budget(j->request);
	int64_t each = TMAP_ROBUST_CANDIDATES_MOST *
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
	j->searches = budget / each > j->machines ? TMAP_ROBUST_SEARCHES_MOST : SEARCHES_LARGE;
	return 0;
}

static int find_twin(const struct tmap_judging *j, int index)
{
	const struct tmap_mapping *mapping = &j->candidate[index].mapping;

	for (int i = 0; i < index && mapping->slot_of; i++)
		if (j->candidate[i].mapping.slot_of &&
		    memcmp(j->candidate[i].mapping.slot_of, mapping->slot_of,
			   (size_t)mapping->size * sizeof *mapping->slot_of) == 0)
			return i;
	return TMAP_NONE;
}

/* What ranks are alike in it is found once for all costs. */
static int candidate_evaluate(double *seconds, struct tmap_robust_candidate *candidate,
			      struct tmap_objective *objective, const struct tmap_placement *before,
			      struct tmap_error *err)
{
	struct tmap_evaluation evaluation = { 0 };
	int status;

	objective->alike = &candidate->alike;
	status = candidate->mapping.slot_of ?
		tmap_objective_evaluate_some(&evaluation, objective, candidate->mapping.slot_of,
					     TMAP_EVALUATE_SECONDS, err) :
		tmap_objective_evaluate_placement(&evaluation, before, objective->traffic,
						  objective->criteria, err);
	objective->alike = NULL;
	*seconds = evaluation.seconds;
	return status;
}

/* Are these the objective's own costs? */
static bool costs_are_own(const struct tmap_judging *j, int costs)
{
	return j->number[costs] < j->machines &&
		tmap_profile_at(j->number[costs]) == j->request->objective->criteria->profile;
}

/* The candidates from @p first on by the objective's own costs. */
static int judging_evaluate_own(struct tmap_judging *j, int first, struct tmap_error *err)
{
	for (int i = first; i < j->count; i++) {
		int twin = j->candidate[i].twin;

		if (twin != TMAP_NONE)
			j->own_s[i] = j->own_s[twin];
		else if (candidate_evaluate(&j->own_s[i], &j->candidate[i], j->request->objective,
					    j->request->before, err) < 0)
			return -1;
	}
	return 0;
}

/* By one of the costs. */
static int judging_evaluate_by(struct tmap_judging *j, int first, int costs, struct tmap_error *err)
{
	const struct tmap_objective *own = j->request->objective;
	struct tmap_profile_varied varied = { 0 };
	struct tmap_criteria criteria;
	struct tmap_objective objective = { 0 };
	int status = tmap_judging_make_costs(&varied, &criteria, j, costs, err);

	if (status == 0)
		status = tmap_objective_init(&objective, own->slots, own->traffic, &criteria, err);
	for (int i = first; i < j->count && status == 0; i++) {
		struct tmap_robust_candidate *it = &j->candidate[i];

		if (it->twin != TMAP_NONE)
			it->seconds[costs] = j->candidate[it->twin].seconds[costs];
		else
			status = candidate_evaluate(&it->seconds[costs], it, &objective,
						    j->request->before, err);
	}
	tmap_objective_fini(&objective);
	tmap_profile_varied_fini(&varied);
	return status;
}

/* The candidates from @p first on, by all costs. */
static int judging_evaluate(struct tmap_judging *j, int first, struct tmap_error *err)
{
	for (int i = first; i < j->count; i++) {
		j->candidate[i].seconds =
			tmap_alloc((size_t)j->costs, sizeof *j->candidate[i].seconds, err);
		if (!j->candidate[i].seconds)
			return -1;
		j->candidate[i].twin = find_twin(j, i);
	}
	if (judging_evaluate_own(j, first, err) < 0)
		return -1;
	for (int c = 0; c < j->costs; c++) {
		if (!costs_are_own(j, c) && judging_evaluate_by(j, first, c, err) < 0)
			return -1;
		for (int i = first; i < j->count && costs_are_own(j, c); i++)
			j->candidate[i].seconds[c] = j->own_s[i];
	}
	return 0;
}

double tmap_judging_limit(const struct tmap_judging *j, int costs)
{
	double harm = j->number[costs] < j->machines ? TMAP_ROBUST_HARM : TMAP_ROBUST_HARM_VARIED;

	return j->request->can_stay ? (1 + harm) * j->candidate[0].seconds[costs] : INFINITY;
}

/* Its ratios; what takes no time by some costs takes none by these whatever the mapping. */
static void candidate_judge(struct tmap_robust_candidate *it, const struct tmap_judging *j)
{
	double sum = 0;

	it->worst = it->harm = 0;
	for (int c = 0; c < j->costs; c++) {
		double ratio = j->best_s[c] > 0 ? it->seconds[c] / j->best_s[c] : 1;
		double limit = tmap_judging_limit(j, c),
		       harm = limit > 0 ? it->seconds[c] / limit : 0;

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

int tmap_judging_judge(struct tmap_judging *j, int first, struct tmap_error *err)
{
	if (judging_evaluate(j, first, err) < 0)
		return -1;
	for (int c = 0; c < j->costs && first == 0; c++)
		for (int i = 0; i < TMAP_ROBUST_SIMPLE; i++)
			if (i == 0 || j->candidate[i].seconds[c] < j->best_s[c])
				j->best_s[c] = j->candidate[i].seconds[c];
	for (int i = first; i < j->count; i++) {
		candidate_judge(&j->candidate[i], j);
		tmap_alike_fini(&j->candidate[i].alike);
	}
	return 0;
}
