#include "core/mappers/rows.h"

#include "core/base/mem.h"
#include "core/mappers/climb.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST_LOOKS = 400, /* at everyone in a round of annealing, for that to pay */
	LOOKS = 5000,      /* more are for more rounds */
	MOST_ROUNDS = 60,
	FEW_SLOTS = 48,   /* so few are soon looked through: */
	VAIN_ROUNDS = 10, /* so many in turn that find nothing are the last ones */
};

/* Round after round from the best so far, with more and with less heat, until no mapping can cost
 * less. */
static int anneal(struct tmap_search *quest, struct tmap_climb *climb, struct tmap_error *err)
{
	static const double heat[] = { 0.6, 1, 0.3, 0.6, 0.2 };
	int64_t left = quest->left - quest->reserve, steps = left / 2;
	int64_t edges = quest->graph.start[quest->count] + quest->count;
	int vain = 0;

	if (steps > LOOKS * edges)
		steps = LOOKS * edges;
	for (int k = 0; k < MOST_ROUNDS && steps >= LEAST_LOOKS * edges; k++) {
		double cost;

		if (!tmap_search_affords(quest, steps))
			break;
		tmap_climb_set(climb, quest->best);
		if (tmap_climb_is_least(climb) ||
		    (quest->count <= FEW_SLOTS && vain == VAIN_ROUNDS))
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
static int polish(struct tmap_search *quest, struct tmap_error *err)
{
	enum { OVERHEAD = 4000 };
	int64_t steps = tmap_search_evaluate_steps(quest) + OVERHEAD;
	int tries = quest->size < 200 ? 40 * quest->size : 8000, *slot_of;

	slot_of = tmap_alloc_raw((size_t)quest->count, sizeof *slot_of, err);
	if (!slot_of)
		return -1;
	for (int k = 0; k < tries && tmap_search_affords(quest, steps); k++) {
		int a = (int)tmap_random_below(&quest->random, (uint64_t)quest->size);
		int b = (int)tmap_random_below(&quest->random, (uint64_t)quest->count);

		if (a == b ||
		    !tmap_assignment_may_swap(quest->slots, a, quest->best[a], b, quest->best[b]))
			continue;
		memcpy(slot_of, quest->best, (size_t)quest->count * sizeof *slot_of);
		slot_of[a] = quest->best[b];
		slot_of[b] = quest->best[a];
		quest->left -= OVERHEAD;
		if (tmap_search_evaluate(quest, slot_of, NULL, err) < 0) {
			free(slot_of);
			return -1;
		}
	}
	free(slot_of);
	return 0;
}

int tmap_map_swaps(struct tmap_search *quest, struct tmap_error *err)
{
	struct tmap_climb climb = { .quest = NULL };
	int status = quest->has_best ? 0 : tmap_map_identity(quest, err);

	if (status == 0 && quest->has_graph && tmap_climb_init(&climb, quest, err) < 0)
		status = -1;
	if (status == 0 && quest->has_graph) {
		tmap_climb_set(&climb, quest->best);
		tmap_climb_descend(&climb);
		status = tmap_climb_evaluate(&climb, err);
		if (quest->objective->aim->goal != TMAP_GOAL_DISTANCE)
			quest->reserve += (quest->left - quest->reserve) / 2;
		if (status == 0)
			status = anneal(quest, &climb, err);
		quest->reserve = 0;
	}
	if (status == 0 && quest->objective->aim->goal != TMAP_GOAL_DISTANCE)
		status = polish(quest, err);
	tmap_climb_fini(&climb);
	return status;
}
