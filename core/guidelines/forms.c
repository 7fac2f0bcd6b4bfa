/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/guidelines/forms.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/cost/cost.h"
#include "core/cost/profile_fit.h"
#include "core/cost/profile_same.h"
#include "core/machine/levels.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tmap_forms_fini(struct tmap_forms *forms)
{
	for (int i = 0; forms->form && i < forms->count; i++) {
		free(forms->form[i].name);
		free(forms->form[i].reason);
	}
	free(forms->form);
	tmap_lanes_fini(&forms->lanes);
	tmap_metric_fini(&forms->metric);
	*forms = (struct tmap_forms){ 0 };
}

static int request_check(const struct tmap_placement *placement,
			 const struct tmap_forms_request *request, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[request->collective];

	if (request->collective == TMAP_BARRIER || row->has_neighbors)
		return tmap_fail(err, TMAP_INPUT, "a %s moves nothing over lanes", row->word.name);
	if (request->root && !row->has_root)
		return tmap_fail(err, TMAP_INPUT, "%s has no root", row->word.name);
	return tmap_root_check(request->root, placement->size, err);
}

static struct tmap_call forms_call(const struct tmap_forms *forms)
{
	return (struct tmap_call){ .size = forms->placement->size,
				   .root = forms->request.root,
				   .bytes = forms->request.bytes,
				   .element = forms->request.element,
				   .metric = &forms->metric };
}

/* One more, by a name. */
static int forms_add_named(struct tmap_forms *forms, const char *name, struct tmap_error *err)
{
	struct tmap_form *form = &forms->form[forms->count];

	form->call = forms_call(forms);
	if (tmap_call_parse(&form->call, forms->request.collective, name, err) < 0)
		return -1;
	form->name = tmap_spec_print(&form->call.choice, err);
	if (!form->name)
		return -1;
	forms->count++;
	return 0;
}

/* One more: lanes, unless there are as many already. */
static int forms_add_lanes(struct tmap_forms *forms, int lanes, struct tmap_error *err)
{
	char name[32];

	snprintf(name, sizeof name, "lane,lanes=%d", lanes);
	if (lanes == TMAP_NONE || lanes == forms->lanes.order.ranks_usual)
		return 0;
	for (int i = 0; i < forms->count; i++)
		if (strcmp(forms->form[i].name, name) == 0)
			return 0;
	return forms_add_named(forms, name, err);
}

/* A row of the catalogue begins with its name. */
static bool keyword_has_lanes(const struct tmap_keyword *word)
{
	return ((const struct tmap_algorithm *)(const void *)word)->has_lanes;
}

static int forms_choose(struct tmap_forms *forms, struct tmap_error *err)
{
	const struct tmap_forms_request *request = &forms->request;
	const struct tmap_keywords *words = tmap_algorithms(request->collective);
	size_t rows = (size_t)tmap_algorithms_tried(request->collective);

	forms->form = tmap_alloc(rows + request->algorithm_count + 3, sizeof *forms->form, err);
	if (!forms->form)
		return -1;
	for (size_t i = 0; i < request->algorithm_count; i++)
		if (forms_add_named(forms, request->algorithm[i], err) < 0)
			return -1;
	for (size_t i = 0; i < rows && !request->algorithm_count; i++) {
		const struct tmap_keyword *word = tmap_keywords_at(words, i);

		if (request->over_lanes && !keyword_has_lanes(word))
			continue;
		if (forms_add_named(forms, word->name, err) < 0)
			return -1;
	}
	if (forms_add_lanes(forms, request->lanes, err) < 0)
		return -1;
	if (request->algorithm_count)
		return 0;
	return forms_add_lanes(forms, 1, err) < 0 ||
			(forms->adapters < forms->lanes.order.ranks_max &&
			 forms_add_lanes(forms, forms->adapters, err) < 0) ?
		-1 :
		0;
}

/* The lanes of a form that has them: those whose leaders alone leave their nodes. */
static int form_lanes(const struct tmap_form *form)
{
	if (!tmap_call_algorithm(&form->call)->has_lanes)
		return TMAP_NONE;
	return form->call.choice.value[0] ? (int)form->call.choice.value[0] : TMAP_NONE;
}

/* So many adapters as the user gives: the leaders of a node in turn. */
static void drive_given(const struct tmap_forms *forms, const struct tmap_lanes *lanes,
			int *of_rank)
{
	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tmap_lanes_groups(lanes, i); g++)
			of_rank[lanes->leader[lanes->group_first[i] + g]] =
				i * forms->adapters + g % forms->adapters;
}

/* Adapters as they are known; a node without any has one. */
static int drive_known(const struct tmap_forms *forms, const struct tmap_lanes *lanes, int *of_rank,
		       struct tmap_error *err)
{
	struct tmap_adapters adapters;

	if (tmap_adapters_init(&adapters, lanes, err) < 0)
		return -1;
	for (int i = 0; i < lanes->node_count; i++)
		for (int g = 0; g < tmap_lanes_groups(lanes, i); g++) {
			int rank = lanes->leader[lanes->group_first[i] + g];
			int a = adapters.of_rank[rank], first = a;

			while (first > 0 &&
			       adapters.adapter[first - 1].topology == adapters.adapter[a].topology)
				first--;
			of_rank[rank] = i * forms->adapters + (a == TMAP_NONE ? 0 : a - first);
		}
	tmap_adapters_fini(&adapters);
	return 0;
}

/* Which adapter each rank drives that may leave its node. */
static int drive_find(struct tmap_drive *drive, int *of_rank, const struct tmap_forms *forms,
		      const struct tmap_form *form, struct tmap_error *err)
{
	int k = form_lanes(form), status;
	struct tmap_lanes own = { 0 };
	const struct tmap_lanes *lanes = k == TMAP_NONE ? &forms->lanes : &own;

	if (k != TMAP_NONE && tmap_lanes_init(&own, forms->placement, k, err) < 0)
		return -1;
	if (k != TMAP_NONE && tmap_collective_rows[forms->request.collective].has_root)
		tmap_lanes_elect(&own, forms->request.root);
	for (int r = 0; r < forms->placement->size; r++)
		of_rank[r] = TMAP_NONE;
	status = 0;
	if (forms->request.adapters != TMAP_NONE)
		drive_given(forms, lanes, of_rank);
	else
		status = drive_known(forms, lanes, of_rank, err);
	*drive = (struct tmap_drive){ forms->adapters * lanes->node_count, of_rank };
	tmap_lanes_fini(&own);
	return status;
}

/* The seconds with so many adapters of each node; 0: as the profile has them. */
static int form_cost(double *seconds, const struct tmap_forms *forms, const struct tmap_form *form,
		     const struct tmap_levels *levels, double spread, struct tmap_error *err)
{
	struct tmap_profile profile = *forms->request.profile;
	struct tmap_cost_model model = { 0 };
	int status;

	profile.adapter_spread = spread;
	status = tmap_cost_model_init(&model, forms->placement, &forms->metric, levels, &profile,
				      err);
	if (status == 0)
		status = tmap_cost(seconds, &model, &form->call, err);
	tmap_cost_model_fini(&model);
	return status;
}

static int form_evaluate(struct tmap_forms *forms, struct tmap_form *form,
			 const struct tmap_levels *levels, int *of_rank, struct tmap_error *err)
{
	struct tmap_drive drive;

	if (drive_find(&drive, of_rank, forms, form, err) < 0 ||
	    tmap_volume_find(&form->volume, &form->call, forms->placement, &drive, err) < 0)
		return -1;
	form->spread = form->volume.adapter_bytes ?
		(double)form->volume.node_bytes / (double)form->volume.adapter_bytes :
		1;
	if (form->spread < 1)
		form->spread = 1;
	if (form_cost(&form->seconds, forms, form, levels, 1, err) < 0)
		return -1;
	form->lane_seconds = form->seconds;
	return forms->adapters > 1 ?
		form_cost(&form->lane_seconds, forms, form, levels,
			  forms->request.adapters == TMAP_NONE ? 0 : form->spread, err) :
		0;
}

static int forms_fill(struct tmap_forms *forms, const struct tmap_levels *levels,
		      struct tmap_error *err)
{
	int *of_rank = tmap_alloc_raw((size_t)forms->placement->size, sizeof *of_rank, err);
	int status = of_rank ? 0 : -1;

	for (int i = 0; i < forms->count && status == 0; i++) {
		struct tmap_form *form = &forms->form[i];
		struct tmap_error why;

		tmap_progress_begin(forms->request.progress, form->call.choice.row->word.name);
		tmap_progress_report(forms->request.progress, i, forms->count, "forms");
		if (tmap_call_check(&form->call, &why) == 0) {
			forms->applicable++;
			status = form_evaluate(forms, form, levels, of_rank, err);
			continue;
		}
		if (why.kind == TMAP_INPUT)
			form->reason = tmap_strdup(why.text, err);
		else /* memory, not the form, is what lacks */
			*err = why;
		status = form->reason ? 0 : -1;
	}
	free(of_rank);
	return status;
}

static int compare_forms(const void *a, const void *b)
{
	const struct tmap_form *x = a, *y = b;

	if ((x->reason != NULL) != (y->reason != NULL))
		return x->reason ? 1 : -1;
	if (x->lane_seconds != y->lane_seconds)
		return x->lane_seconds < y->lane_seconds ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int forms_find_adapters(struct tmap_forms *forms, struct tmap_error *err)
{
	struct tmap_adapters adapters;

	forms->is_known = true;
	forms->adapters = forms->request.adapters;
	if (forms->adapters > INT_MAX / forms->lanes.node_count)
		return tmap_fail(err, TMAP_INPUT,
				 "%d adapters on each of %d nodes are too many to be "
				 "counted",
				 forms->adapters, forms->lanes.node_count);
	if (forms->adapters != TMAP_NONE)
		return 0;
	if (tmap_adapters_init(&adapters, &forms->lanes, err) < 0)
		return -1;
	forms->is_known = adapters.per_node_max > 0;
	forms->adapters = adapters.per_node_max > 0 ? adapters.per_node_max : 1;
	tmap_adapters_fini(&adapters);
	return 0;
}

/* Are several adapters of a node faster than one? Assumed ones are; known ones where the profile's
 * numbers are those of each. */
static int forms_find_gain(struct tmap_forms *forms, struct tmap_error *err)
{
	const struct tmap_machine *machine = forms->placement->machine;
	const struct tmap_profile *profile = forms->request.profile;
	int *fit = tmap_profile_fit(profile->adapter, profile->adapter_count, NULL, machine, err);

	forms->gains = forms->request.adapters > 1;
	for (int n = 0; fit && n < machine->node_count; n++)
		if (forms->request.adapters == TMAP_NONE && fit[n] != TMAP_NONE &&
		    profile->adapter[fit[n]].is_each &&
		    tmap_profile_adapters_of(&profile->adapter[fit[n]],
					     tmap_machine_topology(machine, n)) > 1)
			forms->gains = true;
	free(fit);
	return fit ? 0 : -1;
}

static int forms_make(struct tmap_forms *forms, struct tmap_error *err)
{
	struct tmap_levels levels = { 0 };
	int status;

	if (tmap_metric_init(&forms->metric, forms->placement, TMAP_SCALE_PROCESS, err) < 0 ||
	    tmap_lanes_init(&forms->lanes, forms->placement, TMAP_NONE, err) < 0 ||
	    forms_find_adapters(forms, err) < 0 || forms_find_gain(forms, err) < 0 ||
	    forms_choose(forms, err) < 0 ||
	    tmap_volume_least(&forms->least, &forms->form[0].call, forms->placement, err) < 0)
		return -1;
	status = tmap_levels_init(&levels, forms->placement->machine, err);
	if (status == 0)
		status = forms_fill(forms, &levels, err);
	tmap_levels_fini(&levels);
	if (status == 0)
		qsort(forms->form, (size_t)forms->count, sizeof *forms->form, compare_forms);
	return status;
}

int tmap_forms_init(struct tmap_forms *forms, const struct tmap_placement *placement,
		    const struct tmap_forms_request *request, struct tmap_error *err)
{
	*forms = (struct tmap_forms){ .placement = placement, .request = *request };
	if (request_check(placement, request, err) == 0 && forms_make(forms, err) == 0) {
		forms->request.progress = NULL;
		return 0;
	}
	tmap_forms_fini(forms);
	return -1;
}

static const struct tmap_form *forms_find(const struct tmap_forms *forms, const char *name)
{
	for (int i = 0; i < forms->applicable; i++)
		if (strcmp(forms->form[i].name, name) == 0)
			return &forms->form[i];
	return NULL;
}

int tmap_others_of_forms(struct tmap_others *others, const struct tmap_forms *forms,
			 struct tmap_error *err)
{
	struct tmap_others made = { .candidates = forms->applicable };
	const struct tmap_profile *profile;
	int next = 0, status = 0;

	if (forms->applicable)
		made.chosen = forms->form[0].name;
	while (status == 0 && forms->applicable &&
	       (profile = tmap_profile_next_other(forms->request.profile, &next))) {
		struct tmap_forms_request request = forms->request;
		const struct tmap_form *chosen, *best;
		struct tmap_forms other;

		request.profile = profile;
		status = tmap_forms_init(&other, forms->placement, &request, err);
		if (status < 0)
			break;
		/* Which forms there are and can run does not hang on the costs: each has the
		 * other's. The names are those of the answer, which outlives the other one. */
		chosen = forms_find(&other, made.chosen);
		best = forms_find(forms, other.form[0].name);
		assert(chosen && best);
		status = tmap_others_add(&made, profile, chosen->lane_seconds, best->name,
					 other.form[0].lane_seconds, err);
		tmap_forms_fini(&other);
	}
	if (status < 0) {
		tmap_others_fini(&made);
		return -1;
	}
	*others = made;
	return 0;
}
