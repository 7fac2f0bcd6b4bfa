/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_totals.h - a record in a few numbers: how much was sent and called, who sends most, and how
 * large messages are.
 *
 *     rank 0 ──2 x 400 B──► rank 1       messages 3, bytes 900; of themselves 1 message of 10 bytes
 *     rank 1 ──1 x 100 B──► rank 0       the most: rank 0, 800 bytes, where the mean is 450
 *     rank 1 ──1 x  10 B──► rank 1
 *
 * Sums end at 2^63 - 1 (core/base/sum.h).
 */
#ifndef TMAP_CORE_RECORD_RECORD_TOTALS_H
#define TMAP_CORE_RECORD_RECORD_TOTALS_H

#include "core/record/record.h"

/** What was sent in one way. */
struct tmap_record_sums {
	int64_t messages, bytes;                 /**< from ranks to other ranks */
	int64_t own_messages, own_bytes;         /**< from ranks to themselves */
	int64_t outside_messages, outside_bytes; /**< to processes of other jobs */
};

struct tmap_record_totals {
	struct tmap_record_sums sent[TMAP_WAYS];
	int64_t bytes; /**< from ranks to other ranks, in all ways */
	int64_t pairs; /**< (rank, other rank) where the one sends to the other, in each way */
	int64_t sizes[TMAP_RECORD_SIZES]; /**< of all ways, by size, the outside ones left out */
	int most_rank; /**< that sends most bytes to other ranks, the lowest one; TMAP_NONE: none
				 sends any */
	int64_t most_bytes;  /**< that it sends */
	int64_t calls;       /**< collectives, each once for all ranks of its communicator */
	int64_t call_bytes;  /**< tmap_recorded_call_bytes() of all of them */
	double call_seconds; /**< in blocking ones, of all ranks together */
};

/** What the ranks of a communicator name in calls that are alike, added up: each its block for
 *  every one that it has blocks for, or its vector. */
int64_t tmap_recorded_call_bytes(const struct tmap_record *record,
				 const struct tmap_recorded_call *call);

/** O(p + entries of the rows + calls); memory O(p). */
int tmap_record_totals_find(struct tmap_record_totals *totals, const struct tmap_record *record,
			    struct tmap_error *err);

/** How many times the mean over all ranks the one sends that sends most; 0 where none does. */
double tmap_record_imbalance(const struct tmap_record_totals *totals,
			     const struct tmap_record *record);

#endif
