/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scan and exscan: rank r ends with the vectors of the ranks 0 .. r, or below r. A rank
 * sends the sum of what it has seen; what comes from below it also goes into its answer.
 */
#include "core/algorithms/lane.h"
#include "core/algorithms/phase.h"
#include "core/algorithms/smp.h"
#include "core/algorithms/tables.h"
#include "core/schedule/emit.h"

/* Round r: r -> r + 1. */
static int scan_linear(struct tmap_emit *emit)
{
	emit->combine = true;
	emit->single = true;
	for (int r = 0; r < emit->call->size - 1; r++, emit->round++)
		if (tmap_emit_units(emit, r, r + 1, 0, 1, 1) < 0)
			return -1;
	return 0;
}

/* r <-> r ^ d for d = 1, 2, 4, ... where there is such a rank. */
static int scan_recursive_doubling(struct tmap_emit *emit)
{
	int p = emit->call->size;

	emit->combine = true;
	emit->single = true;
	for (int64_t d = 1; d < p; d *= 2, emit->round++)
		if (tmap_emit_exchange_all(emit, p, d) < 0)
			return -1;
	return 0;
}

#define TUNED(what, n) "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_" what "_algorithm " n

/* The rows of both collectives differ in nothing but its name. */
#define ROWS(which, tuned, mpich, ...) \
	{ \
		{ .choice.word = { "linear", "p - 1 rounds from rank to rank" }, \
		  .collective = which, \
		  .in_order = true, \
		  .pieces = tmap_one_piece, \
		  .generate = scan_linear, \
		  .pattern = TMAP_PATTERN_RING, \
		  .phase = TMAP_PHASE, \
		  .source = "Open MPI", \
		  .choice.knobs = { TUNED(tuned, "1"), NULL, NULL } }, \
			{ .choice.word = { "recursive_doubling", \
					   "log p rounds, the whole vector each" }, \
			  .collective = which, \
			  .in_order = true, \
			  .pieces = tmap_one_piece, \
			  .generate = scan_recursive_doubling, \
			  .pattern = TMAP_PATTERN_DOUBLING, \
			  .phase = TMAP_FIRST_PHASE, \
			  .by_rank = true, \
			  .source = "Open MPI, MPICH", \
			  .choice.knobs = { TUNED(tuned, "2"), \
					    "MPIR_CVAR_" mpich \
					    "_INTRA_ALGORITHM=recursive_doubling", \
					    NULL } }, \
			{ .choice.word = { "lane", \
					   "scan on nodes, exscan of their sums on lanes" }, \
			  .collective = which, \
			  TMAP_LANE, \
			  .choice.params = tmap_lane_scan, \
			  .pieces = tmap_piece_a_byte }, \
			__VA_ARGS__{ .choice.word = { NULL, NULL } }, \
	}

#define SMP \
	{ .choice.word = { "smp", \
			   "within the nodes, between one rank of each, and within the nodes" }, \
	  .collective = TMAP_SCAN, \
	  TMAP_SMP_ROW, \
	  .choice.params = tmap_smp_scan, \
	  .pieces = tmap_smp_pieces },

const struct tmap_algorithm tmap_scan_algorithms[] = ROWS(TMAP_SCAN, "scan", "SCAN", SMP);
const struct tmap_algorithm tmap_exscan_algorithms[] = ROWS(TMAP_EXSCAN, "exscan", "EXSCAN", );
