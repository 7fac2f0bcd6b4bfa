/*
 * Reduce: the root ends with the vectors of all ranks, reduced.
 */
#include "core/algorithms/tables.h"
#include "core/emit.h"

static int64_t one_piece(const struct tm_call *call)
{
	(void)call;
	return 1;
}

/* One round: all to the root. */
static int flat(struct tm_emit *emit)
{
	const struct tm_call *call = emit->call;

	emit->combine = true;
	for (int r = 0; r < call->size; r++)
		if (r != call->root && tm_emit_units(emit, r, call->root, 0, 1, 1) < 0)
			return -1;
	return 0;
}

#define REDUCE(name, summary) .choice.word = { name, summary }, .collective = TM_REDUCE
#define TUNED(rest) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_reduce_algorithm " rest

const struct tm_algorithm tm_reduce_algorithms[] = {
	{ REDUCE("flat", "one round, everyone to the root"), .pieces = one_piece, .generate = flat,
	  .source = "Open MPI", .choice.knobs = { TUNED("1"), NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};
