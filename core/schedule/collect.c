/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/schedule/collect.h"

#include "core/base/mem.h"
#include "core/base/sum.h"

#include <stdlib.h>
#include <string.h>

/* Of a folded schedule. */
struct totals {
	const struct tmap_call *call;
	int64_t messages, emitted; /* emitted: those alike in several rounds once */
	int most, calls; /* calls: of them that were emitted one by one; beyond most it ends */
};

/* The forms that still show what has more messages than @p most. */
static const char *forms_left(const struct totals *totals, int most)
{
	bool as_text = most < TMAP_SHOWN_MOST && totals->messages <= TMAP_SHOWN_MOST;
	bool as_csv = totals->emitted <= TMAP_COLLECTION_MOST;

	return as_text && as_csv ? "text that shows equal messages once takes them, and csv, "
				   "by pairs of ranks" :
		as_text          ? "text that shows equal messages once takes them" :
		as_csv           ? "csv takes them, by pairs of ranks" :
				   "topomap score counts them";
}

static int refuse(const struct totals *totals, int64_t count, const char *what, int most,
		  struct tmap_error *err)
{
	const struct tmap_call *call = totals->call;
	bool is_least = count == INT64_MAX || totals->calls > totals->most;

	if (count <= most)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%s of %d ranks has %s%lld %s; at most %d can be shown: %s",
			 call->choice.row->word.name, call->size, is_least ? "at least " : "",
			 (long long)count, what, most, forms_left(totals, most));
}

static int count_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct totals *totals = context;

	tmap_sum_add(&totals->messages, message->times);
	tmap_sum_add(&totals->emitted, 1);
	if (++totals->calls <= totals->most)
		return 0;
	return refuse(totals, totals->messages, "messages", totals->most, err);
}

static int count_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	struct totals *totals = context;
	int64_t messages = (int64_t)totals->call->size * (totals->call->size - 1);

	(void)pairs;
	(void)err;
	tmap_sum_add(&totals->messages, messages);
	tmap_sum_add(&totals->emitted, messages);
	return 0;
}

/* Ends where more than @p most come one by one. */
static int count_all(const struct tmap_call *call, struct totals *totals, int most,
		     struct tmap_error *err)
{
	struct tmap_visitor visitor = { .folded = true,
					.message = count_message,
					.all_pairs = count_pairs,
					.context = totals };

	*totals = (struct totals){ .call = call, .most = most };
	return tmap_schedule(call, &visitor, err);
}

int tmap_all_pairs_emit(const struct tmap_all_pairs *pairs, int size, bool combine,
			int (*message)(void *context, const struct tmap_message *message,
				       struct tmap_error *err),
			void *context, struct tmap_error *err)
{
	for (int from = 0; from < size; from++)
		for (int to = 0; to < size; to++) {
			int64_t bytes = pairs->bytes + (to < pairs->larger ? pairs->more : 0);

			if (from != to && bytes &&
			    message(context,
				    &(struct tmap_message){ .round = pairs->round,
							    .span = pairs->rounds,
							    .times = 1,
							    .from = from,
							    .to = to,
							    .combine = combine,
							    .bytes = bytes },
				    err) < 0)
				return -1;
		}
	return 0;
}

/* Whose schedule is recorded. */
struct recorder {
	struct tmap_collection made;
	const struct tmap_call *call;
};

/* Until all are there the runs may move, so messages keep where theirs begin. */
static int take(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct tmap_collection *made = &((struct recorder *)context)->made;

	if (tmap_grow(&made->message, &made->capacity, made->count + 1, sizeof *made->message,
		      err) < 0 ||
	    tmap_grow(&made->run, &made->run_capacity, made->run_count + (size_t)message->run_count,
		      sizeof *made->run, err) < 0)
		return -1;
	made->message[made->count] = *message;
	made->message[made->count++].run = NULL;
	if (message->run_count)
		memcpy(made->run + made->run_count, message->run,
		       (size_t)message->run_count * sizeof *message->run);
	made->run_count += (size_t)message->run_count;
	if (!tmap_sum_add(&made->bytes, message->bytes))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	if (message->round + message->span > made->rounds)
		made->rounds = message->round + message->span;
	return 0;
}

static int take_each_pair(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	const struct tmap_call *call = ((struct recorder *)context)->call;

	return tmap_all_pairs_emit(
		pairs, call->size,
		tmap_collective_rows[tmap_call_algorithm(call)->collective].reduces, take, context,
		err);
}

/* Of one rank, or of all: TMAP_NONE. */
static int record(struct tmap_collection *collection, const struct tmap_call *call, int rank,
		  bool folded, struct tmap_error *err)
{
	struct recorder recorder = { .call = call };
	struct tmap_collection *made = &recorder.made;
	struct tmap_visitor visitor = {
		.folded = folded, .message = take, .all_pairs = take_each_pair, .context = &recorder
	};
	size_t run = 0;

	if ((rank == TMAP_NONE ? tmap_schedule(call, &visitor, err) :
				 tmap_schedule_rank(call, rank, &visitor, err)) < 0) {
		tmap_collection_fini(made);
		return -1;
	}
	for (size_t i = 0; i < made->count; i++) {
		made->message[i].run = made->run + run;
		run += (size_t)made->message[i].run_count;
	}
	*collection = *made;
	return 0;
}

int tmap_collection_record(struct tmap_collection *collection, const struct tmap_call *call,
			   bool folded, struct tmap_error *err)
{
	return record(collection, call, TMAP_NONE, folded, err);
}

int tmap_collection_record_rank(struct tmap_collection *collection, const struct tmap_call *call,
				int rank, struct tmap_error *err)
{
	return record(collection, call, rank, false, err);
}

static int add_up(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	struct tmap_schedule_totals *totals = context;

	totals->messages++;
	totals->combined += message->combine;
	if (message->round + message->span > totals->rounds)
		totals->rounds = message->round + message->span;
	return tmap_sum_add(&totals->bytes, message->bytes) ?
		0 :
		tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
}

int tmap_schedule_count(struct tmap_schedule_totals *totals, const struct tmap_call *call,
			struct tmap_error *err)
{
	struct tmap_schedule_totals made = { 0 };
	struct tmap_visitor visitor = { .message = add_up, .context = &made };
	struct totals folded;

	if (count_all(call, &folded, TMAP_SHOWN_MOST, err) < 0 ||
	    refuse(&folded, folded.messages, "messages", TMAP_SHOWN_MOST, err) < 0 ||
	    tmap_schedule(call, &visitor, err) < 0)
		return -1;
	*totals = made;
	return 0;
}

int tmap_collection_init(struct tmap_collection *collection, const struct tmap_call *call,
			 struct tmap_error *err)
{
	struct totals totals;

	if (count_all(call, &totals, TMAP_SHOWN_MOST, err) < 0 ||
	    refuse(&totals, totals.messages, "messages", TMAP_COLLECTION_MOST, err) < 0)
		return -1;
	return tmap_collection_record(collection, call, false, err);
}

void tmap_collection_fini(struct tmap_collection *collection)
{
	free(collection->message);
	free(collection->run);
	*collection = (struct tmap_collection){ 0 };
}

size_t tmap_collection_end_of_round(const struct tmap_collection *collection, size_t begin)
{
	size_t end = begin;

	while (end < collection->count &&
	       collection->message[end].round == collection->message[begin].round)
		end++;
	return end;
}

struct flows {
	int size;
	int64_t bytes; /* of all */
	size_t count, capacity;
	struct tmap_collected_flow *flow;
};

static int add_flow(struct flows *flows, int from, int to, int64_t messages, int64_t bytes,
		    struct tmap_error *err)
{
	if (!tmap_sum_add(&flows->bytes, bytes))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	if (tmap_grow(&flows->flow, &flows->capacity, flows->count + 1, sizeof *flows->flow, err) <
	    0)
		return -1;
	flows->flow[flows->count++] = (struct tmap_collected_flow){ from, to, messages, bytes };
	return 0;
}

static int take_flow(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	return add_flow(context, message->from, message->to, message->times, message->bytes, err);
}

static int take_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	return tmap_all_pairs_emit(pairs, ((struct flows *)context)->size, false, take_flow,
				   context, err);
}

static int compare_flows(const void *a, const void *b)
{
	const struct tmap_collected_flow *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static size_t merge_flows(struct tmap_collected_flow *flow, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && compare_flows(&flow[kept - 1], &flow[i]) == 0) {
			flow[kept - 1].messages += flow[i].messages;
			flow[kept - 1].bytes += flow[i].bytes;
		} else {
			flow[kept++] = flow[i];
		}
	}
	return kept;
}

struct tmap_collected_flow *tmap_flows(const struct tmap_call *call, size_t *count,
				       struct tmap_error *err)
{
	struct flows flows = { .size = call->size };
	struct tmap_visitor visitor = {
		.folded = true, .message = take_flow, .all_pairs = take_pairs, .context = &flows
	};

	struct totals totals;

	if (count_all(call, &totals, TMAP_SHOWN_MOST, err) < 0 ||
	    refuse(&totals, totals.emitted, "pairs of ranks that meet", TMAP_COLLECTION_MOST, err) <
		    0)
		return NULL;
	if (tmap_grow(&flows.flow, &flows.capacity, 1, sizeof *flows.flow, err) < 0 ||
	    tmap_schedule(call, &visitor, err) < 0) {
		free(flows.flow);
		return NULL;
	}
	qsort(flows.flow, flows.count, sizeof *flows.flow, compare_flows);
	*count = merge_flows(flows.flow, flows.count);
	return flows.flow;
}
