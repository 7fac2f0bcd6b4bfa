/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_builder.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tmap_record_builder_fini(struct tmap_record_builder *b)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		tmap_sent_builder_fini(&b->sent[way]);
	for (int i = 0; i < b->communicator_count; i++)
		tmap_recorded_communicator_fini(&b->communicator[i].it);
	free(b->communicator);
	free(b->call);
	tmap_index_fini(&b->communicators);
	tmap_index_fini(&b->calls);
	*b = (struct tmap_record_builder){ 0 };
}

/* It is not lost where a duplicate calls first. */
static const char world_name[] = "MPI_COMM_WORLD";

int tmap_record_add_communicator_take(struct tmap_record_builder *b, uint64_t digest,
				      struct tmap_recorded_communicator *it, struct tmap_error *err)
{
	uint64_t hash = tmap_hash_add(TMAP_HASH, digest);
	size_t at;

	for (int i = tmap_index_first(&b->communicators, hash, &at); i != TMAP_NONE;
	     i = tmap_index_next(&b->communicators, hash, &at)) {
		struct tmap_recorded_communicator *known = &b->communicator[i].it;

		if (b->communicator[i].digest != digest || known->size != it->size)
			continue;
		if (!known->rank) {
			known->rank = it->rank;
			it->rank = NULL;
		}
		if (strcmp(it->name, world_name) == 0) {
			free(known->name);
			known->name = it->name;
			it->name = NULL;
		}
		tmap_recorded_communicator_fini(it);
		return i;
	}
	if (tmap_grow(&b->communicator, &b->communicator_capacity,
		      (size_t)b->communicator_count + 1, sizeof *b->communicator, err) < 0 ||
	    tmap_index_add(&b->communicators, hash, err) == TMAP_NONE) {
		tmap_recorded_communicator_fini(it);
		return TMAP_NONE;
	}
	b->communicator[b->communicator_count] = (struct tmap_record_known){ digest, *it };
	*it = (struct tmap_recorded_communicator){ 0 };
	return b->communicator_count++;
}

/* Every collective that a program calls is looked up by it: two rounds, not one for each member. */
TMAP_WRAPS static uint64_t call_hash(const struct tmap_recorded_call *it)
{
	uint64_t kind = (uint64_t)it->collective | (uint64_t)it->mode << 8 |
		(uint64_t)it->communicator << 16;
	uint64_t size = (uint64_t)it->bytes ^ (uint64_t)it->element << 24 ^
		(uint64_t)it->root << 40;

	return tmap_hash_add(tmap_hash_add(TMAP_HASH, kind), size);
}

static bool call_is_alike(const struct tmap_recorded_call *a, const struct tmap_recorded_call *b)
{
	return a->collective == b->collective && a->mode == b->mode &&
		a->communicator == b->communicator && a->root == b->root &&
		a->element == b->element && a->bytes == b->bytes;
}

static int call_find(const struct tmap_record_builder *b, const struct tmap_recorded_call *it)
{
	uint64_t hash = call_hash(it);
	size_t at;

	for (int i = tmap_index_first(&b->calls, hash, &at); i != TMAP_NONE;
	     i = tmap_index_next(&b->calls, hash, &at))
		if (call_is_alike(&b->call[i], it))
			return i;
	return TMAP_NONE;
}

/* Up to a power of two of elements. */
static int64_t bytes_round(int64_t bytes, int64_t element)
{
	int64_t unit = element > 0 ? element : 1, size = unit;

	while (size < bytes && size <= INT64_MAX / 2)
		size *= 2;
	return size < bytes ? bytes : size;
}

int tmap_record_add_calls(struct tmap_record_builder *b, const struct tmap_recorded_call *calls,
			  struct tmap_error *err)
{
	struct tmap_recorded_call it = *calls, *known;
	int i = call_find(b, &it);

	if (i == TMAP_NONE && b->call_count >= TMAP_RECORD_CALLS_EXACT) {
		it.bytes = bytes_round(it.bytes, it.element);
		i = call_find(b, &it);
	}
	if (i == TMAP_NONE) {
		if (tmap_grow(&b->call, &b->call_capacity, (size_t)b->call_count + 1,
			      sizeof *b->call, err) < 0 ||
		    tmap_index_add(&b->calls, call_hash(&it), err) == TMAP_NONE)
			return -1;
		b->call[b->call_count++] = it;
		return 0;
	}
	known = &b->call[i];
	tmap_sum_add(&known->calls, it.calls);
	tmap_sum_add(&known->total_bytes, it.total_bytes);
	known->largest = it.largest > known->largest ? it.largest : known->largest;
	known->seconds_sum += it.seconds_sum;
	known->seconds_max = it.seconds_max > known->seconds_max ? it.seconds_max :
								   known->seconds_max;
	return 0;
}

/* Larger ones first, then by their ranks, so that equal jobs have equal documents. */
static int known_compare(const void *a, const void *b)
{
	const struct tmap_record_known *x = *(const struct tmap_record_known *const *)a;
	const struct tmap_record_known *y = *(const struct tmap_record_known *const *)b;
	int order;

	if (!x->it.rank != !y->it.rank)
		return x->it.rank ? -1 : 1;
	if (x->it.size != y->it.size)
		return x->it.size > y->it.size ? -1 : 1;
	for (int i = 0; x->it.rank && i < x->it.size; i++)
		if (x->it.rank[i] != y->it.rank[i])
			return x->it.rank[i] < y->it.rank[i] ? -1 : 1;
	order = strcmp(x->it.topology, y->it.topology);
	if (!order)
		order = strcmp(x->it.name, y->it.name);
	return order ? order : (x->digest > y->digest) - (x->digest < y->digest);
}

/* *number = [communicators of the builder] their indexes in the record; TMAP_NONE: it is not there. */
static int communicators_order(struct tmap_record *record, int **number,
			       struct tmap_record_builder *b, int size, struct tmap_error *err)
{
	size_t count = (size_t)b->communicator_count;
	int64_t ranks = 0;
	struct tmap_record_known **order = tmap_alloc_raw(count, sizeof *order, err);

	record->communicator = tmap_alloc(count, sizeof *record->communicator, err);
	*number = tmap_alloc_raw(count, sizeof **number, err);
	if (!order || !record->communicator || !*number) {
		free(order);
		return -1;
	}
	for (size_t i = 0; i < count; i++)
		order[i] = &b->communicator[i];
	qsort(order, count, sizeof *order, known_compare);
	for (size_t i = 0; i < count; i++) {
		int from = (int)(order[i] - b->communicator);

		/* the smallest ones are the last */
		ranks += order[i]->it.size;
		if (!order[i]->it.rank || ranks > tmap_record_ranks_most(size)) {
			(*number)[from] = TMAP_NONE;
			continue;
		}
		(*number)[from] = record->communicator_count;
		record->communicator[record->communicator_count++] = order[i]->it;
		order[i]->it = (struct tmap_recorded_communicator){ 0 };
	}
	free(order);
	return 0;
}

#define COMPARE(member) \
	if (x->member != y->member) \
	return x->member < y->member ? -1 : 1

static int call_compare(const void *a, const void *b)
{
	const struct tmap_recorded_call *x = a, *y = b;

	COMPARE(communicator);
	COMPARE(collective);
	COMPARE(mode);
	COMPARE(bytes);
	COMPARE(element);
	COMPARE(root);
	return 0;
}

/* As each rank made them. A call that some ranks made more often, or by rounded sizes, counts as the
 * mean of them, at least once. */
static void call_finish(struct tmap_recorded_call *it, int size)
{
	it->calls = it->calls / size + (it->calls % size > size / 2);
	if (it->calls < 1)
		it->calls = 1;
	/* what the clock counts in */
	it->seconds_sum = round(it->seconds_sum * 1e9) / 1e9;
	it->seconds_max = round(it->seconds_max * 1e9) / 1e9;
	if (tmap_recorded_rows[it->collective].is_irregular)
		it->bytes = tmap_recorded_mean(it->collective, it->total_bytes, it->calls, size);
}

static int calls_order(struct tmap_record *record, const int *number, int64_t *lost,
		       const struct tmap_record_builder *b, struct tmap_error *err)
{
	record->call = tmap_alloc((size_t)b->call_count, sizeof *record->call, err);
	if (!record->call)
		return -1;
	for (int i = 0; i < b->call_count; i++) {
		struct tmap_recorded_call it = b->call[i];
		int communicator = number[it.communicator];

		if (communicator == TMAP_NONE) {
			tmap_sum_add(lost, it.calls);
			continue;
		}
		it.communicator = communicator;
		call_finish(&it, record->communicator[communicator].size);
		record->call[record->call_count++] = it;
	}
	qsort(record->call, (size_t)record->call_count, sizeof *record->call, call_compare);
	return 0;
}

int tmap_record_builder_finish(struct tmap_record *record, int64_t *lost,
			       struct tmap_record_builder *b, int size, struct tmap_error *err)
{
	struct tmap_record made = { 0 };
	int *number = NULL, status = 0;

	*lost = 0;
	for (int way = 0; way < TMAP_WAYS && status == 0; way++)
		status = tmap_sent_builder_finish(&made.sent[way], &b->sent[way],
						  (enum tmap_way)way, size, err);
	if (status < 0 || communicators_order(&made, &number, b, size, err) < 0 ||
	    calls_order(&made, number, lost, b, err) < 0) {
		free(number);
		tmap_record_fini(&made);
		return -1;
	}
	free(number);
	record->seconds = round(b->seconds * 1e9) / 1e9;
	tmap_record_builder_fini(b);
	memcpy(record->sent, made.sent, sizeof record->sent);
	record->communicator_count = made.communicator_count;
	record->communicator = made.communicator;
	record->call_count = made.call_count;
	record->call = made.call;
	return 0;
}
