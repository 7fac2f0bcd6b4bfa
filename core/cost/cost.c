#include "core/cost/cost.h"

#include "core/cost/clock.h"

#include "core/base/mem.h"

static int take_message(void *context, const struct tm_message *message, struct tm_error *err)
{
	const struct tm_wave wave = { message->round, message->span, message->times,
				      message->combine, false };
	struct tm_spread spread;

	if (tm_clock_begin(context, &wave, &spread, err) < 0)
		return -1;
	return tm_clock_take(context, &spread, &message->from, &message->to, &message->bytes, 1,
			     err);
}

static int take_batch(void *context, const struct tm_batch *batch, struct tm_error *err)
{
	struct tm_spread spread;

	if (tm_clock_begin(context, &batch->wave, &spread, err) < 0)
		return -1;
	return tm_clock_take(context, &spread, batch->from, batch->to, batch->bytes, batch->count,
			     err);
}

static int take_shift(void *context, const struct tm_shift *shift, struct tm_error *err)
{
	struct tm_spread spread;

	if (tm_clock_begin(context, &shift->wave, &spread, err) < 0)
		return -1;
	return tm_clock_shift(context, &spread, shift, err);
}

static int take_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *err)
{
	struct tm_clock *clock = context;
	struct tm_moved *moved = &clock->moved;
	double seconds;

	if (tm_clock_end(clock, err) < 0 ||
	    tm_cost_all_pairs(&seconds, clock->model, pairs, err) < 0 ||
	    tm_grow(&moved->pairs, &moved->pairs_capacity, (size_t)moved->pairs_count + 1,
		    sizeof *moved->pairs, err) < 0)
		return -1;
	clock->seconds += seconds;
	moved->pairs[moved->pairs_count++] = *pairs;
	if (pairs->round + pairs->rounds > moved->rounds)
		moved->rounds = pairs->round + pairs->rounds;
	return 0;
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

static int run(struct tm_clock *clock, const struct tm_call *call, struct tm_error *err)
{
	struct tm_sink sink = { .folded = true, .message = take_message,
				.all_pairs = take_all_pairs, .context = clock,
				.batch = take_batch, .shift = take_shift };

	if (tm_schedule(call, &sink, err) < 0 || tm_clock_end(clock, err) < 0)
		return -1;
	return add_local(&clock->seconds, clock->model, call, err);
}

int tm_cost_and_moved(double *seconds, struct tm_moved *moved, struct tm_cost_model *model,
			const struct tm_call *call, struct tm_error *err)
{
	struct tm_clock clock;
	int status;

	if (tm_clock_init(&clock, model, err) < 0)
		return -1;
	status = run(&clock, call, err);
	if (status == 0) {
		*seconds = clock.seconds;
		*moved = clock.moved;
		clock.moved = (struct tm_moved){ 0 };
	}
	tm_clock_fini(&clock);
	return status;
}

int tm_cost(double *seconds, struct tm_cost_model *model, const struct tm_call *call,
	    struct tm_error *err)
{
	struct tm_moved moved;

	if (tm_cost_and_moved(seconds, &moved, model, call, err) < 0)
		return -1;
	tm_moved_fini(&moved);
	return 0;
}

int tm_cost_by_rounds(double *seconds, struct tm_cost_model *model, const struct tm_call *call,
		      struct tm_error *err)
{
	struct tm_clock clock;
	struct tm_sink sink = { .message = take_message, .context = &clock };
	double made = 0;
	int status = -1;

	if (tm_clock_init(&clock, model, err) < 0)
		return -1;
	if (tm_schedule(call, &sink, err) == 0 && tm_clock_end(&clock, err) == 0) {
		made = clock.seconds;
		status = add_local(&made, model, call, err);
	}
	if (status == 0)
		*seconds = made;
	tm_clock_fini(&clock);
	return status;
}
