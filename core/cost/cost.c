/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/cost.h"

#include "core/cost/clock.h"

#include "core/base/mem.h"

static int cost_visit_message(void *context, const struct tmap_message *message,
			      struct tmap_error *err)
{
	const struct tmap_round_info info = { message->round, message->span, message->times,
					      message->combine, false };
	struct tmap_spread spread;

	if (tmap_clock_begin(context, &info, &spread, err) < 0)
		return -1;
	return tmap_clock_take(context, &spread, &message->from, &message->to, &message->bytes, 1,
			       err);
}

static int cost_visit_messages(void *context, const struct tmap_messages *batch,
			       struct tmap_error *err)
{
	struct tmap_spread spread;

	if (tmap_clock_begin(context, &batch->info, &spread, err) < 0)
		return -1;
	return tmap_clock_take(context, &spread, batch->from, batch->to, batch->bytes, batch->count,
			       err);
}

static int cost_visit_shift(void *context, const struct tmap_shift_pattern *shift,
			    struct tmap_error *err)
{
	struct tmap_spread spread;

	if (tmap_clock_begin(context, &shift->info, &spread, err) < 0)
		return -1;
	return tmap_clock_shift(context, &spread, shift, err);
}

static int cost_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				struct tmap_error *err)
{
	struct tmap_clock *clock = context;
	struct tmap_moved *moved = &clock->moved;
	double seconds;

	if (tmap_clock_end(clock, err) < 0 ||
	    tmap_cost_all_pairs(&seconds, clock->model, pairs, err) < 0 ||
	    tmap_grow(&moved->pairs, &moved->pairs_capacity, (size_t)moved->pairs_count + 1,
		      sizeof *moved->pairs, err) < 0)
		return -1;
	clock->seconds += seconds;
	moved->pairs[moved->pairs_count++] = *pairs;
	if (pairs->round + pairs->rounds > moved->rounds)
		moved->rounds = pairs->round + pairs->rounds;
	return 0;
}

/* What a rank does by itself: copies, and reduces what has been gathered. */
static int copies_add(double *seconds, const struct tmap_cost_model *model,
		      const struct tmap_call *call, struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);
	int64_t copied = 0;

	if (algorithm->copies && call->size > 1 && algorithm->copies(call, &copied, err) < 0)
		return -1;
	*seconds += (double)copied * model->profile->copy_byte_s;
	if (algorithm->gathers)
		*seconds += (double)(call->size - 1) * (double)call->bytes *
			model->profile->reduce_byte_s;
	return 0;
}

static int schedule_cost(struct tmap_clock *clock, const struct tmap_call *call,
			 struct tmap_error *err)
{
	struct tmap_visitor visitor = { .folded = true,
					.message = cost_visit_message,
					.all_pairs = cost_visit_all_pairs,
					.context = clock,
					.batch = cost_visit_messages,
					.shift = cost_visit_shift };

	if (tmap_schedule(call, &visitor, err) < 0 || tmap_clock_end(clock, err) < 0)
		return -1;
	return copies_add(&clock->seconds, clock->model, call, err);
}

int tmap_cost_and_moved(double *seconds, struct tmap_moved *moved, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err)
{
	struct tmap_clock clock;
	int status;

	if (tmap_clock_init(&clock, model, err) < 0)
		return -1;
	status = schedule_cost(&clock, call, err);
	if (status == 0) {
		*seconds = clock.seconds;
		*moved = clock.moved;
		clock.moved = (struct tmap_moved){ 0 };
	}
	tmap_clock_fini(&clock);
	return status;
}

int tmap_cost(double *seconds, struct tmap_cost_model *model, const struct tmap_call *call,
	      struct tmap_error *err)
{
	struct tmap_moved moved;

	if (tmap_cost_and_moved(seconds, &moved, model, call, err) < 0)
		return -1;
	tmap_moved_fini(&moved);
	return 0;
}

int tmap_cost_by_rounds(double *seconds, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err)
{
	struct tmap_clock clock;
	struct tmap_visitor visitor = { .message = cost_visit_message, .context = &clock };
	double made = 0;
	int status = -1;

	if (tmap_clock_init(&clock, model, err) < 0)
		return -1;
	if (tmap_schedule(call, &visitor, err) == 0 && tmap_clock_end(&clock, err) == 0) {
		made = clock.seconds;
		status = copies_add(&made, model, call, err);
	}
	if (status == 0)
		*seconds = made;
	tmap_clock_fini(&clock);
	return status;
}
