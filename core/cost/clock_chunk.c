/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_chunk.h"

#include "core/cost/clock_fold.h"

static int least(int64_t a, int64_t b)
{
	return (int)(a < b ? a : b);
}

/* Ranks from, from + apart, ... of a shift, as many as are in a row and do not pass rank 0. */
static void chunk_fill_row(struct tmap_chunk *chunk, int begin, int count, int from, int to,
			   int apart)
{
	int *sends = chunk->from + begin, *receives = chunk->to + begin;

	for (int i = 0; i < count; i++) {
		sends[i] = from + i * apart;
		receives[i] = to + i * apart;
	}
}

/* The ranks of messages at, at + 1, ... of a shift; senders run one after another. */
static void chunk_fill_shift(struct tmap_chunk *chunk, const struct tmap_shift_pattern *shift,
			     int size, size_t at)
{
	int64_t place = (int64_t)at % shift->run;
	int64_t from = tmap_shift_pattern_sender(shift, (int64_t)at) % size;
	int wrap = size - shift->ahead, apart = shift->gap + 1;

	for (int i = 0, count; i < chunk->count; i += count) {
		bool is_before = from < wrap;

		count = least(chunk->count - i, shift->run - place);
		count = least(count, ((is_before ? wrap : size) - from - 1) / apart + 1);
		chunk_fill_row(chunk, i, count, (int)from,
			       (int)from + (is_before ? shift->ahead : -wrap), apart);
		from += (int64_t)count * apart;
		place += count;
		if (place == shift->run) {
			place = 0;
			from += shift->step - (int64_t)shift->run * apart;
		}
		if (from >= size)
			from %= size;
	}
	for (int i = 0; i < chunk->count; i++)
		chunk->whole[i] = shift->bytes;
}

size_t tmap_stretch_count(const struct tmap_clock *clock, const struct tmap_clock_batch *stretch)
{
	if (stretch->is_folded)
		return tmap_fold_count(clock, &stretch->shift);
	return stretch->is_shift ? (size_t)stretch->shift.count : stretch->count;
}

/* Messages of the lists from number @p first on; @p behind come after them in the stretch. Their ranks lie
 * anywhere where they are shuffled: places are looked for a chunk before they are needed, and clocks while
 * kinds and prices are found. */
static void chunk_fill_list(struct tmap_chunk *chunk, const struct tmap_clock *clock, size_t first,
			    size_t behind)
{
	const struct tmap_cost_room *room = clock->model->room;
	const uint32_t *packed = clock->model->kinds.packed;
	size_t count = (size_t)chunk->count;

	for (size_t i = 0; i < count; i++) {
		int from = room->from[first + i], to = room->to[first + i];

		if (packed && i < behind) {
			__builtin_prefetch(&packed[room->from[first + count + i]]);
			__builtin_prefetch(&packed[room->to[first + count + i]]);
		}
		__builtin_prefetch(&clock->at[from]);
		__builtin_prefetch(&clock->at[to]);
		__builtin_prefetch(&clock->next[from], 1);
		__builtin_prefetch(&clock->next[to], 1);
		__builtin_prefetch(&clock->taken[to], 1);
		chunk->from[i] = from;
		chunk->to[i] = to;
		chunk->whole[i] = tmap_message_sizes_at(&room->sizes, first + i);
	}
}

void tmap_chunk_fill_ranks(struct tmap_chunk *chunk, const struct tmap_clock *clock,
			   const struct tmap_clock_batch *stretch, size_t at)
{
	size_t left = tmap_stretch_count(clock, stretch) - at;
	int count = left < TMAP_CHUNK ? (int)left : TMAP_CHUNK;

	chunk->count = count;
	if (stretch->is_folded) {
		tmap_fold_fill(chunk, clock, &stretch->shift, at);
		return;
	}
	if (stretch->is_shift)
		chunk_fill_shift(chunk, &stretch->shift, clock->model->kinds.size, at);
	else
		chunk_fill_list(chunk, clock, stretch->begin + at, left - (size_t)count);
}

struct tmap_price tmap_clock_price(const struct tmap_clock *clock, const struct tmap_spread *spread,
				   int kind, int64_t whole)
{
	const struct tmap_cost_model *model = clock->model;
	double each = (double)whole / spread->times;
	int step = model->kinds.step[kind];

	return tmap_price_make(model->row[step], tmap_cost_is_within(model, step),
			       (double)whole / spread->active, each, spread->share,
			       spread->combine ? model->profile->reduce_byte_s : 0);
}

/* The price of message i. What is kept stays where it is as long as a message of the chunk has it. */
static const struct tmap_price *chunk_price(struct tmap_chunk *chunk,
					    const struct tmap_clock *clock,
					    const struct tmap_spread *spread, size_t at, int i)
{
	int kind = chunk->kind[i];
	struct tmap_chunk_price *kept = &chunk->kept[kind & (TMAP_CHUNK_PRICES - 1)];

	if (kept->kind == kind && kept->whole == chunk->whole[i]) {
		kept->at = at;
		return &kept->price;
	}
	if (kept->kind != TMAP_NONE && kept->at == at) {
		chunk->room[i] = tmap_clock_price(clock, spread, kind, chunk->whole[i]);
		return &chunk->room[i];
	}
	*kept = (struct tmap_chunk_price){ kind, chunk->whole[i], at,
					   tmap_clock_price(clock, spread, kind, chunk->whole[i]) };
	return &kept->price;
}

/* The kind of a message; @p between: of all those between nodes, if no switch and no distance tells any
 * two nodes from each other. */
static inline int chunk_kind(const struct tmap_pair_kinds *kinds, struct tmap_position left,
			     struct tmap_position reached, int between)
{
	return between == TMAP_NONE || left.node == reached.node ?
		tmap_pair_kind(kinds, left, reached) :
		between;
}

/* Where the ranks are, and the kinds of their pairs, if these are not there yet. */
static void chunk_fill_places(struct tmap_chunk *chunk, const struct tmap_pair_kinds *shared,
			      bool has_kinds)
{
	const struct tmap_pair_kinds kinds =
		*shared; /* nothing that is written may be a part of it */
	int between = kinds.tier_count == 0 && kinds.join_count == 1 ? kinds.between[0] : TMAP_NONE;

	for (int i = 0, count = chunk->count; i < count; i++) {
		struct tmap_position left = tmap_pair_position(&kinds, chunk->from[i]);
		struct tmap_position reached = tmap_pair_position(&kinds, chunk->to[i]);

		chunk->left[i] = left;
		chunk->reached[i] = reached;
		if (!has_kinds)
			chunk->kind[i] = chunk_kind(&kinds, left, reached, between);
	}
}

static bool chunk_is_like(const struct tmap_chunk *chunk, bool of_one_size)
{
	int64_t other = 0;
	int kinds = 0;

	for (int i = 1; i < chunk->count; i++)
		kinds |= chunk->kind[i] ^ chunk->kind[0];
	for (int i = 1; i < chunk->count && !of_one_size; i++)
		other |= chunk->whole[i] ^ chunk->whole[0];
	return kinds == 0 && other == 0;
}

int tmap_chunk_fill(struct tmap_chunk *chunk, const struct tmap_clock *clock,
		    const struct tmap_clock_batch *stretch, size_t at)
{
	const struct tmap_spread *spread = &stretch->spread;
	bool of_one_size = stretch->is_shift || !clock->model->room->sizes.width;

	for (int k = 0; at == 0 && k < TMAP_CHUNK_PRICES; k++)
		chunk->kept[k].kind = TMAP_NONE;
	tmap_chunk_fill_ranks(chunk, clock, stretch, at);
	chunk_fill_places(chunk, &clock->model->kinds, stretch->is_folded);
	chunk->is_like = chunk_is_like(chunk, of_one_size);
	chunk->price[0] = chunk_price(chunk, clock, spread, at, 0);
	for (int i = 1; i < chunk->count && chunk->is_like; i++)
		chunk->price[i] = chunk->price[0];
	for (int i = 1; i < chunk->count && !chunk->is_like; i++)
		chunk->price[i] = chunk_price(chunk, clock, spread, at, i);
	return chunk->count;
}
