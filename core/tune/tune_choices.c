/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tune_choices.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/library/mpich_algorithms.h"
#include "core/tune/tuned_entry.h"
#include "core/tune/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Segments that are tried, in bytes, and numbers of chains. */
static const int64_t segments[] = { 4096, 16384, 65536, 262144, 1048576 };
static const int64_t chains[] = { 4 };

void tmap_tune_choices_fini(struct tmap_tune_choices *choices)
{
	for (int i = 0; i < choices->count; i++)
		free(choices->choice[i].name);
	free(choices->choice);
	*choices = (struct tmap_tune_choices){ 0 };
}

/* One more, if a rule can say it, or cannot, as @p said asks. */
static int choices_add(struct tmap_tune_choices *choices, const struct tmap_spec *spec, bool said,
		       struct tmap_error *err)
{
	struct tmap_tune_choice made = { .spec = *spec };
	bool is_said;

	if (tmap_tuned_entry_of(&made.rule, &is_said, choices->library, choices->collective, spec,
				err) < 0)
		return -1;
	if (is_said != said)
		return 0;
	if (tmap_grow(&choices->choice, &choices->capacity, (size_t)choices->count + 1,
		      sizeof *choices->choice, err) < 0)
		return -1;
	made.name = tmap_spec_print(spec, err);
	if (!made.name)
		return -1;
	choices->choice[choices->count++] = made;
	return 0;
}

static int find_param(const struct tmap_spec *spec, const char *key)
{
	const struct tmap_param *params = spec->row->params;

	for (int i = 0; params && params[i].key; i++)
		if (strcmp(params[i].key, key) == 0)
			return i;
	return TMAP_NONE;
}

/* The row with every segment that is tried. */
static int choices_add_segments(struct tmap_tune_choices *choices, const struct tmap_spec *spec,
				struct tmap_error *err)
{
	int at = find_param(spec, "segment"), status = 0;
	struct tmap_spec one = *spec;

	for (size_t i = 0; i < sizeof segments / sizeof *segments && status == 0; i++) {
		if (at == TMAP_NONE || segments[i] == spec->value[at])
			continue;
		one.value[at] = segments[i];
		status = choices_add(choices, &one, true, err);
	}
	return status;
}

static int choices_add_variants(struct tmap_tune_choices *choices, const struct tmap_spec *preset,
				struct tmap_error *err)
{
	int at = find_param(preset, "fanout"), status = 0;
	struct tmap_spec one = *preset;

	if (at == TMAP_NONE && (status = choices_add(choices, preset, true, err)) == 0)
		status = choices_add_segments(choices, preset, err); /* one chain is a pipeline */
	for (size_t i = 0; i < sizeof chains / sizeof *chains && at != TMAP_NONE && status == 0;
	     i++) {
		one.value[at] = chains[i];
		status = choices_add(choices, &one, true, err);
		if (status == 0)
			status = choices_add_segments(choices, &one, err);
	}
	return status;
}

/* Those that a selection file can name. */
static int choices_add_selected(struct tmap_tune_choices *choices, struct tmap_error *err)
{
	int release = tmap_library_releases(choices->library).first;
	const char *name;

	for (int i = 0; (name = tmap_mpich_algorithm_each(choices->collective, release, i)); i++) {
		struct tmap_call call = { .size = 2 };

		if (tmap_call_parse(&call, choices->collective, name, err) < 0 ||
		    choices_add(choices, &call.choice, true, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_tune_choices_init(struct tmap_tune_choices *choices, int library,
			   enum tmap_collective collective, int64_t element, struct tmap_error *err)
{
	const struct tmap_keywords *words = tmap_algorithms(collective);
	int tried = tmap_algorithms_tried(collective), status = 0;

	*choices = (struct tmap_tune_choices){ .collective = collective,
					       .library = library,
					       .element = element };
	if (tmap_library_selects(library))
		status = choices_add_selected(choices, err);
	for (int i = 0; i < tried && status == 0 && !tmap_library_selects(library); i++) {
		struct tmap_spec spec = tmap_spec_preset(words, i);

		const char *knob = tmap_library_is_ucc(library) ? spec.row->knobs.ucc :
								  spec.row->knobs.openmpi;

		for (int k = 0; status == 0 && tmap_spec_fit(&spec, knob, k); k++)
			status = choices_add_variants(choices, &spec, err);
	}
	choices->said = choices->count;
	for (int i = 0; i < tried && status == 0; i++) {
		const struct tmap_spec preset = tmap_spec_preset(words, i);

		status = choices_add(choices, &preset, false, err);
	}
	if (status < 0)
		tmap_tune_choices_fini(choices);
	return status;
}

static bool spec_is_equal(const struct tmap_spec *a, const struct tmap_spec *b)
{
	const struct tmap_param *params = a->row->params;

	if (a->row != b->row)
		return false;
	for (int i = 0; params && i < TMAP_PARAM_MAX && params[i].key; i++)
		if (a->value[i] != b->value[i])
			return false;
	return true;
}

int tmap_tune_choices_find(const struct tmap_tune_choices *choices, const char *name, bool said)
{
	struct tmap_call call = { .size = 2 };
	struct tmap_error ignored;

	if (tmap_call_parse(&call, choices->collective, name, &ignored) < 0)
		return TMAP_NONE;
	for (int i = said ? 0 : choices->said; i < (said ? choices->said : choices->count); i++)
		if (spec_is_equal(&choices->choice[i].spec, &call.choice))
			return i;
	return TMAP_NONE;
}

int tmap_tune_choices_find_rule(const struct tmap_tune_choices *choices,
				const struct tmap_rule *rule)
{
	for (int i = 0; i < choices->said; i++) {
		const struct tmap_rule *it = &choices->choice[i].rule;

		if (it->algorithm == rule->algorithm && it->fan == rule->fan &&
		    it->segment == rule->segment)
			return i;
	}
	return TMAP_NONE;
}

/* One more of those that rules say, where a rule can say it and it is not there yet. */
static int choices_add_said(struct tmap_tune_choices *choices, const char *name,
			    struct tmap_error *err)
{
	struct tmap_call call = { .size = 2 };
	struct tmap_error ignored;
	struct tmap_tune_choice made;
	int before = choices->count;

	if (tmap_call_parse(&call, choices->collective, name, &ignored) < 0 ||
	    tmap_tune_choices_find(choices, name, true) != TMAP_NONE)
		return 0;
	if (choices_add(choices, &call.choice, true, err) < 0)
		return -1;
	if (choices->count == before)
		return 0;
	made = choices->choice[before];
	memmove(&choices->choice[choices->said + 1], &choices->choice[choices->said],
		(size_t)(before - choices->said) * sizeof made);
	choices->choice[choices->said++] = made;
	return 0;
}

int tmap_tune_choices_init_measured(struct tmap_tune_choices *choices, int library,
				    enum tmap_collective collective, int64_t element,
				    const struct tmap_tune_places *places, struct tmap_error *err)
{
	int status = tmap_tune_choices_init(choices, library, collective, element, err);

	if (status < 0)
		return -1;
	for (int p = 0; p < places->count; p++) {
		const struct tmap_times *times = places->place[p]->times;

		for (int i = 0; times && i < times->count && status == 0; i++) {
			const struct tmap_experiment *it = &times->experiment[i];
			const char *name = tmap_experiment_native_name(it);

			if (it->collective == collective && name)
				status = choices_add_said(choices, name, err);
		}
	}
	if (status < 0)
		tmap_tune_choices_fini(choices);
	return status;
}

/* One call on one communicator, by the other costs number @p other or (TMAP_NONE) by those of the places;
 * INFINITY where it cannot be. */
static int place_cost(double *seconds, struct tmap_tune_place *place, int other,
		      struct tmap_call *call, struct tmap_error *err)
{
	struct tmap_cost_model *model = other == TMAP_NONE ? &place->model : &place->other[other];
	struct tmap_error why;
	int status;

	if (tmap_call_check(call, &why) < 0) {
		*seconds = INFINITY;
		if (why.kind == TMAP_INPUT)
			return 0;
		*err = why;
		return -1;
	}
	status = tmap_cost(seconds, model, call, err);
	tmap_cost_model_rest(model);
	return status;
}

static struct tmap_call call_of(const struct tmap_tune_choices *choices,
				const struct tmap_tune_place *place, int64_t bytes)
{
	return (struct tmap_call){ .size = place->placement.size,
				   .root = choices->root,
				   .bytes = bytes,
				   .element = choices->element,
				   .metric = &place->metric };
}

/* Does the library take the ranks in another order than that of their numbers? UCC's rings go by host and
 * socket. */
static bool is_reordered(const struct tmap_tune_choices *choices, int i,
			 const struct tmap_tune_place *place)
{
	return i < choices->said && tmap_library_is_ucc(choices->library) &&
		!place->order.consecutive &&
		strcmp(choices->choice[i].spec.row->word.name, "ring") == 0;
}

static int choice_cost(double *seconds, const struct tmap_tune_choices *choices, int i,
		       struct tmap_tune_place *const *place, int count, int other, int64_t bytes,
		       struct tmap_error *err)
{
	const struct tmap_tune_choice *choice = &choices->choice[i];
	double sum = 0;

	for (int c = 0; c < count && isfinite(sum); c++) {
		struct tmap_call call = call_of(choices, place[c], bytes);
		double share = tmap_tune_share(place, count, c, choices->collective);
		double one = INFINITY;

		if (share <= 0)
			continue;
		call.choice = choice->spec;
		if (!tmap_library_hands_over(choices->library, &call) &&
		    !is_reordered(choices, i, place[c]) &&
		    !(tmap_library_selects(choices->library) && i < choices->said &&
		      tmap_mpich_algorithm_differs(&call)) &&
		    place_cost(&one, place[c], other, &call, err) < 0)
			return tmap_wrap(err, "%s", choice->name);
		sum += share * log(one);
	}
	*seconds = isnan(sum) ? INFINITY : exp(sum);
	return 0;
}

int tmap_tune_choice_cost(double *seconds, const struct tmap_tune_choices *choices, int i,
			  struct tmap_tune_place *const *place, int count, int64_t bytes,
			  struct tmap_error *err)
{
	return choice_cost(seconds, choices, i, place, count, TMAP_NONE, bytes, err);
}

int tmap_tune_name_cost(double *seconds, const struct tmap_tune_choices *choices, const char *name,
			struct tmap_tune_place *const *place, int count, int64_t bytes,
			struct tmap_error *err)
{
	double sum = 0;

	for (int c = 0; c < count && isfinite(sum); c++) {
		struct tmap_call call = call_of(choices, place[c], bytes);
		double share = tmap_tune_share(place, count, c, choices->collective), one;

		if (share <= 0)
			continue;
		if (tmap_call_parse(&call, choices->collective, name, err) < 0 ||
		    place_cost(&one, place[c], TMAP_NONE, &call, err) < 0)
			return -1;
		sum += share * log(one);
	}
	*seconds = isnan(sum) ? INFINITY : exp(sum);
	return 0;
}

static int own_cost(double *seconds, char name[TMAP_LIBRARY_ROOM],
		    const struct tmap_tune_choices *choices, bool by_itself,
		    struct tmap_tune_place *const *place, int count, int other, int64_t bytes,
		    struct tmap_error *err)
{
	double sum = 0;
	int seen = 0;

	if (name)
		*name = '\0';
	for (int c = 0; c < count && isfinite(sum); c++) {
		struct tmap_call call = call_of(choices, place[c], bytes);
		const struct tmap_library_call question = { .collective = choices->collective,
							    .size = call.size,
							    .bytes = bytes,
							    .element = choices->element,
							    .order = &place[c]->order };
		const struct tmap_library_choice own = by_itself ?
			tmap_library_choose(choices->library, &question) :
			tmap_library_rules_own(choices->library, &question);
		double share = tmap_tune_share(place, count, c, choices->collective);
		double one = INFINITY;

		if (share <= 0)
			continue;
		call.element = tmap_library_cut(&own, call.element);
		if (own.algorithm[0] &&
		    (tmap_call_parse(&call, choices->collective, own.algorithm, err) < 0 ||
		     place_cost(&one, place[c], other, &call, err) < 0))
			return -1;
		if (name && !seen++)
			snprintf(name, TMAP_LIBRARY_ROOM, "%s", own.algorithm);
		else if (name && strcmp(name, own.algorithm) != 0)
			*name = '\0';
		sum += share * log(one);
	}
	*seconds = isnan(sum) ? INFINITY : exp(sum);
	return 0;
}

int tmap_tune_own_cost(double *seconds, char name[TMAP_LIBRARY_ROOM],
		       const struct tmap_tune_choices *choices, bool by_itself,
		       struct tmap_tune_place *const *place, int count, int64_t bytes,
		       struct tmap_error *err)
{
	return own_cost(seconds, name, choices, by_itself, place, count, TMAP_NONE, bytes, err);
}

int tmap_tune_choice_check(bool *holds, const struct tmap_tune_choices *choices, int i,
			   struct tmap_tune_place *const *place, int count, int64_t bytes,
			   struct tmap_error *err)
{
	*holds = true;
	for (int other = 0; other < place[0]->other_count && *holds; other++) {
		double seconds, own_s;

		if (choice_cost(&seconds, choices, i, place, count, other, bytes, err) < 0 ||
		    own_cost(&own_s, NULL, choices, false, place, count, other, bytes, err) < 0)
			return -1;
		*holds = seconds <= TMAP_TUNE_TOLERANCE * own_s;
	}
	return 0;
}
