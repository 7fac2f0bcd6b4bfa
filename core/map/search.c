/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/search.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/map/planned.h"
#include "core/pattern/calls.h"

#include <stdlib.h>
#include <string.h>

enum {
	STEPS_PER_EDGE = 16, /* at least, that a mapper takes which uses the graph */
	SEEN_MAX = 1024,
};

/* A graph of no more entries than the budget can pay for: of the pattern, and of the messages of
 * all calls but of those whose algorithm follows the distances: their messages depend on the
 * mapping. */
static int graph_make(struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_objective *objective = search->objective;
	const struct tmap_traffic *traffic = objective->traffic;
	const struct tmap_profile *profile = objective->criteria->profile;
	const struct tmap_profile_row *far = &profile->row[profile->row_count - 1];
	int64_t most = search->left / STEPS_PER_EDGE;
	struct tmap_pattern_builder builder;
	struct tmap_pattern pattern;
	double message_bytes = 0;
	int status;

	if (objective->messages > most || (!traffic->pattern && !traffic->call_count))
		return 0;
	if (!traffic->call_count) {
		search->has_graph = true;
		return tmap_graph_init(&search->graph, traffic->pattern, search->count, err);
	}
	/* where time is the goal a message counts as the bytes that take as long as its latency */
	if (objective->criteria->goal == TMAP_GOAL_SECONDS && far->byte_s > 0)
		message_bytes = far->latency_s / far->byte_s;
	if (tmap_pattern_builder_init(&builder, search->size, err) < 0)
		return -1;
	status = traffic->pattern ? tmap_pattern_add_pattern(&builder, traffic->pattern, err) : 0;
	for (int c = 0; c < traffic->call_count && status == 0; c++)
		if (!tmap_planned_anew(traffic, c))
			status = tmap_pattern_add_call(&builder, &traffic->call[c],
						       traffic->weight[c], message_bytes,
						       (size_t)most, err);
	if (status == 0)
		status = tmap_pattern_finish(&pattern, &builder, err);
	tmap_pattern_builder_fini(&builder);
	if (status != 0)
		return status < 0 ? -1 : 0; /* 1: there are too many entries */
	status = tmap_graph_init(&search->graph, &pattern, search->count, err);
	search->has_graph = status == 0;
	tmap_pattern_fini(&pattern);
	return status;
}

/* Where time is the goal, a byte costs the profile's seconds for large messages; profiles are
 * written for process distances. */
static int prices_set(struct tmap_search *search, struct tmap_error *err)
{
	const struct tmap_objective *objective = search->objective;
	const struct tmap_nest *nest = &objective->nest;
	const struct tmap_criteria *criteria = objective->criteria;
	bool is_time = criteria->goal == TMAP_GOAL_SECONDS && !criteria->level_cost &&
		criteria->scale == TMAP_SCALE_PROCESS;

	search->price = tmap_alloc_raw((size_t)nest->depth, sizeof *search->price, err);
	if (!search->price)
		return -1;
	for (int l = nest->depth - 1; l >= 0; l--) {
		double inner = l + 1 < nest->depth ? search->price[l + 1] : 0,
		       price = nest->cost[l];

		if (is_time)
			price = tmap_profile_find(criteria->profile, nest->cost[l], INT64_MAX)
					->byte_s;
		/* what is farther never costs less, and a little more where it costs the same */
		search->price[l] = is_time && price < inner * 1.01 ? inner * 1.01 : price;
	}
	return 0;
}

int tmap_search_init(struct tmap_search *search, struct tmap_objective *objective, unsigned parts,
		     int64_t effort, uint64_t seed, struct tmap_error *err)
{
	const struct tmap_slots *slots = objective->slots;
	struct tmap_search made = { .objective = objective,
				    .slots = slots,
				    .size = slots->rank_count,
				    .count = slots->placement->size,
				    .random = { seed },
				    .left = effort,
				    .effort = effort };

	made.best.slot_of = tmap_alloc_raw((size_t)made.count, sizeof *made.best.slot_of, err);
	if (!made.best.slot_of || tmap_assignment_init(&made.assignment, slots, err) < 0 ||
	    (parts & TMAP_SEARCH_LEVELS &&
	     tmap_nest_init_levels(&made.levels, slots->placement, &objective->levels, NULL, 0,
				   err) < 0) ||
	    prices_set(&made, err) < 0 ||
	    (parts & TMAP_SEARCH_GRAPH && graph_make(&made, err) < 0)) {
		tmap_search_fini(&made);
		return -1;
	}
	*search = made;
	return 0;
}

void tmap_search_fini(struct tmap_search *search)
{
	tmap_nest_fini(&search->levels);
	tmap_graph_fini(&search->graph);
	tmap_assignment_fini(&search->assignment);
	free(search->price);
	free(search->best.slot_of);
	free(search->best.how);
	free(search->seen.hash);
	*search = (struct tmap_search){ 0 };
}

bool tmap_search_affords(const struct tmap_search *search, int64_t steps)
{
	return search->left - search->reserve >= steps;
}

/* An evaluation reads far and wide: a message counts as several steps. */
int64_t tmap_search_evaluate_steps(const struct tmap_search *search)
{
	return 3 * search->objective->messages + 8 * (int64_t)search->count;
}

/* Has the same mapping been evaluated? Else it is remembered; 1, 0, or -1 with *err set. */
static int mapping_is_seen(struct tmap_search *search, struct tmap_error *err)
{
	uint64_t hash = tmap_hash_ints(search->assignment.slot_of, search->size);

	for (size_t i = 0; i < search->seen.count; i++)
		if (search->seen.hash[i] == hash)
			return 1;
	if (search->seen.count >= SEEN_MAX)
		return 0;
	if (tmap_grow(&search->seen.hash, &search->seen.capacity, search->seen.count + 1,
		      sizeof *search->seen.hash, err) < 0)
		return -1;
	search->seen.hash[search->seen.count++] = hash;
	return 0;
}

/* Evaluate the assignment by the goal and, where it equals the best, by the distances too: 1 if it
 * is better than the best, 0 if not. */
static int assignment_evaluate(struct tmap_evaluation *evaluation, bool *has_distance,
			       struct tmap_search *search, struct tmap_error *err)
{
	struct tmap_objective *objective = search->objective;
	const int *slot_of = search->assignment.slot_of;
	unsigned goal = tmap_objective_goal(objective);
	double value, best;

	*evaluation = (struct tmap_evaluation){ 0 };
	*has_distance = goal == TMAP_EVALUATE_DISTANCE;
	if (tmap_objective_evaluate_some(evaluation, objective, slot_of, goal, err) < 0)
		return -1;
	if (!search->has_best)
		return 1;
	value = tmap_objective_value(objective, evaluation);
	best = tmap_objective_value(objective, &search->best.evaluation);
	if (!*has_distance && value <= best * (1 + 1e-9) && best <= value * (1 + 1e-9)) {
		if (tmap_objective_evaluate_some(evaluation, objective, slot_of,
						 TMAP_EVALUATE_DISTANCE, err) < 0 ||
		    (!search->best.has_distance &&
		     tmap_objective_evaluate_some(&search->best.evaluation, objective,
						  search->best.slot_of, TMAP_EVALUATE_DISTANCE,
						  err) < 0))
			return -1;
		*has_distance = search->best.has_distance = true;
	}
	return tmap_objective_prefers(objective, evaluation, &search->best.evaluation);
}

int tmap_search_evaluate(struct tmap_search *search, const int *slot_of, const char *how,
			 struct tmap_error *err)
{
	struct tmap_search_best *best = &search->best;
	struct tmap_evaluation evaluation;
	bool has_distance;
	char *copy = NULL;
	int status;

	tmap_progress_report(search->progress, search->effort - search->left, search->effort, NULL);
	tmap_assignment_set(&search->assignment, slot_of);
	if (tmap_assignment_resolve(&search->assignment, err) < 0)
		return -1;
	search->left -= search->count;
	status = mapping_is_seen(search, err);
	if (status != 0)
		return status < 0 ? -1 : 0;
	search->left -= tmap_search_evaluate_steps(search);
	status = assignment_evaluate(&evaluation, &has_distance, search, err);
	if (status <= 0)
		return status;
	/* the best from now on */
	if (how) {
		copy = tmap_strdup(how, err);
		if (!copy)
			return -1;
	}
	free(best->how);
	best->how = copy;
	memcpy(best->slot_of, search->assignment.slot_of,
	       (size_t)search->count * sizeof *best->slot_of);
	best->evaluation = evaluation;
	best->has_distance = has_distance;
	best->row = search->row;
	search->has_best = true;
	return 0;
}

int tmap_search_evaluate_best(struct tmap_evaluation *evaluation, struct tmap_search *search,
			      struct tmap_error *err)
{
	return tmap_objective_evaluate(evaluation, search->objective, search->best.slot_of, err);
}

int tmap_search_evaluate_at(struct tmap_search *search, const struct tmap_nest *nest, const int *at,
			    const char *how, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)search->count, sizeof *slot_of, err);
	int status;

	if (!slot_of)
		return -1;
	for (int x = 0; x < search->count; x++)
		slot_of[at[x]] = nest->slot[x];
	status = tmap_search_evaluate(search, slot_of, how, err);
	free(slot_of);
	return status;
}
