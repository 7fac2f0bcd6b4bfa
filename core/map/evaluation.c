#include "core/map/objective.h"

#include "core/base/mem.h"
#include "core/map/rounds.h"

#include <stdlib.h>

/* A mapping that is being looked at. */
struct look {
	struct tmap_objective *objective;
	const int *slot_of;
	unsigned figures; /* that are wanted */
	struct tmap_placement placement;
	struct tmap_metric metric;
	struct tmap_cost_model own_model;
	struct tmap_cost_model *model; /* that one, or the objective's */
	struct tmap_flow flow;
	double weight, byte_distance;
};

static void look_fini(struct look *look)
{
	tmap_flow_fini(&look->flow);
	tmap_cost_model_fini(&look->own_model);
	tmap_metric_fini(&look->metric);
	tmap_placement_fini(&look->placement);
}

/* The placement and a cost model of its own. */
static int make_model(struct look *look, struct tmap_error *err)
{
	struct tmap_objective *objective = look->objective;
	const struct tmap_slots *slots = objective->slots;

	look->model = &look->own_model;
	if (tmap_placement_select(&look->placement, slots->seats, look->slot_of, slots->rank_count,
				  err) < 0)
		return -1;
	return tmap_metric_init(&look->metric, &look->placement, TMAP_SCALE_PROCESS, err) < 0 ||
			tmap_cost_model_init(&look->own_model, &look->placement, &look->metric,
					     &objective->levels, objective->aim->profile, err) < 0 ?
		-1 :
		0;
}

static int look_init(struct look *look, struct tmap_objective *objective, const int *slot_of,
		     unsigned figures, struct tmap_error *err)
{
	int status = 0;

	*look = (struct look){ .objective = objective,
			       .slot_of = slot_of,
			       .figures = figures,
			       .model = &objective->model,
			       .weight = 1 };
	if (objective->model.kinds.size)
		tmap_cost_model_place(look->model, slot_of);
	else if (figures != TMAP_MEASURE_DISTANCE || objective->follows_distances)
		status = make_model(look, err);
	if (status == 0 && figures & TMAP_MEASURE_LINK)
		status = tmap_flow_init(&look->flow, look->model, err);
	if (status < 0)
		look_fini(look);
	return status;
}

static void add_message(struct look *look, int from, int to, double bytes)
{
	const struct tmap_nest *nest = &look->objective->nest;

	if (look->figures & TMAP_MEASURE_DISTANCE)
		look->byte_distance += bytes *
			tmap_nest_cost(nest, nest->position[look->slot_of[from]],
				       nest->position[look->slot_of[to]]);
	if (look->figures & TMAP_MEASURE_LINK)
		tmap_flow_add(&look->flow, from, to, bytes);
}

/* Pairs of ranks that a layer tells apart, both ways; ranks are spread over its sets so. */
static double pairs_apart(const int *ranks, int sets, double p)
{
	double together = 0;

	for (int s = 0; s < sets; s++)
		together += (double)ranks[s] * ranks[s];
	return p * p - together;
}

static int add_everyone(struct look *look, double bytes, struct tmap_error *err)
{
	const struct tmap_nest *nest = &look->objective->nest;
	int size = look->objective->slots->rank_count;
	double apart = 0;

	for (int l = 0; l < nest->depth && bytes > 0; l++) {
		int *ranks = tmap_alloc((size_t)nest->set_count[l], sizeof *ranks, err);
		double before = apart;

		if (!ranks)
			return -1;
		for (int r = 0; r < size; r++)
			ranks[tmap_nest_set(nest, l, nest->position[look->slot_of[r]])]++;
		apart = pairs_apart(ranks, nest->set_count[l], size);
		look->byte_distance += bytes * nest->cost[l] * (apart - before);
		free(ranks);
	}
	if (look->figures & TMAP_MEASURE_LINK)
		return tmap_flow_add_everyone(&look->flow, bytes, err);
	return 0;
}

static int take_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct look *look = context;

	(void)err;
	add_message(look, message->from, message->to, look->weight * (double)message->bytes);
	return 0;
}

static int take_all_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	struct look *look = context;
	double ranks = look->objective->slots->rank_count;
	double bytes = (double)pairs->bytes + (double)pairs->larger / ranks;

	return add_everyone(look, look->weight * bytes, err);
}

static int look_at_call(struct look *look, int index, double *seconds, struct tmap_error *err)
{
	const struct tmap_objective *objective = look->objective;

	struct tmap_visitor visitor = { .folded = true,
					.message = take_message,
					.all_pairs = take_all_pairs,
					.context = look };
	struct tmap_call call = objective->traffic->call[index];
	double weight = objective->traffic->weight[index], taken = 0;
	int status = 0;

	if (tmap_call_algorithm(&call)->needs_metric)
		call.metric = &look->metric;
	look->weight = weight;
	if (look->figures & TMAP_MEASURE_SECONDS)
		status = objective->by_rounds[index] ?
			tmap_cost_by_rounds(&taken, look->model, &call, err) :
			tmap_cost(&taken, look->model, &call, err);
	if (status < 0)
		return -1;
	*seconds += weight * taken;
	return look->figures == TMAP_MEASURE_SECONDS ? 0 : tmap_schedule(&call, &visitor, err);
}

static int look_at_pattern(struct look *look, const struct tmap_pattern *pattern, double *seconds,
			   struct tmap_error *err)
{
	double taken = 0;

	if (look->figures & TMAP_MEASURE_SECONDS &&
	    tmap_round_seconds(&taken, look->model, pattern, err) < 0)
		return -1;
	*seconds += taken;
	if (look->figures == TMAP_MEASURE_SECONDS)
		return 0;
	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			add_message(look, r, pattern->peer[i], pattern->sent[i]);
	return add_everyone(look, pattern->everyone, err);
}

int tmap_objective_statistics(struct tmap_evaluation *measures, struct tmap_objective *objective,
			      const int *slot_of, unsigned figures, struct tmap_error *err)
{
	const struct tmap_traffic *traffic = objective->traffic;
	double seconds = 0;
	struct look look;
	int status = 0;

	if (look_init(&look, objective, slot_of, figures, err) < 0)
		return -1;
	if (traffic->pattern)
		status = look_at_pattern(&look, traffic->pattern, &seconds, err);
	for (int c = 0; c < traffic->call_count && status == 0; c++)
		status = look_at_call(&look, c, &seconds, err);
	if (status == 0) {
		if (figures & TMAP_MEASURE_SECONDS)
			measures->seconds = seconds;
		if (figures & TMAP_MEASURE_DISTANCE)
			measures->byte_distance = look.byte_distance;
		if (figures & TMAP_MEASURE_LINK)
			measures->link_s = tmap_flow_busiest(&look.flow);
	}
	look_fini(&look);
	return status;
}

int tmap_objective_measure(struct tmap_evaluation *measures, struct tmap_objective *objective,
			   const int *slot_of, struct tmap_error *err)
{
	return tmap_objective_statistics(measures, objective, slot_of, TMAP_MEASURE_ALL, err);
}
