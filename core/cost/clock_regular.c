/*
 * Shifts over ranks that are woven regularly into the nodes, whole nodes at a time. The ranks are
 * a table, whose columns are nodes and whose rows are spots:
 *
 *     block, n a node    rank = column x n + row        cyclic, N nodes    rank = row x N + column
 *
 * A shift takes every row to one row, and every column to one column, but for those that pass
 * the end of the table and go one further; so it is a few rectangles of each of which all
 * columns are alike. What one column of a rectangle sends from each object of its node, and
 * brings to each of the other node, is counted once; the columns add it up.
 */
#include "core/cost/clock.h"

#include "core/base/mem.h"

#include <stdlib.h>

/* Senders: runs of ranks, the first of each a step after that of the one before. */
struct comb {
	int64_t first, run, step;
};

/* The columns begin, begin + step, ... below end go that many columns further, by these rows; of
 * the columns only those that a comb picks, if there is one. */
struct rectangle {
	int64_t begin, end, step, further;
	const struct comb *comb;
	int count;
	const int *from, *to; /* [count]: spots */
};

struct weaver {
	struct tmap_clock *clock;
	const struct tmap_spread *spread;
	const struct tmap_shift_pattern *shift;
	double bytes;   /* of one message */
	int *from, *to; /* rows of a rectangle, as spots */
};

/* Where r stands in the comb; below run: it is a sender. */
static int64_t place(const struct comb *comb, int64_t r)
{
	int64_t at = (r - comb->first) % comb->step;

	return at < 0 ? at + comb->step : at;
}

static int64_t larger_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t least_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static int node_of(const struct tmap_reach *reach, int64_t column)
{
	return reach->seat[reach->weave == TMAP_REGULAR_BLOCK ? column * reach->period : column]
		.node;
}

static int spot_of(const struct tmap_reach *reach, int64_t row)
{
	return reach->seat[reach->weave == TMAP_REGULAR_BLOCK ? row : row * reach->period].spot;
}

/* Messages of one kind: their number, and the longest chain. */
static int count_kind(struct weaver *weaver, int kind, int64_t count, struct tmap_error *err)
{
	const struct tmap_profile *profile = weaver->clock->model->profile;
	const struct tmap_price *price = tmap_clock_price(weaver->clock, kind, weaver->bytes);
	const struct tmap_spread *spread = weaver->spread;
	struct tmap_moved *moved = &weaver->clock->moved;
	double byte_s = price->byte_s + (spread->combine ? profile->reduce_byte_s : 0);
	int64_t bytes;

	weaver->clock->group.seconds =
		larger(weaver->clock->group.seconds,
		       price->latency_s + spread->share * weaver->bytes * byte_s +
			       (spread->share - 1) * profile->overhead_s);
	moved->messages[kind] += count * (int64_t)spread->times;
	if (__builtin_mul_overflow(count, weaver->shift->bytes, &bytes) ||
	    __builtin_add_overflow(moved->bytes[kind], bytes, &moved->bytes[kind]))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

static int kind_within(const struct tmap_reach *reach, const struct rectangle *it, int row)
{
	return reach->within[reach->spot[it->from[row]].row + it->to[row]];
}

/* What one column does to the objects of each link. */
static void lay_patches(struct weaver *weaver, const struct rectangle *it)
{
	struct tmap_cost_model *model = weaver->clock->model;
	const struct tmap_reach *reach = &model->reach;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		struct tmap_patch *patch = link->patch;

		for (int i = 0; i < link->patch_count; i++)
			patch[i] = (struct tmap_patch){ 0 };
		for (int row = 0; row < it->count; row++) {
			struct tmap_patch *from = &patch[link->local[it->from[row]]];
			struct tmap_patch *to = &patch[link->local[it->to[row]]];
			int kind = kind_within(reach, it, row);
			double latency;

			from->out++;
			to->in++;
			if (!link->crossed[kind])
				continue;
			latency = tmap_clock_price(weaver->clock, kind, weaver->bytes)->latency_s;
			from->own_out++;
			to->own_in++;
			from->own_latency_s = larger(from->own_latency_s, latency);
			to->own_latency_s = larger(to->own_latency_s, latency);
		}
	}
}

/* So many messages pass an object. */
static void put(struct weaver *weaver, const struct tmap_cost_link *link, int object, bool in,
		double messages, double latency)
{
	struct tmap_clock *clock = weaver->clock;
	double bytes = messages * (double)weaver->shift->bytes;

	clock->group.seconds = larger(clock->group.seconds,
				      tmap_load_add(link, &link->load[object], clock->model->stamp,
						    in, bytes / weaver->spread->active, latency));
	if (clock->group.overlaps)
		clock->pipeline.busiest =
			larger(clock->pipeline.busiest,
			       tmap_load_add(link, &link->all[object], clock->all_stamp, in, bytes,
					     latency));
}

static void put_column_within(struct weaver *weaver, int node)
{
	const struct tmap_cost_model *model = weaver->clock->model;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		for (int i = 0; i < link->patch_count; i++) {
			const struct tmap_patch *patch = &link->patch[i];

			if (patch->own_out > 0)
				put(weaver, link, link->base[node] + i, false, patch->own_out,
				    patch->own_latency_s);
			if (patch->own_in > 0)
				put(weaver, link, link->base[node] + i, true, patch->own_in,
				    patch->own_latency_s);
		}
	}
}

static void put_column_between(struct weaver *weaver, int from, int to, int kind)
{
	const struct tmap_cost_model *model = weaver->clock->model;
	double latency = tmap_clock_price(weaver->clock, kind, weaver->bytes)->latency_s;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		for (int i = 0; i < link->patch_count && link->crossed[kind]; i++) {
			if (link->patch[i].out > 0)
				put(weaver, link, link->base[from] + i, false, link->patch[i].out,
				    latency);
			if (link->patch[i].in > 0)
				put(weaver, link, link->base[to] + i, true, link->patch[i].in,
				    latency);
		}
	}
}

static int count_rectangle(struct weaver *weaver, const struct rectangle *it,
			   struct tmap_error *err)
{
	const struct tmap_reach *reach = &weaver->clock->model->reach;
	int64_t same = 0;

	if (it->begin >= it->end || !it->count)
		return 0;
	lay_patches(weaver, it);
	for (int64_t c = it->begin; c < it->end; c += it->step) {
		int from = node_of(reach, c), to, kind;

		if (it->comb && place(it->comb, c) >= it->comb->run)
			continue;
		to = node_of(reach, c + it->further);
		if (from == to) {
			same++;
			put_column_within(weaver, from);
			continue;
		}
		kind = tmap_reach_between(reach, from, to);
		put_column_between(weaver, from, to, kind);
		if (count_kind(weaver, kind, it->count, err) < 0)
			return -1;
	}
	for (int row = 0; row < it->count && same; row++)
		if (count_kind(weaver, kind_within(reach, it, row), same, err) < 0)
			return -1;
	return 0;
}

/* The next sender from r on. */
static int64_t next_sender(const struct comb *comb, int64_t r)
{
	int64_t at = place(comb, r);

	return at < comb->run ? r : r + comb->step - at;
}

/* Senders from begin to end - 1, one by one. */
static int count_singly(struct weaver *weaver, const struct comb *comb, int64_t begin, int64_t end,
			int64_t ahead, struct tmap_error *err)
{
	enum { SOME = 512 };
	int from[SOME], to[SOME], count;
	int64_t bytes[SOME], left = 0, r = begin;

	for (int i = 0; i < SOME; i++)
		bytes[i] = weaver->shift->bytes;
	while (r < end) {
		for (count = 0; count < SOME && r < end; r++, left--) {
			if (!left) {
				r = next_sender(comb, r);
				left = comb->run - place(comb, r);
				if (r >= end)
					break;
			}
			from[count] = (int)r;
			to[count++] = (int)(r + ahead);
		}
		if (tmap_clock_take(weaver->clock, weaver->spread, from, to, bytes, count, err) < 0)
			return -1;
	}
	return 0;
}

static int64_t floor_mod(int64_t a, int64_t n)
{
	return a % n < 0 ? a % n + n : a % n;
}

/* Blocks: all senders in the columns begin .. end - 1 of which every m-th is alike. */
static int count_blocks(struct weaver *weaver, const struct comb *comb, int64_t begin, int64_t end,
			int64_t m, int64_t ahead, struct tmap_error *err)
{
	const struct tmap_reach *reach = &weaver->clock->model->reach;
	int64_t n = reach->period, down = floor_mod(ahead, n), further = (ahead - down) / n;

	for (int64_t c = begin; c < begin + m && c < end; c++)
		for (int over = 0; over < 2; over++) {
			struct rectangle it = { .begin = c,
						.end = end,
						.step = m,
						.further = further + over,
						.from = weaver->from,
						.to = weaver->to };
			int64_t row = over ? n - down : 0, stop = over ? n : n - down;

			for (; row < stop; row++) {
				if (place(comb, c * n + row) >= comb->run)
					continue;
				weaver->from[it.count] = spot_of(reach, row);
				weaver->to[it.count++] = spot_of(reach, row + down - over * n);
			}
			if (count_rectangle(weaver, &it, err) < 0)
				return -1;
		}
	return 0;
}

/* Cyclic: all senders in the rows begin .. end - 1 of which every m-th is alike. */
static int count_cycles(struct weaver *weaver, const struct comb *comb, int64_t begin, int64_t end,
			int64_t m, int64_t ahead, struct tmap_error *err)
{
	const struct tmap_reach *reach = &weaver->clock->model->reach;
	int64_t nodes = reach->period, further = floor_mod(ahead, nodes);
	int64_t down = (ahead - further) / nodes;

	for (int64_t c = begin; c < begin + m && c < end; c++)
		for (int over = 0; over <= (further > 0); over++) {
			const struct comb columns = { comb->first - c * nodes, comb->run,
						      comb->step };
			struct rectangle it = { .begin = over ? nodes - further : 0,
						.end = over ? nodes : nodes - further,
						.step = 1,
						.further = further - over * nodes,
						.comb = &columns,
						.from = weaver->from,
						.to = weaver->to };

			if (it.begin == it.end)
				continue;
			for (int64_t row = c; row < end; row += m) {
				weaver->from[it.count] = spot_of(reach, row);
				weaver->to[it.count++] = spot_of(reach, row + down + over);
			}
			if (count_rectangle(weaver, &it, err) < 0)
				return -1;
		}
	return 0;
}

/* Senders from begin to end - 1: what lies before and behind whole stretches of a period is
 * counted singly, and so is all where too few stretches are alike. */
static int count_stretch(struct weaver *weaver, const struct comb *comb, int64_t begin, int64_t end,
			 int64_t ahead, struct tmap_error *err)
{
	const struct tmap_reach *reach = &weaver->clock->model->reach;
	int64_t period = reach->period, first = (begin + period - 1) / period, stop = end / period;
	int64_t m = comb->step, shared = period;

	while (shared) { /* Euclid: m is what both divide by */
		int64_t rest = m % shared;

		m = shared;
		shared = rest;
	}
	m = comb->step / m;
	if (reach->weave == TMAP_REGULAR_NONE || !weaver->spread->single || stop - first < 4 * m)
		return count_singly(weaver, comb, begin, end, ahead, err);
	if (count_singly(weaver, comb, begin, first * period, ahead, err) < 0 ||
	    (reach->weave == TMAP_REGULAR_BLOCK ? count_blocks : count_cycles)(
		    weaver, comb, first, stop, m, ahead, err) < 0)
		return -1;
	return count_singly(weaver, comb, stop * period, end, ahead, err);
}

/* Long runs are stretches of their own. */
static int count_part(struct weaver *weaver, const struct comb *comb, int64_t begin, int64_t end,
		      int64_t ahead, struct tmap_error *err)
{
	const struct tmap_reach *reach = &weaver->clock->model->reach;

	if (comb->run < comb->step && comb->run < 8 * (int64_t)reach->period)
		return count_stretch(weaver, comb, begin, end, ahead, err);
	for (int64_t r = next_sender(comb, begin); r < end; r = next_sender(comb, r)) {
		int64_t stop = comb->run == comb->step ?
			end :
			least_of(end, r + comb->run - place(comb, r));
		const struct comb all = { 0, 1, 1 };

		if (count_stretch(weaver, &all, r, stop, ahead, err) < 0)
			return -1;
		r = stop;
	}
	return 0;
}

/* Senders modulo p, in parts whose receivers do not pass the last rank either. */
static int count_parts(struct weaver *weaver, struct tmap_error *err)
{
	const struct tmap_shift_pattern *shift = weaver->shift;
	int64_t size = weaver->clock->model->reach.size, turn = size - shift->ahead;
	int64_t begin = shift->first, end = tmap_shift_pattern_sender(shift, shift->count - 1) + 1;

	for (int64_t base = 0; base < end; base += size) {
		const struct comb comb = { shift->first - base, shift->run, shift->step };
		int64_t from = larger_of(begin - base, 0), to = least_of(end - base, size);

		if (count_part(weaver, &comb, from, least_of(to, turn), shift->ahead, err) < 0 ||
		    count_part(weaver, &comb, larger_of(from, turn), to, shift->ahead - size, err) <
			    0)
			return -1;
	}
	return 0;
}

int tmap_clock_shift(struct tmap_clock *clock, const struct tmap_spread *spread,
		     const struct tmap_shift_pattern *shift, struct tmap_error *err)
{
	const struct tmap_reach *reach = &clock->model->reach;
	struct weaver weaver = { .clock = clock,
				 .spread = spread,
				 .shift = shift,
				 .bytes = (double)shift->bytes / spread->times };
	size_t rows = (size_t)(reach->weave == TMAP_REGULAR_BLOCK ?
				       reach->period :
				       reach->size / reach->period + 1);
	int status = -1;

	weaver.from = tmap_alloc_raw(rows, sizeof *weaver.from, err);
	weaver.to = tmap_alloc_raw(rows, sizeof *weaver.to, err);
	if (weaver.from && weaver.to)
		status = count_parts(&weaver, err);
	free(weaver.from);
	free(weaver.to);
	return status;
}
