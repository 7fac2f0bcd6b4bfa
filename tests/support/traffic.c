/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages and bytes from each rank to each other, and in how many rounds. */
struct traffic {
	int size;
	int64_t *messages, *bytes; /* [size x size] */
	int64_t rounds;
	int64_t round;
	int *sends, *receives; /* [size], in this round: none, or one of these: */
};

enum { ALONE = 1, MAYBE_MORE };

static size_t at(const struct traffic *traffic, int from, int to)
{
	return (size_t)from * (size_t)traffic->size + (size_t)to;
}

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "traffic: %s\n", what);
	abort();
}

/* Rounds ascend, so one before which there is a round without messages shows it. */
static void take_rounds(struct traffic *traffic, int64_t round, int64_t span)
{
	must(round <= traffic->rounds, "a round without messages counts");
	if (round + span > traffic->rounds)
		traffic->rounds = round + span;
}

static int take_message(void *context, const struct tmap_message *message, struct tmap_error *e)
{
	struct traffic *traffic = context;

	(void)e;
	take_rounds(traffic, message->round, message->span);
	traffic->messages[at(traffic, message->from, message->to)] += message->times;
	traffic->bytes[at(traffic, message->from, message->to)] += message->bytes;
	return 0;
}

static int take_all_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *e)
{
	struct traffic *traffic = context;

	(void)e;
	take_rounds(traffic, pairs->round, pairs->rounds);
	for (int from = 0; from < traffic->size; from++)
		for (int to = 0; to < traffic->size; to++) {
			int64_t bytes = pairs->bytes + (to < pairs->larger ? pairs->more : 0);

			if (from == to || !bytes)
				continue;
			traffic->messages[at(traffic, from, to)]++;
			traffic->bytes[at(traffic, from, to)] += bytes;
		}
	return 0;
}

/* Adds a message of a wave, and minds what its ranks do besides in the same round. */
static void take_one(struct traffic *traffic, const struct tmap_round_info *wave, int from, int to,
		     int64_t bytes)
{
	int *side[] = { &traffic->sends[from], &traffic->receives[to] };
	struct tmap_message message = { .round = wave->round,
					.span = wave->span,
					.times = wave->times,
					.from = from,
					.to = to,
					.bytes = bytes };

	must(wave->round >= traffic->round, "a round comes again");
	if (wave->round > traffic->round) {
		memset(traffic->sends, 0, (size_t)traffic->size * sizeof *traffic->sends);
		memset(traffic->receives, 0, (size_t)traffic->size * sizeof *traffic->receives);
	}
	traffic->round = wave->round;
	for (int i = 0; i < 2; i++) {
		must(*side[i] != ALONE && !(wave->single && *side[i]),
		     "a message that is single is not alone");
		*side[i] = wave->single ? ALONE : MAYBE_MORE;
	}
	take_message(traffic, &message, NULL);
}

static int take_batch(void *context, const struct tmap_messages *batch, struct tmap_error *e)
{
	(void)e;
	for (int i = 0; i < batch->count; i++)
		take_one(context, &batch->info, batch->from[i], batch->to[i], batch->bytes[i]);
	return 0;
}

static int take_shift(void *context, const struct tmap_shift_pattern *shift, struct tmap_error *e)
{
	struct traffic *traffic = context;

	(void)e;
	must(shift->ahead > 0 && shift->ahead < traffic->size && shift->count > 0 &&
		     shift->first >= 0 && shift->first < traffic->size &&
		     tmap_shift_pattern_sender(shift, shift->count - 1) <
			     shift->first + traffic->size &&
		     shift->gap >= 0 && tmap_shift_pattern_extent(shift) <= shift->step,
	     "a shift goes astray");
	for (int i = 0; i < shift->count; i++) {
		int from = (int)(tmap_shift_pattern_sender(shift, i) % traffic->size);

		take_one(traffic, &shift->info, from, (from + shift->ahead) % traffic->size,
			 shift->bytes);
	}
	return 0;
}

enum telling { EXACT, FOLDED, BATCHED };

static struct traffic count(const struct tmap_call *call, enum telling telling)
{
	struct traffic traffic = { .size = call->size };
	struct tmap_visitor visitor = { .folded = telling != EXACT,
					.message = take_message,
					.all_pairs = take_all_pairs,
					.context = &traffic,
					.batch = telling == BATCHED ? take_batch : NULL,
					.shift = telling == BATCHED ? take_shift : NULL };
	size_t ranks = (size_t)call->size, cells = ranks * ranks;
	struct tmap_error err = { 0 };

	traffic.messages = calloc(cells, sizeof *traffic.messages);
	traffic.bytes = calloc(cells, sizeof *traffic.bytes);
	traffic.sends = calloc(ranks, sizeof *traffic.sends);
	traffic.receives = calloc(ranks, sizeof *traffic.receives);
	must(traffic.messages && traffic.bytes && traffic.sends && traffic.receives, "no memory");
	must(tmap_schedule(call, &visitor, &err) == 0, err.text);
	free(traffic.sends);
	free(traffic.receives);
	return traffic;
}

static bool is_told_alike(const struct tmap_call *call, const struct traffic *exact,
			  enum telling telling)
{
	struct traffic told = count(call, telling);
	size_t cells = (size_t)call->size * (size_t)call->size;
	bool alike = exact->rounds == told.rounds &&
		memcmp(exact->messages, told.messages, cells * sizeof(int64_t)) == 0 &&
		memcmp(exact->bytes, told.bytes, cells * sizeof(int64_t)) == 0;

	free(told.messages);
	free(told.bytes);
	return alike;
}

bool traffic_is_alike(const struct tmap_call *call)
{
	struct traffic exact = count(call, EXACT);
	bool alike = is_told_alike(call, &exact, FOLDED) && is_told_alike(call, &exact, BATCHED);

	free(exact.messages);
	free(exact.bytes);
	return alike;
}
