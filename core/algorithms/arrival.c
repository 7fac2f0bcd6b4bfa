#include "core/algorithms/arrival.h"

#include "core/algorithms/hierarchical.h"
#include "core/hierarchy/hierarchy.h"
#include "core/mem.h"

#include <stdlib.h>

enum { RANK_BYTES = 4, RUN_BYTES = 8 };

void tm_arrival_fini(struct tm_arrival *arrival)
{
	free(arrival->order);
	*arrival = (struct tm_arrival){ 0 };
}

bool tm_arrival_has(const struct tm_call *call)
{
	const struct tm_algorithm *algorithm = tm_call_algorithm(call);

	return algorithm->generate == tm_hierarchical &&
	       (algorithm->collective == TM_GATHER || algorithm->gathers);
}

/* What the messages carry. */
struct tally {
	struct tm_arrival *arrival;
	int *stamp;          /* [size + 1]: by rank + 1, the last message that carried its block */
	int message;
};

static void mark(struct tally *tally, const struct tm_message *message)
{
	tally->message++;
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++)
			tally->stamp[message->run[i].first + k * message->run[i].stride + 1] =
				tally->message;
}

static int take(void *context, const struct tm_message *message, struct tm_error *err)
{
	struct tally *tally = context;

	(void)err;
	mark(tally, message);
	for (int i = 0; i < message->run_count; i++)
		for (int64_t k = 0; k < message->run[i].count; k++) {
			int64_t rank = message->run[i].first + k * message->run[i].stride;

			tally->arrival->sent_bytes += RANK_BYTES;
			if (tally->stamp[rank] != tally->message)
				tally->arrival->packed_bytes += RUN_BYTES;
		}
	return 0;
}

static int find_order(struct tm_arrival *arrival, const struct tm_call *call,
		      struct tm_error *err)
{
	struct tm_hierarchy h;
	int status = tm_hierarchical_communicators(&h, call, err);

	if (status < 0)
		return -1;
	status = tm_hierarchical_order(&h, arrival->order, err);
	for (int r = 0; r < call->size; r++)
		arrival->moved += arrival->order[r] != r;
	tm_hierarchy_fini(&h);
	return status;
}

int tm_arrival_init(struct tm_arrival *arrival, const struct tm_call *call, struct tm_error *err)
{
	struct tm_arrival made = { .size = call->size };
	struct tally tally = { .arrival = &made };
	struct tm_sink sink = { .message = take, .context = &tally };
	int status = -1;

	made.order = tm_alloc((size_t)call->size, sizeof *made.order, err);
	tally.stamp = tm_alloc((size_t)call->size + 1, sizeof *tally.stamp, err);
	if (made.order && tally.stamp && find_order(&made, call, err) == 0)
		status = tm_schedule(call, &sink, err);
	free(tally.stamp);
	if (status < 0)
		tm_arrival_fini(&made);
	else
		*arrival = made;
	return status;
}
