/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_sum.h"

#include "core/base/hash.h"
#include "core/base/idset.h"
#include "core/base/mem.h"
#include "core/base/sum.h"
#include "core/record/record_builder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What one rank sent in all parts: by offset, and which offsets there are. */
struct rank_sum {
	int64_t *messages, *bytes; /* [ranks], 0 where there is none */
	int *offset;               /* [count] */
	int count;
	int64_t sizes[TMAP_RECORD_SIZES], outside_messages, outside_bytes;
};

static int rank_sum_init(struct rank_sum *sum, int size, struct tmap_error *err)
{
	*sum = (struct rank_sum){ 0 };
	sum->messages = tmap_alloc((size_t)size, sizeof *sum->messages, err);
	sum->bytes = tmap_alloc((size_t)size, sizeof *sum->bytes, err);
	sum->offset = tmap_alloc_raw((size_t)size, sizeof *sum->offset, err);
	return sum->messages && sum->bytes && sum->offset ? 0 : -1;
}

static void rank_sum_fini(struct rank_sum *sum)
{
	free(sum->messages);
	free(sum->bytes);
	free(sum->offset);
}

static void rank_sum_add(struct rank_sum *sum, const struct tmap_record_row *row)
{
	for (int i = 0; i < row->peers; i++) {
		int offset = row->offset[i];

		if (!sum->messages[offset])
			sum->offset[sum->count++] = offset;
		tmap_sum_add(&sum->messages[offset], row->messages[i]);
		tmap_sum_add(&sum->bytes[offset], row->bytes[i]);
	}
	for (int i = 0; i < TMAP_RECORD_SIZES; i++)
		tmap_sum_add(&sum->sizes[i], row->sizes[i]);
	tmap_sum_add(&sum->outside_messages, row->outside_messages);
	tmap_sum_add(&sum->outside_bytes, row->outside_bytes);
}

static int int_compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* As a row, offsets rising; the sum is nothing again. */
static int rank_sum_take(struct tmap_record_row *row, struct rank_sum *sum, struct tmap_error *err)
{
	size_t count = (size_t)sum->count;

	*row = (struct tmap_record_row){ .outside_messages = sum->outside_messages,
					 .outside_bytes = sum->outside_bytes };
	memcpy(row->sizes, sum->sizes, sizeof row->sizes);
	row->offset = tmap_alloc_raw(count, sizeof *row->offset, err);
	row->messages = tmap_alloc_raw(count, sizeof *row->messages, err);
	row->bytes = tmap_alloc_raw(count, sizeof *row->bytes, err);
	if (!row->offset || !row->messages || !row->bytes)
		return -1;
	if (count)
		qsort(sum->offset, count, sizeof *sum->offset, int_compare);
	for (; row->peers < sum->count; row->peers++) {
		int offset = sum->offset[row->peers];

		row->offset[row->peers] = offset;
		row->messages[row->peers] = sum->messages[offset];
		row->bytes[row->peers] = sum->bytes[offset];
		sum->messages[offset] = sum->bytes[offset] = 0;
	}
	sum->count = 0;
	memset(sum->sizes, 0, sizeof sum->sizes);
	sum->outside_messages = sum->outside_bytes = 0;
	return 0;
}

/* The rows of count parts, rank by rank; of those that have none, NULL, nothing. */
static int rows_add(struct tmap_sent_builder *b, const struct tmap_record_rows *const *part,
		    int count, int size, struct tmap_error *err)
{
	struct tmap_record_row row = { 0 };
	struct rank_sum sum;
	bool any = false;
	int status;

	for (int i = 0; i < count; i++)
		any |= part[i]->count > 0;
	if (!any)
		return 0;
	status = rank_sum_init(&sum, size, err);
	for (int r = 0; r < size && status == 0; r++) {
		int number = TMAP_NONE;

		for (int i = 0; i < count; i++)
			if (part[i]->count)
				rank_sum_add(&sum, &part[i]->row[part[i]->of[r]]);
		if (rank_sum_take(&row, &sum, err) == 0)
			number = tmap_record_intern_row_take(b, &row, err);
		tmap_record_row_fini(&row);
		status = number == TMAP_NONE ? -1 : tmap_record_add_rank(b, r, number, err);
	}
	rank_sum_fini(&sum);
	return status;
}

/* The calls of a part, whose communicators have those numbers in the builder. */
static int calls_add(struct tmap_record_builder *b, const struct tmap_recorded_call *call,
		     int count, const int *number, struct tmap_error *err)
{
	for (int i = 0; i < count; i++) {
		struct tmap_recorded_call it = call[i], *known;

		it.communicator = number[it.communicator];
		/* of all its ranks, as a builder has them */
		it.calls = tmap_sum_product(it.calls, b->communicator[it.communicator].it.size);
		if (tmap_recorded_rows[it.collective].is_irregular)
			it.bytes = 0;
		known = tmap_record_calls_alike(&b->whole, &it, err);
		if (!known)
			return -1;
		tmap_recorded_call_add(known, &it);
		known->seconds_max += it.seconds_max;
	}
	return 0;
}

static uint64_t communicator_digest(const struct tmap_recorded_communicator *it)
{
	uint64_t digest = tmap_hash_add(TMAP_HASH, (uint64_t)it->size);

	for (int i = 0; i < it->size; i++)
		digest = tmap_hash_add(digest, (uint64_t)it->rank[i]);
	for (const char *at = it->topology; *at; at++)
		digest = tmap_hash_add(digest, (uint64_t)(unsigned char)*at);
	return digest;
}

/* The record's communicators are the builder's, too: *number = [communicators] their numbers there, the
 *  caller's. */
static int communicators_add(struct tmap_record_builder *b, int **number,
			     const struct tmap_record *record, struct tmap_error *err)
{
	*number = tmap_alloc_raw((size_t)record->communicator_count, sizeof **number, err);
	for (int i = 0; *number && i < record->communicator_count; i++) {
		const struct tmap_recorded_communicator *from = &record->communicator[i];
		struct tmap_recorded_communicator it = {
			.size = from->size,
			.rank = tmap_alloc_raw((size_t)from->size, sizeof *it.rank, err),
			.name = tmap_strdup(from->name, err),
			.topology = tmap_strdup(from->topology, err),
		};

		if (!it.rank || !it.name || !it.topology) {
			tmap_recorded_communicator_fini(&it);
			return -1;
		}
		memcpy(it.rank, from->rank, (size_t)it.size * sizeof *it.rank);
		(*number)[i] =
			tmap_record_add_communicator_take(b, communicator_digest(from), &it, err);
		if ((*number)[i] == TMAP_NONE)
			return -1;
	}
	return *number ? 0 : -1;
}

/* What the builder has is the record's now; of whole and phases it was made. */
static int record_replace(struct tmap_record *record, struct tmap_record_builder *b,
			  struct tmap_error *err)
{
	struct tmap_record made = { 0 };
	struct tmap_record_part whole;

	if (tmap_record_builder_finish(&made, b, record->placement.size, err) < 0)
		return -1;
	whole = (struct tmap_record_part){ .seconds = made.seconds,
					   .call = made.call,
					   .call_count = made.call_count };
	memcpy(whole.sent, made.sent, sizeof whole.sent);
	memcpy(whole.files, made.files, sizeof whole.files);
	tmap_record_part_take(record, &whole);
	tmap_sum_add(&record->left_out.calls, made.left_out.calls);
	for (int i = 0; i < record->communicator_count; i++)
		tmap_recorded_communicator_fini(&record->communicator[i]);
	free(record->communicator);
	record->communicator = made.communicator;
	record->communicator_count = made.communicator_count;
	for (int i = 0; i < record->phase_count; i++)
		tmap_record_part_fini(&record->phase[i]);
	free(record->phase);
	free(made.phase);
	record->phase = NULL;
	record->phase_count = 0;
	return 0;
}

static void files_add(struct tmap_record_builder *b, const struct tmap_recorded_files *files)
{
	for (int way = 0; way < TMAP_FILE_WAYS; way++)
		tmap_recorded_files_add_part(&b->whole.files[way], &files[way]);
}

/* The phases of the set. */
static int phases_add(struct tmap_record_builder *b, const struct tmap_record *record,
		      const struct tmap_idset *set, struct tmap_error *err)
{
	const struct tmap_record_rows **rows =
		tmap_alloc_raw((size_t)record->phase_count, sizeof *rows, err);
	int *number = NULL, count = 0,
	    status = rows ? communicators_add(b, &number, record, err) : -1;

	for (int i = 0; i < record->phase_count && status == 0; i++) {
		const struct tmap_record_part *it = &record->phase[i];

		if (!tmap_idset_contains(set, it->number))
			continue;
		count++;
		b->whole.seconds += it->seconds;
		files_add(b, it->files);
		status = calls_add(b, it->call, it->call_count, number, err);
	}
	for (int way = 0; way < TMAP_WAYS && status == 0; way++) {
		count = 0;
		for (int i = 0; i < record->phase_count; i++)
			if (tmap_idset_contains(set, record->phase[i].number))
				rows[count++] = &record->phase[i].sent[way];
		status = rows_add(&b->whole.sent[way], rows, count, record->placement.size, err);
	}
	free(number);
	free(rows);
	return status == 0 && !count ? 1 : status;
}

/* "1-3,9", the caller's. */
static char *phases_print(const struct tmap_record *record, struct tmap_error *err)
{
	struct tmap_idset set = { 0 };
	char *list = NULL;
	int status = 0;

	for (int i = 0; i < record->phase_count && status == 0; i++)
		status = tmap_idset_add(&set, record->phase[i].number, err);
	if (status == 0)
		list = tmap_idset_print(&set, err);
	tmap_idset_fini(&set);
	return list;
}

static int phases_parse(struct tmap_idset *set, const struct tmap_record *record, const char *list,
			struct tmap_error *err)
{
	char *there;
	int last, most;

	if (tmap_idset_parse(set, list, INT_MAX - 1, err) < 0) {
		err->kind = err->kind == TMAP_INPUT ? TMAP_USAGE : err->kind;
		return -1;
	}
	if (!set->count)
		return tmap_fail(err, TMAP_USAGE, "the list is empty");
	if (!record->phase_count)
		return tmap_fail(
			err, TMAP_INPUT,
			"the record has no phases: TOPOMAP_RECORD_INTERVAL=SECONDS parts the "
			"next one by time, and MPI_Pcontrol marks them in the program");
	last = record->phase[record->phase_count - 1].number;
	most = set->range[set->count - 1].last;
	if (most <= last)
		return 0;
	there = phases_print(record, err);
	if (there)
		tmap_fail(err, TMAP_INPUT, "%d is not one of the phases %s", most, there);
	free(there);
	return -1;
}

int tmap_record_choose_phases(struct tmap_record *record, const char *list, struct tmap_error *err)
{
	struct tmap_record_builder b = { 0 };
	struct tmap_idset set = { 0 };
	char *chosen = NULL, *there;
	int status = phases_parse(&set, record, list, err);

	if (status == 0)
		status = phases_add(&b, record, &set, err);
	if (status > 0) {
		there = phases_print(record, err);
		if (there)
			tmap_fail(err, TMAP_INPUT, "none of %s is one of the phases %s", list,
				  there);
		free(there);
		status = -1;
	}
	if (status == 0)
		chosen = tmap_idset_print(&set, err);
	status = chosen ? record_replace(record, &b, err) : -1;
	tmap_record_builder_fini(&b);
	tmap_idset_fini(&set);
	if (status < 0) {
		free(chosen);
		return -1;
	}
	free(record->chosen);
	record->chosen = chosen;
	return 0;
}

int tmap_record_add(struct tmap_record *record, const struct tmap_record *other,
		    struct tmap_error *err)
{
	const struct tmap_record *const of[] = { record, other };
	struct tmap_record_builder b = { 0 };
	int size = record->placement.size, status = 0;

	if (other->placement.size != size)
		return tmap_fail(err, TMAP_INPUT,
				 "it is of %d ranks, and the record before it of %d: runs of "
				 "different sizes do not add up",
				 other->placement.size, size);
	for (int i = 0; i < 2 && status == 0; i++) {
		int *number = NULL;

		b.whole.seconds += of[i]->seconds;
		files_add(&b, of[i]->files);
		status = communicators_add(&b, &number, of[i], err);
		if (status == 0)
			status = calls_add(&b, of[i]->call, of[i]->call_count, number, err);
		free(number);
	}
	for (int way = 0; way < TMAP_WAYS && status == 0; way++) {
		const struct tmap_record_rows *const rows[] = { &record->sent[way],
								&other->sent[way] };

		status = rows_add(&b.whole.sent[way], rows, 2, size, err);
	}
	if (status == 0)
		status = record_replace(record, &b, err);
	tmap_record_builder_fini(&b);
	if (status < 0)
		return -1;
	tmap_sum_add(&record->left_out.outside_calls, other->left_out.outside_calls);
	tmap_sum_add(&record->left_out.calls, other->left_out.calls);
	return 0;
}
