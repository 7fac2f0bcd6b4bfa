/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/recorded_lanes.h"

#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/guidelines/forms.h"
#include "core/record/record_calls.h"
#include "core/record/record_traffic.h"
#include "core/record/recorded_part.h"

#include <stdlib.h>
#include <string.h>

void tmap_recorded_lanes_fini(struct tmap_recorded_lanes *it)
{
	for (int i = 0; i < it->place_count; i++)
		free(it->place[i].reason);
	for (int i = 0; i < it->count; i++)
		free(it->call[i].form);
	for (int i = 0; i < it->left_count; i++)
		free(it->left[i].reason);
	free(it->place);
	free(it->call);
	free(it->left);
	*it = (struct tmap_recorded_lanes){ 0 };
}

double tmap_recorded_lanes_gain(const struct tmap_recorded_lanes_call *call)
{
	return call->lane_s > 0 ? call->own_s / call->lane_s : 1;
}

/* places */

static int place_find_adapters(struct tmap_recorded_lanes_place *place,
			       const struct tmap_lanes *lanes, int assumed, struct tmap_error *err)
{
	struct tmap_adapters adapters;

	place->adapters = assumed;
	place->adapters_known = true;
	if (assumed != TMAP_NONE)
		return 0;
	if (tmap_adapters_init(&adapters, lanes, err) < 0)
		return -1;
	place->adapters_known = adapters.per_node_max > 0;
	place->adapters = place->adapters_known ? adapters.per_node_max : 1;
	tmap_adapters_fini(&adapters);
	return 0;
}

static int place_fill(struct tmap_recorded_lanes_place *place, const struct tmap_placement *p,
		      int assumed, struct tmap_error *err)
{
	struct tmap_lanes lanes = { 0 };
	struct tmap_lanes_order order = { 0 };
	int status = -1;

	if (tmap_lanes_init(&lanes, p, TMAP_NONE, err) == 0 &&
	    tmap_lanes_order_init(&order, &lanes, err) == 0 &&
	    place_find_adapters(place, &lanes, assumed, err) == 0) {
		place->nodes = lanes.node_count;
		place->ranks_min = lanes.order.ranks_min;
		place->ranks_max = lanes.order.ranks_max;
		place->reason = order.reason;
		order.reason = NULL;
		status = 0;
	}
	tmap_lanes_order_fini(&order);
	tmap_lanes_fini(&lanes);
	return status;
}

/* Is it one of the calls that are asked for? */
static bool call_counts(const struct tmap_recorded_lanes *it, int call)
{
	return it->request.collective == TMAP_NONE ||
		(int)tmap_recorded_rows[it->record->call[call].collective].like ==
		it->request.collective;
}

/* place_of[communicator] = its place; TMAP_NONE: none of its calls count. */
static int places_init(struct tmap_recorded_lanes *it, int *place_of, struct tmap_error *err)
{
	const struct tmap_record *record = it->record;
	int used = 0;

	for (int c = 0; c < record->communicator_count; c++)
		place_of[c] = TMAP_NONE;
	for (int i = 0; i < record->call_count; i++)
		if (call_counts(it, i))
			place_of[record->call[i].communicator] = 0;
	for (int c = 0; c < record->communicator_count; c++)
		used += place_of[c] != TMAP_NONE;
	it->place = tmap_alloc((size_t)used, sizeof *it->place, err);
	if (!it->place)
		return -1;
	for (int c = 0; c < record->communicator_count; c++) {
		struct tmap_recorded_part part;
		int status;

		if (place_of[c] == TMAP_NONE)
			continue;
		if (tmap_recorded_part_init(&part, record, c, err) < 0)
			return -1;
		place_of[c] = it->place_count;
		it->place[it->place_count].communicator = c;
		status = place_fill(&it->place[it->place_count++], &part.placement,
				    it->request.adapters, err);
		tmap_recorded_part_fini(&part);
		if (status < 0)
			return -1;
	}
	return 0;
}

static int places_check(const struct tmap_recorded_lanes *it, struct tmap_error *err)
{
	int most = 0;

	if (!it->place_count && it->request.collective != TMAP_NONE)
		return tmap_fail(err, TMAP_INPUT, "the program makes no calls of %s",
				 tmap_collective_rows[it->request.collective].word.name);
	if (!it->place_count)
		return tmap_fail(err, TMAP_INPUT, "the record has no collectives");
	for (int i = 0; i < it->place_count; i++)
		if (it->place[i].ranks_max > most)
			most = it->place[i].ranks_max;
	if (it->request.lanes <= most)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%d lanes are not possible: no communicator with collectives has more "
			 "than %d rank%s on a node",
			 it->request.lanes, most, most == 1 ? "" : "s");
}

/* calls */

static double call_mean_seconds(const struct tmap_recorded_lanes *it, int call)
{
	return it->record->call[call].seconds_sum / it->record->placement.size;
}

/* Not compared, for that reason. */
static int leave(struct tmap_recorded_lanes *it, int call, const char *reason,
		 struct tmap_error *err)
{
	struct tmap_recorded_lanes_left *left = it->left;

	while (left < it->left + it->left_count && strcmp(left->reason, reason) != 0)
		left++;
	if (left == it->left + it->left_count) {
		left->reason = tmap_strdup(reason, err);
		if (!left->reason)
			return -1;
		it->left_count++;
	}
	left->kinds++;
	tmap_sum_add(&left->calls, it->record->call[call].calls);
	left->seconds += call_mean_seconds(it, call);
	return 0;
}

/* Why there is nothing to compare; NULL: there may be. */
static const char *call_is_outside(const struct tmap_recorded_lanes *it, int call,
				   const struct tmap_recorded_lanes_place *place)
{
	const struct tmap_recorded_call *recorded = &it->record->call[call];
	const struct tmap_recorded_row *row = &tmap_recorded_rows[recorded->collective];
	const struct tmap_recorded_communicator *on =
		&it->record->communicator[recorded->communicator];
	const char *unknown = tmap_recorded_unknown(recorded, on);

	if (unknown)
		return unknown;
	if (row->like == TMAP_BARRIER)
		return "a barrier moves nothing over lanes";
	if (place->nodes == 1)
		return "all ranks are on one node";
	if (place->ranks_max == 1)
		return "each node has one rank, and so one lane";
	if (on->size >
	    (row->blocks ? TMAP_RECORDED_LANES_RANKS_MOST : TMAP_RECORDED_LANES_PAIRS_MOST))
		return "too many ranks to be timed";
	return it->tried < TMAP_RECORDED_LANES_MOST ? NULL : "shorter than those that are compared";
}

/* *name = the fastest of these forms, all calls of which take *seconds. 0; 1 where none can run, *err saying
 * why, or -1. */
static int forms_fastest(char **name, double *seconds, const struct tmap_placement *p,
			 const struct tmap_forms_request *request, struct tmap_error *err)
{
	struct tmap_forms forms = { 0 };
	int status = tmap_forms_init(&forms, p, request, err);

	if (status < 0)
		return err->kind == TMAP_SYSTEM ? -1 : 1;
	if (!forms.applicable) {
		tmap_fail(err, TMAP_INPUT, "%s", forms.form[0].reason);
		status = 1;
	} else {
		*seconds = forms.form[0].lane_seconds;
		*name = tmap_strdup(forms.form[0].name, err);
		status = *name ? 0 : -1;
	}
	tmap_forms_fini(&forms);
	return status;
}

/* By the library, and over lanes. 0; 1 where one is not known, *err saying why, or -1. */
static int call_fill(struct tmap_recorded_lanes_call *it, const struct tmap_recorded_lanes *of,
		     const struct tmap_recorded_call *recorded,
		     const struct tmap_recorded_part *part, struct tmap_error *err)
{
	const struct tmap_recorded_lanes_request *asked = &of->request;
	struct tmap_forms_request request = {
		.collective = tmap_recorded_rows[recorded->collective].like,
		.bytes = recorded->bytes,
		.root = recorded->root,
		.lanes = TMAP_NONE,
		.adapters = asked->adapters,
		.profile = asked->profile,
	};
	struct tmap_library_choice choice;
	struct tmap_call call = { .size = part->placement.size, .metric = &part->metric };
	const char *algorithm = choice.algorithm;
	char *own = NULL;
	int status = tmap_recorded_choose(&call, &choice, recorded, &part->order,
					  asked->library.library, err);

	if (status != 0)
		return status < 0 ? -1 : (tmap_fail(err, TMAP_INPUT, "%s", choice.how), 1);
	memcpy(it->algorithm, choice.algorithm, sizeof it->algorithm);
	request.element = call.element;
	request.algorithm = &algorithm;
	request.algorithm_count = 1;
	status = forms_fastest(&own, &it->own_s, &part->placement, &request, err);
	free(own);
	if (status != 0)
		return status;
	request.element = recorded->element;
	request.algorithm_count = 0;
	request.over_lanes = true;
	request.lanes = asked->lanes;
	status = forms_fastest(&it->form, &it->lane_s, &part->placement, &request, err);
	it->own_s *= (double)recorded->calls;
	it->lane_s *= (double)recorded->calls;
	return status;
}

/* One more kind of calls: compared, or left out with the reason. */
static int call_add(struct tmap_recorded_lanes *it, int call, int place, struct tmap_error *err)
{
	const struct tmap_recorded_call *recorded = &it->record->call[call];
	const char *outside = call_is_outside(it, call, &it->place[place]);
	struct tmap_recorded_lanes_call *made = &it->call[it->count];
	struct tmap_recorded_part part;
	int status;

	if (outside)
		return leave(it, call, outside, err);
	it->tried++;
	*made = (struct tmap_recorded_lanes_call){ .call = call, .place = place };
	if (it->record->seconds > 0)
		made->share = recorded->seconds_max / it->record->seconds;
	if (tmap_recorded_part_init(&part, it->record, recorded->communicator, err) < 0)
		return -1;
	status = call_fill(made, it, recorded, &part, err);
	tmap_recorded_part_fini(&part);
	if (status > 0) {
		const struct tmap_error why = *err;

		return leave(it, call, why.text, err);
	}
	if (status < 0)
		return -1;
	it->count++;
	it->gaining += made->lane_s < made->own_s;
	tmap_sum_add(&it->calls, recorded->calls);
	it->seconds += call_mean_seconds(it, call);
	it->own_s += made->own_s;
	it->lane_s += made->lane_s < made->own_s ? made->lane_s : made->own_s;
	return 0;
}

/* Those first in which most time is gained, or least lost. */
static int compare_saved(const void *left, const void *right)
{
	const struct tmap_recorded_lanes_call *a = left, *b = right;
	double saved_a = a->own_s - a->lane_s, saved_b = b->own_s - b->lane_s;

	if (saved_a != saved_b)
		return saved_a > saved_b ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static int calls_init(struct tmap_recorded_lanes *it, const int *place_of, struct tmap_error *err)
{
	const struct tmap_record *record = it->record;
	int *order = tmap_record_calls_by_time(record, err);
	int status = 0;

	/* one at hand behind the others, and one reason a call, at most */
	it->call = tmap_alloc(TMAP_RECORDED_LANES_MOST + 1, sizeof *it->call, err);
	it->left = tmap_alloc((size_t)record->call_count, sizeof *it->left, err);
	if (!order || !it->call || !it->left) {
		free(order);
		return -1;
	}
	for (int i = 0; i < record->call_count && status == 0; i++) {
		const struct tmap_recorded_call *call = &record->call[order[i]];

		if (!call_counts(it, order[i]))
			continue;
		tmap_progress_begin(it->request.progress,
				    tmap_recorded_rows[call->collective].word.name);
		tmap_progress_report(it->request.progress, i, record->call_count, "kinds of calls");
		status = call_add(it, order[i], place_of[call->communicator], err);
	}
	free(order);
	if (status == 0)
		qsort(it->call, (size_t)it->count, sizeof *it->call, compare_saved);
	return status;
}

int tmap_recorded_lanes_init(struct tmap_recorded_lanes *it, const struct tmap_record *record,
			     const struct tmap_recorded_lanes_request *request,
			     struct tmap_error *err)
{
	int *place_of = tmap_alloc_raw((size_t)record->communicator_count, sizeof *place_of, err);
	int status = place_of ? 0 : -1;

	*it = (struct tmap_recorded_lanes){ .record = record, .request = *request };
	if (status == 0 &&
	    (places_init(it, place_of, err) < 0 || places_check(it, err) < 0 ||
	     calls_init(it, place_of, err) < 0))
		status = -1;
	free(place_of);
	it->request.progress = NULL;
	if (status < 0)
		tmap_recorded_lanes_fini(it);
	return status;
}
