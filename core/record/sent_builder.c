/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/sent_builder.h"

#include "core/base/hash.h"
#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

void tmap_sent_builder_fini(struct tmap_sent_builder *b)
{
	for (int i = 0; i < b->row_count; i++)
		tmap_record_row_fini(&b->row[i]);
	free(b->row);
	free(b->rank);
	free(b->row_of);
	tmap_index_fini(&b->rows);
	*b = (struct tmap_sent_builder){ 0 };
}

static uint64_t row_hash(const struct tmap_record_row *row)
{
	uint64_t hash = tmap_hash_add(TMAP_HASH, (uint64_t)row->peers);

	for (int i = 0; i < row->peers; i++) {
		hash = tmap_hash_add(hash, (uint64_t)row->offset[i]);
		hash = tmap_hash_add(hash, (uint64_t)row->messages[i]);
		hash = tmap_hash_add(hash, (uint64_t)row->bytes[i]);
	}
	for (int i = 0; i < TMAP_RECORD_SIZES; i++)
		hash = tmap_hash_add(hash, (uint64_t)row->sizes[i]);
	return tmap_hash_add(hash, (uint64_t)row->outside_bytes);
}

static bool row_is_equal(const struct tmap_record_row *a, const struct tmap_record_row *b)
{
	size_t peers = (size_t)a->peers;

	return a->peers == b->peers && a->outside_messages == b->outside_messages &&
		a->outside_bytes == b->outside_bytes &&
		memcmp(a->sizes, b->sizes, sizeof a->sizes) == 0 &&
		(!peers ||
		 (memcmp(a->offset, b->offset, peers * sizeof *a->offset) == 0 &&
		  memcmp(a->messages, b->messages, peers * sizeof *a->messages) == 0 &&
		  memcmp(a->bytes, b->bytes, peers * sizeof *a->bytes) == 0));
}

int tmap_record_intern_row_take(struct tmap_sent_builder *b, struct tmap_record_row *row,
				struct tmap_error *err)
{
	uint64_t hash = row_hash(row);
	size_t at;

	for (int i = tmap_index_first(&b->rows, hash, &at); i != TMAP_NONE;
	     i = tmap_index_next(&b->rows, hash, &at))
		if (row_is_equal(&b->row[i], row)) {
			tmap_record_row_fini(row);
			return i;
		}
	if (tmap_grow(&b->row, &b->row_capacity, (size_t)b->row_count + 1, sizeof *b->row, err) <
		    0 ||
	    tmap_index_add(&b->rows, hash, err) == TMAP_NONE) {
		tmap_record_row_fini(row);
		return TMAP_NONE;
	}
	b->row[b->row_count] = *row;
	*row = (struct tmap_record_row){ 0 };
	return b->row_count++;
}

int tmap_record_add_rank(struct tmap_sent_builder *b, int rank, int row, struct tmap_error *err)
{
	size_t need = (size_t)b->rank_count + 1;

	if (tmap_grow(&b->rank, &b->rank_capacity, need, sizeof *b->rank, err) < 0 ||
	    tmap_grow(&b->row_of, &b->row_of_capacity, need, sizeof *b->row_of, err) < 0)
		return -1;
	b->rank[b->rank_count] = rank;
	b->row_of[b->rank_count++] = row;
	return 0;
}

/* The row of who sent nothing; TMAP_NONE where it fails. */
static int intern_nothing(struct tmap_sent_builder *b, struct tmap_error *err)
{
	struct tmap_record_row row = { 0 };

	row.offset = tmap_alloc_raw(0, sizeof *row.offset, err);
	row.messages = tmap_alloc_raw(0, sizeof *row.messages, err);
	row.bytes = tmap_alloc_raw(0, sizeof *row.bytes, err);
	if (!row.offset || !row.messages || !row.bytes) {
		tmap_record_row_fini(&row);
		return TMAP_NONE;
	}
	return tmap_record_intern_row_take(b, &row, err);
}

int tmap_record_add_silent_rank(struct tmap_sent_builder *b, int rank, struct tmap_error *err)
{
	int nothing = intern_nothing(b, err);

	return nothing == TMAP_NONE ? -1 : tmap_record_add_rank(b, rank, nothing, err);
}

/* Who was not added sent nothing. */
static int complete(int *of, struct tmap_sent_builder *b, int size, bool has_all,
		    struct tmap_error *err)
{
	int nothing;

	if (b->rank_count == size)
		return 0;
	if (has_all)
		return tmap_fail(err, TMAP_INPUT, "the record has %d of %d ranks", b->rank_count,
				 size);
	nothing = intern_nothing(b, err);
	if (nothing == TMAP_NONE)
		return -1;
	for (int r = 0; r < size; r++)
		if (of[r] == TMAP_NONE)
			of[r] = nothing;
	return 0;
}

int tmap_sent_builder_finish(struct tmap_record_rows *rows, struct tmap_sent_builder *b, int size,
			     bool has_all, struct tmap_error *err)
{
	if (!b->rank_count && !has_all)
		return 0;
	rows->of = tmap_alloc_raw((size_t)size, sizeof *rows->of, err);
	if (!rows->of)
		return -1;
	for (int r = 0; r < size; r++)
		rows->of[r] = TMAP_NONE;
	for (int i = 0; i < b->rank_count; i++) {
		int r = b->rank[i];

		if (r < 0 || r >= size || rows->of[r] != TMAP_NONE)
			return tmap_fail(err, TMAP_INPUT,
					 "rank %d of the record is there twice or is none of %d", r,
					 size);
		rows->of[r] = b->row_of[i];
	}
	if (complete(rows->of, b, size, has_all, err) < 0)
		return -1;
	rows->row = b->row;
	rows->count = b->row_count;
	b->row = NULL;
	b->row_count = 0;
	return 0;
}
