/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_levels.h"

#include "core/base/mem.h"
#include "core/map/crossings.h"
#include "core/record/record_traffic.h"

#include <math.h>
#include <stdlib.h>

/* Of @p levels->count levels that separate, outermost first, the entry of the first that does. */
static int entry_of(const struct tmap_levels *levels, int separating)
{
	return levels->count - separating;
}

static void count_row(struct tmap_record_levels *it, const struct tmap_record_row *row, int rank,
		      const struct tmap_placement *p, const struct tmap_levels *levels)
{
	for (int i = 0; i < row->peers; i++) {
		int peer = (int)(((int64_t)rank + row->offset[i]) % p->size), l = 0;

		if (peer == rank)
			continue;
		while (l < levels->count &&
		       tmap_levels_of_rank(levels, l, p, rank) ==
			       tmap_levels_of_rank(levels, l, p, peer))
			l++;
		it->level[entry_of(levels, l)].bytes += (double)row->bytes[i];
	}
}

static void count_sent(struct tmap_record_levels *it, const struct tmap_record *record,
		       const struct tmap_levels *levels)
{
	for (int way = 0; way < TMAP_WAYS; way++)
		for (int r = 0; record->sent[way].count && r < record->placement.size; r++)
			count_row(it, tmap_record_row_of(record, (enum tmap_way)way, r), r,
				  &record->placement, levels);
}

static double pairs_of(int size)
{
	return (double)size * (size - 1);
}

struct sum {
	double bytes;
	int size;
};

static int sum_message(void *context, const struct tmap_message *message, struct tmap_error *err)
{
	(void)err;
	((struct sum *)context)->bytes += (double)message->bytes;
	return 0;
}

static int sum_pairs(void *context, const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	struct sum *sum = context;

	(void)err;
	sum->bytes += pairs_of(sum->size) *
		((double)pairs->bytes + (double)pairs->larger * (double)pairs->more / sum->size);
	return 0;
}

/* All bytes of a call, whatever level they go over. */
static int call_bytes(double *bytes, const struct tmap_call *call, struct tmap_error *err)
{
	struct sum sum = { 0, call->size };
	struct tmap_visitor visitor = {
		.folded = true, .message = sum_message, .all_pairs = sum_pairs, .context = &sum
	};
	int status = tmap_schedule(call, &visitor, err);

	*bytes = sum.bytes;
	return status;
}

static int traffic_bytes(double *bytes, const struct tmap_record_traffic *recorded,
			 struct tmap_error *err)
{
	int status = 0;

	*bytes = recorded->has_pattern ? tmap_pattern_bytes(&recorded->pattern) +
			recorded->pattern.everyone * pairs_of(recorded->pattern.size) :
					 0;
	for (int i = 0; i < recorded->call_count && status == 0; i++) {
		double of_call;

		status = call_bytes(&of_call, &recorded->call[i], err);
		*bytes += status == 0 ? recorded->weight[i] * of_call : 0;
	}
	return status;
}

/* What crosses a level crosses those within it, too, where nodes of all kinds nest alike; where they
 * do not, a level has at least what crosses the ones around it. */
static void fill_all(struct tmap_record_levels *it, const struct tmap_levels *levels,
		     const struct tmap_border *border, double bytes)
{
	double crossed = 0;

	for (int l = 0; l <= levels->count; l++) {
		double next = fmax(crossed, l < levels->count ? border[l].bytes : bytes);

		it->level[entry_of(levels, l)].all_bytes = next - crossed;
		crossed = next;
	}
}

static int count_all(struct tmap_record_levels *it, const struct tmap_record *record,
		     const struct tmap_levels *levels, int library, struct tmap_error *err)
{
	struct tmap_record_traffic recorded = { 0 };
	struct tmap_border *border = tmap_alloc((size_t)levels->count, sizeof *border, err);
	double bytes = 0;
	int status = border ? 0 : -1;

	if (status == 0)
		status = tmap_record_traffic_init(&recorded, record, library, err);
	if (status == 0) {
		const struct tmap_traffic traffic = {
			.pattern = recorded.has_pattern ? &recorded.pattern : NULL,
			.call_count = recorded.call_count,
			.call = recorded.call,
			.weight = recorded.weight,
			.own = recorded.own,
		};

		it->left_out = recorded.unknown_count;
		status = tmap_crossings_count(border, &record->placement, levels, &traffic, err);
	}
	if (status == 0)
		status = traffic_bytes(&bytes, &recorded, err);
	if (status == 0) {
		fill_all(it, levels, border, bytes);
		it->has_calls = true;
	}
	free(border);
	tmap_record_traffic_fini(&recorded);
	return status;
}

/* Kinds of calls that send anything; *ranks = those of their communicators, added up. */
static int count_kinds(int64_t *ranks, const struct tmap_record *record)
{
	int kinds = 0;

	*ranks = 0;
	for (int i = 0; i < record->call_count; i++) {
		int size = record->communicator[record->call[i].communicator].size;

		kinds += size > 1;
		*ranks += size;
	}
	return kinds;
}

int tmap_record_levels_init(struct tmap_record_levels *it, const struct tmap_record *record,
			    const struct tmap_levels *levels, int64_t pairs, int library,
			    struct tmap_error *err)
{
	int64_t ranks;
	int kinds = count_kinds(&ranks, record);

	*it = (struct tmap_record_levels){ .count = levels->count + 1, .left_out = kinds };
	it->level = tmap_alloc((size_t)it->count, sizeof *it->level, err);
	if (!it->level)
		return -1;
	for (int l = 0; l < levels->count; l++)
		it->level[entry_of(levels, l + 1)].name = levels->level[l].name;
	if (pairs > TMAP_RECORD_PAIRS_MOST)
		return 0;
	count_sent(it, record, levels);
	it->is_counted = true;
	if (!kinds || pairs + ranks > TMAP_RECORD_VISITS_MOST)
		return 0;
	if (count_all(it, record, levels, library, err) == 0)
		return 0;
	if (err->kind == TMAP_INPUT) { /* more bytes than a number has */
		it->left_out = kinds;
		return 0;
	}
	tmap_record_levels_fini(it);
	return -1;
}

void tmap_record_levels_fini(struct tmap_record_levels *it)
{
	free(it->level);
	*it = (struct tmap_record_levels){ 0 };
}
