/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phase.h - an algorithm of the catalogue as one phase of a larger one.
 *
 * A phase runs one collective, by any of its rows, in several teams at the same time. A
 * team is a communicator: its rank i, member i, is some rank of the call, which has any
 * number of units of the call for what the inner collective knows as one block or vector.
 *
 *     8 ranks on 2 nodes, an allgather of three phases
 *
 *     gather       {0 1 2 3} {4 5 6 7}     the block of a member: its own
 *     allgather    {0 4}                   the blocks {0 1 2 3} and {4 5 6 7}
 *     bcast        {0 1 2 3} {4 5 6 7}     the vector: all units
 *
 * The rounds of the teams run side by side, and the next phase begins when the longest is
 * through. Teams of one size, one root and one size of block do the same, so the inner
 * schedule is made once for all of them; a team that is alone is emitted as it is made.
 *
 * Units of a phase, exactly:
 *
 *     allgather, gather,          block i of the team is the list of member i
 *     scatter, reduce_scatter
 *     alltoall                    what member s has for member d is senders(s) x receivers(d)
 *     bcast, reduce, allreduce,   the slice of the team, cut into the inner algorithm's pieces
 *     scan, exscan                between units, the first pieces one unit larger
 *     barrier                     the unit of the outer barrier
 *
 * Where the units of the call are single bytes (tmap_piece_a_byte()) this is just how the inner
 * algorithm cuts a vector of its own. Blocks of different sizes, empty ones, and teams of one
 * rank are all right. Folded schedules stay folded where the blocks of a team are equally
 * large, or its slice is of bytes; else messages are emitted one by one, with their true sizes.
 */
#ifndef TMAP_CORE_ALGORITHMS_PHASE_H
#define TMAP_CORE_ALGORITHMS_PHASE_H

#include "core/algorithms/catalogue.h"
#include "core/schedule/emit.h"

/** Communicators that share no rank: member i of team t is rank member[start[t] + i]. */
struct tmap_comms {
	int count;
	const int *start;  /**< [count + 1] */
	const int *member; /**< [start[count]] */
	const int *root;   /**< [count]: the member that is the inner root; NULL: member 0 */
};

enum tmap_lists_kind {
	TMAP_LIST_OWN,  /**< the number of the member's rank */
	TMAP_LIST_ALL,  /**< all numbers */
	TMAP_LIST_PART, /**< stretches of a list */
};

/** A list of numbers for each member, by its place in member[]. */
struct tmap_lists {
	enum tmap_lists_kind kind;
	const int *item;              /**< PART: the list; NULL: 0, 1, 2, ... */
	const int64_t *first, *count; /**< PART: member s has item[first[s]], count[s] of them */
	int period; /**< PART: s is taken modulo so many, where these come again; 0: it is not */
};

/** Where the list of a member is in first[] and count[]. */
static inline int64_t tmap_lists_part(const struct tmap_lists *lists, int64_t member)
{
	return lists->period ? member % lists->period : member;
}

/** All arrays are borrowed. */
struct tmap_phase {
	struct tmap_spec choice; /**< a row of tmap_algorithms(), and its values */
	struct tmap_comms teams;
	const struct tmap_run *slice; /**< [teams.count], stride 1; NULL: all units. Vectors only */
	/** The blocks: units of the call; where the call is an alltoall a block is senders x
	 *  receivers, and the lists are of ranks. */
	struct tmap_lists block, receivers;
};

/** Name @p index of the rows of a collective that may be a phase, its first phase at 0, then those
 *  with other values than preset ones ("rabenseifner_mpich"), NULL past the last one: the words of
 *  parameters such as "inner" (struct tmap_param). */
const char *tmap_phase_name(enum tmap_collective collective, int64_t index);
const char *tmap_allgather_phases(int64_t index);
const char *tmap_bcast_phases(int64_t index);
const char *tmap_reduce_phases(int64_t index);
const char *tmap_allreduce_phases(int64_t index);
const char *tmap_gather_phases(int64_t index);
const char *tmap_scatter_phases(int64_t index);
const char *tmap_reduce_scatter_phases(int64_t index);
const char *tmap_alltoall_phases(int64_t index);
const char *tmap_scan_phases(int64_t index);
const char *tmap_barrier_phases(int64_t index);

/** That row with its preset values, or those of the word; rows of reduce_scatter_block and exscan
 *  are in the order of those of reduce_scatter and scan. */
struct tmap_spec tmap_phase_spec(enum tmap_collective collective, int64_t index);

/** Has each member of a team a block of its own? Else all have the same vector, or nothing. */
static inline bool tmap_phase_has_blocks(enum tmap_collective inner)
{
	return !(inner == TMAP_BCAST || inner == TMAP_REDUCE || inner == TMAP_ALLREDUCE ||
		 inner == TMAP_SCAN || inner == TMAP_EXSCAN || inner == TMAP_BARRIER);
}

/** Does the algorithm run in teams of these sizes? Else -1 and the reason (TMAP_INPUT).
 *  O(teams). */
int tmap_phase_check(const struct tmap_phase *phase, struct tmap_error *err);

/** Emit the phase, from emit->round on, and move emit->round behind it. O(messages + members). */
int tmap_phase_emit(struct tmap_emit *emit, const struct tmap_phase *phase);

/** The vector in single bytes: the pieces() of rows whose phases cut it in different ways. */
int64_t tmap_piece_a_byte(const struct tmap_call *call);

#endif
