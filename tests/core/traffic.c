#include "tests/core/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages and bytes from each rank to each other. */
struct traffic {
	int size;
	int64_t *messages, *bytes; /* [size x size] */
};

static size_t at(const struct traffic *traffic, int from, int to)
{
	return (size_t)from * (size_t)traffic->size + (size_t)to;
}

static int take_message(void *context, const struct tm_message *message, struct tm_error *e)
{
	struct traffic *traffic = context;

	(void)e;
	traffic->messages[at(traffic, message->from, message->to)] += message->times;
	traffic->bytes[at(traffic, message->from, message->to)] += message->bytes;
	return 0;
}

static int take_all_pairs(void *context, const struct tm_all_pairs *pairs, struct tm_error *e)
{
	struct traffic *traffic = context;

	(void)e;
	for (int from = 0; from < traffic->size; from++)
		for (int to = 0; to < traffic->size; to++) {
			int64_t bytes = pairs->bytes + (to < pairs->larger);

			if (from == to || !bytes)
				continue;
			traffic->messages[at(traffic, from, to)]++;
			traffic->bytes[at(traffic, from, to)] += bytes;
		}
	return 0;
}

static struct traffic count(const struct tm_call *call, bool folded)
{
	struct traffic traffic = { call->size, NULL, NULL };
	struct tm_sink sink = { folded, take_message, take_all_pairs, &traffic };
	struct tm_error err = { 0 };
	size_t cells = (size_t)call->size * (size_t)call->size;

	traffic.messages = calloc(cells, sizeof *traffic.messages);
	traffic.bytes = calloc(cells, sizeof *traffic.bytes);
	if (!traffic.messages || !traffic.bytes || tm_schedule(call, &sink, &err) < 0) {
		fprintf(stderr, "traffic: %s\n", err.text);
		abort();
	}
	return traffic;
}

bool traffic_is_alike(const struct tm_call *call)
{
	struct traffic exact = count(call, false), folded = count(call, true);
	size_t cells = (size_t)call->size * (size_t)call->size;
	bool alike = memcmp(exact.messages, folded.messages, cells * sizeof(int64_t)) == 0 &&
		     memcmp(exact.bytes, folded.bytes, cells * sizeof(int64_t)) == 0;

	free(exact.messages);
	free(exact.bytes);
	free(folded.messages);
	free(folded.bytes);
	return alike;
}
