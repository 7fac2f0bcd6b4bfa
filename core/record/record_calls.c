/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_calls.h"

#include "core/base/mem.h"
#include "core/cost/cost.h"
#include "core/record/record_totals.h"
#include "core/record/record_traffic.h"
#include "core/record/recorded_part.h"
#include "core/score/score.h"

#include <stdlib.h>
#include <string.h>

/* What calls are sorted by. */
struct listed {
	double seconds;
	int64_t bytes;
	int call;
};

static int compare_listed(const void *left, const void *right)
{
	const struct listed *a = left, *b = right;

	if (a->seconds != b->seconds)
		return a->seconds > b->seconds ? -1 : 1;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

/* The time of one such call. */
static int predict(double *seconds, const struct tmap_call *call,
		   const struct tmap_record_costs *costs, struct tmap_error *err)
{
	struct tmap_cost_model model = { 0 };
	int status = tmap_cost_model_init(&model, call->metric->placement, call->metric,
					  costs->levels, costs->profile, err);

	if (status == 0)
		status = tmap_cost(seconds, &model, call, err);
	tmap_cost_model_fini(&model);
	return status;
}

/* What the library is set to with most gain; nothing where its own is as fast. */
static int possible_find(struct tmap_record_longest *it, const struct tmap_recorded_call *recorded,
			 const struct tmap_call *call, const struct tmap_placement *placement,
			 const struct tmap_record_costs *costs, struct tmap_error *err)
{
	const struct tmap_score_request request = {
		.collective = tmap_recorded_rows[recorded->collective].like,
		.bytes = call->bytes,
		.element = call->element,
		.root = call->root,
		.profile = costs->profile,
		.has_library = true,
		.library = costs->library.library,
		.defaults = TMAP_SCORE_DEFAULTS_NONE
	};
	struct tmap_score score = { 0 };
	int status = tmap_score_init(&score, placement, &request, err);

	it->possible_s = status == 0 ? it->predicted_s : -1;
	for (int i = 0; i < score.applicable && status == 0; i++) {
		const struct tmap_score_row *row = &score.row[i];
		const char *knob = tmap_score_knob(row, request.library);
		double seconds = row->seconds * (double)recorded->calls;

		if (!knob)
			continue;
		if (seconds < it->predicted_s) {
			it->possible_s = seconds;
			it->other = tmap_strdup(row->name, err);
			it->knob = tmap_strdup(knob, err);
			it->scope =
				tmap_library_scope(request.library, request.collective, knob, err);
			status = it->other && it->knob && it->scope ? 0 : -1;
		}
		break;
	}
	tmap_score_fini(&score);
	return status;
}

const char *tmap_recorded_unknown(const struct tmap_recorded_call *call,
				  const struct tmap_recorded_communicator *on)
{
	if (on->size < 2)
		return "one rank alone";
	if (call->mode != TMAP_BLOCKING)
		return "calls that do not block have algorithms of their own";
	if (tmap_recorded_rows[call->collective].is_irregular)
		return "v and w forms have algorithms of their own";
	return NULL;
}

static int longest_fill(struct tmap_record_longest *it, const struct tmap_record *record,
			const struct tmap_record_costs *costs, struct tmap_error *err)
{
	const struct tmap_recorded_call *recorded = &record->call[it->call];
	const struct tmap_recorded_communicator *on = &record->communicator[recorded->communicator];
	struct tmap_recorded_part part;
	struct tmap_library_choice choice;
	struct tmap_call call = { .size = on->size, .metric = &part.metric };
	double seconds;
	int status;

	it->predicted_s = it->possible_s = -1;
	it->share = record->seconds > 0 ? recorded->seconds_max / record->seconds : 0;
	it->how = tmap_recorded_unknown(recorded, on);
	if (it->how)
		return 0;
	if (tmap_recorded_part_init(&part, record, recorded->communicator, err) < 0)
		return err->kind == TMAP_SYSTEM ? -1 : 0;
	status = tmap_recorded_choose(&call, &choice, recorded, &part.order, costs->library.library,
				      err);
	if (status >= 0) {
		it->how = choice.how;
		memcpy(it->algorithm, choice.algorithm, sizeof it->algorithm);
	}
	if (status == 0 && on->size <= TMAP_RECORD_PREDICTED_MOST) {
		status = predict(&seconds, &call, costs, err);
		if (status == 0)
			it->predicted_s = seconds * (double)recorded->calls;
	}
	if (it->predicted_s >= 0 && on->size <= TMAP_RECORD_POSSIBLE_MOST)
		status = possible_find(it, recorded, &call, &part.placement, costs, err);
	tmap_recorded_part_fini(&part);
	return status < 0 && err->kind == TMAP_SYSTEM ? -1 : 0;
}

/* By which algorithm it is fastest; NULL: that was not asked. */
static const char *fastest(const struct tmap_record_longest *it)
{
	if (it->possible_s < 0)
		return NULL;
	return it->other ? it->other : it->algorithm;
}

static bool longest_is_contested(const struct tmap_record_longest *list, int count, int which,
				 const struct tmap_record *record)
{
	const char *own = fastest(&list[which]);

	for (int i = 0; own && i < count; i++) {
		const char *other = fastest(&list[i]);

		if (other && strcmp(own, other) != 0 &&
		    tmap_recorded_rows[record->call[list[i].call].collective].like ==
			    tmap_recorded_rows[record->call[list[which].call].collective].like)
			return true;
	}
	return false;
}

void tmap_record_longest_fini(struct tmap_record_longest *it)
{
	free(it->other);
	free(it->knob);
	free(it->scope);
	*it = (struct tmap_record_longest){ 0 };
}

int *tmap_record_calls_by_time(const struct tmap_record *record, struct tmap_error *err)
{
	struct listed *listed = tmap_alloc((size_t)record->call_count, sizeof *listed, err);
	int *order = listed ? tmap_alloc((size_t)record->call_count, sizeof *order, err) : NULL;

	for (int i = 0; order && i < record->call_count; i++)
		listed[i] = (struct listed){
			record->call[i].seconds_max,
			tmap_recorded_call_bytes(record, &record->call[i]),
			i,
		};
	if (order && record->call_count)
		qsort(listed, (size_t)record->call_count, sizeof *listed, compare_listed);
	for (int i = 0; order && i < record->call_count; i++)
		order[i] = listed[i].call;
	free(listed);
	return order;
}

int tmap_record_longest_find(struct tmap_record_longest *it, int *count,
			     const struct tmap_record *record,
			     const struct tmap_record_costs *costs, struct tmap_error *err)
{
	int *order = tmap_record_calls_by_time(record, err);
	int status = order ? 0 : -1;

	*count = 0;
	for (; *count < TMAP_RECORD_LONGEST && *count < record->call_count && status == 0;
	     ++*count) {
		it[*count] = (struct tmap_record_longest){ .call = order[*count] };
		status = longest_fill(&it[*count], record, costs, err);
	}
	for (int i = 0; i < *count && status == 0; i++)
		it[i].is_contested = longest_is_contested(it, *count, i, record);
	free(order);
	return status;
}
