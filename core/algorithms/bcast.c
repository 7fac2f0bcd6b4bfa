/*
 * Broadcast: every rank ends with the root's vector.
 */
#include "core/algorithms/tables.h"
#include "core/emit.h"

static int64_t one_piece(const struct tm_call *call)
{
	(void)call;
	return 1;
}

/* One round: the root to all. */
static int flat(struct tm_emit *emit)
{
	const struct tm_call *call = emit->call;

	for (int r = 0; r < call->size; r++)
		if (r != call->root && tm_emit_units(emit, call->root, r, 0, 1, 1) < 0)
			return -1;
	return 0;
}

#define BCAST(name, summary) .choice.word = { name, summary }, .collective = TM_BCAST
#define TUNED(rest) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm " rest

const struct tm_algorithm tm_bcast_algorithms[] = {
	{ BCAST("flat", "one round, the root to everyone"), .pieces = one_piece, .generate = flat,
	  .source = "Open MPI", .choice.knobs = { TUNED("1"), NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};
