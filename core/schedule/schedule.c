/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/schedule.h"

#include "core/schedule/emit.h"

#include <assert.h>

/* A visitor of bytes, who gets a schedule in elements. */
struct scaled {
	struct tmap_visitor *visitor;
	int64_t element;
};

static int scaled_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	const struct scaled *it = context;
	struct tmap_message scaled = *message;

	if (!message->is_word)
		scaled.bytes *= it->element;
	return it->visitor->message(it->visitor->context, &scaled, err);
}

static int scaled_all_pairs(void *context, const struct tmap_all_pairs *pairs,
			    struct tmap_error *err)
{
	const struct scaled *it = context;
	struct tmap_all_pairs scaled = *pairs;

	scaled.bytes *= it->element;
	scaled.more *= it->element;
	return it->visitor->all_pairs(it->visitor->context, &scaled, err);
}

static int scaled_batch(void *context, const struct tmap_messages *messages, struct tmap_error *err)
{
	const struct scaled *it = context;
	struct tmap_messages scaled = *messages;
	int64_t bytes[TMAP_EMIT_ROOM];

	for (int i = 0; i < messages->count; i++)
		bytes[i] = messages->bytes[i] * it->element;
	scaled.bytes = bytes;
	return it->visitor->batch(it->visitor->context, &scaled, err);
}

static int scaled_shift(void *context, const struct tmap_shift_pattern *shift,
			struct tmap_error *err)
{
	const struct scaled *it = context;
	struct tmap_shift_pattern scaled = *shift;

	scaled.bytes *= it->element;
	return it->visitor->shift(it->visitor->context, &scaled, err);
}

/* Of a call whose elements are bytes: of all ranks, or the part of one. */
static int generate(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		    struct tmap_error *err)
{
	struct tmap_emit_buffer buffer;
	struct tmap_emit emit = { .call = call,
				  .visitor = visitor,
				  .err = err,
				  .is_part = rank != TMAP_NONE,
				  .rank = rank };

	if (call->size < 2)
		return 0;
	buffer.info.round = -1;
	buffer.count = 0;
	if (visitor->folded && visitor->batch)
		emit.buffer = &buffer;
	return tmap_call_algorithm(call)->generate(&emit) < 0 ? -1 : tmap_emit_flush(&emit);
}

static int schedule(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		    struct tmap_error *err)
{
	const struct tmap_call elements = tmap_call_in_elements(call);
	struct scaled scaled = { visitor, call->element };
	struct tmap_visitor scaling = { .folded = visitor->folded,
					.message = scaled_message,
					.all_pairs = scaled_all_pairs,
					.context = &scaled };

	if (!tmap_call_is_countable(call))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	if (call->element < 2)
		return generate(call, rank, visitor, err);
	if (visitor->batch) {
		scaling.batch = scaled_batch;
		scaling.shift = scaled_shift;
	}
	return generate(&elements, rank, &scaling, err);
}

int tmap_schedule(const struct tmap_call *call, struct tmap_visitor *visitor,
		  struct tmap_error *err)
{
	return schedule(call, TMAP_NONE, visitor, err);
}

int tmap_schedule_rank(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		       struct tmap_error *err)
{
	assert(!visitor->folded && rank >= 0 && rank < call->size);
	return schedule(call, rank, visitor, err);
}
