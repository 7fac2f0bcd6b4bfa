#include "core/score/cost_model.h"

#include "core/mem.h"

#include <math.h>
#include <stdlib.h>

/* The messages that begin in one round, and how many rounds they take. */
struct group {
	int64_t round, active, period;
	double seconds;      /* of one of these rounds */
	bool is_open;
};

/* The groups that overlap. */
struct pipeline {
	int64_t end;         /* first round after it */
	double seconds;      /* of the groups' first rounds */
	double busiest;      /* link, over all rounds */
	double *rest;        /* [capacity]: by round of the period, the longest of the further ones */
	size_t capacity;
	int64_t used;
};

struct clock {
	struct tm_cost_model *model;
	struct group group;
	struct pipeline pipeline;
	double seconds;
	uint32_t stamp, all_stamp; /* of the group and the pipeline at hand */
};

static void grow_to(double *most, double value)
{
	if (value > *most)
		*most = value;
}

static void end_pipeline(struct clock *clock)
{
	struct pipeline *pipeline = &clock->pipeline;

	for (int64_t i = 0; i < pipeline->used; i++) {
		pipeline->seconds += pipeline->rest[i];
		pipeline->rest[i] = 0;
	}
	clock->seconds += fmax(pipeline->seconds, pipeline->busiest);
	pipeline->seconds = pipeline->busiest = 0;
	pipeline->used = 0;
	clock->all_stamp++;
}

/* The group goes into its pipeline. */
static int end_group(struct clock *clock, struct tm_error *err)
{
	struct group *group = &clock->group;
	struct pipeline *pipeline = &clock->pipeline;

	if (!group->is_open)
		return 0;
	group->is_open = false;
	pipeline->seconds += group->seconds;
	if (group->active > 1) {
		int64_t turn = group->round % group->period;

		if (tm_grow(&pipeline->rest, &pipeline->capacity, (size_t)turn + 1,
			    sizeof *pipeline->rest, err) < 0)
			return -1;
		for (; pipeline->used <= turn; pipeline->used++)
			pipeline->rest[pipeline->used] = 0;
		grow_to(&pipeline->rest[turn], (double)(group->active - 1) * group->seconds);
	}
	return 0;
}

/* In every how many rounds the message is sent; 1 also where some of its pieces are empty. */
static int64_t period_of(const struct tm_message *message)
{
	int64_t span = message->span - 1, times = message->times - 1;

	return times > 0 && span >= times && span % times == 0 ? span / times : 1;
}

static int begin_group(struct clock *clock, const struct tm_message *message,
		       struct tm_error *err)
{
	if (end_group(clock, err) < 0)
		return -1;
	if (message->round >= clock->pipeline.end)
		end_pipeline(clock);
	clock->group = (struct group){ .round = message->round, .period = 1, .is_open = true };
	clock->stamp++;
	return 0;
}

/* A rank has so many more messages; returns how long its chain is now. */
static double lengthen(struct clock *clock, struct tm_cost_side *side,
		       const struct tm_profile_row *row, double messages, double busy)
{
	const struct tm_profile *profile = clock->model->profile;

	if (side->stamp != clock->stamp)
		*side = (struct tm_cost_side){ .row = (int)(row - profile->row),
					       .stamp = clock->stamp };
	else
		side->busy_s += profile->overhead_s;
	side->busy_s += busy + (messages - 1) * profile->overhead_s;
	if (row->latency_s > profile->row[side->row].latency_s)
		side->row = (int)(row - profile->row);
	return profile->row[side->row].latency_s + side->busy_s;
}

static struct tm_cost_load *load_of(struct clock *clock, struct tm_cost_link *link, int rank)
{
	struct tm_cost_load *load = &link->load[link->of_rank[rank]];

	if (load->stamp != clock->stamp) {
		load->out = load->in = 0;
		load->stamp = clock->stamp;
	}
	if (load->all_stamp != clock->all_stamp) {
		load->all_out = load->all_in = 0;
		load->all_stamp = clock->all_stamp;
	}
	return load;
}

/* More bytes on a link, in a round and in all; a controller's come in and out by one way. */
static void put_load(struct clock *clock, struct tm_cost_link *link,
		     const struct tm_message *message, double bytes, double latency)
{
	struct tm_cost_load *from = load_of(clock, link, message->from);
	struct tm_cost_load *to = load_of(clock, link, message->to);
	double *in = link->is_memory ? &to->out : &to->in;
	double *all_in = link->is_memory ? &to->all_out : &to->all_in;

	if (from == to && !link->is_memory)
		return;
	from->out += bytes;
	*in += bytes;
	from->all_out += (double)message->bytes;
	*all_in += (double)message->bytes;
	grow_to(&clock->group.seconds, latency + fmax(from->out, *in) * link->byte_s);
	grow_to(&clock->pipeline.busiest,
		latency + fmax(from->all_out, *all_in) * link->byte_s);
}

static int take_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct clock *clock = context;
	struct tm_cost_model *model = clock->model;
	struct group *group = &clock->group;
	int64_t period = period_of(message), active = (message->span - 1) / period + 1;
	double bytes = (double)message->bytes / (double)message->times, busy, share;
	const struct tm_profile_row *row;

	if ((!group->is_open || group->round != message->round) &&
	    begin_group(clock, message, err) < 0)
		return -1;
	row = tm_cost_row(model, tm_cost_step(model, message->from, message->to), bytes);
	share = fmax(1, (double)message->times / (double)active); /* of these in a round */
	busy = share * bytes * row->byte_s;
	grow_to(&group->seconds,
		lengthen(clock, &model->side[2 * (size_t)message->from], row, share, busy));
	if (message->combine)
		busy += share * bytes * model->profile->reduce_byte_s;
	grow_to(&group->seconds,
		lengthen(clock, &model->side[2 * (size_t)message->to + 1], row, share,
			 busy));
	for (int i = 0; i < model->link_count; i++)
		put_load(clock, &model->link[i], message, (double)message->bytes / (double)active,
			 row->latency_s);
	if (active > group->active) {
		group->active = active;
		group->period = period;
	}
	if (message->round + message->span > clock->pipeline.end)
		clock->pipeline.end = message->round + message->span;
	return 0;
}

static int take_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct clock *clock = context;
	double seconds;

	if (end_group(clock, err) < 0 ||
	    tm_cost_all_pairs(&seconds, clock->model, pairs, err) < 0)
		return -1;
	clock->seconds += seconds;
	return 0;
}

/* No counter may look as if it were of this call. */
static void forget(struct tm_cost_model *model)
{
	for (size_t i = 0; i < 2 * (size_t)model->size; i++)
		model->side[i].stamp = 0;
	for (int i = 0; i < model->link_count; i++)
		for (int o = 0; o < model->link[i].count; o++)
			model->link[i].load[o] = (struct tm_cost_load){ 0 };
}

/* What a rank does by itself: copies, and reduces what has been gathered. */
static int add_local(double *seconds, const struct tm_cost_model *model,
		     const struct tm_call *call, struct tm_error *err)
{
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);
	int64_t copied = 0;

	if (algorithm->copies && call->size > 1 && algorithm->copies(call, &copied, err) < 0)
		return -1;
	*seconds += (double)copied * model->profile->copy_byte_s;
	if (algorithm->gathers)
		*seconds += (double)(call->size - 1) * (double)call->bytes *
			    model->profile->reduce_byte_s;
	return 0;
}

int tm_cost(double *seconds, struct tm_cost_model *model, const struct tm_call *call,
	    struct tm_error *err)
{
	struct clock clock = { .model = model, .stamp = 0, .all_stamp = 1 };
	struct tm_sink sink = { .folded = true, .message = take_message,
				.all_pairs = take_all_pairs, .context = &clock };
	int status;

	forget(model);
	status = tm_schedule(call, &sink, err);
	if (status == 0)
		status = end_group(&clock, err);
	if (status == 0) {
		end_pipeline(&clock);
		status = add_local(&clock.seconds, model, call, err);
	}
	if (status == 0)
		*seconds = clock.seconds;
	free(clock.pipeline.rest);
	return status;
}
