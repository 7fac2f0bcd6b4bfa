/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_order.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* So many messages are told by place together. */
enum { SOME = 256 };

/* next[node]: how many ranks it has, below 0. Does a node come again after others? */
static bool ranks_count(const struct tmap_pair_kinds *kinds, int *next)
{
	int last = TMAP_NONE;
	bool again = false;

	for (int r = 0; r < kinds->size; r++) {
		int node = tmap_pair_position(kinds, r).node;

		again |= node != last && next[node] < 0;
		next[node]--;
		last = node;
	}
	return again;
}

/* The places of a node follow those of the nodes that come before it among the ranks. */
static void places_fill(uint32_t *position, const struct tmap_pair_kinds *kinds, int *next)
{
	int end = 0;

	for (int r = 0; r < kinds->size; r++) {
		int node = tmap_pair_position(kinds, r).node, place;

		if (next[node] < 0) {
			int count = -next[node];

			next[node] = end;
			end += count;
		}
		place = next[node]++;
		position[place] = kinds->packed[r];
		kinds->packed[r] = (uint32_t)place;
	}
}

int tmap_clock_order(struct tmap_clock *clock, struct tmap_error *err)
{
	struct tmap_pair_kinds *kinds = &clock->model->kinds;
	uint32_t *position;
	int *next;

	if (!kinds->packed || kinds->distribution != TMAP_DISTRIBUTION_OTHER ||
	    clock->model->wait_s)
		return 0;
	next = tmap_alloc((size_t)kinds->node_count, sizeof *next, err);
	if (!next)
		return -1;
	if (!ranks_count(kinds, next)) {
		free(next);
		return 0;
	}
	position = tmap_alloc_raw((size_t)kinds->size, sizeof *position, err);
	if (position) {
		places_fill(position, kinds, next);
		clock->place = kinds->packed;
		kinds->packed = position;
	}
	free(next);
	return position ? 0 : -1;
}

void tmap_clock_order_end(struct tmap_clock *clock)
{
	struct tmap_pair_kinds *kinds;

	if (!clock->place)
		return;
	kinds = &clock->model->kinds;
	for (int r = 0; r < kinds->size; r++)
		clock->place[r] = kinds->packed[clock->place[r]];
	free(kinds->packed);
	kinds->packed = clock->place;
	clock->place = NULL;
}

int tmap_clock_take_ranks(struct tmap_clock *clock, const struct tmap_round_info *info,
			  const int *from, const int *to, const int64_t *bytes, int count,
			  struct tmap_error *err)
{
	int left[SOME], reached[SOME], some;

	if (!clock->place)
		return tmap_clock_take(clock, info, from, to, bytes, count, err);
	for (int at = 0; at < count; at += some) {
		some = count - at < SOME ? count - at : SOME;
		for (int i = 0; i < some; i++) {
			left[i] = tmap_clock_place(clock, from[at + i]);
			reached[i] = tmap_clock_place(clock, to[at + i]);
		}
		if (tmap_clock_take(clock, info, left, reached, bytes + at, some, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_clock_shift_ranks(struct tmap_clock *clock, const struct tmap_shift_pattern *shift,
			   struct tmap_error *err)
{
	int size = clock->model->kinds.size, from[SOME], to[SOME], some;
	int64_t bytes[SOME];

	if (!clock->place)
		return tmap_clock_shift(clock, shift, err);
	for (int at = 0; at < shift->count; at += some) {
		some = shift->count - at < SOME ? shift->count - at : SOME;
		for (int i = 0; i < some; i++) {
			int64_t rank = tmap_shift_pattern_sender(shift, at + i) % size;

			from[i] = tmap_clock_place(clock, (int)rank);
			to[i] = tmap_clock_place(clock, (int)((rank + shift->ahead) % size));
			bytes[i] = shift->bytes;
		}
		if (tmap_clock_take(clock, &shift->info, from, to, bytes, some, err) < 0)
			return -1;
	}
	return 0;
}
