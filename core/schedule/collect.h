/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect.h - a schedule as an array, for those who draw, export or repeat it.
 */
#ifndef TMAP_CORE_SCHEDULE_COLLECT_H
#define TMAP_CORE_SCHEDULE_COLLECT_H

#include "core/schedule/schedule.h"

#include <stddef.h>

struct tmap_collection {
	int64_t rounds, bytes; /**< rounds: also those that messages are spread over */
	size_t count, capacity;
	struct tmap_message *message; /**< [count]: rounds ascending */
	size_t run_count, run_capacity;
	struct tmap_run *run; /**< those of all messages, which point into it */
};

/** A collection holds at most so many messages. */
#define TMAP_COLLECTION_MOST (1 << 24)

/** All messages of a call that has passed tmap_call_check(). Refuses more than
 *  TMAP_COLLECTION_MOST before it makes any (TMAP_INPUT). O(messages + runs). */
int tmap_collection_init(struct tmap_collection *collection, const struct tmap_call *call,
			 struct tmap_error *err);

/** Of all messages, one by one. */
struct tmap_schedule_totals {
	int64_t rounds, messages, bytes;
	int64_t combined; /**< messages that receivers reduce into their own */
};

/** So many are counted and shown without being kept: what bounds them is time. */
#define TMAP_SHOWN_MOST (1 << 26)

/** The same messages, none of which is kept, are counted; refuses more than TMAP_SHOWN_MOST
 *  (TMAP_INPUT). O(messages). */
int tmap_schedule_count(struct tmap_schedule_totals *totals, const struct tmap_call *call,
			struct tmap_error *err);

/** However many there are, exact or folded; all pairs become messages. */
int tmap_collection_record(struct tmap_collection *collection, const struct tmap_call *call,
			   bool folded, struct tmap_error *err);

/** Those of one rank (tmap_schedule_rank()), however many there are. */
int tmap_collection_record_rank(struct tmap_collection *collection, const struct tmap_call *call,
				int rank, struct tmap_error *err);
void tmap_collection_fini(struct tmap_collection *collection);

/** Index of the first message after @p begin that is not of its round; count at the end. */
size_t tmap_collection_end_of_round(const struct tmap_collection *collection, size_t begin);

/** All pairs of @p size ranks as messages to a function of a visitor; for those whose visitor has
 *  nothing shorter. */
int tmap_all_pairs_emit(const struct tmap_all_pairs *pairs, int size, bool combine,
			int (*message)(void *context, const struct tmap_message *message,
				       struct tmap_error *err),
			void *context, struct tmap_error *err);

/** What one rank sends another, in all. */
struct tmap_collected_flow {
	int from, to;
	int64_t messages, bytes;
};

/** The flows of a schedule, by sender, then receiver: [*count], the caller's to free. Refuses
 *  more than TMAP_COLLECTION_MOST pairs. O(m log m) for m messages of the folded schedule. */
struct tmap_collected_flow *tmap_flows(const struct tmap_call *call, size_t *count,
				       struct tmap_error *err);

#endif
