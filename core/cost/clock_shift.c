/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shifts over ranks that are distributed block or cyclic over the nodes, whole nodes at a time. The
 * ranks are a table, whose columns are nodes and whose rows are objects:
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
struct senders {
	int64_t first, run, step;
};

/* The columns begin, begin + step, ... below end go that many columns further, by these rows; of
 * the columns only those that are among the senders, if these are given. */
struct rectangle {
	int64_t begin, end, step, further;
	const struct senders *senders;
	int count;
	const int *from, *to; /* [count]: objects */
};

struct column_count {
	struct tmap_clock *clock;
	const struct tmap_spread *spread;
	const struct tmap_shift_pattern *shift;
	double bytes;   /* of one message */
	int *from, *to; /* rows of a rectangle, as objects */
};

/* How far r is behind the start of a run; below run: it is a sender. */
static int64_t senders_place(const struct senders *senders, int64_t r)
{
	int64_t at = (r - senders->first) % senders->step;

	return at < 0 ? at + senders->step : at;
}

static int64_t int64_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t int64_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static double shift_max(double a, double b)
{
	return a > b ? a : b;
}

/* The node of a column, and the object of a row: those of the first rank in it. */
static int column_node(const struct tmap_pair_kinds *kinds, int64_t column)
{
	bool is_block = kinds->distribution == TMAP_DISTRIBUTION_BLOCK;

	return kinds->position[is_block ? column * kinds->period : column].node;
}

static int row_object(const struct tmap_pair_kinds *kinds, int64_t row)
{
	bool is_block = kinds->distribution == TMAP_DISTRIBUTION_BLOCK;

	return kinds->position[is_block ? row : row * kinds->period].object;
}

/* Messages of one kind: their number, and the longest chain. */
static int shift_count_kind(struct column_count *columns, int kind, int64_t count,
			    struct tmap_error *err)
{
	const struct tmap_profile *profile = columns->clock->model->profile;
	const struct tmap_price *price = tmap_clock_price(columns->clock, kind, columns->bytes);
	const struct tmap_spread *spread = columns->spread;
	struct tmap_moved *moved = &columns->clock->moved;
	double byte_s = price->byte_s + (spread->combine ? profile->reduce_byte_s : 0);
	int64_t bytes;

	columns->clock->group.seconds =
		shift_max(columns->clock->group.seconds,
			  price->latency_s + spread->share * columns->bytes * byte_s +
				  (spread->share - 1) * price->row->overhead_s);
	moved->messages[kind] += count * (int64_t)spread->times;
	if (__builtin_mul_overflow(count, columns->shift->bytes, &bytes) ||
	    __builtin_add_overflow(moved->bytes[kind], bytes, &moved->bytes[kind]))
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

static int row_kind(const struct tmap_pair_kinds *kinds, const struct rectangle *it, int row)
{
	return kinds->within[kinds->object[it->from[row]].row + it->to[row]];
}

/* What one column does to the objects of each link. */
static void column_sum(struct column_count *columns, const struct rectangle *it)
{
	struct tmap_cost_model *model = columns->clock->model;
	const struct tmap_pair_kinds *kinds = &model->kinds;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		struct tmap_node_load *load = link->node_load;

		for (int i = 0; i < link->node_load_count; i++)
			load[i] = (struct tmap_node_load){ 0 };
		for (int row = 0; row < it->count; row++) {
			struct tmap_node_load *from = &load[link->local[it->from[row]]];
			struct tmap_node_load *to = &load[link->local[it->to[row]]];
			int kind = row_kind(kinds, it, row);
			double latency;

			from->out++;
			to->in++;
			if (!link->crossed[kind])
				continue;
			latency = tmap_clock_price(columns->clock, kind, columns->bytes)->latency_s;
			from->own_out++;
			to->own_in++;
			from->own_latency_s = shift_max(from->own_latency_s, latency);
			to->own_latency_s = shift_max(to->own_latency_s, latency);
		}
	}
}

/* Messages that pass an object. */
static void link_add_messages(struct column_count *columns, const struct tmap_cost_link *link,
			      int object, bool in, double messages, double latency)
{
	struct tmap_clock *clock = columns->clock;
	double bytes = messages * (double)columns->shift->bytes;

	clock->group.seconds =
		shift_max(clock->group.seconds,
			  tmap_load_add(link, link->load, object, clock->model->stamp, in,
					bytes / columns->spread->active, latency));
	if (clock->group.overlaps)
		clock->pipeline.busiest =
			shift_max(clock->pipeline.busiest,
				  tmap_load_add(link, link->all, object, clock->all_stamp, in,
						bytes, latency));
}

static void column_add_within(struct column_count *columns, int node)
{
	const struct tmap_cost_model *model = columns->clock->model;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		for (int i = 0; i < link->node_load_count; i++) {
			const struct tmap_node_load *load = &link->node_load[i];

			if (load->own_out > 0)
				link_add_messages(columns, link, link->base[node] + i, false,
						  load->own_out, load->own_latency_s);
			if (load->own_in > 0)
				link_add_messages(columns, link, link->base[node] + i, true,
						  load->own_in, load->own_latency_s);
		}
	}
}

static void column_add_between(struct column_count *columns, int from, int to, int kind)
{
	const struct tmap_cost_model *model = columns->clock->model;
	double latency = tmap_clock_price(columns->clock, kind, columns->bytes)->latency_s;

	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		for (int i = 0; i < link->node_load_count && link->crossed[kind]; i++) {
			if (link->node_load[i].out > 0)
				link_add_messages(columns, link, link->base[from] + i, false,
						  link->node_load[i].out, latency);
			if (link->node_load[i].in > 0)
				link_add_messages(columns, link, link->base[to] + i, true,
						  link->node_load[i].in, latency);
		}
	}
}

static int rectangle_count(struct column_count *columns, const struct rectangle *it,
			   struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &columns->clock->model->kinds;
	int64_t same = 0;

	if (it->begin >= it->end || !it->count)
		return 0;
	column_sum(columns, it);
	for (int64_t c = it->begin; c < it->end; c += it->step) {
		int from = column_node(kinds, c), to, kind;

		if (it->senders && senders_place(it->senders, c) >= it->senders->run)
			continue;
		to = column_node(kinds, c + it->further);
		if (from == to) {
			same++;
			column_add_within(columns, from);
			continue;
		}
		kind = tmap_pair_kind_between(kinds, from, to);
		column_add_between(columns, from, to, kind);
		if (shift_count_kind(columns, kind, it->count, err) < 0)
			return -1;
	}
	for (int row = 0; row < it->count && same; row++)
		if (shift_count_kind(columns, row_kind(kinds, it, row), same, err) < 0)
			return -1;
	return 0;
}

/* The next sender from r on. */
static int64_t senders_next(const struct senders *senders, int64_t r)
{
	int64_t at = senders_place(senders, r);

	return at < senders->run ? r : r + senders->step - at;
}

/* Senders from begin to end - 1, one by one. */
static int shift_count_singly(struct column_count *columns, const struct senders *senders,
			      int64_t begin, int64_t end, int64_t ahead, struct tmap_error *err)
{
	enum { SOME = 512 };
	int from[SOME], to[SOME], count;
	int64_t bytes[SOME], left = 0, r = begin;

	for (int i = 0; i < SOME; i++)
		bytes[i] = columns->shift->bytes;
	while (r < end) {
		for (count = 0; count < SOME && r < end; r++, left--) {
			if (!left) {
				r = senders_next(senders, r);
				left = senders->run - senders_place(senders, r);
				if (r >= end)
					break;
			}
			from[count] = (int)r;
			to[count++] = (int)(r + ahead);
		}
		if (tmap_clock_take(columns->clock, columns->spread, from, to, bytes, count, err) <
		    0)
			return -1;
	}
	return 0;
}

static int64_t floor_mod(int64_t a, int64_t n)
{
	return a % n < 0 ? a % n + n : a % n;
}

/* Blocks: all senders in the columns begin .. end - 1 of which every m-th is alike. */
static int shift_count_blocks(struct column_count *columns, const struct senders *senders,
			      int64_t begin, int64_t end, int64_t m, int64_t ahead,
			      struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &columns->clock->model->kinds;
	int64_t n = kinds->period, down = floor_mod(ahead, n), further = (ahead - down) / n;

	for (int64_t c = begin; c < begin + m && c < end; c++)
		for (int over = 0; over < 2; over++) {
			struct rectangle it = { .begin = c,
						.end = end,
						.step = m,
						.further = further + over,
						.from = columns->from,
						.to = columns->to };
			int64_t row = over ? n - down : 0, stop = over ? n : n - down;

			for (; row < stop; row++) {
				if (senders_place(senders, c * n + row) >= senders->run)
					continue;
				columns->from[it.count] = row_object(kinds, row);
				columns->to[it.count++] = row_object(kinds, row + down - over * n);
			}
			if (rectangle_count(columns, &it, err) < 0)
				return -1;
		}
	return 0;
}

/* Cyclic: all senders in the rows begin .. end - 1 of which every m-th is alike. */
static int shift_count_cyclic(struct column_count *columns, const struct senders *senders,
			      int64_t begin, int64_t end, int64_t m, int64_t ahead,
			      struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &columns->clock->model->kinds;
	int64_t nodes = kinds->period, further = floor_mod(ahead, nodes);
	int64_t down = (ahead - further) / nodes;

	for (int64_t c = begin; c < begin + m && c < end; c++)
		for (int over = 0; over <= (further > 0); over++) {
			const struct senders picked = { senders->first - c * nodes, senders->run,
							senders->step };
			struct rectangle it = { .begin = over ? nodes - further : 0,
						.end = over ? nodes : nodes - further,
						.step = 1,
						.further = further - over * nodes,
						.senders = &picked,
						.from = columns->from,
						.to = columns->to };

			if (it.begin == it.end)
				continue;
			for (int64_t row = c; row < end; row += m) {
				columns->from[it.count] = row_object(kinds, row);
				columns->to[it.count++] = row_object(kinds, row + down + over);
			}
			if (rectangle_count(columns, &it, err) < 0)
				return -1;
		}
	return 0;
}

/* Senders from begin to end - 1: what lies before and behind whole stretches of a period is
 * counted singly, and so is all where too few stretches are alike. */
static int shift_count_stretch(struct column_count *columns, const struct senders *senders,
			       int64_t begin, int64_t end, int64_t ahead, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &columns->clock->model->kinds;
	int64_t period = kinds->period, first = (begin + period - 1) / period, stop = end / period;
	int64_t m = senders->step, shared = period;

	while (shared) { /* Euclid: m is what both divide by */
		int64_t rest = m % shared;

		m = shared;
		shared = rest;
	}
	m = senders->step / m;
	if (kinds->distribution == TMAP_DISTRIBUTION_OTHER || !columns->spread->single ||
	    stop - first < 4 * m)
		return shift_count_singly(columns, senders, begin, end, ahead, err);
	if (shift_count_singly(columns, senders, begin, first * period, ahead, err) < 0 ||
	    (kinds->distribution == TMAP_DISTRIBUTION_BLOCK ?
		     shift_count_blocks :
		     shift_count_cyclic)(columns, senders, first, stop, m, ahead, err) < 0)
		return -1;
	return shift_count_singly(columns, senders, stop * period, end, ahead, err);
}

/* Long runs are stretches of their own. */
static int shift_count_part(struct column_count *columns, const struct senders *senders,
			    int64_t begin, int64_t end, int64_t ahead, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &columns->clock->model->kinds;

	if (senders->run < senders->step && senders->run < 8 * (int64_t)kinds->period)
		return shift_count_stretch(columns, senders, begin, end, ahead, err);
	for (int64_t r = senders_next(senders, begin); r < end; r = senders_next(senders, r)) {
		int64_t stop = senders->run == senders->step ?
			end :
			int64_min(end, r + senders->run - senders_place(senders, r));
		const struct senders all = { 0, 1, 1 };

		if (shift_count_stretch(columns, &all, r, stop, ahead, err) < 0)
			return -1;
		r = stop;
	}
	return 0;
}

/* Senders modulo p, in parts whose receivers do not pass the last rank either. */
static int shift_count_parts(struct column_count *columns, struct tmap_error *err)
{
	const struct tmap_shift_pattern *shift = columns->shift;
	int64_t size = columns->clock->model->kinds.size, turn = size - shift->ahead;
	int64_t begin = shift->first, end = tmap_shift_pattern_sender(shift, shift->count - 1) + 1;

	for (int64_t base = 0; base < end; base += size) {
		const struct senders senders = { shift->first - base, shift->run, shift->step };
		int64_t from = int64_max(begin - base, 0), to = int64_min(end - base, size);

		if (shift_count_part(columns, &senders, from, int64_min(to, turn), shift->ahead,
				     err) < 0 ||
		    shift_count_part(columns, &senders, int64_max(from, turn), to,
				     shift->ahead - size, err) < 0)
			return -1;
	}
	return 0;
}

int tmap_clock_shift(struct tmap_clock *clock, const struct tmap_spread *spread,
		     const struct tmap_shift_pattern *shift, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &clock->model->kinds;
	struct column_count columns = { .clock = clock,
					.spread = spread,
					.shift = shift,
					.bytes = (double)shift->bytes / spread->times };
	size_t rows = (size_t)(kinds->distribution == TMAP_DISTRIBUTION_BLOCK ?
				       kinds->period :
				       kinds->size / kinds->period + 1);
	int status = -1;

	columns.from = tmap_alloc_raw(rows, sizeof *columns.from, err);
	columns.to = tmap_alloc_raw(rows, sizeof *columns.to, err);
	if (columns.from && columns.to)
		status = shift_count_parts(&columns, err);
	free(columns.from);
	free(columns.to);
	return status;
}
