/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What repetitions of rounds take, once all of them that overlap were timed for the first time.
 *
 *     trees    a rank receives from one (or sends to one), before it sends: pieces follow each
 *              other; each further one comes the longest period on the path after the one before
 *     rings    one round in which all that receive also send: from the first round to the last it is
 *              as many steps along the cycle, and the sum of their edges, also where each rank has
 *              few messages; or these times the busiest rank or link if that is more
 *     others   are timed again and again, for a million messages, and then go on as before
 */
#include "core/cost/clock_round.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many messages are timed where what follows is like what was before. */
enum { MOST_AGAIN = 1 << 20 };

struct repeats {
	struct tmap_clock *clock;
	double times;    /* the most of any message */
	int64_t span;    /* rounds from the first of them to the last */
	size_t messages; /* of all rounds, in one repetition */
	bool is_forest, is_ring;
};

/* What each rank of trees does in one repetition. */
struct repeats_rank {
	double out_s, in_s; /* busy */
	double own_s;       /* own time for all of it, where it has several messages in a round */
	double period_s;    /* the longest on its path */
};

static const struct tmap_clock_batch *repeats_stretch(const struct repeats *it, size_t s)
{
	return &it->clock->model->room->stretch[s];
}

/* Of the busiest link that a message crosses, in a repetition. */
static double message_link_busy(const struct tmap_clock *clock, const struct tmap_chunk *chunk,
				int i)
{
	const struct tmap_cost_model *model = clock->model;
	double busy = 0;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		if (!link->crossed[chunk->kind[i]])
			continue;
		busy = fmax(busy,
			    link->busy_s[tmap_cost_load(
				    link, tmap_cost_object(link, chunk->left[i]), false)]);
		busy = fmax(busy,
			    link->busy_s[tmap_cost_load(
				    link, tmap_cost_object(link, chunk->reached[i]), true)]);
	}
	return busy;
}

/* From one rank to the other, which may have to wait for others on its core. */
static double price_edge(const struct tmap_price *price, double wait_s)
{
	return price->latency_s + wait_s + price->moving_s + price->adding_s;
}

/* How long a message keeps its sender busy, or its port. */
static double price_out(const struct tmap_price *price, double wait_s)
{
	if (price->together)
		return price->awaited ? price_edge(price, wait_s) : price->held_s;
	return fmax(price->out_s, price->by_port ? price->port_s : 0);
}

/* The same of its receiver. */
static double price_in(const struct tmap_price *price, double wait_s)
{
	return price->together ? price_edge(price, wait_s) :
				 price->overhead_s + price->port_s + price->adding_s;
}

/* What ranks are seen to do. */
enum { SENDS = 1, RECEIVES = 2 };

/* How the messages so far look. */
struct repeats_looks {
	bool sends_once, receives_once, receives_first;
	unsigned char *seen; /* [size] */
};

static void stretch_look(const struct repeats *it, const struct tmap_clock_batch *stretch,
			 struct repeats_looks *looks)
{
	struct tmap_chunk chunk;

	for (size_t at = 0; at < tmap_stretch_count(it->clock, stretch);
	     at += (size_t)chunk.count) {
		tmap_chunk_fill_ranks(&chunk, it->clock, stretch, at);
		for (int i = 0; i < chunk.count; i++) {
			unsigned char *from = &looks->seen[chunk.from[i]];
			unsigned char *to = &looks->seen[chunk.to[i]];

			looks->sends_once &= !(*from & SENDS);
			*from |= SENDS;
			looks->receives_once &= !(*to & RECEIVES);
			looks->receives_first &= !(*to & SENDS);
			*to |= RECEIVES;
		}
	}
}

static bool looks_closed(const struct repeats_looks *looks, int size)
{
	for (int r = 0; r < size; r++)
		if (looks->seen[r] == SENDS || looks->seen[r] == RECEIVES)
			return false;
	return true;
}

/* Is it one shift in which every rank sends? */
static bool repeats_are_shift(const struct repeats *it)
{
	const struct tmap_clock *clock = it->clock;
	const struct tmap_repeated *only = clock->model->room->repeated;
	const struct tmap_clock_batch *stretch = repeats_stretch(it, only->begin);

	return clock->repeated_count == 1 && only->end - only->begin == 1 && stretch->is_shift &&
		stretch->spread.single &&
		tmap_stretch_count(it->clock, stretch) == (size_t)clock->extent;
}

/* Are the rounds trees, or one ring? Whoever is neither is not looked at to the end. */
static int repeats_look(struct repeats *it, struct tmap_error *err)
{
	const struct tmap_clock *clock = it->clock;
	const struct tmap_cost_room *room = clock->model->room;
	int size = clock->extent;
	bool one_round = clock->repeated_count == 1;
	struct repeats_looks looks = { true, true, true, NULL };

	it->is_ring = repeats_are_shift(it);
	if (it->is_ring)
		return 0;
	looks.seen = tmap_alloc((size_t)size, sizeof *looks.seen, err);
	if (!looks.seen)
		return -1;
	it->is_ring = it->is_forest = true;
	for (size_t s = room->repeated[0].begin;
	     s < room->repeated[clock->repeated_count - 1].end && (it->is_ring || it->is_forest);
	     s++) {
		stretch_look(it, repeats_stretch(it, s), &looks);
		it->is_forest = looks.receives_first && (looks.sends_once || looks.receives_once);
		it->is_ring = one_round && looks.sends_once && looks.receives_once;
	}
	it->is_ring = it->is_ring && (looks_closed(&looks, size) || (double)it->span > it->times);
	free(looks.seen);
	return 0;
}

/* How often the messages come, and how many there are. */
static void repeats_count(struct repeats *it)
{
	const struct tmap_clock *clock = it->clock;
	const struct tmap_cost_room *room = clock->model->room;

	for (size_t s = room->repeated[0].begin; s < room->repeated[clock->repeated_count - 1].end;
	     s++) {
		const struct tmap_clock_batch *stretch = repeats_stretch(it, s);

		it->messages += tmap_stretch_count(it->clock, stretch);
		it->times = fmax(it->times, stretch->spread.active);
		if (stretch->span > it->span)
			it->span = stretch->span;
	}
}

/* How long each rank is busy in one repetition. */
static void forest_fill(const struct repeats *it, struct repeats_rank *rank)
{
	const struct tmap_clock *clock = it->clock;
	const struct tmap_cost_room *room = clock->model->room;
	struct tmap_chunk chunk;

	for (size_t s = room->repeated[0].begin; s < room->repeated[clock->repeated_count - 1].end;
	     s++) {
		const struct tmap_clock_batch *stretch = repeats_stretch(it, s);

		for (size_t at = 0; at < tmap_stretch_count(it->clock, stretch);
		     at += (size_t)chunk.count) {
			tmap_chunk_fill(&chunk, clock, stretch, at);
			for (int i = 0; i < chunk.count; i++) {
				const struct tmap_price *price = chunk.price[i];
				struct repeats_rank *from = &rank[chunk.from[i]];
				struct repeats_rank *to = &rank[chunk.to[i]];
				double wait = tmap_cost_wait(clock->model, chunk.to[i]);

				from->out_s += price_out(price, wait);
				to->in_s += price_in(price, wait);
				if (stretch->spread.single)
					continue;
				from->own_s += price->out_s;
				to->own_s += price->in_s;
			}
		}
	}
}

static double rank_busy(const struct repeats_rank *rank)
{
	return fmax(fmax(rank->out_s, rank->in_s), rank->own_s);
}

/* Each message hands on the longest period so far. */
static void forest_hand_on(const struct repeats *it, struct repeats_rank *rank)
{
	struct tmap_clock *clock = it->clock;
	const struct tmap_cost_room *room = clock->model->room;
	struct tmap_chunk chunk;

	for (size_t g = 0; g < clock->repeated_count; g++)
		for (size_t s = room->repeated[g].begin; s < room->repeated[g].end; s++) {
			const struct tmap_clock_batch *stretch = repeats_stretch(it, s);
			size_t count = tmap_stretch_count(it->clock, stretch);

			for (size_t at = 0; at < count; at += (size_t)chunk.count) {
				tmap_chunk_fill(&chunk, clock, stretch, at);
				for (int i = 0; i < chunk.count; i++) {
					struct repeats_rank *from = &rank[chunk.from[i]];
					struct repeats_rank *to = &rank[chunk.to[i]];

					from->period_s = fmax(from->period_s, rank_busy(from));
					to->period_s =
						fmax(fmax(to->period_s, from->period_s),
						     fmax(rank_busy(to),
							  message_link_busy(clock, &chunk, i)));
				}
			}
		}
	for (int r = 0; r < clock->extent; r++)
		clock->at[r] += (it->times - 1) * rank[r].period_s;
}

static int forest_run(const struct repeats *it, struct tmap_error *err)
{
	struct repeats_rank *rank = tmap_alloc((size_t)it->clock->extent, sizeof *rank, err);

	if (!rank)
		return -1;
	forest_fill(it, rank);
	forest_hand_on(it, rank);
	free(rank);
	return 0;
}

/* The cycles of a ring, and the chains that are left of one where ranks have nothing to send. */
struct cycle {
	int *next;   /* [size]: to whom a rank sends; TMAP_NONE: it does not, or was visited */
	int *member; /* [size]: of the cycle at hand, in its order */
	double *sum; /* [size]: of the edges up to a member from the first one */
	double *edge; /* [size]: of the message that a rank sends, then when it is through; below 0: it
				 sends none */
	bool *fed;    /* [size]: does it receive? */
};

/* The ranks of a cycle, which has so many, after @p steps more steps. */
static void cycle_run(const struct repeats *it, const struct cycle *cycle, int count, double last,
		      int64_t steps)
{
	double *at = it->clock->at, *then = cycle->edge;
	double whole = cycle->sum[count - 1] + last; /* round the cycle */
	int64_t rounds = steps / count;
	int back = (int)(steps % count);

	for (int i = 0; i < count; i++) {
		int begin = i - back < 0 ? i - back + count : i - back;
		double sum = cycle->sum[i] - cycle->sum[begin] + (begin > i ? whole : 0);

		then[cycle->member[i]] = at[cycle->member[begin]] + (double)rounds * whole + sum;
	}
	for (int i = 0; i < count; i++)
		at[cycle->member[i]] = fmax(at[cycle->member[i]], then[cycle->member[i]]);
}

/* The same for a chain: nothing comes to its first rank. */
static void chain_run(const struct repeats *it, const struct cycle *cycle, int count, int64_t steps)
{
	double *at = it->clock->at;

	for (int i = count - 1; i > 0; i--) {
		int begin = i - steps > 1 ? (int)(i - steps) : 1;
		double *own = &at[cycle->member[i]];

		*own = fmax(*own, at[cycle->member[begin]] + cycle->sum[i] - cycle->sum[begin]);
	}
}

/* From one rank on, as far as it goes. */
static void ring_follow(const struct repeats *it, struct cycle *cycle, int rank)
{
	int count = 0, at = rank;
	double sum = 0, last = 0;

	while (cycle->next[at] != TMAP_NONE) {
		int next = cycle->next[at];

		cycle->member[count] = at;
		cycle->sum[count++] = sum;
		sum += last = cycle->edge[at];
		cycle->next[at] = TMAP_NONE;
		at = next;
	}
	if (!count)
		return;
	if (cycle->fed[rank]) {
		cycle_run(it, cycle, count, last, it->span - 1);
		return;
	}
	cycle->member[count] = at;
	cycle->sum[count++] = sum;
	chain_run(it, cycle, count, it->span - 1);
}

/* The edges of a ring, and how long its busiest rank or link takes for one repetition. */
static double ring_fill(const struct repeats *it, struct cycle *cycle)
{
	const struct tmap_clock *clock = it->clock;
	const struct tmap_cost_room *room = clock->model->room;
	struct tmap_chunk chunk;
	double busiest = 0, at_once = it->times / (double)it->span; /* of all that are sent */

	for (int r = 0; r < clock->extent; r++) {
		cycle->next[r] = TMAP_NONE;
		cycle->fed[r] = false;
		cycle->edge[r] = -1;
	}
	for (size_t s = room->repeated[0].begin; s < room->repeated[0].end; s++) {
		const struct tmap_clock_batch *stretch = repeats_stretch(it, s);

		for (size_t at = 0; at < tmap_stretch_count(it->clock, stretch);
		     at += (size_t)chunk.count) {
			tmap_chunk_fill(&chunk, clock, stretch, at);
			for (int i = 0; i < chunk.count; i++) {
				int from = chunk.from[i];
				const struct tmap_price *price = chunk.price[i];
				double wait = tmap_cost_wait(clock->model, chunk.to[i]), passing;

				cycle->next[from] = chunk.to[i];
				cycle->fed[chunk.to[i]] = true;
				cycle->edge[from] = price_edge(price, wait);
				passing = message_link_busy(clock, &chunk, i);
				if (passing * at_once > price->moving_s) /* all come then */
					cycle->edge[from] += passing * at_once - price->moving_s;
				busiest = fmax(busiest, passing);
				busiest = fmax(busiest,
					       fmax(price_out(price, wait), price_in(price, wait)));
			}
		}
	}
	return busiest;
}

/* All clocks are set by at[] once this is through, so the others are room: for sums and edges, and next[]
 * for two numbers of each rank. */
static int ring_run(const struct repeats *it, struct tmap_error *err)
{
	size_t size = (size_t)it->clock->extent;
	struct cycle cycle = { (int *)it->clock->next, (int *)it->clock->next + size,
			       it->clock->taken, it->clock->left,
			       tmap_alloc_raw(size, sizeof *cycle.fed, err) };
	double busiest, first = 0;

	if (!cycle.fed)
		return -1;
	busiest = ring_fill(it, &cycle);
	for (size_t r = 0; r < size; r++)
		if (cycle.next[r] != TMAP_NONE)
			first = fmax(first, it->clock->at[r]);
	for (size_t r = 0; r < size; r++)
		if (!cycle.fed[r])
			ring_follow(it, &cycle, (int)r);
	for (size_t r = 0; r < size; r++)
		ring_follow(it, &cycle, tmap_clock_place(it->clock, (int)r));
	for (size_t r = 0; r < size; r++)
		if (cycle.edge[r] >= 0)
			it->clock->at[r] =
				fmax(it->clock->at[r], first + (it->times - 1) * busiest);
	free(cycle.fed);
	return 0;
}

/* One more repetition of what comes again so often. */
static int rounds_again(const struct repeats *it, int64_t repetition, struct tmap_error *err)
{
	struct tmap_clock *clock = it->clock;
	const struct tmap_cost_room *room = clock->model->room;

	for (size_t g = 0; g < clock->repeated_count; g++) {
		size_t begin = room->repeated[g].begin, end = room->repeated[g].end;

		while (begin < end && room->stretch[begin].spread.active <= (double)repetition)
			begin++;
		while (end > begin && room->stretch[end - 1].spread.active <= (double)repetition)
			end--;
		clock->model->stamp++;
		if (begin < end && tmap_clock_round_again(clock, begin, end, err) < 0)
			return -1;
	}
	return 0;
}

static int others_run(struct repeats *it, struct tmap_error *err)
{
	struct tmap_clock *clock = it->clock;
	size_t size = (size_t)clock->extent;
	int64_t most = it->messages > 0 ? MOST_AGAIN / (int64_t)it->messages : MOST_AGAIN;
	int64_t left = (int64_t)it->times - 1;
	double *before = tmap_alloc_raw(size, sizeof *before, err);
	int64_t runs, half;
	int status = 0;

	if (!before)
		return -1;
	most = most < 4 ? 4 : most;
	runs = left < most ? left : most;
	half = runs / 2;
	for (int64_t i = 1; i <= runs && status == 0; i++) {
		if (i == half + 1)
			memcpy(before, clock->at, size * sizeof *before);
		status = rounds_again(it, i, err);
	}
	for (size_t r = 0; r < size && left > runs; r++)
		clock->at[r] +=
			(clock->at[r] - before[r]) / (double)(runs - half) * (double)(left - runs);
	free(before);
	return status;
}

int tmap_clock_repeat(struct tmap_clock *clock, struct tmap_error *err)
{
	struct repeats repeats = { .clock = clock };
	size_t size = (size_t)clock->extent;

	repeats_count(&repeats);
	if (repeats.times > 1 || repeats.span > 1) {
		if (repeats_look(&repeats, err) < 0)
			return -1;
		if ((repeats.is_ring           ? ring_run(&repeats, err) :
			     repeats.is_forest ? forest_run(&repeats, err) :
						 others_run(&repeats, err)) < 0)
			return -1;
	}
	for (size_t r = 0; r < size; r++)
		clock->next[r] = clock->taken[r] = clock->left[r] = clock->at[r];
	for (int l = 0; l < clock->model->link_count; l++) {
		struct tmap_cost_link *link = &clock->model->link[l];

		memset(link->busy_s, 0, tmap_cost_load_count(link) * sizeof *link->busy_s);
	}
	return 0;
}
