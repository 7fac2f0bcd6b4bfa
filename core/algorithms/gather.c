/*
 * Gather and scatter: unit u is the block of rank u, and the root ends or begins with all.
 */
#include "core/algorithms/tables.h"
#include "core/emit.h"

/* One round: all to the root. */
static int gather_linear(struct tm_emit *emit)
{
	const struct tm_call *call = emit->call;

	for (int r = 0; r < call->size; r++)
		if (r != call->root && tm_emit_units(emit, r, call->root, r, 1, 1) < 0)
			return -1;
	return 0;
}

/* One round: the root to all. */
static int scatter_linear(struct tm_emit *emit)
{
	const struct tm_call *call = emit->call;

	for (int r = 0; r < call->size; r++)
		if (r != call->root && tm_emit_units(emit, call->root, r, r, 1, 1) < 0)
			return -1;
	return 0;
}

#define GATHER(name, summary) .choice.word = { name, summary }, .collective = TM_GATHER
#define SCATTER(name, summary) .choice.word = { name, summary }, .collective = TM_SCATTER
#define TUNED(rest) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_" rest

const struct tm_algorithm tm_gather_algorithms[] = {
	{ GATHER("linear", "one round, everyone to the root"), .generate = gather_linear,
	  .source = "Open MPI", .choice.knobs = { TUNED("gather_algorithm 1"), NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};

const struct tm_algorithm tm_scatter_algorithms[] = {
	{ SCATTER("linear", "one round, the root to everyone"), .generate = scatter_linear,
	  .source = "Open MPI", .choice.knobs = { TUNED("scatter_algorithm 1"), NULL, NULL } },
	{ .choice.word = { NULL, NULL } },
};
