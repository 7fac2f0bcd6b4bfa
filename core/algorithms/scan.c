/*
 * Scan and exscan: rank r ends with the vectors of the ranks 0 .. r, or below r. A rank
 * sends the sum of what it has seen; what comes from below it also goes into its answer.
 */
#include "core/algorithms/lane.h"
#include "core/algorithms/phase.h"
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"

/* Round r: r -> r + 1. */
static int linear(struct tm_emit *emit)
{
	emit->combine = true;
	emit->single = true;
	for (int r = 0; r < emit->call->size - 1; r++, emit->round++)
		if (tm_emit_units(emit, r, r + 1, 0, 1, 1) < 0)
			return -1;
	return 0;
}

/* r <-> r ^ d for d = 1, 2, 4, ... where there is such a rank. */
static int recursive_doubling(struct tm_emit *emit)
{
	int p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	for (int64_t d = 1; d < p; d *= 2, emit->round++)
		if (tm_emit_exchange_all(emit, p, d) < 0)
			return -1;
	return 0;
}

#define TUNED(what, n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_" what "_algorithm " n

/* The rows of both collectives differ in nothing but its name. */
#define ROWS(which, tuned, mpich) {                                                            \
	{ .choice.word = { "linear", "p - 1 rounds from rank to rank" }, .collective = which,         \
	  .in_order = true, .pieces = tm_one_piece, .generate = linear, .source = "Open MPI",     \
	  .choice.knobs = { TUNED(tuned, "1"), NULL, NULL } },                                        \
	{ .choice.word = { "recursive_doubling", "log p rounds, the whole vector each" },             \
	  .collective = which, .in_order = true, .pieces = tm_one_piece,                          \
	  .generate = recursive_doubling, .source = "Open MPI, MPICH",                         \
	  .choice.knobs = { TUNED(tuned, "2"),                                                        \
		     "MPIR_CVAR_" mpich "_INTRA_ALGORITHM=recursive_doubling", NULL } },       \
	{ .choice.word = { "lane", "scan on nodes, exscan of their sums on lanes" },                  \
	  .collective = which, TM_LANE, .choice.params = tm_lane_scan,                            \
	  .pieces = tm_piece_a_byte },                                                            \
	{ .choice.word = { NULL, NULL } },                                                            \
}

const struct tm_algorithm tm_scan_algorithms[] = ROWS(TM_SCAN, "scan", "SCAN");
const struct tm_algorithm tm_exscan_algorithms[] = ROWS(TM_EXSCAN, "exscan", "EXSCAN");
