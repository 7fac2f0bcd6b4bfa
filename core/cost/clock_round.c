/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_round.h"

#include "core/base/mem.h"
#include "core/cost/clock_even.h"
#include "core/cost/clock_loads.h"
#include "core/cost/clock_shift.h"
#include "core/cost/clock_sides.h"

#include <stdlib.h>
#include <string.h>

static double round_min(double a, double b)
{
	return a < b ? a : b;
}

/* Neighbours in a chunk are mostly of one kind: they are added up first. */
static int chunk_count_moved(struct tmap_clock *clock, const struct tmap_spread *spread,
			     const struct tmap_chunk *chunk, struct tmap_error *err)
{
	struct tmap_moved *moved = &clock->moved;
	int64_t nodes = clock->model->kinds.size / clock->extent;
	int64_t times = (int64_t)spread->times * nodes;
	bool over = false;

	if (chunk->is_like) {
		int64_t bytes;

		moved->messages[chunk->kind[0]] += chunk->count * times;
		over = __builtin_mul_overflow(chunk->whole[0], chunk->count * nodes, &bytes);
		over |= __builtin_add_overflow(moved->bytes[chunk->kind[0]], bytes,
					       &moved->bytes[chunk->kind[0]]);
	}
	for (int i = 0, begin = 0; !chunk->is_like && i < chunk->count; begin = i) {
		int kind = chunk->kind[i];
		int64_t bytes = 0;

		for (; i < chunk->count && chunk->kind[i] == kind; i++)
			over |= __builtin_add_overflow(bytes, chunk->whole[i], &bytes);
		moved->messages[kind] += (i - begin) * times;
		over |= __builtin_mul_overflow(bytes, nodes, &bytes);
		over |= __builtin_add_overflow(moved->bytes[kind], bytes, &moved->bytes[kind]);
	}
	if (over)
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

/* When a message begins: its sender has own work before it in this round, and its port other
 * messages, if it has a side; where both ranks must be ready, they are, and what such a sender has in
 * the round shares the port. */
static inline double message_start(const struct tmap_clock *clock, const struct tmap_price *price,
				   int from, int to, const struct tmap_cost_side *side)
{
	double start = clock->at[from], left = clock->left[from];

	if (price->together)
		start = tmap_later(start, clock->at[to]);
	else if (side) {
		start += side->out_s;
		left = tmap_later(left, side->left_s);
	}
	return price->by_port ? tmap_later(start, left) : start;
}

/* When its first byte comes. */
static inline double message_head(const struct tmap_clock *clock, const struct tmap_price *price,
				  int to, double start)
{
	return start + price->latency_s + tmap_cost_wait(clock->model, to);
}

/* The same of messages without sides; of those that are alike the price is looked at once. */
static void chunk_find_heads(const struct tmap_clock *clock, const struct tmap_chunk *chunk,
			     double *head)
{
	const struct tmap_price like = *chunk->price[0];

	for (int i = 0; i < chunk->count; i++) {
		const struct tmap_price *price = chunk->is_like ? &like : chunk->price[i];
		int from = chunk->from[i], to = chunk->to[i];

		head[i] =
			message_head(clock, price, to, message_start(clock, price, from, to, NULL));
	}
}

/* A message is on its way: the sender's next one comes after it. */
static void side_send(struct tmap_cost_side *side, const struct tmap_price *price, double start)
{
	side->out_s += price->out_s;
	if (price->by_port)
		side->left_s = start + price->port_s;
}

/* The messages of a chunk onto the links, each of which has them in their order. */
static void chunk_add_loads(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			    const struct tmap_chunk *chunk)
{
	const struct tmap_cost_model *model = clock->model;
	const struct tmap_spread *spread = &stretch->spread;
	bool alone = spread->single || !clock->side_count;
	double head[TMAP_CHUNK];

	if (alone)
		chunk_find_heads(clock, chunk, head);
	for (int i = 0; !alone && i < chunk->count; i++) {
		const struct tmap_price *price = chunk->price[i];
		struct tmap_cost_side *side = tmap_side(model->room, chunk->from[i]);
		int from = chunk->from[i], to = chunk->to[i];
		double start = message_start(clock, price, from, to, side);

		head[i] = message_head(clock, price, to, start);
		if (!side)
			continue;
		side->shared_s += price->together ? price->held_s :
			price->by_port            ? price->port_s :
						    0;
		if (!price->together)
			side_send(side, price, start);
	}
	if (clock->is_even)
		tmap_even_load(model, chunk, head);
	else
		tmap_chunk_load(clock, spread, chunk, head);
}

static void clock_raise(double *clock, double to)
{
	*clock = tmap_later(to, *clock);
}

/* A message of ranks that have one each way. */
static inline void message_arrive(struct tmap_clock *clock, const struct tmap_price *price,
				  int from, int to, double links_end)
{
	double start = message_start(clock, price, from, to, NULL);
	struct tmap_message_end ends =
		tmap_message_arrive(price, message_head(clock, price, to, start), clock->at[from],
				    clock->at[to], clock->taken[to], links_end);

	clock->taken[to] = ends.done_s;
	if (price->by_port && !price->together)
		clock->left[from] = start + price->port_s;
	clock_raise(&clock->next[to], ends.receiver_s);
	clock_raise(&clock->next[from], ends.sender_s);
}

/* What a sender has spent by a message, which begins at @p start. */
static double message_leave(struct tmap_clock *clock, const struct tmap_price *price, int from,
			    struct tmap_cost_side *side, double start, bool several)
{
	if (!side) {
		if (price->by_port && !price->together)
			clock_raise(&clock->left[from], start + price->port_s);
		return tmap_message_kept(price);
	}
	if (!price->together)
		side_send(side, price, start);
	side->own_s += price->out_s;
	side->sends_several |= several || side->sent;
	side->sent = true;
	return price->together ? side->shared_s : side->out_s;
}

/* A receiver with several messages has one more, which is there at @p come. */
static void side_receive(struct tmap_cost_side *side, const struct tmap_price *price, double begin,
			 double come, bool several)
{
	side->first_s = side->received ? round_min(side->first_s, begin) : begin;
	side->taking_s += tmap_messages_taking(price);
	clock_raise(&side->last_s, come);
	side->own_s += price->in_s;
	side->receives_several |= several || side->received;
	side->received = true;
	side->copies |= price->copied;
}

/* A message of ranks that may have several, and then have sides. */
static void message_arrive_among(struct tmap_clock *clock, const struct tmap_chunk *chunk, int i,
				 double links_end, bool several)
{
	const struct tmap_cost_room *room = clock->model->room;
	const struct tmap_price *price = chunk->price[i];
	int from = chunk->from[i], to = chunk->to[i];
	struct tmap_cost_side *sender = clock->side_count ? tmap_side(room, from) : NULL;
	struct tmap_cost_side *receiver = clock->side_count ? tmap_side(room, to) : NULL;
	double start = message_start(clock, price, from, to, sender);
	double head = message_head(clock, price, to, start);
	double kept = message_leave(clock, price, from, sender, start, several);
	struct tmap_message_end ends;

	if (clock->own_s) {
		clock->own_s[from] += price->out_s;
		clock->own_s[to] += price->in_s;
	}
	if (receiver) {
		side_receive(receiver, price, head - price->overhead_s,
			     tmap_messages_come(price, head, kept, links_end), several);
		clock_raise(&clock->next[from], clock->at[from] + kept);
		return;
	}
	ends = tmap_messages_arrive(price, head, kept, clock->at[from], clock->at[to],
				    clock->taken[to], links_end);
	clock->taken[to] = ends.done_s;
	clock_raise(&clock->next[to], ends.receiver_s);
	clock_raise(&clock->next[from], ends.sender_s);
}

static void chunk_arrive(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			 const struct tmap_chunk *chunk)
{
	const struct tmap_price like = *chunk->price[0];
	bool single = stretch->spread.single;
	double end[TMAP_CHUNK];

	if (clock->is_even)
		tmap_even_links_end(clock->model, chunk, end);
	else
		tmap_chunk_links_end(clock->model, chunk, end);
	for (int i = 0; single && i < chunk->count; i++)
		message_arrive(clock, chunk->is_like ? &like : chunk->price[i], chunk->from[i],
			       chunk->to[i], end[i]);
	for (int i = 0; !single && i < chunk->count; i++)
		message_arrive_among(clock, chunk, i, end[i], stretch->spread.share > 1);
}

/* What ranks send eagerly begins anew. */
static void chunk_reset_senders(struct tmap_clock *clock, const struct tmap_chunk *chunk)
{
	for (int i = 0; i < chunk->count; i++) {
		struct tmap_cost_side *side = tmap_side(clock->model->room, chunk->from[i]);

		if (side)
			side->out_s = side->left_s = 0;
	}
}

/* Ranks that receive several messages are through with all of them. */
static void chunk_take(struct tmap_clock *clock, const struct tmap_chunk *chunk)
{
	for (int i = 0; i < chunk->count; i++) {
		const struct tmap_price *price = chunk->price[i];
		int to = chunk->to[i];
		struct tmap_cost_side *side = tmap_side(clock->model->room, to);
		double port, done;

		if (!side)
			continue;
		port = side->copies ? clock->at[to] : clock->taken[to];
		done = tmap_later(side->last_s, tmap_later(side->first_s, port) + side->taking_s);
		side->last_s = done;
		clock_raise(&clock->next[to], tmap_later(done, clock->at[to] + price->in_s));
		if (price->awaited)
			clock_raise(&clock->next[chunk->from[i]], done);
	}
}

/* A rank that has several messages in a round has had time for all of its own. */
static void side_commit(struct tmap_clock *clock, int rank)
{
	struct tmap_cost_side *side = tmap_side(clock->model->room, rank);

	if (!side)
		return;
	if (side->sends_several || side->receives_several)
		clock_raise(&clock->next[rank], clock->at[rank] + side->own_s);
	if (side->received)
		clock->taken[rank] = side->last_s;
	if (side->left_s > clock->left[rank]) /* what stays 0 takes no memory */
		clock->left[rank] = side->left_s;
	*side = (struct tmap_cost_side){ 0 };
}

static void chunk_commit(struct tmap_clock *clock, const struct tmap_spread *spread,
			 const struct tmap_chunk *chunk)
{
	for (int i = 0; i < chunk->count; i++) {
		int from = chunk->from[i], to = chunk->to[i];

		if (!spread->single && clock->side_count) {
			side_commit(clock, from);
			side_commit(clock, to);
		}
		clock->at[from] = clock->next[from];
		clock->at[to] = clock->next[to];
	}
}

enum pass { PASS_LOADS, PASS_RESET, PASS_ARRIVE, PASS_TAKE, PASS_COMMIT };

static int stretch_pass(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			enum pass pass, struct tmap_error *err)
{
	bool counts = clock->counts && pass == PASS_ARRIVE;
	struct tmap_chunk chunk;

	if ((pass == PASS_LOADS || pass == PASS_ARRIVE) && tmap_shift_is_regular(clock, stretch))
		return tmap_shift_pass(clock, stretch,
				       pass == PASS_LOADS ? TMAP_SHIFT_LOADS : TMAP_SHIFT_ARRIVE,
				       err);
	for (size_t at = 0; at < tmap_stretch_count(clock, stretch); at += (size_t)chunk.count) {
		if (pass == PASS_COMMIT || pass == PASS_RESET) {
			tmap_chunk_fill_ranks(&chunk, clock, stretch, at);
			if (pass == PASS_COMMIT)
				chunk_commit(clock, &stretch->spread, &chunk);
			else
				chunk_reset_senders(clock, &chunk);
			continue;
		}
		tmap_chunk_fill(&chunk, clock, stretch, at);
		if (counts && chunk_count_moved(clock, &stretch->spread, &chunk, err) < 0)
			return -1;
		if (pass == PASS_LOADS)
			chunk_add_loads(clock, stretch, &chunk);
		else if (pass == PASS_ARRIVE)
			chunk_arrive(clock, stretch, &chunk);
		else
			chunk_take(clock, &chunk);
	}
	return 0;
}

/* One pass over those stretches of a round in which ranks have several messages, or over all. */
static int round_pass(struct tmap_clock *clock, size_t begin, size_t end, enum pass pass,
		      bool several, struct tmap_error *err)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;

	for (size_t s = begin; s < end; s++)
		if ((!several || !stretch[s].spread.single) &&
		    stretch_pass(clock, &stretch[s], pass, err) < 0)
			return -1;
	return 0;
}

/* Ranks have had time for all that they send and receive alone. */
static void owns_commit(struct tmap_clock *clock)
{
	for (int r = 0; r < clock->extent; r++) {
		clock_raise(&clock->next[r], clock->at[r] + clock->own_s[r]);
		clock->own_s[r] = 0;
	}
}

/* All clocks go on: those of the ranks in this round, or of all ranks, where these are many. */
static int round_commit(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	if (clock->own_s)
		owns_commit(clock);
	if (!clock->side_count && tmap_round_is_wide(clock, begin, end)) {
		memcpy(clock->at, clock->next, (size_t)clock->extent * sizeof *clock->at);
		return 0;
	}
	return round_pass(clock, begin, end, PASS_COMMIT, false, err);
}

/* Time a round whose sides were found. */
static int round_run(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	bool sided = clock->side_count > 0;

	if (tmap_even_begin(&clock->is_even, clock, begin, end, err) < 0)
		return -1;
	if ((clock->model->link_count || sided) &&
	    round_pass(clock, begin, end, PASS_LOADS, false, err) < 0)
		return -1;
	if (clock->is_even)
		tmap_even_loads_end(clock);
	else
		tmap_loads_end(clock);
	if ((sided && round_pass(clock, begin, end, PASS_RESET, true, err) < 0) ||
	    round_pass(clock, begin, end, PASS_ARRIVE, false, err) < 0 ||
	    (sided && round_pass(clock, begin, end, PASS_TAKE, true, err) < 0))
		return -1;
	return round_commit(clock, begin, end, err);
}

/* Time a round of messages that are alone, some of which are several. */
static int round_run_alone(struct tmap_clock *clock, size_t begin, size_t end,
			   struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;
	int status;

	if (!room->own_s)
		room->own_s =
			tmap_alloc((size_t)clock->model->kinds.size, sizeof *room->own_s, err);
	if (!room->own_s)
		return -1;
	clock->own_s = room->own_s;
	status = round_run(clock, begin, end, err);
	clock->own_s = NULL;
	if (status < 0) { /* it may be not all 0 */
		free(room->own_s);
		room->own_s = NULL;
	}
	return status;
}

int tmap_clock_round_again(struct tmap_clock *clock, size_t begin, size_t end,
			   struct tmap_error *err)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;
	bool single = true, alone = true;
	int status;

	clock->side_count = 0;
	for (size_t s = begin; s < end; s++) {
		single &= stretch[s].spread.single;
		alone &= stretch[s].spread.alone;
	}
	if (single)
		return round_run(clock, begin, end, err);
	if (alone)
		return round_run_alone(clock, begin, end, err);
	status = tmap_sides_find(clock, begin, end, err);
	if (status == 0)
		status = round_run(clock, begin, end, err);
	if (clock->model->room->mark)
		tmap_sides_forget(clock, begin, end);
	return status;
}

int tmap_clock_round(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	int status;

	clock->counts = true;
	status = tmap_clock_round_again(clock, begin, end, err);
	clock->counts = false;
	return status;
}
