/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps.h - what one rank does in a collective: steps, and which of them wait for which.
 *
 *     allreduce, recursive doubling, one rank of four
 *
 *     (its vector     ┌► send 1st ──────────────┐   ┌► send 2nd ─────────────┐
 *      is copied)  ───┤                         ├►reduce                     ├► reduce
 *                     └► receive into scratch ──┘   └► receive into scratch ─┘
 *
 * A step begins when those that it waits for have ended: a send when what it carries is there, a
 * receive when nobody needs any more what was where it goes, a reduction when the one before it on
 * the same elements is done, so that they are combined in the order of the schedule whatever
 * arrives first. What arrives while its place is being sent goes into scratch first. No step waits
 * for one of a later round, and no receive for a send of its own round: so every rank comes to its
 * end, also where sends wait for their receivers.
 *
 * Two messages from a rank to another are matched in the order of the schedule: the second of two
 * sends to one peer, or receives of one, begins after the first has begun; the seventeenth after the
 * first has ended, which is of no later round, and of its own one only if it is as many messages
 * before it.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_STEPS_H
#define TMAP_MPI_RUN_EXECUTOR_STEPS_H

#include "mpi_run/executor/layout.h"

enum tmap_step_kind { TMAP_STEP_SEND, TMAP_STEP_RECV, TMAP_STEP_LOCAL };

struct tmap_step {
	enum tmap_step_kind kind;
	int peer;            /**< of sends and receives */
	int waits;           /**< for so many others */
	int64_t blank_bytes; /**< of a message that says nothing by what it carries: no pieces */
	size_t first, count; /**< pieces of messages; moves of local steps, in order */
	/** those that wait for this one: edges of so many until it has begun, behind them of so many until
	 *  it has ended */
	size_t next, begin_count, end_count;
};

/** Data that go, or are reduced, from one piece into another of as much data. */
struct tmap_transfer {
	struct tmap_data_piece source, target;
	bool is_reduction;
	bool is_lower; /**< reductions: source op target; else target op source, and the source may
			    be spoilt */
};

struct tmap_steps {
	int64_t scratch_bytes, blank_bytes; /**< blank: of the largest such message */
	size_t step_count, edge_count, piece_count, move_count;
	struct tmap_step *step;
	size_t *edge; /**< steps that wait */
	struct tmap_data_piece *piece;
	struct tmap_transfer *move;
	size_t before; /**< the first so many moves are done before the first step */
	size_t after;  /**< those from this one on after the last */
};

/** What @p rank does in a call that has passed tmap_call_check(), whose choice is resolved, and
 *  whose element is an element of the layout's type, or 1 where units are blocks. Time and memory
 *  are those of tmap_schedule_rank() and O(n log n) for the n units that the rank sends and
 *  receives, runs of neighbouring ones counting as one. @p by_rounds: all of the rank's next round waits
 *  for all of its last one, as in libraries that wait for the messages of a round, and in predicted times
 *  (core/cost/cost.h); neighborhoods have one round. */
int tmap_steps_init(struct tmap_steps *steps, const struct tmap_call *call, int rank,
		    const struct tmap_layout *layout, bool by_rounds, struct tmap_error *err);
void tmap_steps_fini(struct tmap_steps *steps);

#endif
