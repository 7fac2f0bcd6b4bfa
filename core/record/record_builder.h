/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_builder.h - a record as it grows: in a rank call by call, on a node rank by rank, at rank
 * 0 node by node.
 *
 *     rank 0 ─┐                     what is equal becomes one on the way:
 *     rank 1 ─┴► node 0 ─┐          rows, communicators, calls
 *     rank 2 ─┬► node 1 ─┴► rank 0 ──► tmap_record_builder_finish()
 *     rank 3 ─┘
 */
#ifndef TMAP_CORE_RECORD_RECORD_BUILDER_H
#define TMAP_CORE_RECORD_RECORD_BUILDER_H

#include "core/record/sent_builder.h"

/** Calls that differ by their bytes alone, before sizes are rounded up to powers of two: a program
 *  that never calls with the same size twice is to end, too. */
enum { TMAP_RECORD_CALLS_EXACT = 4096 };

/** A communicator, known by a digest of its ranks and topology. */
struct tmap_record_known {
	uint64_t digest;
	struct tmap_recorded_communicator it; /**< its ranks are known to its rank 0 alone */
};

struct tmap_record_builder {
	struct tmap_sent_builder sent[TMAP_WAYS];

	int communicator_count;
	struct tmap_record_known *communicator; /**< [communicator_count] */
	size_t communicator_capacity;
	struct tmap_index communicators;

	int call_count;
	struct tmap_recorded_call *call; /**< [call_count]: calls of all ranks together */
	size_t call_capacity;
	struct tmap_index calls;

	double seconds; /**< of the program, the longest so far */
};

void tmap_record_builder_fini(struct tmap_record_builder *b);

/** The index of the communicator of that digest, added where it is new; TMAP_NONE with *err set.
 *  What *it owns is taken over, also on failure; ranks that were not known are from now on. */
int tmap_record_add_communicator_take(struct tmap_record_builder *b, uint64_t digest,
				      struct tmap_recorded_communicator *it,
				      struct tmap_error *err);

/** Calls of one rank or several, its communicator an index of the builder: they are added to those
 *  that are alike. O(1) expected. */
int tmap_record_add_calls(struct tmap_record_builder *b, const struct tmap_recorded_call *calls,
			  struct tmap_error *err);

/** All ranks were added: rows, communicators and calls of a record of @p size ranks, sorted; the
 *  builder is empty then. Calls are those of each rank. Of other ways than messages a rank need not
 *  be added that sent nothing. Refuses (TMAP_INPUT) a rank that was added twice or not at all;
 *  *lost counts calls that are left out: on communicators whose rank 0 did not record any call, and
 *  on the smallest where all have more than tmap_record_ranks_most(). O(p + n log n). */
int tmap_record_builder_finish(struct tmap_record *record, int64_t *lost,
			       struct tmap_record_builder *b, int size, struct tmap_error *err);

#endif
