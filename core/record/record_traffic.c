/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_traffic.h"

#include "core/algorithms/catalogue.h"
#include "core/base/mem.h"
#include "core/pattern/calls.h"
#include "core/record/recorded_part.h"

#include <stdlib.h>

bool tmap_recorded_is_world(const struct tmap_record *record, int communicator)
{
	const struct tmap_recorded_communicator *it = &record->communicator[communicator];

	if (it->size != record->placement.size)
		return false;
	for (int i = 0; i < it->size; i++)
		if (it->rank[i] != i)
			return false;
	return true;
}

static int add_row(struct tmap_pattern_builder *b, const struct tmap_record_row *row, int rank,
		   int size, struct tmap_error *err)
{
	int status = 0;

	for (int i = 0; i < row->peers && status == 0; i++)
		status = tmap_pattern_add(b, rank, (int)(((int64_t)rank + row->offset[i]) % size),
					  (double)row->bytes[i], err);
	return status;
}

int64_t tmap_record_count_pairs(const struct tmap_record *record)
{
	int64_t pairs = 0;

	for (int way = 0; way < TMAP_WAYS; way++)
		for (int r = 0; record->sent[way].count && r < record->placement.size; r++)
			pairs += tmap_record_row_of(record, (enum tmap_way)way, r)->peers;
	return pairs;
}

int tmap_record_add_sent(struct tmap_pattern_builder *b, const struct tmap_record *record,
			 struct tmap_error *err)
{
	int size = record->placement.size, status = 0;
	int64_t pairs = tmap_record_count_pairs(record);

	if (pairs > TMAP_RECORD_PAIRS_MOST)
		return tmap_fail(err, TMAP_INPUT,
				 "%lld pairs of ranks send to each other; the most are %d",
				 (long long)pairs, TMAP_RECORD_PAIRS_MOST);
	for (int way = 0; way < TMAP_WAYS; way++)
		for (int r = 0; record->sent[way].count && r < size && status == 0; r++)
			status = add_row(b, tmap_record_row_of(record, (enum tmap_way)way, r), r,
					 size, err);
	return status;
}

/* The messages of one call on the ranks of its communicator: 0; 1 where they are too many. */
static int add_call(struct tmap_pattern_builder *b, const struct tmap_call *call, double weight,
		    const struct tmap_recorded_communicator *on, size_t *room,
		    struct tmap_error *err)
{
	struct tmap_pattern_builder part = { 0 };
	size_t before = b->count;
	int status;

	if (tmap_pattern_builder_init(&part, on->size, err) < 0)
		return -1;
	status = tmap_pattern_add_call(&part, call, weight, 0, *room, err);
	if (part.everyone > 0 && (double)on->size * on->size > (double)*room)
		status = status < 0 ? -1 : 1;
	for (size_t i = 0; i < part.count && status == 0; i++)
		status = tmap_pattern_add(b, on->rank[part.entry[i].from],
					  on->rank[part.entry[i].to], part.entry[i].bytes, err);
	for (int i = 0; part.everyone > 0 && i < on->size && status == 0; i++)
		for (int j = 0; j < on->size && status == 0; j++)
			status = tmap_pattern_add(b, on->rank[i], on->rank[j], part.everyone, err);
	*room -= b->count - before < *room ? b->count - before : *room;
	tmap_pattern_builder_fini(&part);
	return status;
}

struct tmap_library_pick tmap_record_library(int wanted, const struct tmap_record *record,
					     const struct tmap_placement *placement)
{
	int known = tmap_library_of(record->mpi);

	if (wanted != TMAP_NONE || known == TMAP_NONE)
		return tmap_library_pick(wanted, placement);
	return (struct tmap_library_pick){ known, TMAP_LIBRARY_OF_RECORD };
}

int tmap_recorded_choose(struct tmap_call *call, struct tmap_library_choice *choice,
			 const struct tmap_recorded_call *recorded, const struct tmap_order *order,
			 int library, struct tmap_error *err)
{
	enum tmap_collective collective = tmap_recorded_rows[recorded->collective].like;
	const struct tmap_library_call asked = { collective,        call->size,     recorded->bytes,
						 recorded->element, recorded->root, order };

	*choice = tmap_library_choose(library, &asked);
	if (!choice->algorithm[0])
		return 1;
	call->root = recorded->root;
	call->bytes = recorded->bytes;
	call->element = tmap_library_cut(choice, recorded->element);
	if (tmap_call_parse(call, collective, choice->algorithm, err) == 0 &&
	    tmap_call_check(call, err) == 0)
		return 0;
	return err->kind == TMAP_SYSTEM ? -1 : 1;
}

static int unknown_add(struct tmap_record_traffic *it, size_t *capacity, int call, const char *how,
		       struct tmap_error *err)
{
	if (tmap_grow(&it->unknown, capacity, (size_t)it->unknown_count + 1, sizeof *it->unknown,
		      err) < 0)
		return -1;
	it->unknown[it->unknown_count++] = (struct tmap_record_unknown){ call, how };
	return 0;
}

/* Sums of bytes end there, as everywhere. */
static int check_sum(const struct tmap_pattern_builder *b, const struct tmap_recorded_call *last,
		     struct tmap_error *err)
{
	if (b->bytes < 0x1p63)
		return 0;
	if (!last)
		return tmap_fail(err, TMAP_INPUT,
				 "the record's rows: ranks send more than 2^63 - 1 bytes to each "
				 "other");
	return tmap_fail(err, TMAP_INPUT,
			 "the record's collectives: with %lld calls of %s of %lld bytes on "
			 "communicator %d ranks send more than 2^63 - 1 bytes to each other",
			 (long long)last->calls, tmap_recorded_rows[last->collective].word.name,
			 (long long)last->bytes, last->communicator);
}

/* What calls are added to, and where those that are not known are noted. */
struct adding {
	struct tmap_record_traffic *it;
	struct tmap_pattern_builder *b;
	const struct tmap_record *record;
	int library;
	size_t capacity, room;
};

/* Call @p i of the record, on the ranks of @p part. Those of MPI_COMM_WORLD are timed anew wherever ranks
 * are mapped to; of others the messages as launched are taken. */
static int add_recorded(struct adding *to, int i, const struct tmap_recorded_part *part,
			bool is_world, struct tmap_error *err)
{
	const struct tmap_recorded_call *recorded = &to->record->call[i];
	const struct tmap_recorded_communicator *on =
		&to->record->communicator[recorded->communicator];
	struct tmap_record_traffic *it = to->it;
	struct tmap_call call = { .size = on->size,
				  .metric = is_world ? &it->metric : &part->metric };
	struct tmap_library_choice choice;
	const char *how;
	int status = tmap_recorded_choose(&call, &choice, recorded, &part->order, to->library, err);

	how = choice.how;
	if (status == 0 && is_world && it->call_count < TMAP_RECORD_CALLS_MOST) {
		it->weight[it->call_count] = (double)recorded->calls;
		it->own[it->call_count] = tmap_library_own_of(
			to->library, tmap_recorded_rows[recorded->collective].like,
			recorded->element);
		it->call[it->call_count++] = call;
		return 0;
	}
	if (status == 0) {
		how = NULL;
		status = add_call(to->b, &call, (double)recorded->calls, on, &to->room, err);
		if (status == 0)
			status = check_sum(to->b, recorded, err);
		if (status == 0 && tmap_call_follows_places(&call) && !it->as_launched++)
			it->first_as_launched = i;
	}
	return status > 0 ? unknown_add(it, &to->capacity, i, how, err) : status;
}

/* Calls are sorted by communicator: what is to be known of one is found once. */
static int add_calls(struct adding *to, struct tmap_error *err)
{
	const struct tmap_record *record = to->record;
	struct tmap_recorded_part part = { 0 };
	int communicator = TMAP_NONE, status = 0;
	bool is_world = false;

	for (int i = 0; i < record->call_count && status == 0; i++) {
		int other = record->call[i].communicator;

		if (record->communicator[other].size < 2)
			continue;
		if (communicator != other) {
			communicator = other;
			is_world = tmap_recorded_is_world(record, communicator);
			tmap_recorded_part_fini(&part);
			status = tmap_recorded_part_init(&part, record, communicator, err);
		}
		if (status == 0)
			status = add_recorded(to, i, &part, is_world, err);
	}
	tmap_recorded_part_fini(&part);
	return status;
}

int tmap_record_traffic_init(struct tmap_record_traffic *it, const struct tmap_record *record,
			     int library, struct tmap_error *err)
{
	struct tmap_pattern_builder builder = { 0 };
	struct adding adding = { it, &builder, record, library, 0, TMAP_RECORD_ENTRIES_MOST };
	int status = -1;

	*it = (struct tmap_record_traffic){ 0 };
	it->call = tmap_alloc(TMAP_RECORD_CALLS_MOST, sizeof *it->call, err);
	it->weight = tmap_alloc(TMAP_RECORD_CALLS_MOST, sizeof *it->weight, err);
	it->own = tmap_alloc(TMAP_RECORD_CALLS_MOST, sizeof *it->own, err);
	if (it->call && it->weight && it->own &&
	    tmap_metric_init(&it->metric, &record->placement, TMAP_SCALE_PROCESS, err) == 0 &&
	    tmap_pattern_builder_init(&builder, record->placement.size, err) == 0 &&
	    tmap_record_add_sent(&builder, record, err) == 0 && check_sum(&builder, NULL, err) == 0)
		status = add_calls(&adding, err);
	if (status == 0 && (builder.count || builder.everyone > 0)) {
		it->has_pattern = true;
		status = tmap_pattern_finish(&it->pattern, &builder, err);
	}
	tmap_pattern_builder_fini(&builder);
	if (status < 0)
		tmap_record_traffic_fini(it);
	return status;
}

void tmap_record_traffic_fini(struct tmap_record_traffic *it)
{
	tmap_pattern_fini(&it->pattern);
	tmap_metric_fini(&it->metric);
	free(it->call);
	free(it->weight);
	free(it->own);
	free(it->unknown);
	*it = (struct tmap_record_traffic){ 0 };
}
