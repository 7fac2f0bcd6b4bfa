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
static int64_t add_row(struct tmap_record_totals *totals, const struct tmap_record_row *row,
		       int64_t ranks)
{
	int64_t messages = 0, bytes = 0, peers = 0;

	for (int i = 0; i < row->peers; i++) {
		if (row->offset[i]) {
			peers++;
			tmap_sum_add(&messages, row->messages[i]);
			tmap_sum_add(&bytes, row->bytes[i]);
		} else {
			tmap_sum_add(&totals->own_messages,
				     tmap_sum_product(ranks, row->messages[i]));
			tmap_sum_add(&totals->own_bytes, tmap_sum_product(ranks, row->bytes[i]));
		}
	}
	tmap_sum_add(&totals->messages, tmap_sum_product(ranks, messages));
	tmap_sum_add(&totals->bytes, tmap_sum_product(ranks, bytes));
	tmap_sum_add(&totals->pairs, tmap_sum_product(ranks, peers));
	tmap_sum_add(&totals->outside_messages, tmap_sum_product(ranks, row->outside_messages));
	tmap_sum_add(&totals->outside_bytes, tmap_sum_product(ranks, row->outside_bytes));
	for (int i = 0; i < TMAP_RECORD_SIZES; i++)
		tmap_sum_add(&totals->sizes[i], tmap_sum_product(ranks, row->sizes[i]));
	return bytes;
}

int tmap_record_totals_find(struct tmap_record_totals *totals, const struct tmap_record *record,
			    struct tmap_error *err)
{
	int64_t *ranks = tmap_alloc((size_t)record->row_count, sizeof *ranks, err);
	int64_t *sent = tmap_alloc((size_t)record->row_count, sizeof *sent, err);
	int status = ranks && sent ? 0 : -1;

	*totals = (struct tmap_record_totals){ .most_rank = TMAP_NONE };
	for (int r = 0; r < record->placement.size && status == 0; r++)
		ranks[record->row_of[r]]++;
	for (int i = 0; i < record->row_count && status == 0; i++)
		sent[i] = add_row(totals, &record->row[i], ranks[i]);
	for (int r = 0; r < record->placement.size && status == 0; r++)
		if (sent[record->row_of[r]] > totals->most_bytes) {
			totals->most_rank = r;
			totals->most_bytes = sent[record->row_of[r]];
		}
	for (int i = 0; i < record->call_count; i++) {
		const struct tmap_recorded_call *call = &record->call[i];

		tmap_sum_add(&totals->calls, call->calls);
		tmap_sum_add(&totals->call_bytes, tmap_recorded_call_bytes(record, call));
		totals->call_seconds += call->seconds_sum;
	}
	free(ranks);
	free(sent);
	return status;
}

double tmap_record_imbalance(const struct tmap_record_totals *totals,
			     const struct tmap_record *record)
{
	double mean = (double)totals->bytes / record->placement.size;

	return mean > 0 ? (double)totals->most_bytes / mean : 0;
}
