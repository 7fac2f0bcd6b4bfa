/*
 * collect.h - a schedule as an array, for those who draw, export or repeat it.
 */
#ifndef TM_COLLECT_H
#define TM_COLLECT_H

#include "core/schedule/schedule.h"

#include <stddef.h>

struct tm_collection {
	int64_t rounds, bytes;      /**< rounds: also those that messages are spread over */
	size_t count, capacity;
	struct tm_message *message; /**< [count]: rounds ascending */
	size_t run_count, run_capacity;
	struct tm_run *run;         /**< those of all messages, which point into it */
};

/** A collection holds at most so many messages. */
#define TM_COLLECTION_MOST (1 << 24)

/** All messages of a call that has passed tm_call_check(). Refuses more than
 *  TM_COLLECTION_MOST before it makes any (TM_INPUT). O(messages + runs). */
int tm_collection_init(struct tm_collection *collection, const struct tm_call *call,
		       struct tm_error *err);

/** However many there are, exact or folded; all pairs become messages. */
int tm_collection_record(struct tm_collection *collection, const struct tm_call *call,
			 bool folded, struct tm_error *err);
void tm_collection_fini(struct tm_collection *collection);

/** Index of the first message after @p begin that is not of its round; count at the end. */
size_t tm_collection_end_of_round(const struct tm_collection *collection, size_t begin);

/** All pairs of @p size ranks as messages to a function of a sink; for those whose sink has
 *  nothing shorter. */
int tm_all_pairs_tell(const struct tm_all_pairs *pairs, int size, bool combine,
		      int (*message)(void *context, const struct tm_message *message,
				     struct tm_error *err), void *context, struct tm_error *err);

/** What one rank sends another, in all. */
struct tm_flow {
	int from, to;
	int64_t messages, bytes;
};

/** The flows of a schedule, by sender, then receiver: [*count], the caller's to free. Refuses
 *  more than TM_COLLECTION_MOST pairs. O(m log m) for m messages of the folded schedule. */
struct tm_flow *tm_flows(const struct tm_call *call, size_t *count, struct tm_error *err);

#endif
