#include "core/mappers/objective.h"

#include "core/mappers/round.h"
#include "core/mem.h"

#include <stdlib.h>

enum {
	MOST_BY_ROUNDS = 512, /* ranks */
	RENDEZVOUS_BYTES = 65536, /* ranks wait for longer messages, in most libraries */
	SHORT_SHARE = 16,    /* a round is all latency where so many messages are still less */
};

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

/* What is told of a call. */
struct count {
	int64_t messages;
	bool has_all_pairs;
};

static int count_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct count *count = context;

	(void)message;
	(void)err;
	count->messages++;
	return 0;
}

static int count_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct count *count = context;

	(void)pairs;
	(void)err;
	count->has_all_pairs = true;
	return 0;
}

/* Do the rounds of all pairs matter? See the header. */
static bool rounds_matter(const struct tm_call *call, const struct tm_profile *profile)
{
	const struct tm_profile_row *far = &profile->row[profile->row_count - 1];

	return call->size <= MOST_BY_ROUNDS &&
	       (call->bytes >= RENDEZVOUS_BYTES ||
		(double)call->bytes * far->byte_s * SHORT_SHARE < far->latency_s);
}

/* Those of algorithms that follow the distances are not known beforehand. */
static int count_call(struct tm_objective *objective, int c, struct tm_error *err)
{
	const struct tm_call *call = &objective->traffic->call[c];
	struct count count = { 0 };
	struct tm_sink sink = { .folded = true, .message = count_message,
				.all_pairs = count_all_pairs, .context = &count };

	if (!tm_call_algorithm(call)->needs_metric && tm_schedule(call, &sink, err) < 0)
		return -1;
	objective->by_rounds[c] = count.has_all_pairs &&
				  rounds_matter(call, objective->aim->profile);
	objective->messages += count.messages + call->size;
	if (objective->by_rounds[c])
		objective->messages += (int64_t)call->size * call->size;
	return 0;
}

static int count_messages(struct tm_objective *objective, struct tm_error *err)
{
	const struct tm_traffic *traffic = objective->traffic;

	objective->by_rounds = tm_alloc((size_t)traffic->call_count,
					sizeof *objective->by_rounds, err);
	if (!objective->by_rounds)
		return -1;
	if (traffic->pattern)
		objective->messages += traffic->pattern->start[traffic->pattern->size];
	for (int c = 0; c < traffic->call_count; c++)
		if (count_call(objective, c, err) < 0)
			return -1;
	return 0;
}

static bool follows_distances(const struct tm_traffic *traffic)
{
	for (int c = 0; c < traffic->call_count; c++)
		if (tm_call_algorithm(&traffic->call[c])->needs_metric)
			return true;
	return false;
}

/* One model for all mappings, if they are permutations of the slots. */
static int make_shared_model(struct tm_objective *objective, struct tm_error *err)
{
	const struct tm_placement *seats = objective->slots->seats;

	if (objective->slots->rank_count != seats->size || follows_distances(objective->traffic))
		return 0;
	if (tm_metric_init(&objective->metric, seats, TM_SCALE_PROCESS, err) < 0)
		return -1;
	return tm_cost_model_init(&objective->model, seats, &objective->metric,
				  &objective->levels, objective->aim->profile, err);
}

static int make_nest(struct tm_objective *objective, struct tm_error *err)
{
	const struct tm_placement *seats = objective->slots->seats;
	const struct tm_aim *aim = objective->aim;

	if (!aim->level_cost)
		return tm_nest_init_scale(&objective->nest, seats, aim->scale, err);
	return tm_nest_init_levels(&objective->nest, seats, &objective->levels, aim->level_cost,
				   aim->level_cost_count, err);
}

int tm_objective_init(struct tm_objective *objective, const struct tm_slots *slots,
		      const struct tm_traffic *traffic, const struct tm_aim *aim,
		      struct tm_error *err)
{
	struct tm_objective *it = objective;

	if (check_sizes(slots, traffic, err) < 0)
		return -1;
	*it = (struct tm_objective){ .slots = slots, .traffic = traffic, .aim = aim };
	if (tm_levels_init(&it->levels, slots->seats->machine, err) < 0 ||
	    make_nest(it, err) < 0 || count_messages(it, err) < 0 ||
	    make_shared_model(it, err) < 0) {
		tm_objective_fini(it);
		return -1;
	}
	return 0;
}

void tm_objective_fini(struct tm_objective *objective)
{
	tm_cost_model_fini(&objective->model);
	tm_metric_fini(&objective->metric);
	tm_levels_fini(&objective->levels);
	tm_nest_fini(&objective->nest);
	free(objective->by_rounds);
	*objective = (struct tm_objective){ 0 };
}

/* A mapping that is being looked at. */
struct look {
	struct tm_objective *objective;
	const int *slot_of;
	unsigned figures;    /* that are wanted */
	struct tm_placement placement;
	struct tm_metric metric;
	struct tm_cost_model own_model;
	struct tm_cost_model *model; /* that one, or the objective's */
	struct tm_flow flow;
	double weight, byte_distance;
};

static void look_fini(struct look *look)
{
	tm_flow_fini(&look->flow);
	tm_cost_model_fini(&look->own_model);
	tm_metric_fini(&look->metric);
	tm_placement_fini(&look->placement);
}

/* The placement and a cost model of its own. */
static int make_model(struct look *look, struct tm_error *err)
{
	struct tm_objective *objective = look->objective;
	const struct tm_slots *slots = objective->slots;

	look->model = &look->own_model;
	if (tm_placement_select(&look->placement, slots->seats, look->slot_of, slots->rank_count,
				err) < 0)
		return -1;
	return tm_metric_init(&look->metric, &look->placement, TM_SCALE_PROCESS, err) < 0 ||
	       tm_cost_model_init(&look->own_model, &look->placement, &look->metric,
				  &objective->levels, objective->aim->profile, err) < 0 ? -1 : 0;
}

static int look_init(struct look *look, struct tm_objective *objective, const int *slot_of,
		     unsigned figures, struct tm_error *err)
{
	int status = 0;

	*look = (struct look){ .objective = objective, .slot_of = slot_of, .figures = figures,
			       .model = &objective->model, .weight = 1 };
	if (objective->model.reach.size)
		tm_cost_model_sit(look->model, slot_of);
	else if (figures != TM_FIGURE_DISTANCE || follows_distances(objective->traffic))
		status = make_model(look, err);
	if (status == 0 && figures & TM_FIGURE_LINK)
		status = tm_flow_init(&look->flow, look->model, err);
	if (status < 0)
		look_fini(look);
	return status;
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

static int look_at_call(struct look *look, int index, double *seconds, struct tm_error *err)
{
	const struct tm_objective *objective = look->objective;

	struct tm_sink sink = { .folded = true, .message = take_message,
				.all_pairs = take_all_pairs, .context = look };
	struct tm_call call = objective->traffic->call[index];
	double weight = objective->traffic->weight[index], taken = 0;
	int status = 0;

	if (tm_call_algorithm(&call)->needs_metric)
		call.metric = &look->metric;
	look->weight = weight;
	if (look->figures & TM_FIGURE_SECONDS)
		status = objective->by_rounds[index] ?
			 tm_cost_by_rounds(&taken, look->model, &call, err) :
			 tm_cost(&taken, look->model, &call, err);
	if (status < 0)
		return -1;
	*seconds += weight * taken;
	return look->figures == TM_FIGURE_SECONDS ? 0 : tm_schedule(&call, &sink, err);
}

static int look_at_pattern(struct look *look, const struct tm_pattern *pattern, double *seconds,
			   struct tm_error *err)
{
	double taken = 0;

	if (look->figures & TM_FIGURE_SECONDS &&
	    tm_round_seconds(&taken, look->model, pattern, err) < 0)
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
		status = look_at_call(&look, c, &seconds, err);
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
