/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * robust_judging.h - candidates of a robust mapping (robust.h), by all costs.
 *
 *                       costs 0   1   ...            worst   harm
 *     candidate 0          s      s     as launched    1       1
 *               1, 2       s      s     block, cyclic
 *               3 ...      s      s     by search    ratios to the least of 0, 1 and 2
 */
#ifndef TMAP_CORE_MAPPERS_ROBUST_JUDGING_H
#define TMAP_CORE_MAPPERS_ROBUST_JUDGING_H

#include "core/cost/profile_vary.h"
#include "core/mappers/robust.h"

enum {
	TMAP_ROBUST_SIMPLE = 3, /**< candidates: as launched, block, cyclic */
	TMAP_ROBUST_SEARCHES_MOST = 5,
	TMAP_ROBUST_CANDIDATES_MOST = TMAP_ROBUST_SIMPLE + TMAP_ROBUST_SEARCHES_MOST,
};

/** A mapping that may be taken. */
struct tmap_robust_candidate {
	struct tmap_mapping
		mapping; /**< no slots: as launched, where that is no mapping of the slots */
	int twin;        /**< the candidate before that is the same mapping, or TMAP_NONE */
	struct tmap_alike alike; /**< its ranks, while it is judged */
	double *seconds;         /**< [costs] */
	double worst, mean;      /**< ratio to the best simple one, over all costs */
	int worst_costs;
	double harm; /**< the largest ratio to the longest time that it may take, */
	int harm_costs;
	bool is_harmless;
};

struct tmap_judging {
	const struct tmap_robust_request *request;
	int machines, costs, searches;
	int *number; /**< [costs]: variation x machines + row of tmap_profiles */
	double own_s[TMAP_ROBUST_CANDIDATES_MOST]; /**< by the objective's costs */
	double *best_s;                            /**< [costs]: of the simple ones */
	int count;
	struct tmap_robust_candidate candidate[TMAP_ROBUST_CANDIDATES_MOST]; /**< as launched first */
	int panel_costs[TMAP_ROBUST_SEARCHES_MOST];
	struct tmap_profile_varied panel_profile[TMAP_ROBUST_SEARCHES_MOST];
	struct tmap_criteria panel_criteria[TMAP_ROBUST_SEARCHES_MOST];
	struct tmap_objective panel_member[TMAP_ROBUST_SEARCHES_MOST];
	double panel_scale[TMAP_ROBUST_SEARCHES_MOST], panel_limit_s[TMAP_ROBUST_SEARCHES_MOST];
	struct tmap_panel panel;
};

/** The part that is saved; sums of the same terms in another order are the same. */
double tmap_judging_gain(double before, double after);

/** What one candidate saves of another's time over the published profiles. */
void tmap_judging_gains(double *least, double *mean, const struct tmap_judging *j, int before,
			int after);

/** Write down what is said of those that are not @p taken. */
void tmap_judging_fill_others(struct tmap_robust_other other[TMAP_ROBUST_OTHERS],
			      const struct tmap_judging *j, int taken);

/** List the costs that are asked, which says how many searches there are, too: all machines, and as many
 *  variations of them as fit into the budget. O(costs). */
int tmap_judging_list_costs(struct tmap_judging *j, struct tmap_error *err);

/** Costs number @p costs, with criteria that have them; all profiles as they are come first. Release
 *  varied in any case. */
int tmap_judging_make_costs(struct tmap_profile_varied *varied, struct tmap_criteria *criteria,
			    const struct tmap_judging *j, int costs, struct tmap_error *err);

/** By these costs no mapping may take longer; INFINITY where ranks cannot stay. */
double tmap_judging_limit(const struct tmap_judging *j, int costs);

/** Judge the candidates from @p first on, by all costs; the simple ones, which the others are compared
 *  with, are among the first that are judged. The costs are made anew, as kept they are an objective
 *  each. */
int tmap_judging_judge(struct tmap_judging *j, int first, struct tmap_error *err);

#endif
