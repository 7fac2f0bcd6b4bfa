/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/climb.h"
#include "core/mappers/mapper.h"

#include <stdlib.h>
#include <string.h>

enum {
	EDGE_STEPS = 300,     /* a round of annealing takes: steps over steps of all edges */
	EDGE_STEPS_MIN = 200, /* fewer do not pay */
	STEPS_FEW = 6000000,  /* but so many for a small job, */
	PAIR_STEPS = 5000,    /* of few slots so many for two of them */
	ROUNDS_MAX = 60,
	VAIN_ROUNDS = 3, /* in turn without a gain: these are the last ones */
	FEW_SLOTS = 48,  /* so few are searched for longer: */
	FEW_VAIN_ROUNDS = 10,
	VAIN_STEPS = TMAP_EFFORT / 64, /* swaps in vain that take so many are the last ones */
};

/* Round after round from the best so far, with more and with less heat, until no mapping can cost
 * less or no heat has gained. Hops grow step by step with the way, so that much heat finds more. */
static int rounds_anneal(struct tmap_search *search, struct tmap_climb *climb,
			 struct tmap_error *err)
{
	static const double heats[][5] = { { 0.05, 0.1, 0.02, 0.2, 0.6 },
					   { 0.6, 0.3, 0.1, 0.2, 0.05 } };
	const double *heat = heats[tmap_goal_has_hops(search->objective->criteria->goal)];
	int64_t left = search->left - search->reserve, steps = left / 2;
	int64_t edges = search->graph.edges + search->count;
	int64_t few = PAIR_STEPS * (int64_t)search->count * search->count;
	int vain = 0, vain_most = search->count <= FEW_SLOTS ? FEW_VAIN_ROUNDS : VAIN_ROUNDS;

	if (few > STEPS_FEW)
		few = STEPS_FEW;
	if (steps > EDGE_STEPS * edges && steps > few)
		steps = EDGE_STEPS * edges > few ? EDGE_STEPS * edges : few;
	for (int k = 0; k < ROUNDS_MAX && steps >= EDGE_STEPS_MIN * edges; k++) {
		double cost;

		if (!tmap_search_affords(search, steps) || vain == vain_most)
			break;
		tmap_climb_set(climb, search->best.slot_of);
		if (tmap_climb_is_least(climb))
			break;
		cost = climb->cost;
		if (tmap_climb_anneal(climb, heat[k % 5], steps, err) < 0 ||
		    tmap_climb_evaluate(climb, err) < 0)
			return -1;
		vain = climb->cost < cost * (1 - 1e-9) ? 0 : vain + 1;
	}
	return 0;
}

/* Swaps judged by the goal itself, as long as they help: for small jobs. */
static int best_polish(struct tmap_search *search, struct tmap_error *err)
{
	enum { OVERHEAD = 4000 };
	int64_t evaluation = tmap_search_evaluate_steps(search), steps = evaluation + OVERHEAD;
	int64_t vain = 0, vain_most = VAIN_STEPS / evaluation;
	int tries = search->size < 200 ? 40 * search->size : 8000, *slot_of;

	slot_of = tmap_alloc_raw((size_t)search->count, sizeof *slot_of, err);
	if (!slot_of)
		return -1;
	for (int k = 0; k < tries && vain < vain_most && tmap_search_affords(search, steps); k++) {
		double value = tmap_search_best_value(search);
		int a = (int)tmap_random_below(&search->random, (uint64_t)search->size);
		int b = (int)tmap_random_below(&search->random, (uint64_t)search->count);

		if (a == b ||
		    !tmap_assignment_may_swap(search->slots, a, search->best.slot_of[a], b,
					      search->best.slot_of[b]))
			continue;
		memcpy(slot_of, search->best.slot_of, (size_t)search->count * sizeof *slot_of);
		slot_of[a] = search->best.slot_of[b];
		slot_of[b] = search->best.slot_of[a];
		search->left -= OVERHEAD;
		if (tmap_search_evaluate(search, slot_of, NULL, err) < 0) {
			free(slot_of);
			return -1;
		}
		vain = tmap_search_best_value(search) < value * (1 - 1e-9) ? 0 : vain + 1;
	}
	free(slot_of);
	return 0;
}

int tmap_map_swaps(struct tmap_search *search, struct tmap_error *err)
{
	struct tmap_climb climb = { .search = NULL };
	int status = search->has_best ? 0 : tmap_map_identity(search, err);

	if (status == 0 && search->has_graph && tmap_climb_init(&climb, search, err) < 0)
		status = -1;
	if (status == 0 && search->has_graph) {
		tmap_climb_set(&climb, search->best.slot_of);
		tmap_climb_descend(&climb);
		status = tmap_climb_evaluate(&climb, err);
		if (search->objective->criteria->goal != TMAP_GOAL_DISTANCE)
			search->reserve += (search->left - search->reserve) / 2;
		if (status == 0)
			status = rounds_anneal(search, &climb, err);
		search->reserve = 0;
	}
	if (status == 0 && search->objective->criteria->goal != TMAP_GOAL_DISTANCE)
		status = best_polish(search, err);
	tmap_climb_fini(&climb);
	return status;
}
