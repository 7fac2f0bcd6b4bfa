/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/measure/lane_prediction.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/cost/cost.h"
#include "core/group/lanes.h"
#include "core/library/library.h"
#include "core/schedule/emit.h"
#include "core/schedule/schedule.h"

#include <stdlib.h>

/* The job, rank i of node n being rank n * ranks + i; and the ranks of a lane. */
struct job {
	const struct tmap_lane_times *times;
	struct tmap_lanes lanes;
	int nodes, ranks; /* ranks of a node */
	struct tmap_placement lane;
	struct tmap_metric metric, lane_metric;
	struct tmap_levels levels;
	struct tmap_order order; /* of the lane */
	struct tmap_cost_model model;
};

static void job_fini(struct job *job)
{
	tmap_cost_model_fini(&job->model);
	tmap_levels_fini(&job->levels);
	tmap_metric_fini(&job->metric);
	tmap_metric_fini(&job->lane_metric);
	tmap_placement_fini(&job->lane);
	tmap_lanes_fini(&job->lanes);
}

/* *reason: why it cannot be predicted. */
static int job_init(struct job *job, const struct tmap_lane_times *times,
		    const struct tmap_profile *profile, const char **reason, struct tmap_error *err)
{
	const struct tmap_placement *placement = &times->job->placement;
	int *member;
	int status;

	*job = (struct job){ .times = times };
	if (tmap_lanes_init(&job->lanes, placement, TMAP_NONE, err) < 0)
		return -1;
	job->nodes = job->lanes.node_count;
	job->ranks = job->lanes.lane_count;
	if (job->nodes < 2 || (int64_t)job->nodes * job->ranks != placement->size) {
		*reason = "its nodes have not equally many ranks, or there is one node";
		return 0;
	}
	member = tmap_alloc_raw((size_t)job->nodes, sizeof *member, err);
	if (!member)
		return -1;
	for (int n = 0; n < job->nodes; n++)
		member[n] = job->lanes.rank[job->lanes.first[n]];
	status = tmap_placement_select(&job->lane, placement, member, job->nodes, err);
	free(member);
	if (status < 0 || tmap_order_find(&job->order, &job->lane, err) < 0 ||
	    tmap_metric_init(&job->metric, placement, TMAP_SCALE_PROCESS, err) < 0 ||
	    tmap_metric_init(&job->lane_metric, &job->lane, TMAP_SCALE_PROCESS, err) < 0 ||
	    tmap_levels_init(&job->levels, placement->machine, err) < 0 ||
	    tmap_cost_model_init(&job->model, placement, &job->metric, &job->levels, profile, err) <
		    0)
		return -1;
	tmap_cost_model_place(&job->model, job->lanes.rank);
	return 0;
}

/* An algorithm of the whole job, which knows more than a row of a table can say. */
struct pattern {
	struct tmap_algorithm algorithm; /* first, so that a call's choice is this */
	const struct job *job;
	const struct tmap_call *call; /* of each lane; NULL: exchanges */
	int64_t bytes;
	int lanes;
};

static int message_emit(struct tmap_emit *emit, int from, int to, int64_t round, int64_t bytes,
			bool combine)
{
	return tmap_emit_message(emit,
				 &(struct tmap_message){ .round = round,
							 .span = 1,
							 .times = 1,
							 .from = from,
							 .to = to,
							 .combine = combine,
							 .bytes = bytes });
}

/* The first lane takes what is left over. */
static int exchanges_emit(struct tmap_emit *emit, const struct pattern *it)
{
	const struct job *job = it->job;
	int64_t part = it->bytes / it->lanes, left = it->bytes % it->lanes;

	emit->single = true;
	for (; emit->round < job->times->exchanges; emit->round++)
		for (int n = 0; n < job->nodes; n++)
			for (int l = 0; l < it->lanes; l++)
				if (message_emit(emit, n * job->ranks + l,
						 (n + 1) % job->nodes * job->ranks + l, emit->round,
						 part + (l == 0 ? left : 0), false) < 0)
					return -1;
	return 0;
}

struct lane_context {
	struct tmap_emit *emit;
	const struct pattern *pattern;
};

static int lane_message(void *data, const struct tmap_message *message, struct tmap_error *err)
{
	const struct lane_context *context = data;
	const struct pattern *it = context->pattern;
	int ranks = it->job->ranks;

	(void)err;
	context->emit->round = message->round;
	for (int l = 0; l < it->lanes; l++)
		if (message_emit(context->emit, message->from * ranks + l, message->to * ranks + l,
				 message->round, message->bytes, message->combine) < 0)
			return -1;
	return 0;
}

static int pattern_generate(struct tmap_emit *emit)
{
	const struct pattern *it = (const void *)tmap_call_algorithm(emit->call);
	struct lane_context context = { emit, it };
	struct tmap_visitor visitor = { .message = lane_message, .context = &context };

	if (!it->call)
		return exchanges_emit(emit, it);
	if (tmap_schedule(it->call, &visitor, emit->err) < 0)
		return -1;
	emit->round++;
	return 0;
}

static int pattern_cost(double *seconds, struct job *job, const struct pattern *it,
			struct tmap_error *err)
{
	const struct tmap_call call = { .choice = { .row = &it->algorithm.choice },
					.size = job->times->job->placement.size,
					.bytes = it->bytes,
					.metric = &job->metric };

	return tmap_cost(seconds, &job->model, &call, err);
}

static int message_count(void *data, const struct tmap_message *message, struct tmap_error *err)
{
	int64_t *count = data;

	(void)message;
	return ++*count <= TMAP_LANE_MESSAGES_MOST ? 0 : tmap_fail(err, TMAP_INPUT, "too many");
}

/* *name = what the library takes on one lane, NULL where that is not known. */
static int lane_call_find(struct tmap_call *call, char **name, const struct job *job, int64_t bytes,
			  struct tmap_error *err)
{
	enum tmap_collective collective = job->times->collective;
	int library = tmap_library_of(job->times->job->mpi);
	struct tmap_library_choice choice;

	*name = NULL;
	if (library == TMAP_NONE)
		return 0;
	choice = tmap_library_choose(
		library,
		&(struct tmap_library_call){ collective, job->nodes, bytes, 0, 0, &job->order });
	if (!choice.algorithm[0])
		return 0;
	*call = (struct tmap_call){ .size = job->nodes,
				    .bytes = bytes,
				    .metric = &job->lane_metric };
	if (tmap_call_parse(call, collective, choice.algorithm, err) < 0 ||
	    tmap_call_check(call, err) < 0 || tmap_call_resolve(call, &call->choice, err) < 0)
		return err->kind == TMAP_INPUT || err->kind == TMAP_USAGE ? 0 : -1;
	*name = tmap_strdup(choice.algorithm, err);
	return *name ? 0 : -1;
}

/* Is it few enough to go through one by one? */
static bool messages_fit(const struct job *job, const struct tmap_call *call, int lanes)
{
	struct tmap_error err = { 0 };
	int64_t count = 0;
	struct tmap_visitor visitor = { .message = message_count, .context = &count };

	if (!call) /* no product of these overflows a double */
		return (double)job->times->exchanges * job->nodes * lanes <=
			TMAP_LANE_MESSAGES_MOST;
	return tmap_schedule(call, &visitor, &err) == 0 && count <= TMAP_LANE_MESSAGES_MOST / lanes;
}

static int experiment_predict(struct tmap_lane_prediction *prediction, struct job *job,
			      const struct tmap_lane_experiment *experiment, const char **reason,
			      char **algorithm, struct tmap_error *err)
{
	struct pattern it = { .algorithm = { .choice = { .word = { "lanes", "lanes" } },
					     .collective = TMAP_ALLGATHER,
					     .pattern = TMAP_PATTERN_PLACED,
					     .generate = pattern_generate },
			      .job = job,
			      .bytes = experiment->bytes,
			      .lanes = experiment->lanes };
	struct tmap_call call;
	char *name;

	if (experiment->lanes > job->ranks)
		return 0;
	if (job->times->has_collective) {
		if (lane_call_find(&call, &name, job, experiment->bytes, err) < 0)
			return -1;
		if (!name) {
			*reason = "it is not known what the library takes";
			return 0;
		}
		it.call = &call;
		if (*algorithm)
			free(name);
		else
			*algorithm = name;
	}
	if (!messages_fit(job, it.call, it.lanes)) {
		*reason = "there are too many messages";
		return 0;
	}
	if (pattern_cost(&prediction->seconds, job, &it, err) < 0)
		return -1;
	prediction->is_predicted = true;
	return 0;
}

int tmap_lane_predictions_init(struct tmap_lane_predictions *predictions,
			       const struct tmap_lane_times *times,
			       const struct tmap_profile *profile, struct tmap_error *err)
{
	struct tmap_lane_predictions made = { 0 };
	const struct tmap_lane_prediction *one = NULL;
	struct job job;
	int status = job_init(&job, times, profile, &made.reason, err);

	const bool is_known = !made.reason;

	made.prediction = tmap_alloc((size_t)times->count, sizeof *made.prediction, err);
	if (!made.prediction)
		status = -1;
	for (int i = 0; i < times->count && status == 0 && is_known; i++) {
		const struct tmap_lane_experiment *it = &times->experiment[i];
		struct tmap_lane_prediction *prediction = &made.prediction[i];

		status = experiment_predict(prediction, &job, it, &made.reason, &made.algorithm,
					    err);
		made.count += prediction->is_predicted;
		if (i == 0 || times->experiment[i - 1].bytes != it->bytes)
			one = NULL;
		if (it->lanes == 1 && prediction->is_predicted)
			one = prediction;
		if (!one || !prediction->is_predicted || !(prediction->seconds > 0))
			continue;
		prediction->has_speedup = true;
		prediction->speedup = (times->has_collective ? it->lanes : 1) * one->seconds /
			prediction->seconds;
	}
	job_fini(&job);
	if (status < 0) {
		tmap_lane_predictions_fini(&made);
		return -1;
	}
	*predictions = made;
	return 0;
}

void tmap_lane_predictions_fini(struct tmap_lane_predictions *predictions)
{
	free(predictions->algorithm);
	free(predictions->prediction);
	*predictions = (struct tmap_lane_predictions){ 0 };
}
