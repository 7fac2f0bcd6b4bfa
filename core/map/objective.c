/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/objective.h"

#include "core/base/mem.h"
#include "core/map/planned.h"

#include <stdlib.h>

enum {
	MOST_BY_ROUNDS = 512,     /* ranks */
	RENDEZVOUS_BYTES = 65536, /* ranks wait for longer messages, in most libraries */
	SHORT_SHARE = 16,         /* a round is all latency where so many messages are still less */
};

static const struct tmap_keyword goal_rows[] = {
	{ "seconds", "time by the cost profile" },
	{ "cost", "bytes times the distance that they travel" },
	{ "busiest", "the busiest adapter, memory controller or other link" },
	{ "hops", "bytes times the cables between nodes, of a torus or a dragonfly" },
	{ "congestion", "bytes through the busiest cable of a torus or a dragonfly" },
	{ NULL, NULL },
};

const struct tmap_keywords tmap_goals = TMAP_KEYWORDS("objective", goal_rows);

static int traffic_check_sizes(const struct tmap_slots *slots, const struct tmap_traffic *traffic,
			       struct tmap_error *err)
{
	int ranks = slots->rank_count;

	if (traffic->pattern && traffic->pattern->size != ranks)
		return tmap_fail(err, TMAP_INPUT, "a pattern of %d ranks for a job of %d",
				 traffic->pattern->size, ranks);
	for (int c = 0; c < traffic->call_count; c++)
		if (traffic->call[c].size != ranks)
			return tmap_fail(err, TMAP_INPUT, "a call of %d ranks for a job of %d",
					 traffic->call[c].size, ranks);
	if (traffic->grid && traffic->grid->size != ranks)
		return tmap_fail(err, TMAP_INPUT, "a grid of %d ranks for a job of %d",
				 traffic->grid->size, ranks);
	return 0;
}

/* What the schedule of a call has. */
struct schedule_count {
	int64_t messages; /* of the folded one */
	double sent;      /* in all rounds */
	bool has_all_pairs;
};

static int schedule_count_message(void *context, const struct tmap_message *message,
				  struct tmap_error *err)
{
	struct schedule_count *count = context;

	(void)err;
	count->messages++;
	count->sent += (double)message->times;
	return 0;
}

static int schedule_count_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				    struct tmap_error *err)
{
	struct schedule_count *count = context;

	(void)pairs;
	(void)err;
	count->has_all_pairs = true;
	return 0;
}

/* Do the rounds of all pairs matter? See the header. */
static bool call_rounds_matter(const struct tmap_call *call, const struct tmap_profile *profile)
{
	const struct tmap_profile_row *far = &profile->row[profile->row_count - 1];

	return call->size <= MOST_BY_ROUNDS &&
		(call->bytes >= RENDEZVOUS_BYTES ||
		 (double)call->bytes * far->byte_s * SHORT_SHARE < far->latency_s);
}

/* Steps that a schedule takes which is planned anew for a mapping, for each rank: about what it takes to
 * see who shares a node, and to make groups, trees and a cost model of them. */
enum { PLAN_STEPS = 16 };

/* Of algorithms that follow the places about as many messages as where the call was checked. */
static int objective_count_call(struct tmap_objective *objective, int c, struct tmap_error *err)
{
	const struct tmap_call *call = &objective->traffic->call[c];
	struct schedule_count count = { 0 };
	struct tmap_visitor visitor = { .folded = true,
					.message = schedule_count_message,
					.all_pairs = schedule_count_all_pairs,
					.context = &count };
	bool follows = tmap_planned_anew(objective->traffic, c);

	if ((!tmap_call_follows_places(call) || call->metric) &&
	    tmap_schedule(call, &visitor, err) < 0)
		return tmap_call_blame(call, err);
	objective->follows_places = objective->follows_places || follows;
	objective->by_rounds[c] = !tmap_call_follows_places(call) && count.has_all_pairs &&
		call_rounds_matter(call, objective->criteria->profile);
	/* few are timed round by round, whatever repeats */
	objective->messages += call->size +
		(count.sent <= TMAP_COST_MOST_EXACT ? (int64_t)count.sent : count.messages);
	if (follows)
		objective->messages += (int64_t)PLAN_STEPS * call->size;
	if (objective->by_rounds[c])
		objective->messages += (int64_t)call->size * call->size;
	return 0;
}

static int objective_count_messages(struct tmap_objective *objective, struct tmap_error *err)
{
	const struct tmap_traffic *traffic = objective->traffic;

	objective->by_rounds =
		tmap_alloc((size_t)traffic->call_count, sizeof *objective->by_rounds, err);
	if (!objective->by_rounds)
		return -1;
	if (traffic->pattern)
		objective->messages += traffic->pattern->entries;
	for (int c = 0; c < traffic->call_count; c++)
		if (objective_count_call(objective, c, err) < 0)
			return -1;
	return 0;
}

static bool goal_needs_model(enum tmap_goal goal)
{
	return goal == TMAP_GOAL_SECONDS || goal == TMAP_GOAL_LINK;
}

/* One model for all mappings, if they are permutations of the slots; none, where only distances are
 * asked for. */
static int objective_make_model(struct tmap_objective *objective, struct tmap_error *err)
{
	const struct tmap_placement *placement = objective->slots->placement;
	const struct tmap_criteria *criteria = objective->criteria;

	if (objective->slots->rank_count != placement->size || objective->follows_places ||
	    (criteria->only_goal && !goal_needs_model(criteria->goal)))
		return 0;
	if (tmap_metric_init(&objective->metric, placement, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	return tmap_cost_model_init(&objective->model, placement, &objective->metric,
				    &objective->levels, objective->criteria->profile, err);
}

static int objective_make_nests(struct tmap_objective *objective, struct tmap_error *err)
{
	const struct tmap_placement *placement = objective->slots->placement;
	const struct tmap_criteria *criteria = objective->criteria;
	bool has_hops = tmap_goal_has_hops(criteria->goal);
	struct tmap_nest *distance = has_hops ? &objective->scale_nest : &objective->nest;

	objective->distance = distance;
	if (has_hops && !criteria->routes)
		return tmap_fail(err, TMAP_INPUT,
				 "the objective %s needs to know which cables messages go through, "
				 "and these nodes are in no torus or dragonfly",
				 goal_rows[criteria->goal].name);
	if (has_hops &&
	    tmap_nest_init_routes(&objective->nest, placement, criteria->routes, err) < 0)
		return -1;
	if (criteria->only_seconds)
		return 0;
	if (!criteria->level_cost)
		return tmap_nest_init_scale(distance, placement, criteria->scale, err);
	return tmap_nest_init_levels(distance, placement, &objective->levels, criteria->level_cost,
				     criteria->level_cost_count, err);
}

static int objective_make_near(struct tmap_objective *objective, struct tmap_error *err)
{
	const struct tmap_placement *placement = objective->slots->placement;
	const struct tmap_criteria *criteria = objective->criteria;

	if (!criteria->near_count)
		return 0;
	objective->near_distance =
		tmap_alloc((size_t)criteria->near_count, sizeof *objective->near_distance, err);
	for (int i = 0; objective->near_distance && i < criteria->near_count; i++) {
		double *distance = tmap_alloc_raw((size_t)placement->size, sizeof *distance, err);

		objective->near_distance[i] = distance;
		if (!distance ||
		    tmap_near_distances(distance, placement, criteria->near[i].type, err) < 0)
			return -1;
	}
	return objective->near_distance ? 0 : -1;
}

/* Over no distance nothing is sent. */
static double near_byte_s(const struct tmap_objective *objective, double distance)
{
	return distance > 0 ?
		tmap_profile_find(objective->criteria->profile, distance, INT64_MAX)->byte_s :
		0;
}

double tmap_objective_near_cost(const struct tmap_objective *objective, int rank, int slot,
				bool in_seconds)
{
	const struct tmap_criteria *criteria = objective->criteria;
	double cost = 0;

	for (int i = 0; i < criteria->near_count; i++) {
		double distance = objective->near_distance[i][slot];

		if (tmap_idset_contains(&criteria->near[i].ranks, rank))
			cost += criteria->near[i].bytes *
				(in_seconds ? near_byte_s(objective, distance) : distance);
	}
	return cost;
}

int tmap_objective_init(struct tmap_objective *objective, const struct tmap_slots *slots,
			const struct tmap_traffic *traffic, const struct tmap_criteria *criteria,
			struct tmap_error *err)
{
	struct tmap_objective *it = objective;

	if (traffic_check_sizes(slots, traffic, err) < 0)
		return -1;
	*it = (struct tmap_objective){ .slots = slots, .traffic = traffic, .criteria = criteria };
	if (traffic->grid && traffic->grid->offset)
		it->order = traffic->grid;
	if (tmap_levels_init(&it->levels, slots->placement->machine, err) < 0 ||
	    objective_make_nests(it, err) < 0 || objective_make_near(it, err) < 0 ||
	    objective_count_messages(it, err) < 0 || objective_make_model(it, err) < 0) {
		tmap_objective_fini(it);
		return -1;
	}
	return 0;
}

void tmap_objective_set_panel(struct tmap_objective *objective, const struct tmap_panel *panel)
{
	objective->panel = panel;
	for (int i = 0; i < panel->count; i++)
		objective->messages += panel->member[i].messages;
}

void tmap_objective_fini(struct tmap_objective *objective)
{
	tmap_cost_model_fini(&objective->model);
	tmap_metric_fini(&objective->metric);
	tmap_levels_fini(&objective->levels);
	tmap_nest_fini(&objective->nest);
	tmap_nest_fini(&objective->scale_nest);
	free(objective->by_rounds);
	for (int i = 0; objective->near_distance && i < objective->criteria->near_count; i++)
		free(objective->near_distance[i]);
	free(objective->near_distance);
	*objective = (struct tmap_objective){ 0 };
}

unsigned tmap_objective_goal(const struct tmap_objective *objective)
{
	static const unsigned bits[] = { [TMAP_GOAL_SECONDS] = TMAP_EVALUATE_SECONDS,
					 [TMAP_GOAL_DISTANCE] = TMAP_EVALUATE_DISTANCE,
					 [TMAP_GOAL_LINK] = TMAP_EVALUATE_LINK,
					 [TMAP_GOAL_HOPS] = TMAP_EVALUATE_HOPS,
					 [TMAP_GOAL_CABLE] = TMAP_EVALUATE_CABLE };

	return bits[objective->criteria->goal];
}

double tmap_evaluation_value(const struct tmap_evaluation *evaluation, enum tmap_goal goal)
{
	switch (goal) {
	case TMAP_GOAL_DISTANCE:
		return evaluation->byte_distance;
	case TMAP_GOAL_LINK:
		return evaluation->link_s;
	case TMAP_GOAL_HOPS:
		return evaluation->hop_bytes;
	case TMAP_GOAL_CABLE:
		return evaluation->cable_bytes;
	default:
		return evaluation->seconds;
	}
}

double tmap_objective_value(const struct tmap_objective *objective,
			    const struct tmap_evaluation *evaluation)
{
	return tmap_evaluation_value(evaluation, objective->criteria->goal);
}

static bool value_is_less(double a, double b)
{
	return a < b * (1 - 1e-9);
}

bool tmap_objective_prefers(const struct tmap_objective *objective, const struct tmap_evaluation *a,
			    const struct tmap_evaluation *b)
{
	double of_a = tmap_objective_value(objective, a), of_b = tmap_objective_value(objective, b);

	if (value_is_less(of_a, of_b) || value_is_less(of_b, of_a))
		return value_is_less(of_a, of_b);
	return value_is_less(a->byte_distance, b->byte_distance);
}
