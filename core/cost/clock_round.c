/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_round.h"

#include "core/base/mem.h"
#include "core/cost/clock_fold.h"
#include "core/cost/clock_shift.h"
#include "core/cost/clock_sides.h"

#include <stdlib.h>
#include <string.h>

static double round_min(double a, double b)
{
	return a < b ? a : b;
}

/* The ranks of messages at, at + 1, ... of a shift; senders run one after another. */
static void chunk_fill_shift(struct tmap_chunk *chunk, const struct tmap_shift_pattern *shift,
			     int size, size_t at)
{
	int64_t run = (int64_t)at / shift->run, place = (int64_t)at % shift->run;
	int64_t from = (shift->first + run * shift->step + place) % size;

	for (int i = 0; i < chunk->count; i++) {
		chunk->from[i] = (int)from;
		chunk->to[i] = from < size - shift->ahead ? (int)from + shift->ahead :
							    (int)from - (size - shift->ahead);
		chunk->whole[i] = shift->bytes;
		from++;
		if (++place == shift->run) {
			place = 0;
			from += shift->step - shift->run;
		}
		if (from >= size)
			from %= size;
	}
}

size_t tmap_stretch_count(const struct tmap_clock *clock, const struct tmap_clock_batch *stretch)
{
	if (stretch->is_folded)
		return tmap_fold_count(clock, &stretch->shift);
	return stretch->is_shift ? (size_t)stretch->shift.count : stretch->count;
}

void tmap_chunk_fill_ranks(struct tmap_chunk *chunk, const struct tmap_clock *clock,
			   const struct tmap_clock_batch *stretch, size_t at)
{
	const struct tmap_cost_room *room = clock->model->room;
	size_t left = tmap_stretch_count(clock, stretch) - at, first = stretch->begin + at;
	int count = left < TMAP_CHUNK ? (int)left : TMAP_CHUNK;

	chunk->count = count;
	if (stretch->is_folded) {
		tmap_fold_fill(chunk, clock, &stretch->shift, at);
		return;
	}
	if (stretch->is_shift) {
		chunk_fill_shift(chunk, &stretch->shift, clock->model->kinds.size, at);
		return;
	}
	memcpy(chunk->from, room->from + first, (size_t)count * sizeof *chunk->from);
	memcpy(chunk->to, room->to + first, (size_t)count * sizeof *chunk->to);
	if (room->has_bytes)
		memcpy(chunk->whole, room->bytes + first, (size_t)count * sizeof *chunk->whole);
	for (int i = 0; !room->has_bytes && i < count; i++)
		chunk->whole[i] = room->same_bytes;
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

enum { RECENT = 16 };

int tmap_chunk_fill(struct tmap_chunk *chunk, const struct tmap_clock *clock,
		    const struct tmap_clock_batch *stretch, size_t at)
{
	const struct tmap_pair_kinds *kinds = &clock->model->kinds;
	int count, *like, recent[RECENT]; /* the last message of a kind that was priced */

	tmap_chunk_fill_ranks(chunk, clock, stretch, at);
	count = chunk->count;
	for (int k = 0; k < RECENT; k++)
		recent[k] = count;
	for (int i = 0; i < count; i++) {
		chunk->left[i] = kinds->position[chunk->from[i]];
		chunk->reached[i] = kinds->position[chunk->to[i]];
	}
	for (int i = 0; i < count; i++) {
		if (!stretch->is_folded)
			chunk->kind[i] = tmap_pair_kind(kinds, chunk->left[i], chunk->reached[i]);
		like = &recent[chunk->kind[i] & (RECENT - 1)];
		if (*like < i && chunk->kind[i] == chunk->kind[*like] &&
		    chunk->whole[i] == chunk->whole[*like]) {
			chunk->price[i] = chunk->price[*like];
			continue;
		}
		*like = i;
		chunk->room[i] =
			tmap_clock_price(clock, &stretch->spread, chunk->kind[i], chunk->whole[i]);
		chunk->price[i] = &chunk->room[i];
	}
	return count;
}

/* Neighbours in a chunk are mostly of one kind: they are added up first. */
static int chunk_count_moved(struct tmap_clock *clock, const struct tmap_spread *spread,
			     const struct tmap_chunk *chunk, struct tmap_error *err)
{
	struct tmap_moved *moved = &clock->moved;
	int64_t nodes = clock->model->kinds.size / clock->extent;
	int64_t times = (int64_t)spread->times * nodes;
	bool over = false;

	for (int i = 0, begin = 0; i < chunk->count; begin = i) {
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
static inline double message_start(const struct tmap_clock *clock, const struct tmap_chunk *chunk,
				   int i, const struct tmap_cost_side *side)
{
	const struct tmap_price *price = chunk->price[i];
	int from = chunk->from[i];
	double start = clock->at[from], left = clock->left[from];

	if (price->together)
		start = tmap_later(start, clock->at[chunk->to[i]]);
	else if (side) {
		start += side->out_s;
		left = tmap_later(left, side->left_s);
	}
	return price->by_port ? tmap_later(start, left) : start;
}

/* When its first byte comes. */
static inline double message_head(const struct tmap_clock *clock, const struct tmap_chunk *chunk,
				  int i, double start)
{
	return start + chunk->price[i]->latency_s + tmap_cost_wait(clock->model, chunk->to[i]);
}

/* A message is on its way: the sender's next one comes after it. */
static void side_send(struct tmap_cost_side *side, const struct tmap_price *price, double start)
{
	side->out_s += price->out_s;
	if (price->by_port)
		side->left_s = start + price->port_s;
}

/* More on a load; what it has of another round than the one at hand is none. */
static inline void load_add(struct tmap_clock *clock, int l, size_t number, double bytes,
			    double messages, double first)
{
	const struct tmap_cost_model *model = clock->model;
	struct tmap_cost_load *load = &model->link[l].load[number];

	if (load->round != model->stamp) {
		*load = (struct tmap_cost_load){ bytes, messages, first, model->stamp };
		model->room->busy[clock->busy_count++] = (struct tmap_cost_used){ l, (int)number };
		return;
	}
	load->bytes += bytes;
	load->messages += messages;
	load->first_s = round_min(load->first_s, first);
}

void tmap_load_add(struct tmap_clock *clock, int link, int object, bool enters, double bytes,
		   double messages, double first)
{
	load_add(clock, link, tmap_cost_load(&clock->model->link[link], object, enters), bytes,
		 messages, first);
}

/* The messages of a chunk that cross a link, and which loads they are on both sides. */
struct crossing {
	int count;
	int message[TMAP_CHUNK], left[TMAP_CHUNK], reached[TMAP_CHUNK];
};

static void crossing_find(struct crossing *crossing, const struct tmap_cost_link *link,
			  const struct tmap_chunk *chunk)
{
	const int *base = link->base, *local = link->local;
	const bool *crossed = link->crossed;
	int found = 0, twice = !link->is_sum;

	for (int i = 0; i < chunk->count; i++) {
		struct tmap_position left = chunk->left[i], reached = chunk->reached[i];

		crossing->message[found] = i;
		crossing->left[found] = (base[left.node] + local[left.object]) << twice;
		crossing->reached[found] =
			((base[reached.node] + local[reached.object]) << twice) + twice;
		found += crossed[chunk->kind[i]];
	}
	crossing->count = found;
}

/* The messages of a chunk onto the links, each of which has them in their order. */
static void chunk_add_loads(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			    const struct tmap_chunk *chunk)
{
	const struct tmap_cost_model *model = clock->model;
	const struct tmap_spread *spread = &stretch->spread;
	bool alone = spread->single || !clock->side_count;
	double head[TMAP_CHUNK];
	struct crossing crossing;

	for (int i = 0; i < chunk->count; i++) {
		const struct tmap_price *price = chunk->price[i];
		struct tmap_cost_side *side = alone ? NULL : tmap_side(model->room, chunk->from[i]);
		double start = message_start(clock, chunk, i, side);

		head[i] = message_head(clock, chunk, i, start);
		if (!side)
			continue;
		side->shared_s += price->together ? price->held_s :
			price->by_port            ? price->port_s :
						    0;
		if (!price->together)
			side_send(side, price, start);
	}
	for (int l = 0; l < model->link_count; l++) {
		crossing_find(&crossing, &model->link[l], chunk);
		for (int k = 0; k < crossing.count; k++) {
			__builtin_prefetch(&model->link[l].load[crossing.left[k]], 1);
			__builtin_prefetch(&model->link[l].load[crossing.reached[k]], 1);
		}
		for (int k = 0; k < crossing.count; k++) {
			int i = crossing.message[k];
			double bytes = chunk->price[i]->bytes;

			load_add(clock, l, (size_t)crossing.left[k], bytes, spread->share, head[i]);
			load_add(clock, l, (size_t)crossing.reached[k], bytes, spread->share,
				 head[i]);
		}
	}
}

/* Until when the objects are busy that have something of this round. */
static void links_end(struct tmap_clock *clock)
{
	const struct tmap_cost_model *model = clock->model;

	for (int i = 0; i < clock->busy_count; i++) {
		const struct tmap_cost_link *link = &model->link[model->room->busy[i].link];
		int at = model->room->busy[i].load;
		const struct tmap_cost_load *load = &link->load[at];
		double busy = tmap_cost_busy(link, tmap_cost_load_object(link, (size_t)at),
					     load->bytes, load->messages);

		if (clock->round < clock->overlap_end)
			link->busy_s[at] += busy;
		link->end_s[at] = tmap_later(load->first_s, link->end_s[at]) + busy;
	}
	clock->busy_count = 0;
}

/* When the links that each message of a chunk crosses have let it through. */
static void chunk_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
			    double *end)
{
	struct crossing crossing;

	for (int i = 0; i < chunk->count; i++)
		end[i] = 0;
	for (int l = 0; l < model->link_count; l++) {
		const double *end_s = model->link[l].end_s;

		crossing_find(&crossing, &model->link[l], chunk);
		for (int k = 0; k < crossing.count; k++) {
			__builtin_prefetch(&end_s[crossing.left[k]]);
			__builtin_prefetch(&end_s[crossing.reached[k]]);
		}
		for (int k = 0; k < crossing.count; k++) {
			double *its = &end[crossing.message[k]];

			*its = tmap_later(
				*its,
				tmap_later(end_s[crossing.left[k]], end_s[crossing.reached[k]]));
		}
	}
}

static void clock_raise(double *clock, double to)
{
	*clock = tmap_later(to, *clock);
}

/* A message of ranks that have one each way. */
static void message_arrive(struct tmap_clock *clock, const struct tmap_chunk *chunk, int i,
			   double links_end)
{
	const struct tmap_price *price = chunk->price[i];
	int from = chunk->from[i], to = chunk->to[i];
	double start = message_start(clock, chunk, i, NULL);
	struct tmap_message_end ends =
		tmap_message_arrive(price, message_head(clock, chunk, i, start), clock->at[from],
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
	double start = message_start(clock, chunk, i, sender);
	double head = message_head(clock, chunk, i, start);
	double kept = message_leave(clock, price, from, sender, start, several);
	struct tmap_message_end ends;

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
	double end[TMAP_CHUNK];

	chunk_links_end(clock->model, chunk, end);
	for (int i = 0; i < chunk->count; i++)
		if (stretch->spread.single)
			message_arrive(clock, chunk, i, end[i]);
		else
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
	clock_raise(&clock->left[rank], side->left_s);
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

/* All clocks go on: those of the ranks in this round, or of all ranks, where these are many. */
static int round_commit(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
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

	if ((clock->model->link_count || sided) &&
	    round_pass(clock, begin, end, PASS_LOADS, false, err) < 0)
		return -1;
	links_end(clock);
	if ((sided && round_pass(clock, begin, end, PASS_RESET, true, err) < 0) ||
	    round_pass(clock, begin, end, PASS_ARRIVE, false, err) < 0 ||
	    (sided && round_pass(clock, begin, end, PASS_TAKE, true, err) < 0))
		return -1;
	return round_commit(clock, begin, end, err);
}

int tmap_clock_round_again(struct tmap_clock *clock, size_t begin, size_t end,
			   struct tmap_error *err)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;
	bool single = true;
	int status;

	clock->side_count = 0;
	for (size_t s = begin; s < end; s++)
		single &= stretch[s].spread.single;
	if (single)
		return round_run(clock, begin, end, err);
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
