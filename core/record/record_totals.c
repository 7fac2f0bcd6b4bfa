/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_totals.h"

#include "core/base/mem.h"
#include "core/base/sum.h"

#include <stdlib.h>

int64_t tmap_recorded_call_bytes(const struct tmap_record *record,
				 const struct tmap_recorded_call *call)
{
	const struct tmap_recorded_row *row = &tmap_recorded_rows[call->collective];
	int64_t size = record->communicator[call->communicator].size;
	int64_t blocks = tmap_sum_product(call->calls, size);

	if (row->is_irregular)
		return call->total_bytes;
	if (!row->blocks)
		blocks = tmap_sum_product(blocks, size);
	return tmap_sum_product(blocks, call->bytes);
}

/* What @p ranks ranks sent, each of them that row; returns what one of them sent to others. */
static int64_t add_row(struct tmap_record_totals *totals, struct tmap_record_sums *sums,
		       const struct tmap_record_row *row, int64_t ranks)
{
	int64_t messages = 0, bytes = 0, peers = 0;

	for (int i = 0; i < row->peers; i++) {
		if (row->offset[i]) {
			peers++;
			tmap_sum_add(&messages, row->messages[i]);
			tmap_sum_add(&bytes, row->bytes[i]);
		} else {
			tmap_sum_add(&sums->own_messages,
				     tmap_sum_product(ranks, row->messages[i]));
			tmap_sum_add(&sums->own_bytes, tmap_sum_product(ranks, row->bytes[i]));
		}
	}
	tmap_sum_add(&sums->messages, tmap_sum_product(ranks, messages));
	tmap_sum_add(&sums->bytes, tmap_sum_product(ranks, bytes));
	tmap_sum_add(&sums->outside_messages, tmap_sum_product(ranks, row->outside_messages));
	tmap_sum_add(&sums->outside_bytes, tmap_sum_product(ranks, row->outside_bytes));
	tmap_sum_add(&totals->pairs, tmap_sum_product(ranks, peers));
	for (int i = 0; i < TMAP_RECORD_SIZES; i++)
		tmap_sum_add(&totals->sizes[i], tmap_sum_product(ranks, row->sizes[i]));
	return bytes;
}

/* sent[ranks] grows by what each sent to others in that way. */
static int add_way(struct tmap_record_totals *totals, int64_t *sent,
		   const struct tmap_record *record, enum tmap_way way, struct tmap_error *err)
{
	const struct tmap_record_rows *rows = &record->sent[way];
	int64_t *ranks = tmap_alloc((size_t)rows->count, sizeof *ranks, err);
	int64_t *by_row = tmap_alloc((size_t)rows->count, sizeof *by_row, err);
	int status = ranks && by_row ? 0 : -1;

	for (int r = 0; rows->count && r < record->placement.size && status == 0; r++)
		ranks[rows->of[r]]++;
	for (int i = 0; i < rows->count && status == 0; i++)
		by_row[i] = add_row(totals, &totals->sent[way], &rows->row[i], ranks[i]);
	for (int r = 0; rows->count && r < record->placement.size && status == 0; r++)
		tmap_sum_add(&sent[r], by_row[rows->of[r]]);
	tmap_sum_add(&totals->bytes, totals->sent[way].bytes);
	free(ranks);
	free(by_row);
	return status;
}

int tmap_record_totals_find(struct tmap_record_totals *totals, const struct tmap_record *record,
			    struct tmap_error *err)
{
	int64_t *sent = tmap_alloc((size_t)record->placement.size, sizeof *sent, err);
	int status = sent ? 0 : -1;

	*totals = (struct tmap_record_totals){ .most_rank = TMAP_NONE };
	for (int way = 0; way < TMAP_WAYS && status == 0; way++)
		status = add_way(totals, sent, record, (enum tmap_way)way, err);
	for (int r = 0; r < record->placement.size && status == 0; r++)
		if (sent[r] > totals->most_bytes) {
			totals->most_rank = r;
			totals->most_bytes = sent[r];
		}
	for (int i = 0; i < record->call_count; i++) {
		const struct tmap_recorded_call *call = &record->call[i];

		tmap_sum_add(&totals->calls, call->calls);
		tmap_sum_add(&totals->call_bytes, tmap_recorded_call_bytes(record, call));
		totals->call_seconds += call->seconds_sum;
	}
	free(sent);
	return status;
}

double tmap_record_imbalance(const struct tmap_record_totals *totals,
			     const struct tmap_record *record)
{
	double mean = (double)totals->bytes / record->placement.size;

	return mean > 0 ? (double)totals->most_bytes / mean : 0;
}
