/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/schedule.h"

#include "core/schedule/emit.h"

#include <assert.h>

/* Of all ranks, or the part of one. */
static int generate(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		    struct tmap_error *err)
{
	struct tmap_emit_buffer buffer;
	struct tmap_emit emit = { .call = call,
				  .visitor = visitor,
				  .err = err,
				  .is_part = rank != TMAP_NONE,
				  .rank = rank };

	if (!tmap_call_is_countable(call))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	if (call->size < 2)
		return 0;
	buffer.info.round = -1;
	buffer.count = 0;
	if (visitor->folded && visitor->batch)
		emit.buffer = &buffer;
	return tmap_call_algorithm(call)->generate(&emit) < 0 ? -1 : tmap_emit_flush(&emit);
}

int tmap_schedule(const struct tmap_call *call, struct tmap_visitor *visitor,
		  struct tmap_error *err)
{
	return generate(call, TMAP_NONE, visitor, err);
}

int tmap_schedule_rank(const struct tmap_call *call, int rank, struct tmap_visitor *visitor,
		       struct tmap_error *err)
{
	assert(!visitor->folded && rank >= 0 && rank < call->size);
	return generate(call, rank, visitor, err);
}
