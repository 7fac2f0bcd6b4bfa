/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/mappers/suggestion.h"

#include "core/base/mem.h"
#include "core/cost/profile_choice.h"
#include "core/pattern/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A suggestion that is being made. */
struct making {
	const struct tmap_suggestion_request *request;
	int ahead;                      /* where the traffic is unknown, rank r sends to r + 1, */
	struct tmap_neighborhood round; /* the last one to the first */
	struct tmap_pattern ring;
	struct tmap_traffic traffic; /* the request's, or the ring */
	struct tmap_objective objective;
	struct tmap_suggestion *s; /* the result */
	int *slot_of;              /* of the suggestion */
};

static int making_init(struct making *m, struct tmap_error *err)
{
	const struct tmap_suggestion_request *request = m->request;

	if (request->traffic) {
		m->traffic = *request->traffic;
	} else {
		m->ahead = 1;
		m->round = (struct tmap_neighborhood){ .stencil = TMAP_STENCIL_OFFSETS,
						       .size = request->before->size,
						       .dimensions = 1,
						       .dim = { request->before->size },
						       .periodic = { true },
						       .degree = 1,
						       .offset = &m->ahead };
		if (tmap_pattern_of_grid(&m->ring, &m->round, 1, err) < 0)
			return -1;
		m->traffic.pattern = &m->ring;
	}
	return tmap_objective_init(&m->objective, request->slots, &m->traffic, &request->criteria,
				   err);
}

/* Nothing more is evaluated, and no crossings are counted. */
static void making_rest(struct making *m)
{
	tmap_objective_fini(&m->objective);
}

/* Has every rank a slot of its own now? */
static bool slots_hold_all(const struct tmap_slots *slots)
{
	for (int r = 0; r < slots->rank_count; r++)
		if (slots->now[r] == TMAP_NONE)
			return false;
	return true;
}

/* Can every call be made there? Else it is the crossings that say why not. */
static bool state_is_possible(const struct making *m, const struct tmap_state *state)
{
	return isfinite(tmap_evaluation_value(&state->evaluation, m->request->criteria.goal));
}

static int state_count_crossings(struct making *m, enum tmap_state_name name,
				 const struct tmap_placement *p, struct tmap_error *err)
{
	struct tmap_suggestion *s = m->s;
	struct tmap_state *state = &s->state[name];

	if (m->request->criteria.only_goal && state_is_possible(m, state))
		return 0;
	state->border = tmap_alloc((size_t)s->levels.count, sizeof *state->border, err);
	return state->border ?
		tmap_crossings_count(state->border, p, &s->levels, &m->traffic, err) :
		-1;
}

static int launched_evaluate(struct making *m, struct tmap_error *err)
{
	struct tmap_state *state = &m->s->state[TMAP_LAUNCHED];
	const struct tmap_slots *slots = m->request->slots;
	int status = slots_hold_all(slots) ?
		tmap_objective_evaluate(&state->evaluation, &m->objective, slots->now, err) :
		tmap_objective_evaluate_placement(&state->evaluation, m->request->before,
						  &m->traffic, &m->request->criteria, err);

	tmap_cost_model_rest(&m->objective.model); /* mappers have memory of their own */
	return status < 0 ? -1 : state_count_crossings(m, TMAP_LAUNCHED, m->request->before, err);
}

/* May every rank stay where it is? 1, 0, or -1 with *err set. */
static int slots_can_stay(const struct tmap_slots *slots, struct tmap_error *err)
{
	if (!slots_hold_all(slots))
		return 0;
	if (tmap_slots_check(slots, slots->now, err) == 0)
		return 1;
	return err->kind == TMAP_INPUT ? 0 : -1;
}

/* Nobody said whose costs it is, so that it is to hold for all. */
static bool making_is_robust(const struct making *m)
{
	const struct tmap_suggestion_request *request = m->request;

	return request->traffic && request->criteria.goal == TMAP_GOAL_SECONDS &&
		tmap_profile_is_guessed(request->criteria.profile) &&
		tmap_mapper_at(request->mapper)->moves;
}

static int suggestion_map(struct making *m, bool can_stay, struct tmap_error *err)
{
	const struct tmap_suggestion_request *request = m->request;
	int64_t effort = request->effort == TMAP_NONE ? tmap_effort_for(&m->objective) :
							request->effort;
	const struct tmap_robust_request robust = {
		&m->objective, request->before,       can_stay,         request->mapper, effort,
		request->seed, request->minimum_gain, request->progress
	};
	struct tmap_suggestion *s = m->s;
	struct tmap_mapping mapping = { 0 };
	int status = making_is_robust(m) ? tmap_robust_map(&mapping, &s->robust, &robust, err) :
					   tmap_map(&mapping, &m->objective, request->mapper,
						    effort, request->seed, request->progress, err);

	if (status < 0)
		return -1;
	m->slot_of = mapping.slot_of;
	mapping.slot_of = NULL;
	s->how = mapping.how;
	mapping.how = NULL;
	s->finder = mapping.mapper;
	s->steps = mapping.steps;
	s->state[TMAP_SUGGESTED].evaluation = mapping.evaluation;
	tmap_mapping_fini(&mapping);
	return tmap_slots_check(request->slots, m->slot_of, err);
}

/* The run of the launch in any order lasts as its communication does, if that is known. */
static void suggestion_take_run(struct making *m)
{
	double before = m->s->state[TMAP_LAUNCHED].evaluation.seconds;

	if (before > 0 && isfinite(before))
		m->s->run = m->request->run;
}

static void suggestion_set_gain(struct making *m)
{
	struct tmap_suggestion *s = m->s;
	double before = tmap_objective_value(&m->objective, &s->state[TMAP_LAUNCHED].evaluation);
	double after = tmap_objective_value(&m->objective, &s->state[TMAP_SUGGESTED].evaluation);

	s->gain = before > 0 ? (before - after) / before : 0;
}

/* Where a mapper gains too little every rank stays where it is, if the constraints allow that. */
static int suggestion_keep_if_vain(struct making *m, bool can_stay, struct tmap_error *err)
{
	const struct tmap_slots *slots = m->request->slots;
	struct tmap_suggestion *s = m->s;
	size_t bytes = (size_t)slots->rank_count * sizeof *m->slot_of;
	bool is_better = s->robust.machines ?
		!can_stay || memcmp(m->slot_of, slots->now, bytes) != 0 :
		tmap_objective_prefers(&m->objective, &s->state[TMAP_SUGGESTED].evaluation,
				       &s->state[TMAP_LAUNCHED].evaluation);

	suggestion_set_gain(m);
	if (is_better && tmap_suggestion_is_worth_it(s))
		return 0;
	if (!can_stay) {
		s->must_move = true;
		return 0;
	}
	if (is_better)
		s->vain_gain = s->robust.machines ? s->robust.mean : s->gain;
	s->vain_gain = fmax(s->vain_gain, s->robust.unconvincing_mean);
	memcpy(m->slot_of, slots->now, bytes);
	s->state[TMAP_SUGGESTED].evaluation = s->state[TMAP_LAUNCHED].evaluation;
	s->gain = 0;
	s->finder = tmap_keywords_find(&tmap_mappers, "identity", err);
	free(s->how);
	s->how = NULL;
	s->is_kept = true;
	return 0;
}

static bool place_is_same(const struct tmap_placement *a, int r, const struct tmap_placement *b,
			  int s)
{
	const struct tmap_place *x = &a->places[a->place[r]], *y = &b->places[b->place[s]];

	return a->node[r] == b->node[s] && x->bound == y->bound &&
		tmap_idset_equal(&x->pus, &y->pus);
}

/* place_of stays NULL where some rank goes where none was. */
static int suggestion_find_owners(struct making *m, struct tmap_error *err)
{
	const struct tmap_slots *slots = m->request->slots;
	int ranks = slots->rank_count, count = slots->placement->size;
	int *owner = tmap_alloc_raw((size_t)count, sizeof *owner, err);
	int *place_of = tmap_alloc_raw((size_t)ranks, sizeof *place_of, err);
	bool known = owner && place_of;

	for (int i = 0; known && i < count; i++)
		owner[i] = TMAP_NONE;
	for (int r = 0; known && r < ranks; r++)
		if (slots->now[r] != TMAP_NONE &&
		    place_is_same(m->request->before, r, slots->placement, slots->now[r]))
			owner[slots->now[r]] = r;
	for (int r = 0; known && r < ranks; r++) {
		place_of[r] = owner[m->slot_of[r]];
		if (place_of[r] == TMAP_NONE)
			break;
		if (r == ranks - 1) {
			m->s->place_of = place_of;
			place_of = NULL;
		}
	}
	free(owner);
	free(place_of);
	return known ? 0 : -1;
}

/* A plan has been requested, not measured; it is for the library and the launcher of the job. */
static int origin_set(struct tmap_placement *p, const struct tmap_suggestion_request *request,
		      struct tmap_error *err)
{
	const struct tmap_origin *job = &request->before->origin;
	struct tmap_origin *origin = &p->origin;

	free(origin->by);
	free(origin->request);
	free(origin->mpi);
	free(origin->launcher);
	free(origin->date);
	free(origin->masked_host);
	*origin = (struct tmap_origin){ .by = tmap_strdup(request->by, err),
					.request = tmap_strdup(request->request, err) };
	free(p->last_pu);
	p->last_pu = NULL;
	if (!origin->by || !origin->request ||
	    (job->mpi && !(origin->mpi = tmap_strdup(job->mpi, err))) ||
	    (job->launcher && !(origin->launcher = tmap_strdup(job->launcher, err))) ||
	    (job->masked_host && !(origin->masked_host = tmap_strdup(job->masked_host, err))))
		return -1;
	return 0;
}

static int suggestion_apply(struct making *m, struct tmap_error *err)
{
	const struct tmap_slots *slots = m->request->slots;
	struct tmap_suggestion *s = m->s;

	if (suggestion_find_owners(m, err) < 0 ||
	    tmap_placement_select(&s->after, slots->placement, m->slot_of, slots->rank_count, err) <
		    0 ||
	    tmap_placement_copy_settings(&s->after, m->request->before, NULL, err) < 0)
		return -1;
	if (origin_set(&s->after, m->request, err) < 0)
		return -1;
	return state_count_crossings(m, TMAP_SUGGESTED, &s->after, err);
}

static int suggestion_count_near(struct making *m, struct tmap_error *err)
{
	const struct tmap_criteria *criteria = &m->request->criteria;
	struct tmap_suggestion *s = m->s;

	s->near = tmap_alloc((size_t)criteria->near_count, sizeof *s->near, err);
	if (!s->near)
		return -1;
	s->near_count = criteria->near_count;
	for (int i = 0; i < s->near_count; i++) {
		struct tmap_near_gain *gain = &s->near[i];

		gain->type = criteria->near[i].type;
		if (tmap_near_count(&gain->before, &gain->ranks, &criteria->near[i], s->before,
				    err) < 0 ||
		    tmap_near_count(&gain->after, &gain->ranks, &criteria->near[i], &s->after,
				    err) < 0)
			return -1;
	}
	return 0;
}

/* What a launcher does by itself; nothing where a call cannot be made so. */
static int baseline_add(struct making *m, enum tmap_state_name name, const char *mapper,
			struct tmap_error *err)
{
	const struct tmap_slots *slots = m->request->slots;
	struct tmap_placement *p = &m->s->state[name].placement;
	struct tmap_mapping mapping = { 0 };
	int row = tmap_keywords_find(&tmap_mappers, mapper, err), status;

	if (row == TMAP_NONE || tmap_map(&mapping, &m->objective, row, 0, 0, NULL, err) < 0)
		return -1;
	m->s->state[name].evaluation = mapping.evaluation;
	if (!state_is_possible(m, &m->s->state[name])) {
		tmap_mapping_fini(&mapping);
		return 0;
	}
	status =
		tmap_placement_select(p, slots->placement, mapping.slot_of, slots->rank_count, err);
	tmap_mapping_fini(&mapping);
	return status < 0 ? -1 : state_count_crossings(m, name, p, err);
}

/* What the report compares with. */
static int suggestion_add_baselines(struct making *m, struct tmap_error *err)
{
	struct tmap_suggestion *s = m->s;

	if (s->has_traffic)
		return baseline_add(m, TMAP_BLOCK, "block", err) < 0 ||
				baseline_add(m, TMAP_CYCLIC, "cyclic", err) < 0 ||
				tmap_moves_find(&s->moves, s->before, &s->after, &m->traffic, err) <
					0 ?
			-1 :
			0;
	return tmap_statistics_init(&s->statistics_before, s->before, TMAP_SCALE_PROCESS,
				    &s->levels, err) < 0 ||
			tmap_statistics_init(&s->statistics_after, &s->after, TMAP_SCALE_PROCESS,
					     &s->levels, err) < 0 ?
		-1 :
		0;
}

int tmap_suggestion_init(struct tmap_suggestion *suggestion,
			 const struct tmap_suggestion_request *request, struct tmap_error *err)
{
	struct tmap_suggestion made = { .before = request->before,
					.goal = request->criteria.goal,
					.minimum_gain = request->minimum_gain,
					.mapper = request->mapper,
					.profile = request->criteria.profile,
					.has_traffic = request->traffic != NULL,
					.has_routes = request->criteria.routes != NULL,
					.has_level_costs = request->criteria.level_cost != NULL,
					.state = { [TMAP_LAUNCHED].name = "as launched",
						   [TMAP_SUGGESTED].name = "suggested",
						   [TMAP_BLOCK].name = "block",
						   [TMAP_CYCLIC].name = "cyclic" } };
	struct making m = { .s = &made, .request = request };
	int status = tmap_levels_init(&made.levels, request->before->machine, err);
	int can_stay = status == 0 ? slots_can_stay(request->slots, err) : -1;

	if (can_stay < 0)
		status = -1;
	if (status == 0)
		status = making_init(&m, err);
	if (status == 0 &&
	    (launched_evaluate(&m, err) < 0 || suggestion_map(&m, can_stay, err) < 0 ||
	     suggestion_keep_if_vain(&m, can_stay, err) < 0))
		status = -1;
	if (status == 0) {
		suggestion_take_run(&m);
		if (request->criteria.only_goal && !made.has_traffic)
			making_rest(&m);
		status = suggestion_apply(&m, err);
	}
	if (status == 0)
		status = suggestion_count_near(&m, err);
	if (status == 0)
		status = suggestion_add_baselines(&m, err);
	making_rest(&m);
	free(m.slot_of);
	if (status < 0)
		tmap_suggestion_fini(&made);
	else
		*suggestion = made;
	return status;
}

double tmap_suggestion_run_seconds(const struct tmap_suggestion *s, const struct tmap_state *state)
{
	return s->run.recorded_s > 0 ?
		tmap_run_time_in(&s->run, s->state[TMAP_LAUNCHED].evaluation.seconds,
				 state->evaluation.seconds) :
		0;
}

void tmap_suggestion_fini(struct tmap_suggestion *suggestion)
{
	tmap_placement_fini(&suggestion->after);
	free(suggestion->place_of);
	free(suggestion->how);
	free(suggestion->near);
	tmap_levels_fini(&suggestion->levels);
	for (int i = 0; i < TMAP_STATE_COUNT; i++) {
		free(suggestion->state[i].border);
		tmap_placement_fini(&suggestion->state[i].placement);
	}
	tmap_statistics_fini(&suggestion->statistics_before);
	tmap_statistics_fini(&suggestion->statistics_after);
	*suggestion = (struct tmap_suggestion){ 0 };
}
