/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part_builder.h - what was communicated in a part of the run, or all of it, as it grows: rows of what
 * ranks sent, and calls that are alike. A record's builder (record_builder.h) has the communicators.
 */
#ifndef TMAP_CORE_RECORD_PART_BUILDER_H
#define TMAP_CORE_RECORD_PART_BUILDER_H

#include "core/record/sent_builder.h"

/** Calls that differ by their bytes alone, before sizes are rounded up to powers of two: a program
 *  that never calls with the same size twice is to end, too. */
enum { TMAP_RECORD_CALLS_EXACT = 4096 };

struct tmap_part_builder {
	int number;     /**< of a phase */
	double seconds; /**< of the rank that was longest in it, so far */
	struct tmap_sent_builder sent[TMAP_WAYS];
	struct tmap_recorded_files files[TMAP_FILE_WAYS];

	int call_count;
	struct tmap_recorded_call *call; /**< [call_count]: calls of all ranks together */
	size_t call_capacity;
	struct tmap_index calls;
};

void tmap_part_builder_fini(struct tmap_part_builder *b);

/** Those that are alike, none so far where they are new; NULL with *err set. The pointer holds until the
 *  next one. O(1) expected. */
struct tmap_recorded_call *tmap_record_calls_alike(struct tmap_part_builder *b,
						   const struct tmap_recorded_call *calls,
						   struct tmap_error *err);

/** Known calls grow by others that are alike, but for seconds_max. */
void tmap_recorded_call_add(struct tmap_recorded_call *known, const struct tmap_recorded_call *it);

/** How often the mean of the ranks made calls that all @p size ranks together made so often, half a call
 *  left out. */
int64_t tmap_recorded_calls_mean(int64_t calls, int size);

/** As that, at least once: what some ranks made counts. */
int64_t tmap_recorded_calls_once(int64_t calls, int size);

/** Calls of one rank or several, its communicator an index of the record's builder: they are added to
 *  those that are alike. O(1) expected. */
int tmap_record_add_calls(struct tmap_part_builder *b, const struct tmap_recorded_call *calls,
			  struct tmap_error *err);

/** All ranks were added: the part of a record of @p size ranks, its calls sorted, and those of each rank;
 *  what it has of the builder is gone from there. number[communicators of the builder]: their indexes
 *  in @p communicator, or TMAP_NONE, whose calls *lost counts. Refuses (TMAP_INPUT) a rank that is there
 *  twice, or, if @p has_all, not at all. O(p + n log n). */
int tmap_part_builder_finish(struct tmap_record_part *part, int64_t *lost,
			     struct tmap_part_builder *b, const int *number,
			     const struct tmap_recorded_communicator *communicator, int size,
			     bool has_all, struct tmap_error *err);

#endif
