/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/record/record_pack.h"

#include "core/base/mem.h"
#include "core/base/sum.h"

#include <stdlib.h>
#include <string.h>

static void add_double(struct tmap_bytes *bytes, double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof bits);
	tmap_bytes_add_int64(bytes, bits);
}

static double cursor_double(struct tmap_cursor *cursor)
{
	int64_t bits = tmap_cursor_int64(cursor);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static void pack_row(struct tmap_bytes *bytes, const struct tmap_record_row *row)
{
	int sizes = 0;

	tmap_bytes_add_int(bytes, row->peers);
	for (int i = 0; i < row->peers; i++) {
		tmap_bytes_add_int(bytes, row->offset[i]);
		tmap_bytes_add_int64(bytes, row->messages[i]);
		tmap_bytes_add_int64(bytes, row->bytes[i]);
	}
	for (int i = 0; i < TMAP_RECORD_SIZES; i++)
		sizes += row->sizes[i] != 0;
	tmap_bytes_add_int(bytes, sizes);
	for (int i = 0; i < TMAP_RECORD_SIZES; i++)
		if (row->sizes[i]) {
			tmap_bytes_add_int(bytes, i);
			tmap_bytes_add_int64(bytes, row->sizes[i]);
		}
	tmap_bytes_add_int64(bytes, row->outside_messages);
	tmap_bytes_add_int64(bytes, row->outside_bytes);
}

/* What is damaged has no peers. */
static int unpack_row(struct tmap_record_row *row, struct tmap_cursor *cursor,
		      struct tmap_error *err)
{
	int peers = tmap_cursor_count(cursor, 20), sizes;

	row->offset = tmap_alloc_raw((size_t)peers, sizeof *row->offset, err);
	row->messages = tmap_alloc_raw((size_t)peers, sizeof *row->messages, err);
	row->bytes = tmap_alloc_raw((size_t)peers, sizeof *row->bytes, err);
	if (!row->offset || !row->messages || !row->bytes)
		return -1;
	row->peers = peers;
	for (int i = 0; i < peers; i++) {
		row->offset[i] = tmap_cursor_int(cursor);
		row->messages[i] = tmap_cursor_int64(cursor);
		row->bytes[i] = tmap_cursor_int64(cursor);
	}
	sizes = tmap_cursor_count(cursor, 12);
	for (int i = 0; i < sizes; i++) {
		int class = tmap_cursor_int(cursor);
		int64_t messages = tmap_cursor_int64(cursor);

		if (class >= 0 && class < TMAP_RECORD_SIZES)
			row->sizes[class] = messages;
	}
	row->outside_messages = tmap_cursor_int64(cursor);
	row->outside_bytes = tmap_cursor_int64(cursor);
	return 0;
}

static void pack_communicator(struct tmap_bytes *bytes, const struct tmap_record_known *known)
{
	const struct tmap_recorded_communicator *it = &known->it;

	tmap_bytes_add_int64(bytes, (int64_t)known->digest);
	tmap_bytes_add_int(bytes, it->size);
	tmap_bytes_add_text(bytes, it->name);
	tmap_bytes_add_text(bytes, it->topology);
	tmap_bytes_add_int(bytes, it->rank ? it->size : 0);
	for (int i = 0; it->rank && i < it->size; i++)
		tmap_bytes_add_int(bytes, it->rank[i]);
}

enum { TEXT_ROOM = 4096 };

static int unpack_communicator(struct tmap_record_builder *b, int *number,
			       struct tmap_cursor *cursor, struct tmap_error *err)
{
	struct tmap_recorded_communicator it = { 0 };
	uint64_t digest = (uint64_t)tmap_cursor_int64(cursor);
	char text[TEXT_ROOM];
	int ranks;

	it.size = tmap_cursor_int(cursor);
	tmap_cursor_text(cursor, text, sizeof text);
	it.name = tmap_strdup(text, err);
	tmap_cursor_text(cursor, text, sizeof text);
	it.topology = tmap_strdup(text, err);
	ranks = tmap_cursor_count(cursor, 4);
	if (ranks)
		it.rank = tmap_alloc_raw((size_t)ranks, sizeof *it.rank, err);
	if (!it.name || !it.topology || (ranks && !it.rank)) {
		tmap_recorded_communicator_fini(&it);
		return -1;
	}
	for (int i = 0; i < ranks; i++)
		it.rank[i] = tmap_cursor_int(cursor);
	*number = tmap_record_add_communicator_take(b, digest, &it, err);
	return *number == TMAP_NONE ? -1 : 0;
}

static void pack_call(struct tmap_bytes *bytes, const struct tmap_recorded_call *it)
{
	tmap_bytes_add_int(bytes, (int)it->collective);
	tmap_bytes_add_int(bytes, (int)it->mode);
	tmap_bytes_add_int(bytes, it->communicator);
	tmap_bytes_add_int(bytes, it->root);
	tmap_bytes_add_int64(bytes, it->bytes);
	tmap_bytes_add_int64(bytes, it->element);
	tmap_bytes_add_int64(bytes, it->calls);
	tmap_bytes_add_int64(bytes, it->total_bytes);
	tmap_bytes_add_int64(bytes, it->largest);
	add_double(bytes, it->seconds_sum);
	add_double(bytes, it->seconds_max);
}

/* number[communicators]: those of the bytes in the builder. */
static int unpack_call(struct tmap_part_builder *b, const int *number, int communicators,
		       struct tmap_cursor *cursor, struct tmap_error *err)
{
	struct tmap_recorded_call it = { 0 };

	it.collective = (enum tmap_recorded)tmap_cursor_int(cursor);
	it.mode = (enum tmap_mode)tmap_cursor_int(cursor);
	it.communicator = tmap_cursor_int(cursor);
	it.root = tmap_cursor_int(cursor);
	it.bytes = tmap_cursor_int64(cursor);
	it.element = tmap_cursor_int64(cursor);
	it.calls = tmap_cursor_int64(cursor);
	it.total_bytes = tmap_cursor_int64(cursor);
	it.largest = tmap_cursor_int64(cursor);
	it.seconds_sum = cursor_double(cursor);
	it.seconds_max = cursor_double(cursor);
	if (it.communicator < 0 || it.communicator >= communicators ||
	    (unsigned)it.collective >= TMAP_RECORDED_COUNT)
		cursor->failed = true;
	if (cursor->failed)
		return 0;
	it.communicator = number[it.communicator];
	return tmap_record_add_calls(b, &it, err);
}

static void pack_sent(struct tmap_bytes *bytes, const struct tmap_sent_builder *b)
{
	tmap_bytes_add_int(bytes, b->row_count);
	for (int i = 0; i < b->row_count; i++)
		pack_row(bytes, &b->row[i]);
	tmap_bytes_add_int(bytes, b->rank_count);
	for (int i = 0; i < b->rank_count; i++) {
		tmap_bytes_add_int(bytes, b->rank[i]);
		tmap_bytes_add_int(bytes, b->row_of[i]);
	}
}

static void pack_files(struct tmap_bytes *bytes, const struct tmap_recorded_files *it)
{
	tmap_bytes_add_int64(bytes, it->calls);
	tmap_bytes_add_int64(bytes, it->bytes);
	tmap_bytes_add_int64(bytes, it->most_bytes);
	tmap_bytes_add_int(bytes, it->ranks);
	add_double(bytes, it->seconds_sum);
	add_double(bytes, it->seconds_max);
}

/* To what other ranks have. */
static void unpack_files(struct tmap_recorded_files *known, struct tmap_cursor *cursor)
{
	struct tmap_recorded_files it;

	it.calls = tmap_cursor_int64(cursor);
	it.bytes = tmap_cursor_int64(cursor);
	it.most_bytes = tmap_cursor_int64(cursor);
	it.ranks = tmap_cursor_int(cursor);
	it.seconds_sum = cursor_double(cursor);
	it.seconds_max = cursor_double(cursor);
	tmap_recorded_files_add_ranks(known, &it);
}

static void pack_part(struct tmap_bytes *bytes, const struct tmap_part_builder *b)
{
	tmap_bytes_add_int(bytes, b->number);
	add_double(bytes, b->seconds);
	for (int way = 0; way < TMAP_WAYS; way++)
		pack_sent(bytes, &b->sent[way]);
	for (int way = 0; way < TMAP_FILE_WAYS; way++)
		pack_files(bytes, &b->files[way]);
	tmap_bytes_add_int(bytes, b->call_count);
	for (int i = 0; i < b->call_count; i++)
		pack_call(bytes, &b->call[i]);
}

void tmap_record_pack(struct tmap_bytes *bytes, const struct tmap_record_builder *b)
{
	tmap_bytes_add_int(bytes, b->communicator_count);
	for (int i = 0; i < b->communicator_count; i++)
		pack_communicator(bytes, &b->communicator[i]);
	pack_part(bytes, &b->whole);
	tmap_bytes_add_int(bytes, b->phase_count);
	for (int i = 0; i < b->phase_count; i++)
		pack_part(bytes, &b->phase[i]);
	tmap_bytes_add_int64(bytes, b->left_out.outside_calls);
	tmap_bytes_add_int64(bytes, b->left_out.phases);
}

/* Rows are interned before the ranks that have them, as they come. */
static int unpack_sent(struct tmap_sent_builder *b, struct tmap_cursor *cursor,
		       struct tmap_error *err)
{
	int rows = tmap_cursor_count(cursor, 24), *number, ranks, status = 0;

	number = tmap_alloc_raw((size_t)rows, sizeof *number, err);
	for (int i = 0; number && i < rows && status == 0; i++) {
		struct tmap_record_row row = { 0 };

		status = unpack_row(&row, cursor, err);
		number[i] = status == 0 ? tmap_record_intern_row_take(b, &row, err) : TMAP_NONE;
		if (number[i] == TMAP_NONE) {
			tmap_record_row_fini(&row);
			status = -1;
		}
	}
	if (!number || status < 0) {
		free(number);
		return -1;
	}
	ranks = tmap_cursor_count(cursor, 8);
	for (int i = 0; i < ranks && status == 0; i++) {
		int rank = tmap_cursor_int(cursor), row = tmap_cursor_int(cursor);

		if (row < 0 || row >= rows)
			cursor->failed = true;
		else
			status = tmap_record_add_rank(b, rank, number[row], err);
	}
	free(number);
	return status;
}

/* The communicators of the bytes have those numbers in the builder. */
static int unpack_part(struct tmap_record_builder *b, bool is_whole, const int *number,
		       int communicators, struct tmap_cursor *cursor, struct tmap_error *err)
{
	int of_phase = tmap_cursor_int(cursor), calls;
	double seconds = cursor_double(cursor);
	struct tmap_part_builder *part = is_whole ? &b->whole :
						    tmap_record_builder_phase(b, of_phase, err);

	if (!part)
		return -1;
	part->seconds = seconds > part->seconds ? seconds : part->seconds;
	for (int way = 0; way < TMAP_WAYS; way++)
		if (unpack_sent(&part->sent[way], cursor, err) < 0)
			return -1;
	for (int way = 0; way < TMAP_FILE_WAYS; way++)
		unpack_files(&part->files[way], cursor);
	calls = tmap_cursor_count(cursor, 72);
	for (int i = 0; i < calls; i++)
		if (unpack_call(part, number, communicators, cursor, err) < 0)
			return -1;
	return 0;
}

static void unpack_left_out(struct tmap_record_left_out *known, struct tmap_cursor *cursor)
{
	int64_t phases;

	tmap_sum_add(&known->outside_calls, tmap_cursor_int64(cursor));
	phases = tmap_cursor_int64(cursor);
	known->phases = phases > known->phases ? phases : known->phases;
}

int tmap_record_unpack(struct tmap_record_builder *b, struct tmap_cursor *cursor,
		       struct tmap_error *err)
{
	int communicators = tmap_cursor_count(cursor, 24), phases, status = 0;
	int *number = tmap_alloc_raw((size_t)communicators, sizeof *number, err);

	if (!number)
		return -1;
	for (int i = 0; i < communicators && status == 0; i++)
		status = unpack_communicator(b, &number[i], cursor, err);
	if (status == 0)
		status = unpack_part(b, true, number, communicators, cursor, err);
	phases = tmap_cursor_count(cursor, 28 + TMAP_FILE_WAYS * 44);
	for (int i = 0; i < phases && status == 0; i++)
		status = unpack_part(b, false, number, communicators, cursor, err);
	if (status == 0)
		unpack_left_out(&b->left_out, cursor);
	free(number);
	return status < 0 ? -1 : tmap_cursor_end(cursor, "a record", err);
}
