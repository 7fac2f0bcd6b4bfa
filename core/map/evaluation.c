/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/objective.h"

#include "core/base/mem.h"
#include "core/map/burst.h"
#include "core/map/flow.h"
#include "core/map/planned.h"
#include "core/pattern/rows.h"

#include <math.h>
#include <stdlib.h>

/* Clocks and lists of messages of so many ranks are given back before the next candidate, or the next
 * machine of a panel; what was found of one is kept, since searches come back to it; and ranks that are
 * alike are looked for. */
enum { MANY_RANKS = 1 << 16 };

/* A mapping that is being evaluated. */
struct candidate {
	struct tmap_objective *objective;
	const int *slot_of;
	unsigned wanted; /* bits of tmap_evaluation_bits */
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_cost_model own_model;
	struct tmap_cost_model *model; /* that one, or the objective's */
	struct tmap_flow flow;
	double weight, byte_distance, hop_bytes;
	double *cable;    /* [cables of the routes]: bytes through each */
	bool is_possible; /* every call can be made there */
};

static void candidate_fini(struct candidate *candidate)
{
	free(candidate->cable);
	tmap_flow_fini(&candidate->flow);
	tmap_cost_model_fini(&candidate->own_model);
	tmap_metric_fini(&candidate->metric);
	tmap_placement_fini(&candidate->placement);
}

/* The placement and a cost model of its own. */
static int candidate_make_model(struct candidate *candidate, struct tmap_error *err)
{
	struct tmap_objective *objective = candidate->objective;
	const struct tmap_slots *slots = objective->slots;

	candidate->model = &candidate->own_model;
	if (tmap_placement_select(&candidate->placement, slots->placement, candidate->slot_of,
				  slots->rank_count, err) < 0)
		return -1;
	return tmap_metric_init(&candidate->metric, &candidate->placement, TMAP_SCALE_PROCESS,
				err) < 0 ||
			tmap_cost_model_init(&candidate->own_model, &candidate->placement,
					     &candidate->metric, &objective->levels,
					     objective->criteria->profile, err) < 0 ?
		-1 :
		0;
}

static int candidate_init(struct candidate *candidate, struct tmap_objective *objective,
			  const int *slot_of, unsigned wanted, struct tmap_error *err)
{
	int status = 0;

	*candidate = (struct candidate){ .objective = objective,
					 .slot_of = slot_of,
					 .wanted = wanted,
					 .model = &objective->model,
					 .weight = 1,
					 .is_possible = true };
	if (objective->model.kinds.size)
		tmap_cost_model_place(candidate->model, slot_of);
	else if (wanted & (TMAP_EVALUATE_SECONDS | TMAP_EVALUATE_LINK) || objective->follows_places)
		status = candidate_make_model(candidate, err);
	if (status == 0 && wanted & TMAP_EVALUATE_LINK)
		status = tmap_flow_init(&candidate->flow, candidate->model, err);
	if (status == 0 && objective->criteria->routes && wanted & TMAP_EVALUATE_CABLE) {
		candidate->cable = tmap_alloc((size_t)objective->criteria->routes->cables,
					      sizeof *candidate->cable, err);
		status = candidate->cable ? 0 : -1;
	}
	if (status < 0)
		candidate_fini(candidate);
	return status;
}

static void candidate_add_hops(struct candidate *candidate, int node, int other, double bytes)
{
	const struct tmap_routes *routes = candidate->objective->criteria->routes;

	if (candidate->wanted & TMAP_EVALUATE_HOPS)
		candidate->hop_bytes += bytes * tmap_routes_hops(routes, node, other);
	if (candidate->wanted & TMAP_EVALUATE_CABLE)
		tmap_routes_add(routes, candidate->cable, node, other, bytes);
}

static bool candidate_has_hops(const struct candidate *candidate)
{
	return candidate->objective->criteria->routes &&
		candidate->wanted & (TMAP_EVALUATE_HOPS | TMAP_EVALUATE_CABLE);
}

static void candidate_add_message(struct candidate *candidate, int from, int to, double bytes)
{
	const struct tmap_nest *nest = candidate->objective->distance;
	const int *node = candidate->objective->slots->placement->node;

	if (candidate_has_hops(candidate))
		candidate_add_hops(candidate, node[candidate->slot_of[from]],
				   node[candidate->slot_of[to]], bytes);
	if (candidate->wanted & TMAP_EVALUATE_DISTANCE)
		candidate->byte_distance += bytes *
			tmap_nest_cost(nest, nest->position[candidate->slot_of[from]],
				       nest->position[candidate->slot_of[to]]);
	if (candidate->wanted & TMAP_EVALUATE_LINK)
		tmap_flow_add(&candidate->flow, from, to, bytes);
}

/* Ordered pairs of ranks in different sets of a layer, each of which has so many ranks. */
static double pairs_apart(const int *ranks, int sets, double p)
{
	double together = 0;

	for (int s = 0; s < sets; s++)
		together += (double)ranks[s] * ranks[s];
	return p * p - together;
}

/* What goes between all pairs of nodes: each hop is a cable that is gone through. */
static int candidate_add_all_hops(struct candidate *candidate, double bytes, struct tmap_error *err)
{
	const struct tmap_slots *slots = candidate->objective->slots;
	const struct tmap_routes *routes = candidate->objective->criteria->routes;
	int *ranks = tmap_alloc((size_t)routes->nodes, sizeof *ranks, err), status = -1;
	double *load = ranks ? tmap_alloc((size_t)routes->cables, sizeof *load, err) : NULL;

	if (load) {
		for (int r = 0; r < slots->rank_count; r++)
			ranks[slots->placement->node[candidate->slot_of[r]]]++;
		status = tmap_routes_add_everyone(routes, load, ranks, bytes, err);
	}
	for (int64_t i = 0; i < routes->cables && status == 0; i++) {
		if (candidate->wanted & TMAP_EVALUATE_HOPS)
			candidate->hop_bytes += load[i];
		if (candidate->wanted & TMAP_EVALUATE_CABLE)
			candidate->cable[i] += load[i];
	}
	free(load);
	free(ranks);
	return status;
}

static int candidate_add_everyone(struct candidate *candidate, double bytes, struct tmap_error *err)
{
	const struct tmap_nest *nest = candidate->objective->distance;
	int size = candidate->objective->slots->rank_count;
	double apart = 0;

	for (int l = 0; l < nest->depth && bytes > 0; l++) {
		int *ranks = tmap_alloc((size_t)nest->set_count[l], sizeof *ranks, err);
		double before = apart;

		if (!ranks)
			return -1;
		for (int r = 0; r < size; r++)
			ranks[tmap_nest_set(nest, l, nest->position[candidate->slot_of[r]])]++;
		apart = pairs_apart(ranks, nest->set_count[l], size);
		candidate->byte_distance += bytes * nest->cost[l] * (apart - before);
		free(ranks);
	}
	if (bytes > 0 && candidate_has_hops(candidate) &&
	    candidate_add_all_hops(candidate, bytes, err) < 0)
		return -1;
	if (candidate->wanted & TMAP_EVALUATE_LINK)
		return tmap_flow_add_everyone(&candidate->flow, bytes, err);
	return 0;
}

static int candidate_visit_message(void *context, const struct tmap_message *message,
				   struct tmap_error *err)
{
	struct candidate *candidate = context;

	(void)err;
	candidate_add_message(candidate, message->from, message->to,
			      candidate->weight * (double)message->bytes);
	return 0;
}

static int candidate_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				     struct tmap_error *err)
{
	struct candidate *candidate = context;
	double ranks = candidate->objective->slots->rank_count;
	double bytes = (double)pairs->bytes + (double)pairs->larger * (double)pairs->more / ranks;

	return candidate_add_everyone(candidate, candidate->weight * bytes, err);
}

static int candidate_run_call(struct candidate *candidate, const struct tmap_call *call,
			      bool by_rounds, double *seconds, struct tmap_error *err)
{
	struct tmap_visitor visitor = { .folded = true,
					.message = candidate_visit_message,
					.all_pairs = candidate_visit_all_pairs,
					.context = candidate };
	int status = 0;

	if (candidate->wanted & TMAP_EVALUATE_SECONDS)
		status = by_rounds ? tmap_cost_by_rounds(seconds, candidate->model, call, err) :
				     tmap_cost(seconds, candidate->model, call, err);
	if (status == 0 && candidate->wanted != TMAP_EVALUATE_SECONDS)
		status = tmap_schedule(call, &visitor, err);
	return status;
}

static int candidate_add_call(struct candidate *candidate, int index, double *seconds,
			      struct tmap_error *err)
{
	const struct tmap_objective *objective = candidate->objective;
	const struct tmap_traffic *traffic = objective->traffic;
	struct tmap_call call;
	double taken = 0;
	int status = tmap_planned_call(&call, traffic, index, &candidate->metric, err);

	candidate->weight = traffic->weight[index];
	if (status < 0) {
		candidate->is_possible = false;
		return err->kind == TMAP_INPUT ? 0 : -1;
	}
	status = candidate_run_call(candidate, &call, objective->by_rounds[index], &taken, err);
	*seconds += candidate->weight * taken;
	return status == 0 ? 0 : tmap_call_blame(&call, err);
}

static int candidate_add_pattern(struct candidate *candidate, const struct tmap_pattern *pattern,
				 double *seconds, struct tmap_error *err)
{
	const struct tmap_objective *objective = candidate->objective;
	bool is_large = objective->slots->rank_count >= MANY_RANKS;
	struct tmap_alike own = { 0 }, *alike = objective->alike ? objective->alike : &own;
	struct tmap_pattern_rows rows;
	double taken = 0;
	int status = 0;

	if (candidate->wanted & TMAP_EVALUATE_SECONDS)
		status = tmap_burst_seconds(&taken, candidate->model, pattern, objective->order,
					    is_large ? alike : NULL, err);
	tmap_alike_fini(&own);
	if (status < 0)
		return err->kind == TMAP_INPUT ?
			tmap_wrap(err, "all messages between ranks in one round") :
			-1;
	*seconds += taken;
	if (candidate->wanted == TMAP_EVALUATE_SECONDS)
		return 0;
	if (tmap_pattern_rows_init(&rows, pattern, NULL, false, err) < 0)
		return -1;
	for (int r = 0; tmap_pattern_rows_next(&rows); r++)
		for (int i = 0; i < rows.count; i++)
			candidate_add_message(candidate, r, rows.peer[i], rows.sent[i]);
	tmap_pattern_rows_fini(&rows);
	return candidate_add_everyone(candidate, pattern->everyone, err);
}

/* Devices that ranks need: in seconds the longest transfer, as all go at once. */
static void candidate_add_near(struct candidate *candidate, double *seconds)
{
	const struct tmap_objective *objective = candidate->objective;
	const struct tmap_criteria *criteria = objective->criteria;
	double longest = 0;

	for (int i = 0; i < criteria->near_count; i++)
		for (int r = tmap_idset_next(&criteria->near[i].ranks, TMAP_NONE);
		     r != TMAP_NONE && r < objective->slots->rank_count;
		     r = tmap_idset_next(&criteria->near[i].ranks, r)) {
			double distance = objective->near_distance[i][candidate->slot_of[r]];

			longest = fmax(longest,
				       tmap_objective_near_cost(objective, r, candidate->slot_of[r],
								true));
			candidate->byte_distance += criteria->near[i].bytes * distance;
		}
	*seconds += longest;
}

/* A member counts so many times beyond its limit: see the header. */
static const double beyond = 1000;

/* The eighth power: see there, too. */
static double power(double value)
{
	double square = value * value;

	return square * square * square * square;
}

static int panel_add(double *seconds, const struct tmap_objective *objective, const int *slot_of,
		     struct tmap_error *err)
{
	const struct tmap_panel *panel = objective->panel;
	double own = *seconds, sum = 1;

	for (int i = 0; i < panel->count && isfinite(own); i++) {
		struct tmap_evaluation other = { 0 };
		double scale = panel->scale[i];
		int status;

		panel->member[i].alike = objective->alike;
		status = tmap_objective_evaluate_some(&other, &panel->member[i], slot_of,
						      TMAP_EVALUATE_SECONDS, err);
		panel->member[i].alike = NULL;
		if (status < 0)
			return -1;
		if (other.seconds > panel->limit_s[i])
			scale *= beyond;
		if (own > 0)
			sum += power(scale * other.seconds / own);
	}
	*seconds = own * sqrt(sqrt(sqrt(sum)));
	return 0;
}

static double candidate_busiest_cable(const struct candidate *candidate)
{
	double most = 0;

	for (int64_t i = 0; candidate->cable && i < candidate->objective->criteria->routes->cables;
	     i++)
		if (candidate->cable[i] > most)
			most = candidate->cable[i];
	return most;
}

/* The values of these bits, whatever panel there is. */
static int objective_compute(struct tmap_evaluation *evaluation, struct tmap_objective *objective,
			     const int *slot_of, unsigned wanted, struct tmap_error *err)
{
	const struct tmap_traffic *traffic = objective->traffic;
	double seconds = 0;
	struct candidate candidate;
	int status = 0;

	if (candidate_init(&candidate, objective, slot_of, wanted, err) < 0)
		return -1;
	if (traffic->pattern)
		status = candidate_add_pattern(&candidate, traffic->pattern, &seconds, err);
	for (int c = 0; c < traffic->call_count && status == 0; c++)
		status = candidate_add_call(&candidate, c, &seconds, err);
	if (status == 0)
		candidate_add_near(&candidate, &seconds);
	if (objective->slots->rank_count >= MANY_RANKS)
		tmap_cost_model_rest(candidate.model);
	if (status == 0) {
		const struct tmap_evaluation made = {
			.seconds = seconds,
			.byte_distance = candidate.byte_distance,
			.hop_bytes = candidate.hop_bytes,
			.cable_bytes = candidate_busiest_cable(&candidate),
			.link_s = wanted & TMAP_EVALUATE_LINK ? tmap_flow_busiest(&candidate.flow) :
								0,
		};
		static const struct tmap_evaluation impossible = { INFINITY, INFINITY, INFINITY,
								   INFINITY, INFINITY };

		tmap_evaluation_take(evaluation, candidate.is_possible ? &made : &impossible,
				     wanted);
	}
	candidate_fini(&candidate);
	return status;
}

/* The same, but of many ranks nothing that is known is computed again. */
static int objective_look_up(struct tmap_evaluation *evaluation, struct tmap_objective *objective,
			     const int *slot_of, unsigned wanted, struct tmap_error *err)
{
	struct tmap_evaluated *it;

	if (objective->slots->rank_count < MANY_RANKS)
		return objective_compute(evaluation, objective, slot_of, wanted, err);
	it = tmap_evaluated_find(&objective->evaluated, slot_of, objective->slots->rank_count);
	if (wanted & ~it->known &&
	    objective_compute(&it->evaluation, objective, slot_of, wanted & ~it->known, err) < 0)
		return -1;
	it->known |= wanted;
	tmap_evaluation_take(evaluation, &it->evaluation, wanted);
	return 0;
}

int tmap_objective_evaluate_some(struct tmap_evaluation *evaluation,
				 struct tmap_objective *objective, const int *slot_of,
				 unsigned wanted, struct tmap_error *err)
{
	struct tmap_evaluation made = *evaluation;
	struct tmap_alike alike = { 0 };
	bool has_panel = wanted & TMAP_EVALUATE_SECONDS && objective->panel;
	int status;

	if (has_panel)
		objective->alike = &alike;
	status = objective_look_up(&made, objective, slot_of, wanted, err);
	if (status == 0 && has_panel)
		status = panel_add(&made.seconds, objective, slot_of, err);
	if (has_panel)
		objective->alike = NULL;
	tmap_alike_fini(&alike);
	if (status == 0)
		*evaluation = made;
	return status;
}

/* What the criteria ask for. */
static unsigned criteria_wanted(const struct tmap_objective *objective)
{
	if (objective->criteria->only_seconds)
		return TMAP_EVALUATE_SECONDS;
	return objective->criteria->only_goal ?
		tmap_objective_goal(objective) | TMAP_EVALUATE_DISTANCE :
		TMAP_EVALUATE_ALL;
}

int tmap_objective_evaluate(struct tmap_evaluation *evaluation, struct tmap_objective *objective,
			    const int *slot_of, struct tmap_error *err)
{
	*evaluation = (struct tmap_evaluation){ 0 };
	return tmap_objective_evaluate_some(evaluation, objective, slot_of,
					    criteria_wanted(objective), err);
}

int tmap_objective_evaluate_placement(struct tmap_evaluation *evaluation,
				      const struct tmap_placement *p,
				      const struct tmap_traffic *traffic,
				      const struct tmap_criteria *criteria, struct tmap_error *err)
{
	static const struct tmap_slots_excluded none;
	struct tmap_objective objective;
	struct tmap_slots slots;
	int status;

	if (tmap_slots_init(&slots, p, 0, &none, err) < 0)
		return -1;
	status = tmap_objective_init(&objective, &slots, traffic, criteria, err);
	if (status == 0) {
		status = tmap_objective_evaluate(evaluation, &objective, slots.now, err);
		tmap_objective_fini(&objective);
	}
	tmap_slots_fini(&slots);
	return status;
}
