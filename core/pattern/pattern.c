/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pattern/pattern.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Rows of a sparse matrix; without sent only which entries there are. */
struct rows {
	int64_t *start; /* [size + 1] */
	int *peer;
	double *sent;
};

static void rows_fini(struct rows *rows)
{
	free(rows->start);
	free(rows->peer);
	free(rows->sent);
	*rows = (struct rows){ 0 };
}

/* Room for @p count entries; start[] counts from 0. */
static int rows_init(struct rows *rows, int size, int64_t count, struct tmap_error *err)
{
	rows->start = tmap_alloc((size_t)size + 1, sizeof *rows->start, err);
	rows->peer = tmap_alloc_raw((size_t)count, sizeof *rows->peer, err);
	rows->sent = tmap_alloc_raw((size_t)count, sizeof *rows->sent, err);
	return rows->start && rows->peer && rows->sent ? 0 : -1;
}

/* From start[r] = number of entries of row r to where each row begins. */
static void starts_sum_up(int64_t *start, int size)
{
	int64_t before = 0;

	for (int r = 0; r <= size; r++) {
		int64_t count = start[r];

		start[r] = before;
		before += count;
	}
}

/* Having filled the rows, start[r] is the end of row r: back to where it begins. */
static void starts_step_back(int64_t *start, int size)
{
	for (int r = size; r > 0; r--)
		start[r] = start[r - 1];
	start[0] = 0;
}

/* The entries by receiver: the senders of each rank. */
static int rows_by_receiver(struct rows *in, const struct tmap_pattern_builder *b,
			    struct tmap_error *err)
{
	if (rows_init(in, b->size, (int64_t)b->count, err) < 0)
		return -1;
	for (size_t i = 0; i < b->count; i++)
		in->start[b->entry[i].to]++;
	starts_sum_up(in->start, b->size);
	for (size_t i = 0; i < b->count; i++) {
		const struct tmap_pattern_entry *entry = &b->entry[i];
		int64_t at = in->start[entry->to]++;

		in->peer[at] = entry->from;
		in->sent[at] = entry->bytes;
	}
	starts_step_back(in->start, b->size);
	return 0;
}

/* *out: the rows of *in by column; the peers of each row rise. */
static int rows_transpose(struct rows *out, const struct rows *in, int size, struct tmap_error *err)
{
	if (rows_init(out, size, in->start[size], err) < 0)
		return -1;
	for (int64_t i = 0; i < in->start[size]; i++)
		out->start[in->peer[i]]++;
	starts_sum_up(out->start, size);
	for (int r = 0; r < size; r++)
		for (int64_t i = in->start[r]; i < in->start[r + 1]; i++) {
			int64_t at = out->start[in->peer[i]]++;

			out->peer[at] = r;
			out->sent[at] = in->sent[i];
		}
	starts_step_back(out->start, size);
	return 0;
}

/* Entries of one pair, which stand side by side, become one. */
static void rows_add_equals(struct rows *rows, int size)
{
	int64_t next = 0, from = 0;

	for (int r = 0; r < size; r++) {
		int64_t first = next, end = rows->start[r + 1];

		rows->start[r] = first;
		for (; from < end; from++)
			if (next > first && rows->peer[next - 1] == rows->peer[from]) {
				rows->sent[next - 1] += rows->sent[from];
			} else {
				rows->peer[next] = rows->peer[from];
				rows->sent[next++] = rows->sent[from];
			}
	}
	rows->start[size] = next;
}

/* The rows with those that send to each rank listed next to those that it sends to; counts
 * only, where *pattern has no peers yet. */
static int64_t pattern_merge(struct tmap_pattern *pattern, const struct rows *out,
			     const struct rows *in)
{
	int64_t next = 0;

	for (int r = 0; r < pattern->size; r++) {
		int64_t i = out->start[r], i_end = out->start[r + 1];
		int64_t k = in->start[r], k_end = in->start[r + 1];

		for (pattern->start[r] = next; i < i_end || k < k_end; next++) {
			int there = i < i_end ? out->peer[i] : pattern->size;
			int back = k < k_end ? in->peer[k] : pattern->size;

			if (pattern->peer) {
				pattern->peer[next] = there < back ? there : back;
				pattern->sent[next] = there <= back ? out->sent[i] : 0;
			}
			i += there <= back;
			k += back <= there;
		}
	}
	pattern->start[pattern->size] = next;
	return next;
}

static int pattern_join(struct tmap_pattern *pattern, const struct rows *out, const struct rows *in,
			struct tmap_error *err)
{
	int64_t count;

	pattern->start = tmap_alloc_raw((size_t)pattern->size + 1, sizeof *pattern->start, err);
	if (!pattern->start)
		return -1;
	count = pattern->entries = pattern_merge(pattern, out, in);
	pattern->peer = tmap_alloc_raw((size_t)count, sizeof *pattern->peer, err);
	pattern->sent = tmap_alloc_raw((size_t)count, sizeof *pattern->sent, err);
	if (!pattern->peer || !pattern->sent)
		return -1;
	pattern_merge(pattern, out, in);
	if (!isfinite(tmap_pattern_bytes(pattern)))
		return tmap_fail(err, TMAP_INPUT, "the bytes of all ranks together are too many");
	return 0;
}

int tmap_pattern_finish(struct tmap_pattern *pattern, struct tmap_pattern_builder *b,
			struct tmap_error *err)
{
	struct tmap_pattern made = { .size = b->size, .everyone = b->everyone };
	struct rows in = { 0 }, out = { 0 };
	int status = rows_by_receiver(&in, b, err);

	tmap_pattern_builder_fini(b);
	if (status == 0)
		status = rows_transpose(&out, &in, made.size, err);
	rows_fini(&in);
	if (status == 0) {
		rows_add_equals(&out, made.size);
		status = rows_transpose(&in, &out, made.size, err);
	}
	if (status == 0)
		status = pattern_join(&made, &out, &in, err);
	rows_fini(&in);
	rows_fini(&out);
	if (status < 0)
		tmap_pattern_fini(&made);
	else
		*pattern = made;
	return status;
}

int tmap_pattern_builder_init(struct tmap_pattern_builder *b, int size, struct tmap_error *err)
{
	if (size < 1)
		return tmap_fail(err, TMAP_INPUT,
				 "a pattern of %d ranks: there must be at least one", size);
	*b = (struct tmap_pattern_builder){ .size = size };
	return 0;
}

int tmap_pattern_add(struct tmap_pattern_builder *b, int from, int to, double bytes,
		     struct tmap_error *err)
{
	if (from < 0 || from >= b->size || to < 0 || to >= b->size)
		return tmap_fail(err, TMAP_INPUT, "rank %d is not one of the %d ranks",
				 from < 0 || from >= b->size ? from : to, b->size);
	if (!isfinite(bytes) || bytes < 0)
		return tmap_fail(err, TMAP_INPUT,
				 "%g bytes from rank %d to rank %d: they must be finite, and not "
				 "negative",
				 bytes, from, to);
	if (from == to)
		return 0;
	if (tmap_grow(&b->entry, &b->capacity, b->count + 1, sizeof *b->entry, err) < 0)
		return -1;
	b->entry[b->count++] = (struct tmap_pattern_entry){ from, to, bytes };
	b->bytes += bytes;
	return 0;
}

void tmap_pattern_builder_fini(struct tmap_pattern_builder *b)
{
	free(b->entry);
	*b = (struct tmap_pattern_builder){ 0 };
}

void tmap_pattern_fini(struct tmap_pattern *pattern)
{
	free(pattern->start);
	free(pattern->peer);
	free(pattern->sent);
	*pattern = (struct tmap_pattern){ 0 };
}

double tmap_pattern_bytes(const struct tmap_pattern *pattern)
{
	double bytes = 0;

	for (int64_t i = 0; i < pattern->entries; i++)
		bytes += pattern->sent[i];
	return bytes;
}
