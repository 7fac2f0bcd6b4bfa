/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/part_builder.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tmap_part_builder_fini(struct tmap_part_builder *b)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		tmap_sent_builder_fini(&b->sent[way]);
	free(b->call);
	tmap_index_fini(&b->calls);
	*b = (struct tmap_part_builder){ 0 };
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

static int call_find(const struct tmap_part_builder *b, const struct tmap_recorded_call *it)
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

struct tmap_recorded_call *tmap_record_calls_alike(struct tmap_part_builder *b,
						   const struct tmap_recorded_call *calls,
						   struct tmap_error *err)
{
	struct tmap_recorded_call it = *calls;
	int i = call_find(b, &it);

	if (i == TMAP_NONE && b->call_count >= TMAP_RECORD_CALLS_EXACT) {
		it.bytes = bytes_round(it.bytes, it.element);
		i = call_find(b, &it);
	}
	if (i != TMAP_NONE)
		return &b->call[i];
	if (tmap_grow(&b->call, &b->call_capacity, (size_t)b->call_count + 1, sizeof *b->call,
		      err) < 0 ||
	    tmap_index_add(&b->calls, call_hash(&it), err) == TMAP_NONE)
		return NULL;
	it.calls = it.total_bytes = it.largest = 0;
	it.seconds_sum = it.seconds_max = 0;
	b->call[b->call_count] = it;
	return &b->call[b->call_count++];
}

void tmap_recorded_call_add(struct tmap_recorded_call *known, const struct tmap_recorded_call *it)
{
	tmap_sum_add(&known->calls, it->calls);
	tmap_sum_add(&known->total_bytes, it->total_bytes);
	known->largest = it->largest > known->largest ? it->largest : known->largest;
	known->seconds_sum += it->seconds_sum;
}

int tmap_record_add_calls(struct tmap_part_builder *b, const struct tmap_recorded_call *calls,
			  struct tmap_error *err)
{
	struct tmap_recorded_call *known = tmap_record_calls_alike(b, calls, err);

	if (!known)
		return -1;
	tmap_recorded_call_add(known, calls);
	known->seconds_max = calls->seconds_max > known->seconds_max ? calls->seconds_max :
								       known->seconds_max;
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

int64_t tmap_recorded_calls_mean(int64_t calls, int size)
{
	return calls / size + (calls % size > size / 2);
}

int64_t tmap_recorded_calls_once(int64_t calls, int size)
{
	int64_t mean = tmap_recorded_calls_mean(calls, size);

	return mean > 1 ? mean : 1;
}

/* Seconds as the clock counts them. */
static double seconds_round(double seconds)
{
	return round(seconds * 1e9) / 1e9;
}

/* As each rank made them. */
static void call_finish(struct tmap_recorded_call *it, int size)
{
	it->calls = tmap_recorded_calls_once(it->calls, size);
	it->seconds_sum = seconds_round(it->seconds_sum);
	it->seconds_max = seconds_round(it->seconds_max);
	if (tmap_recorded_rows[it->collective].is_irregular)
		it->bytes = tmap_recorded_mean(it->collective, it->total_bytes, it->calls, size);
}

static int calls_order(struct tmap_record_part *part, int64_t *lost,
		       const struct tmap_part_builder *b, const int *number,
		       const struct tmap_recorded_communicator *on, struct tmap_error *err)
{
	part->call = tmap_alloc((size_t)b->call_count, sizeof *part->call, err);
	if (!part->call)
		return -1;
	for (int i = 0; i < b->call_count; i++) {
		struct tmap_recorded_call it = b->call[i];
		int communicator = number[it.communicator];

		if (communicator == TMAP_NONE) {
			tmap_sum_add(lost, it.calls);
			continue;
		}
		it.communicator = communicator;
		call_finish(&it, on[communicator].size);
		part->call[part->call_count++] = it;
	}
	qsort(part->call, (size_t)part->call_count, sizeof *part->call, call_compare);
	return 0;
}

int tmap_part_builder_finish(struct tmap_record_part *part, int64_t *lost,
			     struct tmap_part_builder *b, const int *number,
			     const struct tmap_recorded_communicator *communicator, int size,
			     bool has_all, struct tmap_error *err)
{
	struct tmap_record_part made = { .number = b->number,
					 .seconds = seconds_round(b->seconds) };
	int status = 0;

	*lost = 0;
	memcpy(made.files, b->files, sizeof made.files);
	for (int way = 0; way < TMAP_FILE_WAYS; way++) {
		made.files[way].seconds_sum = seconds_round(b->files[way].seconds_sum);
		made.files[way].seconds_max = seconds_round(b->files[way].seconds_max);
	}
	for (int way = 0; way < TMAP_WAYS && status == 0; way++)
		status = tmap_sent_builder_finish(&made.sent[way], &b->sent[way], size,
						  has_all && way == TMAP_WAY_MESSAGES, err);
	if (status < 0 || calls_order(&made, lost, b, number, communicator, err) < 0) {
		tmap_record_part_fini(&made);
		return -1;
	}
	*part = made;
	return 0;
}
