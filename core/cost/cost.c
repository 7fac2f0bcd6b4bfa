/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/cost.h"

#include "core/cost/clock_order.h"

#include "core/base/mem.h"

#include <math.h>

static int cost_visit_message(void *context, const struct tmap_message *message,
			      struct tmap_error *err)
{
	const struct tmap_round_info info = { message->round, message->span, message->times,
					      message->combine, false };

	return tmap_clock_take_ranks(context, &info, &message->from, &message->to, &message->bytes,
				     1, err);
}

static int cost_visit_messages(void *context, const struct tmap_messages *batch,
			       struct tmap_error *err)
{
	return tmap_clock_take_ranks(context, &batch->info, batch->from, batch->to, batch->bytes,
				     batch->count, err);
}

static int cost_visit_shift(void *context, const struct tmap_shift_pattern *shift,
			    struct tmap_error *err)
{
	return tmap_clock_shift_ranks(context, shift, err);
}

static int cost_visit_all_pairs(void *context, const struct tmap_all_pairs *pairs,
				struct tmap_error *err)
{
	struct tmap_clock *clock = context;
	struct tmap_moved *moved = &clock->moved;
	double seconds;

	if (tmap_cost_all_pairs(&seconds, clock->model, pairs, err) < 0 ||
	    tmap_clock_together(clock, seconds, err) < 0 ||
	    tmap_grow(&moved->pairs, &moved->pairs_capacity, (size_t)moved->pairs_count + 1,
		      sizeof *moved->pairs, err) < 0)
		return -1;
	moved->pairs[moved->pairs_count++] = *pairs;
	if (pairs->round + pairs->rounds > moved->rounds)
		moved->rounds = pairs->round + pairs->rounds;
	return 0;
}

/* What a rank does by itself: copies, and reduces what has been gathered. */
struct own_work {
	double copying_s, reducing_s;
};

static int own_work_find(struct own_work *work, const struct tmap_cost_model *model,
			 const struct tmap_call *call, struct tmap_error *err)
{
	const struct tmap_algorithm *algorithm = tmap_call_algorithm(call);
	int64_t copied = 0;

	if (algorithm->copies && call->size > 1 && algorithm->copies(call, &copied, err) < 0)
		return -1;
	*work = (struct own_work){ .copying_s = (double)copied * model->profile->copy_byte_s };
	if (algorithm->gathers)
		work->reducing_s = (double)(call->size - 1) * (double)call->bytes *
			model->profile->reduce_byte_s;
	return 0;
}

/* How many messages a schedule has in all, and how many it looks at to find these. */
struct message_count {
	double messages, looks;
	int size;
};

static void count_add(struct message_count *count, double messages)
{
	count->messages += messages;
	count->looks += messages;
}

static int count_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	(void)err;
	count_add(context, (double)message->times);
	return 0;
}

/* Those without bytes are none. */
static int count_all_pairs(void *context, const struct tmap_all_pairs *pairs,
			   struct tmap_error *err)
{
	struct message_count *count = context;
	double peers = count->size - 1;

	(void)err;
	count->messages += peers * (double)(pairs->bytes > 0 ? count->size : pairs->larger);
	count->looks += peers * count->size;
	return 0;
}

static int count_messages(void *context, const struct tmap_messages *batch, struct tmap_error *err)
{
	(void)err;
	count_add(context, (double)batch->count * (double)batch->info.times);
	return 0;
}

static int count_shift(void *context, const struct tmap_shift_pattern *shift,
		       struct tmap_error *err)
{
	(void)err;
	count_add(context, (double)shift->count * (double)shift->info.times);
	return 0;
}

/* So many are looked at for each that is timed. */
enum { MOST_LOOKS = 64 };

/* Are there so few messages that each round is timed by itself? */
static int schedule_is_small(bool *small, const struct tmap_cost_model *model,
			     const struct tmap_call *call, struct tmap_error *err)
{
	struct message_count count = { .size = call->size };
	struct tmap_visitor visitor = { .folded = true,
					.message = count_message,
					.all_pairs = count_all_pairs,
					.context = &count,
					.batch = count_messages,
					.shift = count_shift };

	*small = false;
	if ((double)call->size * 2 > (double)model->most_exact)
		return 0;
	if (tmap_schedule(call, &visitor, err) < 0)
		return -1;
	*small = count.messages <= (double)model->most_exact &&
		count.looks <= MOST_LOOKS * (double)model->most_exact;
	return 0;
}

/* Does a schedule go along the nodes, wherever their ranks are? */
static bool call_is_placed(const struct tmap_call *call)
{
	return (tmap_call_algorithm(call)->pattern & TMAP_PATTERN_PLACED) != 0;
}

static int schedule_cost(double *seconds, struct tmap_clock *clock, const struct tmap_call *call,
			 bool folded, struct tmap_error *err)
{
	struct tmap_visitor visitor = { .folded = folded,
					.no_units = true,
					.message = cost_visit_message,
					.all_pairs = cost_visit_all_pairs,
					.context = clock };
	int rank;

	if (folded) {
		visitor.batch = cost_visit_messages;
		visitor.shift = cost_visit_shift;
	}
	if (tmap_schedule(call, &visitor, err) < 0 || tmap_clock_end(clock, err) < 0)
		return -1;
	*seconds = tmap_clock_last(clock, &rank);
	return 0;
}

/* All of it on new clocks, which are released with *clock. What ranks do by themselves takes memory of its own,
 * and is found before the clocks take theirs. */
static int call_cost(double *seconds, struct tmap_clock *clock, struct tmap_cost_model *model,
		     const struct tmap_call *call, bool folded, struct tmap_error *err)
{
	struct own_work work;

	*clock = (struct tmap_clock){ 0 };
	if (own_work_find(&work, model, call, err) < 0 || tmap_clock_init(clock, model, err) < 0 ||
	    (call_is_placed(call) && tmap_clock_order(clock, err) < 0) ||
	    schedule_cost(seconds, clock, call, folded, err) < 0)
		return -1;
	*seconds += work.copying_s;
	*seconds += work.reducing_s;
	return 0;
}

int tmap_cost_and_moved(double *seconds, struct tmap_moved *moved, struct tmap_cost_model *model,
			const struct tmap_call *call, struct tmap_error *err)
{
	struct tmap_clock clock;
	double made = 0;
	bool small;
	int status;

	if (schedule_is_small(&small, model, call, err) < 0)
		return -1;
	status = call_cost(&made, &clock, model, call, !small, err);
	if (status == 0) {
		*seconds = made;
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
	double made = 0;
	int status = call_cost(&made, &clock, model, call, false, err);

	if (status == 0)
		*seconds = made;
	tmap_clock_fini(&clock);
	return status;
}
