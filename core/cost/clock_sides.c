/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_sides.h"

#include "core/base/mem.h"
#include "core/cost/clock_round.h"

#include <string.h>

enum { WIDE = 8 };

size_t tmap_round_count(const struct tmap_clock *clock, size_t begin, size_t end)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;
	size_t messages = 0;

	for (size_t s = begin; s < end; s++)
		messages += tmap_stretch_count(clock, &stretch[s]);
	return messages;
}

bool tmap_round_is_wide(const struct tmap_clock *clock, size_t begin, size_t end)
{
	return tmap_round_count(clock, begin, end) >= (size_t)clock->extent / WIDE;
}

/* A message that a rank has; of several, also those that are emitted as one, it has a side. */
static int rank_mark(struct tmap_clock *clock, int rank, uint32_t way, bool several,
		     struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;
	uint32_t *mark = &room->mark[rank];

	several |= (*mark & way) != 0;
	*mark |= way;
	if (!several || *mark >> TMAP_SIDE_SHIFT)
		return 0;
	if (tmap_grow(&room->side, &room->side_capacity, clock->side_count + 1, sizeof *room->side,
		      err) < 0)
		return -1;
	room->side[clock->side_count++] = (struct tmap_cost_side){ 0 };
	*mark |= (uint32_t)clock->side_count << TMAP_SIDE_SHIFT;
	return 0;
}

static int stretch_mark(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			struct tmap_error *err)
{
	bool several = stretch->spread.share > 1;
	struct tmap_chunk chunk;

	for (size_t at = 0; at < tmap_stretch_count(clock, stretch); at += (size_t)chunk.count) {
		tmap_chunk_fill_ranks(&chunk, clock, stretch, at);
		for (int i = 0; i < chunk.count && !stretch->is_shift; i++) {
			__builtin_prefetch(&clock->model->room->mark[chunk.from[i]], 1);
			__builtin_prefetch(&clock->model->room->mark[chunk.to[i]], 1);
		}
		for (int i = 0; i < chunk.count; i++)
			if (rank_mark(clock, chunk.from[i], TMAP_SIDE_SENDS, several, err) < 0 ||
			    rank_mark(clock, chunk.to[i], TMAP_SIDE_RECEIVES, several, err) < 0)
				return -1;
	}
	return 0;
}

int tmap_sides_find(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;

	clock->side_count = 0;
	if (!room->mark)
		room->mark = tmap_alloc((size_t)clock->model->kinds.size, sizeof *room->mark, err);
	if (!room->mark)
		return -1;
	for (size_t s = begin; s < end; s++)
		if (stretch_mark(clock, &room->stretch[s], err) < 0)
			return -1;
	return 0;
}

void tmap_sides_forget(struct tmap_clock *clock, size_t begin, size_t end)
{
	const struct tmap_cost_room *room = clock->model->room;
	struct tmap_chunk chunk;

	if (tmap_round_is_wide(clock, begin, end)) {
		memset(room->mark, 0, (size_t)clock->extent * sizeof *room->mark);
		return;
	}
	for (size_t s = begin; s < end; s++)
		for (size_t at = 0; at < tmap_stretch_count(clock, &room->stretch[s]);
		     at += (size_t)chunk.count) {
			tmap_chunk_fill_ranks(&chunk, clock, &room->stretch[s], at);
			for (int i = 0; i < chunk.count; i++)
				room->mark[chunk.from[i]] = room->mark[chunk.to[i]] = 0;
		}
}
