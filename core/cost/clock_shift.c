/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_shift.h"

#include "core/base/mem.h"
#include "core/base/wraps.h"
#include "core/cost/clock_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 512, MOST_KEPT = 384 };

/* Messages of a pattern that cross one object of a link on one side. */
struct passage {
	int link, local;
	bool enters;
	int begin, end; /* in the pattern's list of messages */
};

/* One message of a pattern: rows of its ranks, and what it costs. */
struct pattern_message {
	int row, kind;
	struct tmap_price price;
};

/* What the rows lo .. hi - 1 of a node send to a node; phase says which of them are senders. */
struct shift_pattern {
	int lo, hi, down,
		kind; /* down: the receiver's row less the sender's; kind: of all messages,
				   TMAP_NONE: within one node */
	int64_t phase;
	int64_t pairs; /* of nodes that were timed by it, and are to be counted as moved */
	int count, passage_count;
	struct pattern_message *message;
	struct passage *passage;
	int *crossing; /* messages, passage after passage */
};

struct shift_walk {
	struct tmap_clock *clock;
	const struct tmap_clock_batch *stretch;
	enum tmap_shift_pass pass;
	double bytes; /* of one message, in a round */
	int kept;
	struct shift_pattern *slot[SLOTS];
	struct shift_pattern *recent[2]; /* that were asked for last; NULL: not yet */
	double *room; /* [2 x ranks a node]: when messages come, and when links let them through */
};

bool tmap_shift_is_regular(const struct tmap_clock *clock, const struct tmap_clock_batch *stretch)
{
	const struct tmap_pair_kinds *kinds = &clock->model->kinds;

	return stretch->is_shift && !stretch->is_folded && !clock->model->wait_s &&
		stretch->spread.single && kinds->distribution == TMAP_DISTRIBUTION_BLOCK &&
		kinds->period > 1 && stretch->shift.count >= 8 * (int64_t)kinds->period;
}

static void pattern_free(struct shift_pattern *pattern)
{
	if (!pattern)
		return;
	free(pattern->message);
	free(pattern->passage);
	free(pattern->crossing);
	free(pattern);
}

/* What the pairs of nodes that have this pattern move. */
static int pattern_move(const struct shift_walk *walk, const struct shift_pattern *pattern,
			struct tmap_error *err)
{
	int64_t times = (int64_t)walk->stretch->spread.times;

	for (int k = 0, end; k < pattern->count; k = end) {
		int kind = pattern->message[k].kind;

		for (end = k; end < pattern->count && pattern->message[end].kind == kind; end++)
			;
		if (tmap_clock_count_moved(walk->clock, kind, (end - k) * pattern->pairs, times,
					   walk->stretch->shift.bytes, err) < 0)
			return -1;
	}
	return 0;
}

static int walk_count_moved(const struct shift_walk *walk, struct tmap_error *err)
{
	for (int i = 0; i < SLOTS; i++)
		if (walk->slot[i] && walk->slot[i]->pairs &&
		    pattern_move(walk, walk->slot[i], err) < 0)
			return -1;
	return 0;
}

static void walk_forget(struct shift_walk *walk)
{
	for (int i = 0; i < SLOTS; i++) {
		pattern_free(walk->slot[i]);
		walk->slot[i] = NULL;
	}
	walk->recent[0] = walk->recent[1] = NULL;
	walk->kept = 0;
}

/* Is a row of a node whose first rank has this phase a sender? */
static bool row_sends(const struct tmap_shift_pattern *shift, int64_t phase, int row)
{
	return phase < 0 || tmap_shift_pattern_sends(shift, (phase + row) % shift->step);
}

static int row_object(const struct tmap_pair_kinds *kinds, int row)
{
	return tmap_pair_position(kinds, row).object;
}

static struct pattern_message message_make(const struct shift_walk *walk, int row, int kind)
{
	return (struct pattern_message){
		.row = row,
		.kind = kind,
		.price = tmap_clock_price(walk->clock, &walk->stretch->spread, kind,
					  walk->stretch->shift.bytes),
	};
}

/* The messages of one link and side, object by object. */
static void pattern_add_passages(struct shift_pattern *pattern, const struct tmap_cost_model *model,
				 int l, bool enters, int *filled)
{
	const struct tmap_cost_link *link = &model->link[l];
	const struct tmap_pair_kinds *kinds = &model->kinds;

	for (int local = 0; local < link->local_count; local++) {
		int begin = *filled;

		for (int k = 0; k < pattern->count; k++) {
			const struct pattern_message *it = &pattern->message[k];
			int row = enters ? it->row + pattern->down : it->row;

			if (link->crossed[it->kind] && link->local[row_object(kinds, row)] == local)
				pattern->crossing[(*filled)++] = k;
		}
		if (*filled > begin)
			pattern->passage[pattern->passage_count++] =
				(struct passage){ l, local, enters, begin, *filled };
	}
}

static struct shift_pattern *pattern_new(const struct shift_walk *walk,
					 const struct shift_pattern *key, struct tmap_error *err)
{
	const struct tmap_cost_model *model = walk->clock->model;
	const struct tmap_pair_kinds *kinds = &model->kinds;
	struct shift_pattern *made = tmap_alloc(1, sizeof *made, err);
	size_t rows = (size_t)(key->hi - key->lo), sides = 2 * (size_t)model->link_count,
	       objects = 0;
	int filled = 0;

	if (!made)
		return NULL;
	*made = *key;
	for (int l = 0; l < model->link_count; l++)
		objects += 2 * (size_t)model->link[l].local_count;
	made->message = tmap_alloc_raw(rows, sizeof *made->message, err);
	made->passage = tmap_alloc_raw(objects, sizeof *made->passage, err);
	made->crossing = tmap_alloc_raw(rows * sides, sizeof *made->crossing, err);
	if (!made->message || !made->passage || !made->crossing) {
		pattern_free(made);
		return NULL;
	}
	for (int row = key->lo; row < key->hi; row++) {
		int kind = key->kind;

		if (!row_sends(&walk->stretch->shift, key->phase, row))
			continue;
		if (kind == TMAP_NONE)
			kind = kinds->within[kinds->object[row_object(kinds, row)].row +
					     row_object(kinds, row + key->down)];
		made->message[made->count++] = message_make(walk, row, kind);
	}
	for (int l = 0; l < model->link_count; l++)
		for (int enters = 0; enters < 2; enters++)
			pattern_add_passages(made, model, l, enters, &filled);
	return made;
}

static bool pattern_is(const struct shift_pattern *a, const struct shift_pattern *b)
{
	return a->lo == b->lo && a->hi == b->hi && a->down == b->down && a->kind == b->kind &&
		a->phase == b->phase;
}

TMAP_WRAPS static uint64_t pattern_hash(const struct shift_pattern *key)
{
	uint64_t hash = (uint64_t)key->lo * 31 + (uint64_t)key->hi;

	hash = hash * 1000003 + (uint64_t)key->phase;
	hash = hash * 1000003 + (uint64_t)key->down;
	return (hash * 1000003 + (uint64_t)key->kind) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The pattern of a key, made if it is new; NULL with *err set. */
static struct shift_pattern *walk_look_up(struct shift_walk *walk, const struct shift_pattern *key,
					  struct tmap_error *err)
{
	size_t at;

	for (at = pattern_hash(key) >> 55; walk->slot[at]; at = (at + 1) % SLOTS)
		if (pattern_is(walk->slot[at], key))
			return walk->slot[at];
	if (walk->kept == MOST_KEPT) {
		if (walk_count_moved(walk, err) < 0)
			return NULL;
		walk_forget(walk);
		at = pattern_hash(key) >> 55;
	}
	walk->slot[at] = pattern_new(walk, key, err);
	walk->kept += walk->slot[at] != NULL;
	return walk->slot[at];
}

/* The same; nodes mostly take turns between two patterns. */
static struct shift_pattern *walk_find(struct shift_walk *walk, const struct shift_pattern *key,
				       struct tmap_error *err)
{
	struct shift_pattern *found;

	for (int i = 0; i < 2; i++)
		if (walk->recent[i] && pattern_is(walk->recent[i], key))
			return walk->recent[i];
	found = walk_look_up(walk, key, err);
	walk->recent[1] = walk->recent[0];
	walk->recent[0] = found;
	return found;
}

/* When each message of a pattern begins; at[] and left[] begin with the sending node's first rank. */
static void pattern_starts(const struct shift_pattern *pattern, const double *at,
			   const double *left, int64_t ahead, double *start)
{
	for (int k = 0; k < pattern->count; k++) {
		const struct pattern_message *it = &pattern->message[k];

		start[k] = tmap_message_start(&it->price, at[it->row], left[it->row],
					      at[it->row + ahead]);
	}
}

static void pattern_load(const struct shift_walk *walk, const struct shift_pattern *pattern,
			 int first, int64_t ahead, int from, int to)
{
	const struct tmap_cost_model *model = walk->clock->model;
	double *start = walk->room;

	pattern_starts(pattern, walk->clock->at + first, walk->clock->left + first, ahead, start);
	for (int i = 0; i < pattern->passage_count; i++) {
		const struct passage *it = &pattern->passage[i];
		double earliest = INFINITY, count = it->end - it->begin;

		for (int k = it->begin; k < it->end; k++) {
			int message = pattern->crossing[k];
			double head = start[message] + pattern->message[message].price.latency_s;

			if (head < earliest)
				earliest = head;
		}
		tmap_load_add(walk->clock, it->link,
			      model->link[it->link].base[it->enters ? to : from] + it->local,
			      it->enters, count * walk->bytes, count * walk->stretch->spread.share,
			      earliest);
	}
}

static void pattern_arrive(const struct shift_walk *walk, const struct shift_pattern *pattern,
			   int first, int64_t ahead, int from, int to)
{
	const struct tmap_cost_model *model = walk->clock->model;
	double *start = walk->room, *limit = walk->room + model->kinds.period;
	double *at = walk->clock->at + first, *next = walk->clock->next + first;
	double *taken = walk->clock->taken + first, *left = walk->clock->left + first;

	pattern_starts(pattern, at, left, ahead, start);
	for (int k = 0; k < pattern->count; k++)
		limit[k] = 0;
	for (int i = 0; i < pattern->passage_count; i++) {
		const struct passage *it = &pattern->passage[i];
		int object = model->link[it->link].base[it->enters ? to : from] + it->local;
		const struct tmap_cost_link *link = &model->link[it->link];
		double end = link->end_s[tmap_cost_load(link, object, it->enters)];

		for (int k = it->begin; k < it->end; k++)
			if (end > limit[pattern->crossing[k]])
				limit[pattern->crossing[k]] = end;
	}
	for (int k = 0; k < pattern->count; k++) {
		const struct tmap_price *price = &pattern->message[k].price;
		int sender = pattern->message[k].row;
		int64_t receiver = sender + ahead;
		struct tmap_message_end ends =
			tmap_message_arrive(price, start[k] + price->latency_s, at[sender],
					    at[receiver], taken[receiver], limit[k]);

		taken[receiver] = ends.done_s;
		if (price->by_port && !price->together)
			left[sender] = start[k] + price->port_s;
		next[receiver] = tmap_later(next[receiver], ends.receiver_s);
		next[sender] = tmap_later(next[sender], ends.sender_s);
	}
}

/* Where a row's receiver is: so many nodes on, and rows, which may reach into one node more. */
struct shift_jump {
	int64_t ahead;
	int nodes, rows;
};

static struct shift_jump jump_make(int64_t ahead, int period)
{
	int64_t nodes = ahead / period - (ahead % period < 0);

	return (struct shift_jump){ ahead, (int)nodes, (int)(ahead - nodes * period) };
}

/* A number modulo step, which is mostly a power of two, or larger. */
static int64_t phase_of(int64_t number, int64_t step)
{
	if (number >= 0 && number < step)
		return number;
	if ((step & (step - 1)) == 0)
		return number & (step - 1);
	number %= step;
	return number < 0 ? number + step : number;
}

/* Rows lo .. hi - 1 of a node; all their receivers are on node @p to. @p place is the first rank of
 * the node, counted as the shift counts its senders. */
static int walk_pair(struct shift_walk *walk, int node, int to, int64_t place, int lo, int hi,
		     const struct shift_jump *jump, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &walk->clock->model->kinds;
	const struct tmap_shift_pattern *shift = &walk->stretch->shift;
	int period = kinds->period, first = node * period;
	int from_node = tmap_pair_position(kinds, first).node,
	    to_node = tmap_pair_position(kinds, to * period).node;
	struct shift_pattern key = { .lo = lo, .hi = hi, .phase = -1, .kind = TMAP_NONE };
	int64_t phase = phase_of(place + lo - shift->first, shift->step);
	int64_t extent = tmap_shift_pattern_extent(shift);
	struct shift_pattern *pattern;

	if (phase >= extent && phase + (hi - lo) <= shift->step)
		return 0;
	if (phase + (hi - lo) > extent && (extent < shift->step || shift->gap))
		key.phase = phase_of(phase - lo, shift->step);
	else if (shift->gap) /* within a run it matters only where in a gap it begins */
		key.phase = phase_of(phase % (shift->gap + 1) - lo, shift->step);
	key.down = jump->rows - (to - node - jump->nodes) * period;
	if (to != node)
		key.kind = tmap_pair_kind_between(kinds, from_node, to_node);
	pattern = walk_find(walk, &key, err);
	if (!pattern)
		return -1;
	if (!pattern->count)
		return 0;
	if (walk->pass == TMAP_SHIFT_LOADS) {
		pattern_load(walk, pattern, first, jump->ahead, from_node, to_node);
		return 0;
	}
	pattern->pairs += walk->clock->counts;
	pattern_arrive(walk, pattern, first, jump->ahead, from_node, to_node);
	return 0;
}

static int64_t shift_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Ranks begin .. end - 1 of a node, cut where their receivers come to the next node. */
static int walk_rows(struct shift_walk *walk, int node, int64_t begin, int64_t end,
		     const struct shift_jump *jump, int64_t turn, struct tmap_error *err)
{
	int period = walk->clock->model->kinds.period;
	int64_t first = (int64_t)node * period;
	int lo = (int)(begin - first), high = (int)(end - first);

	while (lo < high) {
		int beyond = lo + jump->rows >= period;
		int stop = (1 + beyond) * period - jump->rows;
		int hi = stop < high ? stop : high;

		if (walk_pair(walk, node, node + jump->nodes + beyond, first + turn, lo, hi, jump,
			      err) < 0)
			return -1;
		lo = hi;
	}
	return 0;
}

/* Every node, whose ranks the shift may count from 0 or from p on. */
static int walk_nodes(struct shift_walk *walk, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &walk->clock->model->kinds;
	const struct tmap_shift_pattern *shift = &walk->stretch->shift;
	int64_t size = kinds->size, period = kinds->period, wrap = size - shift->ahead;
	int64_t end = tmap_shift_pattern_sender(shift, shift->count - 1) + 1;
	const struct shift_jump on = jump_make(shift->ahead, kinds->period);
	const struct shift_jump round = jump_make(shift->ahead - size, kinds->period);

	for (int64_t turn = 0; turn < end; turn += size) {
		int64_t begin = shift->first > turn ? shift->first - turn : 0;
		int64_t stop = shift_least(size, end - turn);

		for (int64_t node = begin / period; node * period < stop; node++) {
			int64_t low = node * period > begin ? node * period : begin;
			int64_t high = shift_least((node + 1) * period, stop);
			int64_t cut = low > wrap ? low : shift_least(high, wrap);

			if (walk_rows(walk, (int)node, low, cut, &on, turn, err) < 0 ||
			    walk_rows(walk, (int)node, cut, high, &round, turn, err) < 0)
				return -1;
		}
	}
	return 0;
}

int tmap_shift_pass(struct tmap_clock *clock, const struct tmap_clock_batch *stretch,
		    enum tmap_shift_pass pass, struct tmap_error *err)
{
	struct shift_walk walk = { .clock = clock,
				   .stretch = stretch,
				   .pass = pass,
				   .bytes = (double)stretch->shift.bytes / stretch->spread.active };
	int status = -1;

	walk.room = tmap_alloc_raw(2 * (size_t)clock->model->kinds.period, sizeof *walk.room, err);
	if (walk.room)
		status = walk_nodes(&walk, err);
	if (status == 0)
		status = walk_count_moved(&walk, err);
	walk_forget(&walk);
	free(walk.room);
	return status;
}
