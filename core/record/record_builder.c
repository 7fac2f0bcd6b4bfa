/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_builder.h"

#include "core/base/hash.h"
#include "core/base/mem.h"
#include "core/record/phase_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tmap_record_builder_drop_phases(struct tmap_record_builder *b)
{
	for (int i = 0; i < b->phase_count; i++)
		tmap_part_builder_fini(&b->phase[i]);
	free(b->phase);
	b->phase = NULL;
	b->phase_count = 0;
	b->phase_capacity = 0;
}

void tmap_record_builder_fini(struct tmap_record_builder *b)
{
	tmap_part_builder_fini(&b->whole);
	tmap_record_builder_drop_phases(b);
	for (int i = 0; i < b->communicator_count; i++)
		tmap_recorded_communicator_fini(&b->communicator[i].it);
	free(b->communicator);
	tmap_index_fini(&b->communicators);
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

struct tmap_part_builder *tmap_record_builder_phase(struct tmap_record_builder *b, int number,
						    struct tmap_error *err)
{
	for (int i = 0; i < b->phase_count; i++)
		if (b->phase[i].number == number)
			return &b->phase[i];
	if (tmap_grow(&b->phase, &b->phase_capacity, (size_t)b->phase_count + 1, sizeof *b->phase,
		      err) < 0)
		return NULL;
	b->phase[b->phase_count] = (struct tmap_part_builder){ .number = number };
	return &b->phase[b->phase_count++];
}

int tmap_record_builder_part_by_time(struct tmap_record_builder *b, double interval_s, int most,
				     struct tmap_error *err)
{
	double last = ceil(b->whole.seconds / interval_s);
	int count = (int)fmax(1, fmin(last, most));

	b->left_out.phases = last > count ? (int64_t)last - count : 0;
	for (int number = 1; number <= count; number++) {
		struct tmap_part_builder *phase = tmap_record_builder_phase(b, number, err);

		if (!phase ||
		    (!phase->sent[TMAP_WAY_MESSAGES].rank_count &&
		     tmap_record_add_silent_rank(&phase->sent[TMAP_WAY_MESSAGES], 0, err) < 0))
			return -1;
		phase->seconds = number < count ? interval_s :
						  b->whole.seconds - (count - 1) * interval_s;
	}
	return 0;
}

static int phase_compare(const void *a, const void *b)
{
	const struct tmap_part_builder *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* What the whole run lost they lost, too. */
static int phases_finish(struct tmap_record *record, struct tmap_record_builder *b,
			 const int *number, int size, struct tmap_error *err)
{
	int64_t lost;

	if (!b->phase_count)
		return 0;
	record->phase = tmap_alloc((size_t)b->phase_count, sizeof *record->phase, err);
	if (!record->phase)
		return -1;
	for (int i = 0; i < b->phase_count; i++, record->phase_count++)
		if (tmap_part_builder_finish(&record->phase[i], &lost, &b->phase[i], number,
					     record->communicator, size, false, err) < 0)
			return -1;
	return 0;
}

int tmap_record_builder_finish(struct tmap_record *record, struct tmap_record_builder *b, int size,
			       struct tmap_error *err)
{
	struct tmap_record made = { 0 };
	struct tmap_record_part whole = { 0 };
	struct tmap_record_left_out left_out = b->left_out;
	int *number = NULL;

	if (b->phase_count)
		qsort(b->phase, (size_t)b->phase_count, sizeof *b->phase, phase_compare);
	if (tmap_phase_calls_settle(b, err) < 0 ||
	    communicators_order(&made, &number, b, size, err) < 0 ||
	    tmap_part_builder_finish(&whole, &left_out.calls, &b->whole, number, made.communicator,
				     size, true, err) < 0 ||
	    phases_finish(&made, b, number, size, err) < 0) {
		free(number);
		tmap_record_part_fini(&whole);
		tmap_record_fini(&made);
		return -1;
	}
	free(number);
	tmap_record_builder_fini(b);
	tmap_record_part_take(record, &whole);
	record->communicator_count = made.communicator_count;
	record->communicator = made.communicator;
	record->phase_count = made.phase_count;
	record->phase = made.phase;
	record->left_out = left_out;
	return 0;
}
