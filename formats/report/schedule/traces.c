/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/schedule/traces.h"

#include "core/base/mem.h"
#include "formats/text/table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FROM, TO, MESSAGES, BYTES };

static const struct tmap_column flow_columns[] = {
	[FROM] = { "from", "from", "from", TMAP_COLUMN_INT },
	[TO] = { "to", "to", "to", TMAP_COLUMN_INT },
	[MESSAGES] = { "messages", "messages", "messages", TMAP_COLUMN_INT },
	[BYTES] = { "bytes", "bytes", "bytes", TMAP_COLUMN_BYTES },
};

static int flow_row(const void *subject, int i, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_collected_flow *flow = subject;

	(void)err;
	cell[FROM].count = flow[i].from;
	cell[TO].count = flow[i].to;
	cell[MESSAGES].count = flow[i].messages;
	cell[BYTES].count = flow[i].bytes;
	return 0;
}

int tmap_csv_write_flows(FILE *out, const struct tmap_collected_flow *flow, size_t count,
			 struct tmap_error *err)
{
	const struct tmap_table table = { .column = flow_columns,
					  .columns = TMAP_COLUMNS(flow_columns),
					  .rows = (int)count,
					  .row = flow_row,
					  .subject = flow };

	if (count > INT_MAX)
		return tmap_fail(err, TMAP_INPUT,
				 "a table has at most %d lines, and %zu pairs of ranks "
				 "communicate",
				 INT_MAX, count);
	return tmap_table_write_csv(out, &table, err);
}

/* MPI_BYTE, as the replay numbers datatypes. */
enum { BYTE_TYPE = 6 };

/* Each rank that takes part waits once; waits[rank] is the last round in which it did, plus 1. */
static void write_round(FILE *out, const struct tmap_message *message, size_t count, int64_t *waits)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%d irecv %d 0 %" PRId64 " %d\n", message[i].to, message[i].from,
			message[i].bytes, BYTE_TYPE);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%d isend %d 0 %" PRId64 " %d\n", message[i].from, message[i].to,
			message[i].bytes, BYTE_TYPE);
	for (size_t i = 0; i < count; i++) {
		int end[] = { message[i].from, message[i].to };

		for (int e = 0; e < 2; e++) {
			if (waits[end[e]] == message->round + 1)
				continue;
			waits[end[e]] = message->round + 1;
			fprintf(out, "%d waitall\n", end[e]);
		}
	}
}

int tmap_ti_write(FILE *out, const struct tmap_call *call, const struct tmap_collection *collection,
		  struct tmap_error *err)
{
	int64_t *waits = tmap_alloc((size_t)call->size, sizeof *waits, err);

	if (!waits)
		return -1;
	for (int r = 0; r < call->size; r++)
		fprintf(out, "%d init\n", r);
	for (size_t i = 0, end; i < collection->count; i = end) {
		end = tmap_collection_end_of_round(collection, i);
		write_round(out, &collection->message[i], end - i, waits);
	}
	for (int r = 0; r < call->size; r++)
		fprintf(out, "%d finalize\n", r);
	free(waits);
	return 0;
}

int tmap_ti_write_list(FILE *out, const char *name, struct tmap_error *err)
{
	if (strchr(name, '\n'))
		return tmap_fail(err, TMAP_USAGE,
				 "a list of traces has a line for each, and '%s' is two", name);
	fprintf(out, "%s\n", name);
	return 0;
}

/* The messages of each rank, as indices: those of r are end[first[r]] .. end[first[r + 1] - 1],
 * in rounds; twice the index, plus 1 where it receives. */
struct ends {
	size_t *first; /* [size + 1] */
	size_t *end;
};

static int ends_init(struct ends *ends, int size, const struct tmap_collection *collection,
		     struct tmap_error *err)
{
	ends->first = tmap_alloc((size_t)size + 2, sizeof *ends->first, err);
	ends->end = tmap_alloc_raw(2 * collection->count, sizeof *ends->end, err);
	if (!ends->first || !ends->end)
		return -1;
	for (size_t i = 0; i < collection->count; i++) {
		ends->first[collection->message[i].from + 2]++;
		ends->first[collection->message[i].to + 2]++;
	}
	for (int r = 2; r < size + 2; r++)
		ends->first[r] += ends->first[r - 1];
	for (size_t i = 0; i < collection->count; i++) {
		ends->end[ends->first[collection->message[i].from + 1]++] = 2 * i;
		ends->end[ends->first[collection->message[i].to + 1]++] = 2 * i + 1;
	}
	return 0;
}

static void write_operation(FILE *out, const struct tmap_message *message, bool receives,
			    int64_t label)
{
	fprintf(out, "l%" PRId64 ": %s %" PRId64 "b %s %d tag 0\n", label,
		receives ? "recv" : "send", message->bytes ? message->bytes : 1,
		receives ? "from" : "to", receives ? message->from : message->to);
}

/* Operations of a round wait for a calc of no time, which waits for those of the round before. */
static void write_rank(FILE *out, const struct ends *ends, int rank,
		       const struct tmap_collection *collection)
{
	int64_t label = 0, gate = 0, round = -1, begin = 1;

	fprintf(out, "\nrank %d {\n", rank);
	for (size_t i = ends->first[rank]; i < ends->first[rank + 1]; i++) {
		const struct tmap_message *message = &collection->message[ends->end[i] / 2];

		if (message->round != round && round >= 0) {
			gate = ++label;
			fprintf(out, "l%" PRId64 ": calc 0\n", gate);
			for (int64_t l = begin; l < gate; l++)
				fprintf(out, "l%" PRId64 " requires l%" PRId64 "\n", gate, l);
			begin = gate + 1;
		}
		round = message->round;
		write_operation(out, message, ends->end[i] % 2, ++label);
		if (gate)
			fprintf(out, "l%" PRId64 " requires l%" PRId64 "\n", label, gate);
	}
	fputs("}\n", out);
}

int tmap_goal_write(FILE *out, const struct tmap_call *call,
		    const struct tmap_collection *collection, struct tmap_error *err)
{
	struct ends ends = { 0 };
	int status = ends_init(&ends, call->size, collection, err);

	if (status == 0) {
		fprintf(out, "num_ranks %d\n", call->size);
		for (int r = 0; r < call->size; r++)
			write_rank(out, &ends, r, collection);
	}
	free(ends.first);
	free(ends.end);
	return status;
}
