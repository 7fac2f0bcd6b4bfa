/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/records.h"

#include "core/record/record_builder.h"
#include "tests/support/machines.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

static struct tmap_error err;

void sent_add(struct sent *sent, int from, int to, int64_t messages, int64_t size)
{
	sent->messages[from][to] += messages;
	sent->bytes[from][to] += messages * size;
}

static void add_rank(struct tmap_record_builder *b, const struct sent *sent, int rank)
{
	struct tmap_record_row row = { 0 };
	int number;

	row.offset = calloc(SENT_RANKS_MOST, sizeof *row.offset);
	row.messages = calloc(SENT_RANKS_MOST, sizeof *row.messages);
	row.bytes = calloc(SENT_RANKS_MOST, sizeof *row.bytes);
	for (int offset = 0; offset < sent->size; offset++) {
		int peer = (rank + offset) % sent->size;
		int64_t messages = sent->messages[rank][peer];

		if (!messages)
			continue;
		row.offset[row.peers] = offset;
		row.messages[row.peers] = messages;
		row.bytes[row.peers++] = sent->bytes[rank][peer];
		row.sizes[tmap_record_size_class(sent->bytes[rank][peer] / messages)] += messages;
	}
	number = tmap_record_intern_row_take(&b->whole.sent[TMAP_WAY_MESSAGES], &row, &err);
	ck_assert_int_ne(number, TMAP_NONE);
	ck_assert_int_eq(
		tmap_record_add_rank(&b->whole.sent[TMAP_WAY_MESSAGES], rank, number, &err), 0);
}

void record_make(struct tmap_record *record, const struct sent *sent)
{
	const struct test_level node[] = { { TMAP_CORE, sent->size / 2 }, { TMAP_CORE, 0 } };
	struct tmap_record_builder b = { 0 };

	for (int r = 0; r < sent->size; r++)
		add_rank(&b, sent, r);
	*record = (struct tmap_record){ 0 };
	placement_block_take(&record->placement, machine_regular(2, node));
	ck_assert_int_eq(tmap_record_builder_finish(record, &b, sent->size, &err), 0);
	tmap_record_builder_fini(&b);
	record->mpi = strdup("Open MPI v4.1.4");
	record->seconds = 10;
}

void record_add_communicator(struct tmap_record *record, int size, const int *rank,
			     const char *topology)
{
	int c = record->communicator_count++;
	struct tmap_recorded_communicator *it;

	record->communicator =
		realloc(record->communicator, ((size_t)c + 1) * sizeof *record->communicator);
	it = &record->communicator[c];
	*it = (struct tmap_recorded_communicator){ .size = size,
						   .rank = calloc((size_t)size, sizeof *it->rank),
						   .name = strdup(""),
						   .topology = strdup(topology) };
	for (int i = 0; i < size; i++)
		it->rank[i] = rank ? rank[i] : i;
}

void record_add_call(struct tmap_record *record, struct tmap_recorded_call call)
{
	int c = record->call_count++;

	record->call = realloc(record->call, ((size_t)c + 1) * sizeof *record->call);
	record->call[c] = call;
}
