/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/group/statistics.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

static const struct tmap_span nothing = { INT_MAX, 0 };

static void span_add(struct tmap_span *span, int value)
{
	span->least = value < span->least ? value : span->least;
	span->most = value > span->most ? value : span->most;
}

int tmap_comm_conduits(const struct tmap_hierarchy *h, int comm)
{
	int conduits = 0;

	if (h->split[comm] == TMAP_NONE)
		return 0;
	for (int64_t i = h->group_first[comm]; i < h->group_first[comm + 1]; i++)
		conduits += tmap_hierarchy_has(h, h->split[comm], h->group[i]);
	return conduits;
}

static bool is_left_out(const struct tmap_hierarchy *h, int level, int rank)
{
	return !tmap_hierarchy_has(h, level, rank) &&
		h->split[tmap_hierarchy_above(h, level, rank)] == level;
}

int *tmap_hierarchy_null_ranks(const struct tmap_hierarchy *h, int level, int count,
			       struct tmap_error *err)
{
	int *rank = tmap_alloc_raw((size_t)count, sizeof *rank, err), found = 0;

	for (int r = 0; rank && found < count; r++)
		if (is_left_out(h, level, r))
			rank[found++] = r;
	return rank;
}

/* The size that occurs most often; @p seen[size + 1] is all 0 before and afterwards. */
static void find_usual(struct tmap_level_statistics *level, const struct tmap_hierarchy *h,
		       int first, int end, int *seen)
{
	int best = 0;

	for (int c = first; c < end; c++) {
		int size = tmap_comm_size(h, c), times = ++seen[size];

		if (times > best || (times == best && size > level->usual))
			level->usual = size;
		best = times > best ? times : best;
	}
	level->unusual = level->comms - best;
	for (int c = first; c < end; c++)
		seen[tmap_comm_size(h, c)] = 0;
}

/* Calls until each rank has a communicator of this level, in calls[], which is that of the level
 * above; and who has none. */
static void count_calls(struct tmap_level_statistics *level, const struct tmap_hierarchy *h, int l,
			int *calls)
{
	for (int r = 0; r < h->size; r++) {
		if (tmap_hierarchy_has(h, l, r))
			span_add(&level->calls, ++calls[r]);
		else
			level->null_ranks += is_left_out(h, l, r);
	}
}

static void count_level(struct tmap_hierarchy_statistics *statistics,
			const struct tmap_hierarchy *h, int l, int *calls, int *seen)
{
	struct tmap_level_statistics *level = &statistics->level[l];
	int first = h->level[l].first, end = h->level[l].end;

	*level = (struct tmap_level_statistics){
		.comms = end - first, .sizes = nothing, .calls = nothing, .conduits = nothing
	};
	for (int c = first; c < end; c++)
		span_add(&level->sizes, tmap_comm_size(h, c));
	find_usual(level, h, first, end, seen);
	for (int c = 0; c < first; c++)
		if (h->split[c] == l) {
			level->splits++;
			span_add(&level->conduits, tmap_comm_conduits(h, c));
		}
	count_calls(level, h, l, calls);
	statistics->total += level->comms + level->splits;
}

/* calls[] is how many communicators each rank has; those whose conduit it is count twice. */
static void count_held(struct tmap_hierarchy_statistics *statistics, const struct tmap_hierarchy *h,
		       const int *calls)
{
	statistics->held = nothing;
	for (int r = 0; r < h->size; r++) {
		int held = calls[r];

		for (int l = h->level_count - 1; l >= 0; l--)
			held += tmap_hierarchy_has(h, l, r) &&
				h->conduit[tmap_hierarchy_comm(h, l, r)] == r;
		span_add(&statistics->held, held);
	}
}

int tmap_hierarchy_statistics_init(struct tmap_hierarchy_statistics *statistics,
				   const struct tmap_hierarchy *h, struct tmap_error *err)
{
	struct tmap_hierarchy_statistics made = { .level_count = h->level_count };
	int *calls = tmap_alloc((size_t)h->size, sizeof *calls, err);
	int *seen = tmap_alloc((size_t)h->size + 1, sizeof *seen, err);

	made.level = tmap_alloc((size_t)h->level_count, sizeof *made.level, err);
	if (!calls || !seen || !made.level) {
		free(calls);
		free(seen);
		tmap_hierarchy_statistics_fini(&made);
		return -1;
	}
	for (int l = 0; l < h->level_count; l++)
		count_level(&made, h, l, calls, seen);
	count_held(&made, h, calls);
	free(calls);
	free(seen);
	*statistics = made;
	return 0;
}

void tmap_hierarchy_statistics_fini(struct tmap_hierarchy_statistics *statistics)
{
	free(statistics->level);
	*statistics = (struct tmap_hierarchy_statistics){ 0 };
}
