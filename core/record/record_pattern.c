/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_pattern.h"

#include "core/base/mem.h"
#include "core/pattern/calls.h"
#include "core/record/record_levels.h"

#include <stdlib.h>

static int check_pairs(const struct tmap_record *record, struct tmap_error *err)
{
	int64_t pairs = tmap_record_count_pairs(record);

	if (pairs <= TMAP_RECORD_VISITS_MOST)
		return 0;
	return tmap_fail(err, TMAP_INPUT,
			 "%lld pairs of ranks send to each other; the most in one matrix are %d",
			 (long long)pairs, TMAP_RECORD_VISITS_MOST);
}

/* Collectives of all ranks, which tmap_record_traffic_init() leaves as calls. */
static int add_calls(struct tmap_pattern_builder *b, struct tmap_record_pattern *it,
		     const struct tmap_record_traffic *traffic, struct tmap_error *err)
{
	size_t most = b->count + TMAP_RECORD_ENTRIES_MOST;

	for (int i = 0; i < traffic->call_count; i++) {
		size_t count = b->count;
		double everyone = b->everyone;
		int status = tmap_pattern_add_call(b, &traffic->call[i], traffic->weight[i], 0,
						   most, err);

		if (status < 0)
			return -1;
		if (status > 0) {
			b->count = count;
			b->everyone = everyone;
			it->left_out++;
		}
	}
	return 0;
}

static int finish(struct tmap_record_pattern *it, struct tmap_pattern_builder *b,
		  struct tmap_error *err)
{
	double size = b->size;

	if (tmap_pattern_finish(&it->pattern, b, err) < 0)
		return -1;
	it->bytes = tmap_pattern_bytes(&it->pattern) + it->pattern.everyone * size * (size - 1);
	if (it->bytes <= 0)
		return tmap_fail(
			err, TMAP_INPUT, "no rank sent any bytes to another one%s",
			it->left_out ? ", but in collectives whose messages are not known" : "");
	if (it->bytes >= 0x1p63)
		return tmap_fail(err, TMAP_INPUT,
				 "ranks send more than 2^63 - 1 bytes to each other");
	return 0;
}

int tmap_record_pattern_init(struct tmap_record_pattern *it, const struct tmap_record *record,
			     int library, struct tmap_error *err)
{
	struct tmap_record_traffic traffic;
	struct tmap_pattern_builder b = { 0 };
	int status = -1;

	*it = (struct tmap_record_pattern){ 0 };
	if (check_pairs(record, err) < 0 ||
	    tmap_record_traffic_init(&traffic, record, library, err) < 0)
		return -1;
	it->left_out = traffic.unknown_count;
	if (tmap_pattern_builder_init(&b, record->placement.size, err) == 0 &&
	    (!traffic.has_pattern || tmap_pattern_add_pattern(&b, &traffic.pattern, err) == 0) &&
	    add_calls(&b, it, &traffic, err) == 0)
		status = finish(it, &b, err);
	tmap_pattern_builder_fini(&b);
	tmap_record_traffic_fini(&traffic);
	if (status < 0)
		tmap_record_pattern_fini(it);
	return status;
}

void tmap_record_pattern_fini(struct tmap_record_pattern *it)
{
	tmap_pattern_fini(&it->pattern);
}

double tmap_record_pattern_within(const struct tmap_record_pattern *it, const int *node, int nodes,
				  struct tmap_error *err)
{
	const struct tmap_pattern *pattern = &it->pattern;
	int *ranks = tmap_alloc((size_t)nodes, sizeof *ranks, err);
	double bytes = 0;

	if (!ranks)
		return -1;
	for (int r = 0; r < pattern->size; r++) {
		bytes += pattern->everyone * 2 * ranks[node[r]]++;
		for (int64_t i = pattern->start[r]; i < pattern->start[r + 1]; i++)
			if (node[pattern->peer[i]] == node[r])
				bytes += pattern->sent[i];
	}
	free(ranks);
	return bytes;
}
