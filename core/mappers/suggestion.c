#include "core/mappers/suggestion.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A suggestion that is being made. */
struct making {
	struct tm_suggestion *s;
	const struct tm_wish *wish;
	struct tm_traffic traffic; /* the wish's, or the ring */
	struct tm_pattern ring;
	struct tm_aim aim;
	struct tm_objective objective;
	int *slot_of;        /* of the suggestion */
};

/* Rank r talks to r + 1, the last one to the first. */
static int make_ring(struct tm_pattern *ring, int size, struct tm_error *err)
{
	struct tm_pattern_builder builder;
	int status = tm_pattern_builder_init(&builder, size, err);

	for (int r = 0; r < size && status == 0; r++)
		status = tm_pattern_add(&builder, r, (r + 1) % size, 1, err);
	if (status == 0)
		status = tm_pattern_finish(ring, &builder, err);
	tm_pattern_builder_fini(&builder);
	return status;
}

static int begin(struct making *m, struct tm_error *err)
{
	const struct tm_wish *wish = m->wish;

	m->aim = wish->aim;
	if (wish->traffic) {
		m->traffic = *wish->traffic;
	} else {
		if (make_ring(&m->ring, wish->before->size, err) < 0)
			return -1;
		m->traffic.pattern = &m->ring;
	}
	return tm_objective_init(&m->objective, wish->slots, &m->traffic, &m->aim, err);
}

static bool all_have_slots(const struct tm_slots *slots)
{
	for (int r = 0; r < slots->rank_count; r++)
		if (slots->now[r] == TM_NONE)
			return false;
	return true;
}

/* Where some rank sits on no slot of its own, the ranks' places are slots for once. */
static int measure_elsewhere(struct tm_measures *measures, struct making *m, struct tm_error *err)
{
	static const struct tm_slots_spared none;
	struct tm_objective objective;
	struct tm_slots slots;
	int status;

	if (tm_slots_init(&slots, m->wish->before, 0, &none, err) < 0)
		return -1;
	status = tm_objective_init(&objective, &slots, &m->traffic, &m->aim, err);
	if (status == 0) {
		status = tm_objective_measure(measures, &objective, slots.now, err);
		tm_objective_fini(&objective);
	}
	tm_slots_fini(&slots);
	return status;
}

static int count_crossings(struct making *m, enum tm_state_name name, const struct tm_placement *p,
			   struct tm_error *err)
{
	struct tm_suggestion *s = m->s;
	struct tm_state *state = &s->state[name];

	state->border = tm_alloc((size_t)s->levels.count, sizeof *state->border, err);
	return state->border ?
	       tm_crossings_count(state->border, p, &s->levels, &m->traffic, err) : -1;
}

static int measure_launched(struct making *m, struct tm_error *err)
{
	struct tm_state *state = &m->s->state[TM_LAUNCHED];
	const struct tm_slots *slots = m->wish->slots;
	int status = all_have_slots(slots) ?
		     tm_objective_measure(&state->measures, &m->objective, slots->now, err) :
		     measure_elsewhere(&state->measures, m, err);

	return status < 0 ? -1 : count_crossings(m, TM_LAUNCHED, m->wish->before, err);
}

static int ask_mapper(struct making *m, struct tm_error *err)
{
	const struct tm_wish *wish = m->wish;
	struct tm_suggestion *s = m->s;
	struct tm_mapping mapping = { 0 };

	if (tm_map(&mapping, &m->objective, wish->mapper, wish->effort, wish->seed, err) < 0)
		return -1;
	m->slot_of = mapping.slot_of;
	mapping.slot_of = NULL;
	s->how = mapping.how;
	mapping.how = NULL;
	s->finder = mapping.mapper;
	s->steps = mapping.steps;
	s->state[TM_SUGGESTED].measures = mapping.measures;
	tm_mapping_fini(&mapping);
	return tm_slots_check(wish->slots, m->slot_of, err);
}

/* A mapper that gains nothing moves nobody, unless somebody must move. */
static int keep_if_vain(struct making *m, struct tm_error *err)
{
	const struct tm_slots *slots = m->wish->slots;
	struct tm_suggestion *s = m->s;

	if (tm_objective_prefers(&m->objective, &s->state[TM_SUGGESTED].measures,
				 &s->state[TM_LAUNCHED].measures))
		return 0;
	if (!all_have_slots(slots)) {
		s->must_move = true;
		return 0;
	}
	if (tm_slots_check(slots, slots->now, err) < 0) {
		s->must_move = true;
		return err->kind == TM_INPUT ? 0 : -1;
	}
	memcpy(m->slot_of, slots->now, (size_t)slots->rank_count * sizeof *m->slot_of);
	s->state[TM_SUGGESTED].measures = s->state[TM_LAUNCHED].measures;
	s->finder = tm_words_find(&tm_mappers, "identity", err);
	free(s->how);
	s->how = NULL;
	s->is_kept = true;
	return 0;
}

static bool is_same_place(const struct tm_placement *a, int r, const struct tm_placement *b, int s)
{
	const struct tm_place *x = &a->places[a->place[r]], *y = &b->places[b->place[s]];

	return a->node[r] == b->node[s] && x->bound == y->bound &&
	       tm_idset_equal(&x->pus, &y->pus);
}

/* place_of stays NULL where some rank goes where none was. */
static int find_owners(struct making *m, struct tm_error *err)
{
	const struct tm_slots *slots = m->wish->slots;
	int ranks = slots->rank_count, count = slots->seats->size;
	int *owner = tm_alloc_raw((size_t)count, sizeof *owner, err);
	int *place_of = tm_alloc_raw((size_t)ranks, sizeof *place_of, err);
	bool known = owner && place_of;

	for (int i = 0; known && i < count; i++)
		owner[i] = TM_NONE;
	for (int r = 0; known && r < ranks; r++)
		if (slots->now[r] != TM_NONE &&
		    is_same_place(m->wish->before, r, slots->seats, slots->now[r]))
			owner[slots->now[r]] = r;
	for (int r = 0; known && r < ranks; r++) {
		place_of[r] = owner[m->slot_of[r]];
		if (place_of[r] == TM_NONE)
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

/* A plan has been requested, not measured. */
static int rename_origin(struct tm_placement *p, const char *by, const char *request,
			 struct tm_error *err)
{
	struct tm_origin *origin = &p->origin;

	free(origin->by);
	free(origin->request);
	free(origin->mpi);
	free(origin->launcher);
	free(origin->date);
	*origin = (struct tm_origin){ .by = tm_strdup(by, err),
				      .request = tm_strdup(request, err) };
	free(p->last_pu);
	p->last_pu = NULL;
	return origin->by && origin->request ? 0 : -1;
}

static int apply(struct making *m, struct tm_error *err)
{
	const struct tm_slots *slots = m->wish->slots;
	struct tm_suggestion *s = m->s;

	if (find_owners(m, err) < 0 ||
	    tm_placement_select(&s->after, slots->seats, m->slot_of, slots->rank_count, err) < 0)
		return -1;
	if (rename_origin(&s->after, m->wish->by, m->wish->request, err) < 0)
		return -1;
	return count_crossings(m, TM_SUGGESTED, &s->after, err);
}

/* What a launcher does by itself. */
static int add_baseline(struct making *m, enum tm_state_name name, const char *mapper,
			struct tm_error *err)
{
	const struct tm_slots *slots = m->wish->slots;
	struct tm_placement *p = &m->s->state[name].placement;
	struct tm_mapping mapping = { 0 };
	int row = tm_words_find(&tm_mappers, mapper, err), status;

	if (row == TM_NONE || tm_map(&mapping, &m->objective, row, 0, 0, err) < 0)
		return -1;
	m->s->state[name].measures = mapping.measures;
	status = tm_placement_select(p, slots->seats, mapping.slot_of, slots->rank_count, err);
	tm_mapping_fini(&mapping);
	return status < 0 ? -1 : count_crossings(m, name, p, err);
}

static double find_gain(const struct making *m)
{
	const struct tm_state *state = m->s->state;
	double before = tm_objective_value(&m->objective, &state[TM_LAUNCHED].measures);
	double after = tm_objective_value(&m->objective, &state[TM_SUGGESTED].measures);

	return before > 0 ? (before - after) / before : 0;
}

static int add_report(struct making *m, struct tm_error *err)
{
	struct tm_suggestion *s = m->s;

	if (s->has_traffic)
		return add_baseline(m, TM_BLOCK, "block", err) < 0 ||
		       add_baseline(m, TM_CYCLIC, "cyclic", err) < 0 ||
		       tm_moves_find(&s->moves, s->before, &s->after, &m->traffic, err) < 0 ? -1 : 0;
	return tm_figures_init(&s->figures_before, s->before, TM_SCALE_PROCESS, &s->levels,
			       err) < 0 ||
	       tm_figures_init(&s->figures_after, &s->after, TM_SCALE_PROCESS, &s->levels,
			       err) < 0 ? -1 : 0;
}

int tm_suggestion_init(struct tm_suggestion *suggestion, const struct tm_wish *wish,
		       struct tm_error *err)
{
	struct tm_suggestion made = {
		.before = wish->before, .goal = wish->aim.goal, .mapper = wish->mapper,
		.profile = wish->aim.profile,
		.has_traffic = wish->traffic != NULL,
		.has_level_costs = wish->aim.level_cost != NULL,
		.state = { [TM_LAUNCHED].name = "as launched", [TM_SUGGESTED].name = "suggested",
			   [TM_BLOCK].name = "block", [TM_CYCLIC].name = "cyclic" } };
	struct making m = { .s = &made, .wish = wish };
	int status = tm_levels_init(&made.levels, wish->before->machine, err);

	if (status == 0)
		status = begin(&m, err);
	if (status == 0 && (measure_launched(&m, err) < 0 || ask_mapper(&m, err) < 0 ||
			    keep_if_vain(&m, err) < 0))
		status = -1;
	if (status == 0) {
		made.gain = find_gain(&m);
		status = apply(&m, err);
	}
	if (status == 0)
		status = add_report(&m, err);
	tm_objective_fini(&m.objective);
	tm_pattern_fini(&m.ring);
	free(m.slot_of);
	if (status < 0)
		tm_suggestion_fini(&made);
	else
		*suggestion = made;
	return status;
}

void tm_suggestion_fini(struct tm_suggestion *suggestion)
{
	tm_placement_fini(&suggestion->after);
	free(suggestion->place_of);
	free(suggestion->how);
	tm_levels_fini(&suggestion->levels);
	for (int i = 0; i < TM_STATE_COUNT; i++) {
		free(suggestion->state[i].border);
		tm_placement_fini(&suggestion->state[i].placement);
	}
	tm_figures_fini(&suggestion->figures_before);
	tm_figures_fini(&suggestion->figures_after);
	*suggestion = (struct tm_suggestion){ 0 };
}

int tm_suggestion_simple(const struct tm_suggestion *s)
{
	double least = (1 + TM_LEAST_GAIN) *
		       tm_measures_value(&s->state[TM_SUGGESTED].measures, s->goal);
	int best = TM_NONE;

	for (int i = TM_BLOCK; i < TM_STATE_COUNT; i++) {
		double value = tm_measures_value(&s->state[i].measures, s->goal);

		if (s->state[i].placement.size && value <= least &&
		    (best == TM_NONE || value < least)) {
			least = value;
			best = i;
		}
	}
	return s->gain < TM_LEAST_GAIN ? TM_NONE : best;
}
