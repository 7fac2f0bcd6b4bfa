/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_round.h"

#include "core/cost/clock_shift.h"

#include <string.h>

static double round_max(double a, double b)
{
	return a > b ? a : b;
}

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

void tmap_chunk_fill_ranks(struct tmap_chunk *chunk, const struct tmap_clock *clock,
			   const struct tmap_clock_batch *stretch, size_t at)
{
	const struct tmap_cost_room *room = clock->model->room;
	size_t left = tmap_clock_batch_size(stretch) - at, first = stretch->begin + at;
	int count = left < TMAP_CHUNK ? (int)left : TMAP_CHUNK;

	chunk->count = count;
	if (stretch->is_shift) {
		chunk_fill_shift(chunk, &stretch->shift, clock->model->kinds.size, at);
		return;
	}
	memcpy(chunk->from, room->from + first, (size_t)count * sizeof *chunk->from);
	memcpy(chunk->to, room->to + first, (size_t)count * sizeof *chunk->to);
	memcpy(chunk->whole, room->bytes + first, (size_t)count * sizeof *chunk->whole);
}

int tmap_chunk_fill(struct tmap_chunk *chunk, const struct tmap_clock *clock,
		    const struct tmap_clock_batch *stretch, size_t at)
{
	const struct tmap_cost_model *model = clock->model;
	const struct tmap_pair_kinds *kinds = &model->kinds;
	int count;

	tmap_chunk_fill_ranks(chunk, clock, stretch, at);
	count = chunk->count;
	for (int i = 0; i < count; i++) {
		chunk->left[i] = kinds->position[chunk->from[i]];
		chunk->reached[i] = kinds->position[chunk->to[i]];
	}
	for (int i = 0; i < count; i++) {
		chunk->kind[i] = tmap_pair_kind(kinds, chunk->left[i], chunk->reached[i]);
		if (i && chunk->kind[i] == chunk->kind[i - 1] &&
		    chunk->whole[i] == chunk->whole[i - 1]) {
			chunk->row[i] = chunk->row[i - 1];
			chunk->bytes[i] = chunk->bytes[i - 1];
			chunk->together[i] = chunk->together[i - 1];
			chunk->awaited[i] = chunk->awaited[i - 1];
			continue;
		}
		chunk->bytes[i] = (double)chunk->whole[i] / stretch->spread.times;
		chunk->row[i] = tmap_cost_row(model, kinds->step[chunk->kind[i]], chunk->bytes[i]);
		chunk->together[i] = tmap_row_is_together(chunk->row[i]);
		chunk->awaited[i] = tmap_row_is_awaited(chunk->row[i], chunk->bytes[i]);
		chunk->bytes[i] = (double)chunk->whole[i] / stretch->spread.active;
	}
	return count;
}

/* Neighbours in a chunk are mostly of one kind: they are added up first. */
static int chunk_count_moved(struct tmap_clock *clock, const struct tmap_spread *spread,
			     const struct tmap_chunk *chunk, struct tmap_error *err)
{
	struct tmap_moved *moved = &clock->moved;
	int64_t times = (int64_t)spread->times;
	bool over = false;

	for (int i = 0, begin = 0; i < chunk->count; begin = i) {
		int kind = chunk->kind[i];
		int64_t bytes = 0;

		for (; i < chunk->count && chunk->kind[i] == kind; i++)
			over |= __builtin_add_overflow(bytes, chunk->whole[i], &bytes);
		moved->messages[kind] += (i - begin) * times;
		over |= __builtin_add_overflow(moved->bytes[kind], bytes, &moved->bytes[kind]);
	}
	if (over)
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

/* When its sender is ready for a message: what it has sent in this round goes first, but where
 * both ranks must be ready; such messages of a round share the sender. */
static double message_ready(const struct tmap_clock *clock, const struct tmap_chunk *chunk, int i,
			    bool single)
{
	double ready = clock->at[chunk->from[i]];

	if (!single && !chunk->together[i])
		ready += clock->model->room->side[chunk->from[i]].busy_s;
	return ready;
}

/* When a message begins. */
static double message_start(const struct tmap_clock *clock, const struct tmap_chunk *chunk, int i,
			    bool single)
{
	double ready = message_ready(clock, chunk, i, single);

	return chunk->together[i] ? round_max(ready, clock->at[chunk->to[i]]) : ready;
}

/* How long the sender is busy with a message. */
static double message_busy(const struct tmap_spread *spread, const struct tmap_chunk *chunk, int i)
{
	double overhead = chunk->row[i]->overhead_s;

	return spread->share * overhead +
		(tmap_row_is_pulled(chunk->row[i]) ? 0 : chunk->bytes[i] * chunk->row[i]->byte_s);
}

/* When a message's first byte comes. */
static double message_head(const struct tmap_spread *spread, const struct tmap_chunk *chunk, int i,
			   double start)
{
	return start + chunk->row[i]->latency_s + (spread->share - 1) * chunk->row[i]->overhead_s;
}

void tmap_load_add(struct tmap_clock *clock, int link, int object, bool enters, double bytes,
		   double messages, double first)
{
	struct tmap_cost_load *load = tmap_cost_load(&clock->model->link[link], object, enters);

	if (load->call != clock->stamp) {
		load->call = clock->stamp;
		load->end_s = load->busy_s = 0;
		load->round = 0;
	}
	if (load->round != clock->model->stamp) {
		load->round = clock->model->stamp;
		load->bytes = load->messages = 0;
		load->first_s = first;
		clock->model->room->busy[clock->busy_count++] =
			(struct tmap_cost_used){ link,
						 (int)(load - clock->model->link[link].load) };
	}
	load->bytes += bytes;
	load->messages += messages;
	load->first_s = round_min(load->first_s, first);
}

/* The messages of a chunk onto the links. */
static void chunk_add_loads(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			    const struct tmap_chunk *chunk)
{
	const struct tmap_cost_model *model = clock->model;
	const struct tmap_spread *spread = &stretch->spread;

	for (int i = 0; i < chunk->count; i++) {
		double start = message_start(clock, chunk, i, spread->single);
		double head = message_head(spread, chunk, i, start);

		for (int l = 0; l < model->link_count; l++) {
			const struct tmap_cost_link *link = &model->link[l];

			if (!link->crossed[chunk->kind[i]])
				continue;
			tmap_load_add(clock, l, tmap_cost_object(link, chunk->left[i]), false,
				      chunk->bytes[i], spread->share, head);
			tmap_load_add(clock, l, tmap_cost_object(link, chunk->reached[i]), true,
				      chunk->bytes[i], spread->share, head);
		}
		if (!spread->single)
			model->room->side[chunk->from[i]].busy_s += message_busy(spread, chunk, i);
	}
}

/* Until when the objects are busy that have something of this round. */
static void links_end(struct tmap_clock *clock)
{
	const struct tmap_cost_model *model = clock->model;

	for (int i = 0; i < clock->busy_count; i++) {
		const struct tmap_cost_link *link = &model->link[model->room->busy[i].link];
		int at = model->room->busy[i].load;
		struct tmap_cost_load *load = &link->load[at];
		double busy = tmap_cost_busy(link, at / 2, load->bytes, load->messages);

		if (clock->round < clock->overlap_end)
			load->busy_s += busy;
		load->end_s = round_max(load->first_s, load->end_s) + busy;
	}
	clock->busy_count = 0;
}

/* When the links that a message crosses have let it through. */
static double message_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
				int i)
{
	double end = 0;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		if (!link->crossed[chunk->kind[i]])
			continue;
		end = round_max(
			end,
			tmap_cost_load(link, tmap_cost_object(link, chunk->left[i]), false)->end_s);
		end = round_max(
			end,
			tmap_cost_load(link, tmap_cost_object(link, chunk->reached[i]), true)
				->end_s);
	}
	return end;
}

static void clock_raise(double *clock, double to)
{
	if (to > *clock)
		*clock = to;
}

/* When its messages are there, for ranks that receive one; what they are, for others. */
static void chunk_arrive(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
			 const struct tmap_chunk *chunk)
{
	const struct tmap_spread *spread = &stretch->spread;
	double reduce = spread->combine ? clock->model->profile->reduce_byte_s : 0;

	for (int i = 0; i < chunk->count; i++) {
		const struct tmap_profile_row *row = chunk->row[i];
		int from = chunk->from[i], to = chunk->to[i];
		double start = message_start(clock, chunk, i, spread->single);
		double head = message_head(spread, chunk, i, start);
		double moving = chunk->bytes[i] * row->byte_s, adding = chunk->bytes[i] * reduce;
		double busy = message_busy(spread, chunk, i);
		double port = tmap_row_is_copied(row) ? clock->at[to] : clock->taken[to];
		double done = round_max(round_max(head, spread->single ? port : 0) + moving,
					message_links_end(clock->model, chunk, i));

		if (spread->single) {
			done += adding;
			clock->taken[to] = done;
			clock_raise(&clock->next[to], done);
			clock_raise(
				&clock->next[from],
				round_max(clock->at[from] + busy, chunk->awaited[i] ? done : 0));
		} else {
			struct tmap_cost_side *side = &clock->model->room->side[to];

			if (chunk->together[i] && !tmap_row_is_pulled(row))
				done = round_max(done,
						 head - spread->share * row->overhead_s +
							 clock->model->room->side[from].busy_s);
			side->first_s = side->taking_s > 0 || side->last_s > 0 ?
				round_min(side->first_s, head) :
				head;
			side->taking_s += moving + adding;
			clock_raise(&side->last_s, done + adding);
			if (!chunk->together[i])
				clock->model->room->side[from].busy_s += busy;
			clock_raise(&clock->next[from],
				    clock->at[from] + clock->model->room->side[from].busy_s);
		}
	}
}

/* The senders' shares begin anew, but for those of rendezvous, who share all of it. */
static void chunk_reset_senders(struct tmap_clock *clock, const struct tmap_chunk *chunk)
{
	for (int i = 0; i < chunk->count; i++)
		if (!chunk->together[i])
			clock->model->room->side[chunk->from[i]].busy_s = 0;
}

/* Ranks that receive several messages are through with all of them. */
static void chunk_take(struct tmap_clock *clock, const struct tmap_chunk *chunk)
{
	for (int i = 0; i < chunk->count; i++) {
		int to = chunk->to[i];
		const struct tmap_cost_side *side = &clock->model->room->side[to];
		double port = tmap_row_is_copied(chunk->row[i]) ? clock->at[to] : clock->taken[to];
		double done =
			round_max(side->last_s, round_max(side->first_s, port) + side->taking_s);

		clock_raise(&clock->next[to], done);
		if (chunk->awaited[i])
			clock_raise(&clock->next[chunk->from[i]], done);
	}
}

static void chunk_commit(struct tmap_clock *clock, const struct tmap_spread *spread,
			 const struct tmap_chunk *chunk)
{
	for (int i = 0; i < chunk->count; i++) {
		int from = chunk->from[i], to = chunk->to[i];

		if (!spread->single) {
			clock->taken[to] = clock->next[to];
			clock->model->room->side[from] = clock->model->room->side[to] =
				(struct tmap_cost_side){ 0 };
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
	for (size_t at = 0; at < tmap_clock_batch_size(stretch); at += (size_t)chunk.count) {
		if (pass == PASS_COMMIT) {
			tmap_chunk_fill_ranks(&chunk, clock, stretch, at);
			chunk_commit(clock, &stretch->spread, &chunk);
			continue;
		}
		tmap_chunk_fill(&chunk, clock, stretch, at);
		if (counts && chunk_count_moved(clock, &stretch->spread, &chunk, err) < 0)
			return -1;
		if (pass == PASS_LOADS)
			chunk_add_loads(clock, stretch, &chunk);
		else if (pass == PASS_RESET)
			chunk_reset_senders(clock, &chunk);
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
static int round_commit(struct tmap_clock *clock, size_t begin, size_t end, bool single,
			struct tmap_error *err)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;
	size_t size = (size_t)clock->model->kinds.size, messages = 0;

	for (size_t s = begin; s < end; s++)
		messages += tmap_clock_batch_size(&stretch[s]);
	if (single && messages >= size / 8) {
		memcpy(clock->at, clock->next, size * sizeof *clock->at);
		return 0;
	}
	return round_pass(clock, begin, end, PASS_COMMIT, false, err);
}

int tmap_clock_round_again(struct tmap_clock *clock, size_t begin, size_t end,
			   struct tmap_error *err)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;
	bool single = true;

	for (size_t s = begin; s < end; s++)
		single &= stretch[s].spread.single;
	if ((clock->model->link_count || !single) &&
	    round_pass(clock, begin, end, PASS_LOADS, false, err) < 0)
		return -1;
	links_end(clock);
	if ((!single && round_pass(clock, begin, end, PASS_RESET, true, err) < 0) ||
	    round_pass(clock, begin, end, PASS_ARRIVE, false, err) < 0 ||
	    (!single && round_pass(clock, begin, end, PASS_TAKE, true, err) < 0))
		return -1;
	return round_commit(clock, begin, end, single, err);
}

int tmap_clock_round(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	int status;

	clock->counts = true;
	status = tmap_clock_round_again(clock, begin, end, err);
	clock->counts = false;
	return status;
}
