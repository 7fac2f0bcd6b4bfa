#include "core/map/search.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/pattern/calls.h"

#include <stdlib.h>
#include <string.h>

enum {
	LOOKS_AT_EDGE = 16, /* at least, by whoever makes use of the graph */
	MOST_SEEN = 1024,   /* offers that are remembered */
};

/* Bytes that take as long as a message has latency, far away: calls count messages too where
 * time is the goal. */
static double bytes_of_message(const struct tmap_objective *objective)
{
	const struct tmap_profile *profile = objective->aim->profile;
	const struct tmap_profile_row *far = &profile->row[profile->row_count - 1];

	if (objective->aim->goal != TMAP_GOAL_SECONDS || far->byte_s <= 0)
		return 0;
	return far->latency_s / far->byte_s;
}

/* The pattern of everything that is said, but by algorithms that follow the distances: who talks
 * to whom depends on the mapping there. 1 where it has more than @p most entries. */
static int add_all(struct tmap_pattern_builder *builder, const struct tmap_objective *objective,
		   size_t most, struct tmap_error *err)
{
	const struct tmap_traffic *traffic = objective->traffic;
	int status = 0;

	if (traffic->pattern)
		status = tmap_pattern_add_pattern(builder, traffic->pattern, err);
	for (int c = 0; c < traffic->call_count && status == 0; c++)
		if (!tmap_call_algorithm(&traffic->call[c])->needs_metric)
			status = tmap_pattern_add_call(builder, &traffic->call[c],
						       traffic->weight[c],
						       bytes_of_message(objective), most, err);
	return status;
}

static int join_calls(struct tmap_search *quest, size_t most, struct tmap_error *err)
{
	struct tmap_pattern_builder builder;
	struct tmap_pattern pattern;
	int status;

	if (tmap_pattern_builder_init(&builder, quest->size, err) < 0)
		return -1;
	status = add_all(&builder, quest->objective, most, err);
	if (status == 0)
		status = tmap_pattern_finish(&pattern, &builder, err);
	tmap_pattern_builder_fini(&builder);
	if (status != 0)
		return status < 0 ? -1 : 0;
	status = tmap_graph_init(&quest->graph, &pattern, quest->count, err);
	quest->has_graph = status == 0;
	tmap_pattern_fini(&pattern);
	return status;
}

static int make_graph(struct tmap_search *quest, struct tmap_error *err)
{
	const struct tmap_traffic *traffic = quest->objective->traffic;
	int64_t most = quest->left / LOOKS_AT_EDGE;

	if (quest->objective->messages > most)
		return 0;
	if (traffic->call_count)
		return join_calls(quest, (size_t)most, err);
	if (!traffic->pattern)
		return 0;
	quest->has_graph = true;
	return tmap_graph_init(&quest->graph, traffic->pattern, quest->count, err);
}

/* Where time is the goal, a byte costs the seconds that the profile says for large messages; it
 * is written for process distances. */
static int set_prices(struct tmap_search *quest, struct tmap_error *err)
{
	const struct tmap_objective *objective = quest->objective;
	const struct tmap_nest *nest = &objective->nest;
	const struct tmap_goals *aim = objective->aim;
	bool is_time = aim->goal == TMAP_GOAL_SECONDS && !aim->level_cost &&
		aim->scale == TMAP_SCALE_PROCESS;

	quest->price = tmap_alloc_raw((size_t)nest->depth, sizeof *quest->price, err);
	if (!quest->price)
		return -1;
	for (int l = nest->depth - 1; l >= 0; l--) {
		double inner = l + 1 < nest->depth ? quest->price[l + 1] : 0, price = nest->cost[l];

		if (is_time)
			price = tmap_profile_find(aim->profile, nest->cost[l], INT64_MAX)->byte_s;
		/* what is farther never costs less, and a little more where it costs the same */
		quest->price[l] = is_time && price < inner * 1.01 ? inner * 1.01 : price;
	}
	return 0;
}

int tmap_search_init(struct tmap_search *quest, struct tmap_objective *objective, int64_t effort,
		     uint64_t seed, struct tmap_error *err)
{
	const struct tmap_slots *slots = objective->slots;
	struct tmap_search made = { .objective = objective,
				    .slots = slots,
				    .size = slots->rank_count,
				    .count = slots->seats->size,
				    .random = { seed },
				    .left = effort };

	made.best = tmap_alloc_raw((size_t)made.count, sizeof *made.best, err);
	if (!made.best || tmap_assignment_init(&made.seating, slots, err) < 0 ||
	    tmap_nest_init_levels(&made.ladder, slots->seats, &objective->levels, NULL, 0, err) <
		    0 ||
	    set_prices(&made, err) < 0 || make_graph(&made, err) < 0) {
		tmap_search_fini(&made);
		return -1;
	}
	*quest = made;
	return 0;
}

void tmap_search_fini(struct tmap_search *quest)
{
	tmap_nest_fini(&quest->ladder);
	tmap_graph_fini(&quest->graph);
	tmap_assignment_fini(&quest->seating);
	free(quest->price);
	free(quest->best);
	free(quest->best_how);
	free(quest->seen);
	*quest = (struct tmap_search){ 0 };
}

bool tmap_search_affords(const struct tmap_search *quest, int64_t steps)
{
	return quest->left - quest->reserve >= steps;
}

/* A measurement reads far and wide: a message counts as several steps. */
int64_t tmap_search_evaluate_steps(const struct tmap_search *quest)
{
	return 3 * quest->objective->messages + 8 * (int64_t)quest->count;
}

/* What was measured last is the best from now on. */
static int keep(struct tmap_search *quest, const struct tmap_evaluation *measures,
		bool has_distance, const char *how, struct tmap_error *err)
{
	char *copy = how ? tmap_strdup(how, err) : NULL;

	if (how && !copy)
		return -1;
	free(quest->best_how);
	quest->best_how = copy;
	memcpy(quest->best, quest->seating.slot_of, (size_t)quest->count * sizeof *quest->best);
	quest->best_measures = *measures;
	quest->has_distance = has_distance;
	quest->best_row = quest->row;
	quest->has_best = true;
	return 0;
}

/* Has the same been offered? Else it is remembered; 1, 0, or -1 with *err set. */
static int is_seen(struct tmap_search *quest, struct tmap_error *err)
{
	uint64_t it = tmap_hash_ints(quest->seating.slot_of, quest->size);

	for (size_t i = 0; i < quest->seen_count; i++)
		if (quest->seen[i] == it)
			return 1;
	if (quest->seen_count >= MOST_SEEN)
		return 0;
	if (tmap_grow(&quest->seen, &quest->seen_capacity, quest->seen_count + 1,
		      sizeof *quest->seen, err) < 0)
		return -1;
	quest->seen[quest->seen_count++] = it;
	return 0;
}

/* Of two that are equal by the goal the distances are needed, if they are not known yet. */
static int add_distances(struct tmap_search *quest, struct tmap_evaluation *measures,
			 struct tmap_error *err)
{
	struct tmap_objective *objective = quest->objective;

	if (tmap_objective_statistics(measures, objective, quest->seating.slot_of,
				      TMAP_MEASURE_DISTANCE, err) < 0)
		return -1;
	if (!quest->has_distance &&
	    tmap_objective_statistics(&quest->best_measures, objective, quest->best,
				      TMAP_MEASURE_DISTANCE, err) < 0)
		return -1;
	quest->has_distance = true;
	return 0;
}

static int compare(struct tmap_search *quest, const char *how, struct tmap_error *err)
{
	struct tmap_objective *objective = quest->objective;
	unsigned goal = tmap_objective_goal(objective);
	bool has_distance = goal == TMAP_MEASURE_DISTANCE;
	struct tmap_evaluation measures = { 0 };

	if (tmap_objective_statistics(&measures, objective, quest->seating.slot_of, goal, err) < 0)
		return -1;
	if (quest->has_best && !has_distance) {
		double of_it = tmap_objective_value(objective, &measures);
		double of_best = tmap_objective_value(objective, &quest->best_measures);

		has_distance = of_it <= of_best * (1 + 1e-9) && of_best <= of_it * (1 + 1e-9);
		if (has_distance && add_distances(quest, &measures, err) < 0)
			return -1;
	}
	if (quest->has_best && !tmap_objective_prefers(objective, &measures, &quest->best_measures))
		return 0;
	return keep(quest, &measures, has_distance, how, err);
}

int tmap_search_evaluate(struct tmap_search *quest, const int *slot_of, const char *how,
			 struct tmap_error *err)
{
	int seen;

	tmap_assignment_set(&quest->seating, slot_of);
	if (tmap_assignment_resolve(&quest->seating, err) < 0)
		return -1;
	quest->left -= quest->count;
	seen = is_seen(quest, err);
	if (seen != 0)
		return seen < 0 ? -1 : 0;
	quest->left -= tmap_search_evaluate_steps(quest);
	return compare(quest, how, err);
}

int tmap_search_measure_best(struct tmap_evaluation *measures, struct tmap_search *quest,
			     struct tmap_error *err)
{
	return tmap_objective_measure(measures, quest->objective, quest->best, err);
}

int tmap_search_evaluate_at(struct tmap_search *quest, const struct tmap_nest *nest, const int *at,
			    const char *how, struct tmap_error *err)
{
	int *slot_of = tmap_alloc_raw((size_t)quest->count, sizeof *slot_of, err);
	int status;

	if (!slot_of)
		return -1;
	for (int x = 0; x < quest->count; x++)
		slot_of[at[x]] = nest->slot[x];
	status = tmap_search_evaluate(quest, slot_of, how, err);
	free(slot_of);
	return status;
}
