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

#include "core/record/part_builder.h"

/** A communicator, known by a digest of its ranks and topology. */
struct tmap_record_known {
	uint64_t digest;
	struct tmap_recorded_communicator it; /**< its ranks are known to its rank 0 alone */
};

struct tmap_record_builder {
	struct tmap_part_builder whole; /**< the run */
	int phase_count;
	struct tmap_part_builder *phase; /**< [phase_count], each with a number of its own */
	size_t phase_capacity;

	struct tmap_record_left_out
		left_out; /**< its calls are found by tmap_record_builder_finish() */

	int communicator_count;
	struct tmap_record_known *communicator; /**< [communicator_count] */
	size_t communicator_capacity;
	struct tmap_index communicators;
};

void tmap_record_builder_fini(struct tmap_record_builder *b);

/** The index of the communicator of that digest, added where it is new; TMAP_NONE with *err set.
 *  What *it owns is taken over, also on failure; ranks that were not known are from now on. */
int tmap_record_add_communicator_take(struct tmap_record_builder *b, uint64_t digest,
				      struct tmap_recorded_communicator *it,
				      struct tmap_error *err);

/** The phase of that number, added where it is new; NULL with *err set. A new one may move the others.
 *  O(phases). */
struct tmap_part_builder *tmap_record_builder_phase(struct tmap_record_builder *b, int number,
						    struct tmap_error *err);

/** All ranks were added, and phases are intervals: of the rank that ran longest each has its seconds, also
 *  those in which nobody called anything; the last one of @p most has the rest. */
int tmap_record_builder_part_by_time(struct tmap_record_builder *b, double interval_s, int most,
				     struct tmap_error *err);

/** It has the whole run alone. */
void tmap_record_builder_drop_phases(struct tmap_record_builder *b);

/** All ranks were added: rows, communicators and calls of a record of @p size ranks, sorted; the
 *  builder is empty then. Calls are those of each rank. Of other ways than messages, and of a phase, a
 *  rank need not be added that sent nothing. Refuses (TMAP_INPUT) a rank that was added twice or not at all.
 *  Calls are left out on communicators whose rank 0 did not record any call, and
 *  on the smallest where all have more than tmap_record_ranks_most(). O(p + n log n). */
int tmap_record_builder_finish(struct tmap_record *record, struct tmap_record_builder *b, int size,
			       struct tmap_error *err);

#endif
