#include "core/mappers/objective.h"

#include "core/mappers/round.h"
#include "core/mem.h"

#include <stdlib.h>

static const struct tm_word rows[] = {
	{ "seconds", "time by the cost profile" },
	{ "cost", "bytes times the distance that they travel" },
	{ "busiest", "the busiest adapter, memory controller or other link" },
	{ NULL, NULL },
};

const struct tm_words tm_goals = TM_WORDS("objective", rows);

static int check_sizes(const struct tm_slots *slots, const struct tm_traffic *traffic,
		       struct tm_error *err)
{
	int ranks = slots->rank_count;

	if (traffic->pattern && traffic->pattern->size != ranks)
		return tm_fail(err, TM_INPUT, "a pattern of %d ranks for a job of %d",
			       traffic->pattern->size, ranks);
	for (int c = 0; c < traffic->call_count; c++)
		if (traffic->call[c].size != ranks)
			return tm_fail(err, TM_INPUT, "a call of %d ranks for a job of %d",
				       traffic->call[c].size, ranks);
	if (traffic->grid && traffic->grid->size != ranks)
		return tm_fail(err, TM_INPUT, "a grid of %d ranks for a job of %d",
			       traffic->grid->size, ranks);
	return 0;
}

static int count_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	(void)message;
	(void)err;
	++*(int64_t *)context;
	return 0;
}

static int count_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	(void)pairs;
	(void)err;
	++*(int64_t *)context;
	return 0;
}

/* Those of algorithms that follow the distances are not known beforehand. */
static int count_messages(int64_t *messages, const struct tm_traffic *traffic,
			  struct tm_error *err)
{
	struct tm_sink sink = { .folded = true, .message = count_message,
				.all_pairs = count_all_pairs, .context = messages };

	*messages = 0;
	if (traffic->pattern)
		*messages += traffic->pattern->start[traffic->pattern->size];
	for (int c = 0; c < traffic->call_count; c++) {
		*messages += traffic->call[c].size;
		if (!tm_call_algorithm(&traffic->call[c])->needs_metric &&
		    tm_schedule(&traffic->call[c], &sink, err) < 0)
			return -1;
	}
	return 0;
}

int tm_objective_init(struct tm_objective *objective, const struct tm_slots *slots,
		      const struct tm_traffic *traffic, const struct tm_aim *aim,
		      struct tm_error *err)
{
	struct tm_objective made = { .slots = slots, .traffic = traffic, .aim = aim };
	int status = -1;

	if (check_sizes(slots, traffic, err) < 0 ||
	    count_messages(&made.messages, traffic, err) < 0 ||
	    tm_levels_init(&made.levels, slots->seats->machine, err) < 0)
		return -1;
	if (aim->level_cost)
		status = tm_nest_init_levels(&made.nest, slots->seats, &made.levels,
					     aim->level_cost, aim->level_cost_count, err);
	else
		status = tm_nest_init_scale(&made.nest, slots->seats, aim->scale, err);
	if (status < 0)
		tm_levels_fini(&made.levels);
	else
		*objective = made;
	return status;
}

void tm_objective_fini(struct tm_objective *objective)
{
	tm_levels_fini(&objective->levels);
	tm_nest_fini(&objective->nest);
	*objective = (struct tm_objective){ 0 };
}

/* A mapping that is being looked at. */
struct look {
	struct tm_objective *objective;
	const int *slot_of;
	unsigned figures;    /* that are wanted */
	struct tm_placement placement;
	struct tm_metric metric;
	struct tm_cost_model model;
	struct tm_flow flow;
	double weight, byte_distance;
};

static void look_fini(struct look *look)
{
	tm_flow_fini(&look->flow);
	tm_cost_model_fini(&look->model);
	tm_metric_fini(&look->metric);
	tm_placement_fini(&look->placement);
}

/* The placement and its cost model, where they are asked for. */
static int make_model(struct look *look, struct tm_error *err)
{
	struct tm_objective *objective = look->objective;
	const struct tm_slots *slots = objective->slots;

	if (tm_placement_select(&look->placement, slots->seats, look->slot_of, slots->rank_count,
				err) < 0)
		return -1;
	if (tm_metric_init(&look->metric, &look->placement, TM_SCALE_PROCESS, err) < 0 ||
	    tm_cost_model_init(&look->model, &look->placement, &look->metric, &objective->levels,
			       objective->aim->profile, err) < 0)
		return -1;
	return look->figures & TM_FIGURE_LINK ? tm_flow_init(&look->flow, &look->model, err) : 0;
}

static int look_init(struct look *look, struct tm_objective *objective, const int *slot_of,
		     unsigned figures, struct tm_error *err)
{
	const struct tm_traffic *traffic = objective->traffic;
	bool is_needed = figures != TM_FIGURE_DISTANCE;

	*look = (struct look){ .objective = objective, .slot_of = slot_of, .figures = figures,
			       .weight = 1 };
	for (int c = 0; c < traffic->call_count; c++)
		is_needed = is_needed || tm_call_algorithm(&traffic->call[c])->needs_metric;
	if (is_needed && make_model(look, err) < 0) {
		look_fini(look);
		return -1;
	}
	return 0;
}

static void add_message(struct look *look, int from, int to, double bytes)
{
	const struct tm_nest *nest = &look->objective->nest;

	if (look->figures & TM_FIGURE_DISTANCE)
		look->byte_distance +=
			bytes * tm_nest_cost(nest, nest->position[look->slot_of[from]],
					     nest->position[look->slot_of[to]]);
	if (look->figures & TM_FIGURE_LINK)
		tm_flow_add(&look->flow, from, to, bytes);
}

/* Pairs of ranks that a layer tells apart, both ways; ranks are spread over its sets so. */
static double pairs_apart(const int *ranks, int sets, double p)
{
	double together = 0;

	for (int s = 0; s < sets; s++)
		together += (double)ranks[s] * ranks[s];
	return p * p - together;
}

static int add_everyone(struct look *look, double bytes, struct tm_error *err)
{
	const struct tm_nest *nest = &look->objective->nest;
	int size = look->objective->slots->rank_count;
	double apart = 0;

	for (int l = 0; l < nest->depth && bytes > 0; l++) {
		int *ranks = tm_alloc((size_t)nest->set_count[l], sizeof *ranks, err);
		double before = apart;

		if (!ranks)
			return -1;
		for (int r = 0; r < size; r++)
			ranks[tm_nest_set(nest, l, nest->position[look->slot_of[r]])]++;
		apart = pairs_apart(ranks, nest->set_count[l], size);
		look->byte_distance += bytes * nest->cost[l] * (apart - before);
		free(ranks);
	}
	if (look->figures & TM_FIGURE_LINK)
		return tm_flow_add_everyone(&look->flow, bytes, err);
	return 0;
}

static int take_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct look *look = context;

	(void)err;
	add_message(look, message->from, message->to, look->weight * (double)message->bytes);
	return 0;
}

static int take_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct look *look = context;
	double ranks = look->objective->slots->rank_count;
	double bytes = (double)pairs->bytes + (double)pairs->larger / ranks;

	return add_everyone(look, look->weight * bytes, err);
}

static int look_at_call(struct look *look, const struct tm_call *given, double weight,
			double *seconds, struct tm_error *err)
{
	struct tm_sink sink = { .folded = true, .message = take_message,
				.all_pairs = take_all_pairs, .context = look };
	struct tm_call call = *given;
	double taken = 0;

	if (tm_call_algorithm(&call)->needs_metric)
		call.metric = &look->metric;
	look->weight = weight;
	if (look->figures & TM_FIGURE_SECONDS && tm_cost(&taken, &look->model, &call, err) < 0)
		return -1;
	*seconds += weight * taken;
	return look->figures == TM_FIGURE_SECONDS ? 0 : tm_schedule(&call, &sink, err);
}

static int look_at_pattern(struct look *look, const struct tm_pattern *pattern, double *seconds,
			   struct tm_error *err)
{
	double taken = 0;

	if (look->figures & TM_FIGURE_SECONDS &&
	    tm_round_seconds(&taken, &look->model, pattern, err) < 0)
		return -1;
	*seconds += taken;
	if (look->figures == TM_FIGURE_SECONDS)
		return 0;
	for (int r = 0; r < pattern->size; r++)
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			add_message(look, r, pattern->peer[i], pattern->sent[i]);
	return add_everyone(look, pattern->everyone, err);
}

int tm_objective_figures(struct tm_measures *measures, struct tm_objective *objective,
			 const int *slot_of, unsigned figures, struct tm_error *err)
{
	const struct tm_traffic *traffic = objective->traffic;
	double seconds = 0;
	struct look look;
	int status = 0;

	if (look_init(&look, objective, slot_of, figures, err) < 0)
		return -1;
	if (traffic->pattern)
		status = look_at_pattern(&look, traffic->pattern, &seconds, err);
	for (int c = 0; c < traffic->call_count && status == 0; c++)
		status = look_at_call(&look, &traffic->call[c], traffic->weight[c], &seconds, err);
	if (status == 0) {
		if (figures & TM_FIGURE_SECONDS)
			measures->seconds = seconds;
		if (figures & TM_FIGURE_DISTANCE)
			measures->byte_distance = look.byte_distance;
		if (figures & TM_FIGURE_LINK)
			measures->link_s = tm_flow_busiest(&look.flow);
	}
	look_fini(&look);
	return status;
}

int tm_objective_measure(struct tm_measures *measures, struct tm_objective *objective,
			 const int *slot_of, struct tm_error *err)
{
	return tm_objective_figures(measures, objective, slot_of, TM_FIGURES_ALL, err);
}

unsigned tm_objective_goal(const struct tm_objective *objective)
{
	static const unsigned bits[] = { [TM_GOAL_SECONDS] = TM_FIGURE_SECONDS,
					 [TM_GOAL_DISTANCE] = TM_FIGURE_DISTANCE,
					 [TM_GOAL_LINK] = TM_FIGURE_LINK };

	return bits[objective->aim->goal];
}

double tm_objective_value(const struct tm_objective *objective,
			  const struct tm_measures *measures)
{
	switch (objective->aim->goal) {
	case TM_GOAL_DISTANCE:
		return measures->byte_distance;
	case TM_GOAL_LINK:
		return measures->link_s;
	default:
		return measures->seconds;
	}
}

static bool is_less(double a, double b)
{
	return a < b * (1 - 1e-9);
}

bool tm_objective_prefers(const struct tm_objective *objective, const struct tm_measures *a,
			  const struct tm_measures *b)
{
	double of_a = tm_objective_value(objective, a), of_b = tm_objective_value(objective, b);

	if (is_less(of_a, of_b) || is_less(of_b, of_a))
		return is_less(of_a, of_b);
	return is_less(a->byte_distance, b->byte_distance);
}
