/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_class.h"

#include "core/base/mem.h"
#include "core/cost/clock_class_sort.h"

#include <math.h>
#include <string.h>

/* A message of a node. */
struct node_message {
	const struct tmap_price *price;
	const struct tmap_clock_batch *stretch;
	int kind;
	int from, to; /* nodes */
	int from_row, to_row;
	bool sends, receives; /* the node that is looked at; both where it is one within it */
};

/* The stretches of a round, and a class of nodes that is looked at. */
struct class_look {
	struct tmap_clock *clock;
	size_t begin, end;
	int node;  /* its example */
	int class; /* among those loaded, or the next ones */
	void (*visit)(const struct class_look *look, const struct node_message *message);
};

/* The messages of one part of a node's rows, which sends or receives them. */
static void look_at_part(const struct class_look *look, size_t s, bool enters,
			 const struct tmap_class_part *part)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_pair_kinds *kinds = &look->clock->model->kinds;
	const struct tmap_clock_batch *stretch = &look->clock->model->room->stretch[s];
	const struct tmap_price *price = it->price + (s - it->begin) * (size_t)kinds->count;
	const struct tmap_node_part *rows = &part->rows;
	int from = enters ? rows->node : look->node, to = enters ? look->node : rows->node;
	int begin = enters ? rows->row : rows->lo, end = begin + rows->hi - rows->lo;
	int receiver = enters ? rows->lo : rows->row;
	struct node_message message = { .stretch = stretch,
					.from = from,
					.to = to,
					.sends = from == look->node,
					.receives = to == look->node };

	if (enters && from == to)
		return;
	if (from != to)
		message.kind = tmap_pair_kind_between(kinds, tmap_class_node(look->clock, from),
						      tmap_class_node(look->clock, to));
	for (int sender = begin; sender < end; sender++) {
		if (part->senders != TMAP_ALL_ROWS)
			sender = tmap_node_next_sender(&it->in, from, sender, end, &stretch->shift);
		if (sender >= end)
			break;
		message.from_row = sender;
		message.to_row = sender - begin + receiver;
		if (from == to)
			message.kind =
				kinds->within[kinds->object[tmap_class_object(look->clock, sender)]
						      .row +
					      tmap_class_object(look->clock, message.to_row)];
		message.price = price + message.kind;
		look->visit(look, &message);
	}
}

/* All messages of a node in a stretch. */
static void look_at_node(const struct class_look *look, size_t s)
{
	for (int enters = 0; enters < 2; enters++) {
		struct tmap_class_part part[TMAP_NODE_PARTS];
		int count = tmap_class_parts(look->clock, s, look->node, enters, part);

		for (int i = 0; i < count; i++)
			look_at_part(look, s, enters, &part[i]);
	}
}

/* The clocks of a node before the round. */
static struct tmap_class_clocks clocks_before(const struct tmap_clock_classes *it, int node)
{
	return tmap_class_clocks_of(it, it->state, it->now.of[node]);
}

static double message_starts(const struct tmap_clock_classes *it,
			     const struct node_message *message)
{
	struct tmap_class_clocks from = clocks_before(it, message->from);
	struct tmap_class_clocks to = clocks_before(it, message->to);

	return tmap_message_start(message->price, from.at[message->from_row],
				  from.left[message->from_row], to.at[message->to_row]);
}

/* The number of a row's load on a link. */
static int row_load(const struct tmap_clock_classes *it, int link, int row, bool enters)
{
	return it->load[2 * (link * it->in.rows + row) + enters];
}

static void load_pass(struct tmap_cost_load *load, const struct node_message *message,
		      double first_s)
{
	load->bytes += message->price->bytes;
	load->messages += message->stretch->spread.share;
	load->first_s = first_s < load->first_s ? first_s : load->first_s;
}

static void message_pass(const struct class_look *look, const struct node_message *message)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_cost_model *model = look->clock->model;
	struct tmap_cost_load *load = it->passed + (size_t)look->class * (size_t)it->load_count;
	double head = message_starts(it, message) + message->price->latency_s;

	for (int l = 0; l < model->link_count; l++) {
		if (!model->link[l].crossed[message->kind])
			continue;
		if (message->sends)
			load_pass(&load[row_load(it, l, message->from_row, false)], message, head);
		if (message->receives)
			load_pass(&load[row_load(it, l, message->to_row, true)], message, head);
	}
}

/* Until when the loads of a class are busy that have something of this round. */
static void loads_end(const struct class_look *look)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_cost_model *model = look->clock->model;
	struct tmap_cost_load *load = it->passed + (size_t)look->class * (size_t)it->load_count;
	double *end_s = it->end_s + (size_t)look->class * (size_t)it->load_count;
	struct tmap_class_clocks before = clocks_before(it, look->node);

	memcpy(end_s, before.end_s, (size_t)it->load_count * sizeof *end_s);
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		int base = link->base[tmap_class_node(look->clock, look->node)];

		for (size_t i = 0; i < tmap_class_link_loads(link); i++, load++, end_s++) {
			int object = base + tmap_cost_load_object(link, i);

			if (load->messages <= 0)
				continue;
			load->round = model->stamp;
			*end_s = tmap_later(load->first_s, *end_s) +
				tmap_cost_busy(link, object, load->bytes, load->messages);
		}
	}
}

/* When the links of both its nodes have let a message through. */
static double message_links_end(const struct class_look *look, const struct node_message *message)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_cost_model *model = look->clock->model;
	size_t loads = (size_t)it->load_count;
	const double *from_s = it->end_s + (size_t)it->loaded.of[message->from] * loads;
	const double *to_s = it->end_s + (size_t)it->loaded.of[message->to] * loads;
	double end = 0;

	for (int l = 0; l < model->link_count; l++)
		if (model->link[l].crossed[message->kind])
			end = tmap_later(
				end,
				tmap_later(from_s[row_load(it, l, message->from_row, false)],
					   to_s[row_load(it, l, message->to_row, true)]));
	return end;
}

static void message_time(const struct class_look *look, const struct node_message *message)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_price *price = message->price;
	bool single = message->stretch->spread.single;
	struct tmap_class_clocks from = clocks_before(it, message->from);
	struct tmap_class_clocks to = clocks_before(it, message->to);
	struct tmap_class_clocks made = tmap_class_clocks_of(it, it->made, look->class);
	double start = message_starts(it, message), head = start + price->latency_s;
	double at_from = from.at[message->from_row], at_to = to.at[message->to_row];
	double taken = to.taken[message->to_row], end = message_links_end(look, message);
	struct tmap_message_end ends = single ?
		tmap_message_arrive(price, head, at_from, at_to, taken, end) :
		tmap_messages_arrive(price, head, tmap_message_kept(price), at_from, at_to, taken,
				     end);

	if (message->sends) {
		double *left = &made.left[message->from_row], *at = &made.at[message->from_row];
		double port = start + price->port_s;

		if (price->by_port && !price->together)
			*left = single ? port : tmap_later(*left, port);
		*at = tmap_later(*at, ends.sender_s);
		it->own_s[message->from_row] += price->out_s;
		it->moved[message->kind]++;
	}
	if (message->receives) {
		double *at = &made.at[message->to_row];

		made.taken[message->to_row] = ends.done_s;
		*at = tmap_later(*at, ends.receiver_s);
		it->own_s[message->to_row] += price->in_s;
	}
}

/* What all nodes of a class have sent in a stretch. */
static int class_count_moved(const struct class_look *look, size_t s, struct tmap_error *err)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_clock_batch *stretch = &look->clock->model->room->stretch[s];

	for (int k = 0; k < look->clock->model->kinds.count; k++) {
		int64_t count = it->moved[k] * it->next.nodes[look->class];

		it->moved[k] = 0;
		if (tmap_clock_count_moved(look->clock, k, count, (int64_t)stretch->spread.times,
					   stretch->shift.bytes, err) < 0)
			return -1;
	}
	return 0;
}

/* What the nodes of a class are like after this round, but for what others of them share. */
static int class_time(const struct class_look *look, struct tmap_error *err)
{
	struct tmap_clock_classes *it = look->clock->classes;
	struct tmap_class_clocks before = clocks_before(it, look->node);
	struct tmap_class_clocks made = tmap_class_clocks_of(it, it->made, look->class);
	size_t rows = (size_t)it->in.rows, loads = (size_t)it->load_count;

	memcpy(made.at, before.at, 3 * rows * sizeof *made.at);
	memcpy(made.end_s, it->end_s + (size_t)it->loaded.of[look->node] * loads,
	       loads * sizeof *made.end_s);
	memset(it->own_s, 0, rows * sizeof *it->own_s);
	for (size_t s = look->begin; s < look->end; s++) {
		look_at_node(look, s);
		if (class_count_moved(look, s, err) < 0)
			return -1;
	}
	if (look->clock->model->room->stretch[look->begin].spread.share > 1)
		for (size_t row = 0; row < rows; row++)
			made.at[row] = tmap_later(made.at[row], before.at[row] + it->own_s[row]);
	return 0;
}

static int round_price(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;
	size_t kinds = (size_t)clock->model->kinds.count;

	if (tmap_grow(&it->price, &it->price_capacity, (end - begin) * kinds, sizeof *it->price,
		      err) < 0)
		return -1;
	for (size_t s = begin; s < end; s++) {
		const struct tmap_clock_batch *stretch = &clock->model->room->stretch[s];

		for (size_t k = 0; k < kinds; k++)
			it->price[(s - it->begin) * kinds + k] = tmap_clock_price(
				clock, &stretch->spread, (int)k, stretch->shift.bytes);
	}
	return 0;
}

static int round_load(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;
	size_t loads = (size_t)it->loaded.count * (size_t)it->load_count;

	if (tmap_grow(&it->end_s, &it->end_capacity, loads, sizeof *it->end_s, err) < 0 ||
	    tmap_grow(&it->passed, &it->passed_capacity, loads, sizeof *it->passed, err) < 0)
		return -1;
	for (size_t i = 0; i < loads; i++)
		it->passed[i] = (struct tmap_cost_load){ .first_s = INFINITY };
	for (int c = 0; c < it->loaded.count; c++) {
		const struct class_look look = { clock, begin,       end, it->loaded.example[c],
						 c,     message_pass };

		for (size_t s = begin; s < end && it->load_count; s++)
			look_at_node(&look, s);
		loads_end(&look);
	}
	return 0;
}

static int round_time(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;

	if (tmap_grow(&it->made, &it->made_capacity, (size_t)it->next.count * it->width,
		      sizeof *it->made, err) < 0)
		return -1;
	memset(it->moved, 0, (size_t)clock->model->kinds.count * sizeof *it->moved);
	for (int c = 0; c < it->next.count; c++) {
		const struct class_look look = { clock, begin,       end, it->next.example[c],
						 c,     message_time };

		if (class_time(&look, err) < 0)
			return -1;
	}
	return 0;
}

/* Classes with the same bits become one. */
static int round_merge(struct tmap_clock_classes *it, struct tmap_error *err)
{
	if (tmap_grow(&it->tuple, &it->tuple_capacity, it->width, sizeof *it->tuple, err) < 0 ||
	    tmap_grow(&it->state, &it->state_capacity, (size_t)it->next.count * it->width,
		      sizeof *it->state, err) < 0)
		return -1;
	tmap_tuples_clear(&it->tuples);
	for (int c = 0; c < it->next.count; c++) {
		const double *made = it->made + (size_t)c * it->width;
		int before = it->tuples.count;

		memcpy(it->tuple, made, it->width * sizeof *made);
		it->next.nodes[c] = tmap_tuples_intern(&it->tuples, it->tuple, it->width, err);
		if (it->next.nodes[c] == TMAP_NONE)
			return -1;
		if (it->tuples.count > before)
			memcpy(it->state + (size_t)before * it->width, made,
			       it->width * sizeof *made);
	}
	for (int n = 0; n < it->in.nodes; n++)
		it->now.of[n] = it->next.nodes[it->next.of[n]];
	it->now.count = it->tuples.count;
	return 0;
}

int tmap_class_round(bool *timed, struct tmap_clock *clock, size_t begin, size_t end,
		     struct tmap_error *err)
{
	const struct tmap_node_rows in = tmap_node_rows(&clock->model->kinds);
	struct tmap_clock_classes *it;
	int status;

	*timed = false;
	if (!tmap_class_fits(clock, &in, begin, end))
		return 0;
	if (!clock->classes && tmap_class_begin(clock, in, err) < 0)
		return -1;
	it = clock->classes;
	if (!it)
		return 0;
	status = tmap_class_look(clock, begin, end, err);
	if (status == 0)
		status = tmap_class_sort(clock, begin, end, &it->loaded, &it->now, err);
	if (status == 0)
		status = tmap_class_sort(clock, begin, end, &it->next, &it->loaded, err);
	it->loaded.count = status ? 0 : it->loaded.count;
	if (status)
		return status < 0 ? -1 : 0;
	*timed = true;
	return round_price(clock, begin, end, err) < 0 || round_load(clock, begin, end, err) < 0 ||
			round_time(clock, begin, end, err) < 0 || round_merge(it, err) < 0 ?
		-1 :
		0;
}
