/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/map/burst.h"

#include "core/base/mem.h"
#include "core/cost/clock_round.h"
#include "core/map/burst_loads.h"
#include "core/pattern/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many kinds and sizes have their prices kept, from row to row: a power of two. */
enum { PRICES = 256 };

/* The price of a kind and size, and the last rank in whose row it is. */
struct kept_price {
	int kind; /* TMAP_NONE: none yet */
	int64_t whole;
	int rank;
	struct tmap_price price;
};

/* A message of the row at hand. */
struct message {
	int to, kind;
	struct tmap_position reached;
	const struct tmap_price *price; /* kept, or the row's own */
	double head_s;                  /* first pass: when its first byte comes, */
	double links_end_s;             /* second: and when the links have let it through */
};

/* What a rank does: messages that come to it, and its own time for these and those that it sends. */
struct rank_work {
	double first_s, last_s; /* when the first one begins, and the last one is there by itself */
	double taking_s;        /* all of them, one after another */
	double own_s;
	bool sent, received, has_several; /* each way */
};

struct burst {
	struct tmap_cost_model *model;
	struct tmap_pattern_rows rows;
	struct rank_work *work; /* [size] */
	int64_t *moved;         /* [kinds] bytes */
	double last_s;          /* when the last rank is through, as far as is known */
	int rank;               /* whose row is at hand, */
	struct tmap_position left;
	double bytes;  /* of the last message, */
	int64_t whole; /* in whole ones */
	int count;
	size_t message_capacity, room_capacity;
	struct message *message; /* [count] */
	struct tmap_price *room; /* [count]: of those whose price is not kept */
	struct kept_price kept[PRICES];
};

static struct tmap_price burst_price(const struct tmap_cost_model *model, int kind, int64_t whole)
{
	int step = model->kinds.step[kind];

	return tmap_price_make(model->row[step], tmap_cost_is_within(model, step), (double)whole,
			       (double)whole, 1, 0);
}

/* The price of message i of the row. What is kept stays where it is as long as the row has it. */
static const struct tmap_price *burst_find_price(struct burst *it, int i, int kind, int64_t whole)
{
	struct kept_price *kept = &it->kept[((uint64_t)kind << 4 ^ (uint64_t)whole) & (PRICES - 1)];

	if (kept->kind == kind && kept->whole == whole) {
		kept->rank = it->rank;
		return &kept->price;
	}
	if (kept->kind != TMAP_NONE && kept->rank == it->rank) {
		it->room[i] = burst_price(it->model, kind, whole);
		return &it->room[i];
	}
	*kept = (struct kept_price){ kind, whole, it->rank, burst_price(it->model, kind, whole) };
	return &kept->price;
}

/* The messages of the row at hand, in the order in which they leave. */
static int burst_take_row(struct burst *it, bool counts, struct tmap_error *err)
{
	const struct tmap_pattern_rows *rows = &it->rows;
	const struct tmap_pair_kinds *kinds = &it->model->kinds;
	size_t most = (size_t)rows->count;

	if (tmap_grow(&it->message, &it->message_capacity, most, sizeof *it->message, err) < 0 ||
	    tmap_grow(&it->room, &it->room_capacity, most, sizeof *it->room, err) < 0)
		return -1;
	it->rank = rows->rank;
	it->left = tmap_pair_position(kinds, rows->rank);
	it->count = 0;
	for (int e = 0; e < rows->count; e++) {
		int i = rows->turn ? rows->turn[e] : e;
		struct message *message = &it->message[it->count];

		if (rows->sent[i] <= 0)
			continue;
		if (rows->sent[i] != it->bytes) {
			it->bytes = rows->sent[i];
			it->whole = tmap_alike_whole(it->bytes);
		}
		message->to = rows->peer[i];
		message->reached = tmap_pair_position(kinds, message->to);
		message->kind = tmap_pair_kind(kinds, it->left, message->reached);
		message->price = burst_find_price(it, it->count++, message->kind, it->whole);
		if (counts &&
		    __builtin_add_overflow(it->moved[message->kind], it->whole,
					   &it->moved[message->kind]))
			return tmap_fail(err, TMAP_INPUT,
					 "the schedule moves more than 2^63 - 1 bytes");
	}
	return 0;
}

/* What a rank has sent of its row. */
struct sender {
	double out_s, left_s; /* own time, and until when its port sends what left eagerly */
};

/* When the first byte of the next message comes; what leaves after it begins later. */
static double sender_send(struct sender *sender, const struct burst *it,
			  const struct message *message)
{
	const struct tmap_price *price = message->price;
	double start = 0;

	if (!price->together) {
		start = sender->out_s;
		if (price->by_port)
			start = tmap_later(start, sender->left_s);
		sender->out_s += price->out_s;
		if (price->by_port)
			sender->left_s = start + price->port_s;
	}
	return start + price->latency_s + tmap_cost_wait(it->model, message->to);
}

/* First pass. */

/* The row onto a link: what leaves and what enters share its loads. */
static void row_load_sum(const struct burst *it, const struct tmap_cost_link *link)
{
	struct tmap_cost_load *left = &link->load[tmap_cost_object(link, it->left)];

	for (int i = 0; i < it->count; i++) {
		const struct message *message = &it->message[i];

		if (!link->crossed[message->kind])
			continue;
		tmap_burst_load_add(left, message->price->bytes, 1, message->head_s);
		tmap_burst_load_add(&link->load[tmap_cost_object(link, message->reached)],
				    message->price->bytes, 1, message->head_s);
	}
}

/* They do not, and all of the row leaves by one load. */
static void row_load_apart(const struct burst *it, const struct tmap_cost_link *link)
{
	struct tmap_cost_load *out =
		&link->load[tmap_cost_load(link, tmap_cost_object(link, it->left), false)];
	struct tmap_cost_load left = *out;

	for (int i = 0; i < it->count; i++) {
		const struct message *message = &it->message[i];
		int reached = tmap_cost_object(link, message->reached);

		if (!link->crossed[message->kind])
			continue;
		tmap_burst_load_add(&left, message->price->bytes, 1, message->head_s);
		tmap_burst_load_add(&link->load[tmap_cost_load(link, reached, true)],
				    message->price->bytes, 1, message->head_s);
	}
	*out = left;
}

static void row_load(struct burst *it)
{
	const struct tmap_cost_model *model = it->model;
	struct sender sender = { 0, 0 };

	for (int i = 0; i < it->count; i++)
		it->message[i].head_s = sender_send(&sender, it, &it->message[i]);
	for (int l = 0; l < model->link_count; l++)
		if (model->link[l].is_sum)
			row_load_sum(it, &model->link[l]);
		else
			row_load_apart(it, &model->link[l]);
}

/* Second pass. */

/* When the links that each message crosses have let it through; 0 where it crosses none. */
static void row_find_ends(struct burst *it)
{
	const struct tmap_cost_model *model = it->model;

	for (int i = 0; i < it->count; i++)
		it->message[i].links_end_s = 0;
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		double left =
			link->end_s[tmap_cost_load(link, tmap_cost_object(link, it->left), false)];

		for (int i = 0; i < it->count; i++) {
			struct message *message = &it->message[i];
			int reached = tmap_cost_object(link, message->reached);
			double end =
				tmap_later(left, link->end_s[tmap_cost_load(link, reached, true)]);

			if (link->crossed[message->kind])
				message->links_end_s = tmap_later(message->links_end_s, end);
		}
	}
}

static void burst_wait(struct burst *it, double until_s)
{
	it->last_s = tmap_later(it->last_s, until_s);
}

static void work_receive(struct rank_work *work, const struct tmap_price *price, double begin,
			 double come)
{
	work->first_s = work->received && work->first_s < begin ? work->first_s : begin;
	work->last_s = tmap_later(work->last_s, come);
	work->taking_s += tmap_messages_taking(price);
	work->own_s += price->in_s;
	work->has_several |= work->received;
	work->received = true;
}

/* What shares the sender's port. */
static double row_shared(const struct burst *it)
{
	double shared = 0;

	for (int i = 0; i < it->count; i++) {
		const struct tmap_price *price = it->message[i].price;

		shared += price->together ? price->held_s : price->by_port ? price->port_s : 0;
	}
	return shared;
}

static void row_arrive(struct burst *it)
{
	struct rank_work *sends = &it->work[it->rank];
	struct sender sender = { 0, 0 };
	double shared = row_shared(it);

	row_find_ends(it);
	for (int i = 0; i < it->count; i++) {
		const struct message *message = &it->message[i];
		const struct tmap_price *price = message->price;
		double head = sender_send(&sender, it, message);
		double kept = price->together ? shared : sender.out_s;

		sends->own_s += price->out_s;
		sends->has_several |= sends->sent;
		sends->sent = true;
		burst_wait(it, kept);
		burst_wait(it, price->in_s);
		work_receive(&it->work[message->to], price, head - price->overhead_s,
			     tmap_messages_come(price, head, kept, message->links_end_s));
	}
}

/* Each rank has taken all of its messages, and has had time for them. */
static void works_end(struct burst *it)
{
	for (int r = 0; r < it->model->kinds.size; r++) {
		const struct rank_work *work = &it->work[r];

		if (work->received)
			burst_wait(it,
				   tmap_later(work->last_s,
					      tmap_later(work->first_s, 0) + work->taking_s));
		if (work->has_several)
			burst_wait(it, work->own_s);
	}
}

static int burst_pass(struct burst *it, const struct tmap_pattern *pattern,
		      const struct tmap_neighborhood *order, bool arrives, struct tmap_error *err)
{
	int status = tmap_pattern_rows_init(&it->rows, pattern, order, false, err);

	while (status == 0 && tmap_pattern_rows_next(&it->rows)) {
		status = burst_take_row(it, arrives, err);
		if (status == 0 && arrives)
			row_arrive(it);
		else if (status == 0)
			row_load(it);
	}
	tmap_pattern_rows_fini(&it->rows);
	return status;
}

static int burst_run(struct burst *it, const struct tmap_pattern *pattern,
		     const struct tmap_neighborhood *order, struct tmap_error *err)
{
	const struct tmap_cost_model *model = it->model;

	it->work = tmap_alloc((size_t)model->kinds.size, sizeof *it->work, err);
	it->moved = tmap_alloc((size_t)model->kinds.count, sizeof *it->moved, err);
	if (!it->work || !it->moved)
		return -1;
	for (int k = 0; k < PRICES; k++)
		it->kept[k].kind = TMAP_NONE;
	tmap_burst_loads_begin(model);
	if (model->link_count && burst_pass(it, pattern, order, false, err) < 0)
		return -1;
	tmap_burst_loads_end(model);
	if (burst_pass(it, pattern, order, true, err) < 0)
		return -1;
	works_end(it);
	return 0;
}

static int seconds_add_everyone(double *seconds, struct tmap_cost_model *model,
				const struct tmap_pattern *pattern, struct tmap_error *err)
{
	struct tmap_all_pairs pairs = { .rounds = pattern->size - 1, .bytes = 1 };
	double all;

	if (pattern->everyone <= 0 || pattern->size < 2)
		return 0;
	if (pattern->everyone > (double)(INT64_MAX / 2))
		pairs.bytes = INT64_MAX / 2;
	else if (pattern->everyone > 1)
		pairs.bytes = (int64_t)pattern->everyone;
	if (tmap_cost_all_pairs(&all, model, &pairs, err) < 0)
		return -1;
	*seconds += all;
	return 0;
}

/* Row by row, whatever the ranks have. */
static int seconds_by_rows(double *seconds, struct tmap_cost_model *model,
			   const struct tmap_pattern *pattern,
			   const struct tmap_neighborhood *order, struct tmap_error *err)
{
	struct burst burst = { .model = model };
	int status = burst_run(&burst, pattern, order, err);

	*seconds = burst.last_s;
	free(burst.work);
	free(burst.moved);
	free(burst.message);
	free(burst.room);
	return status;
}

int tmap_burst_seconds(double *seconds, struct tmap_cost_model *model,
		       const struct tmap_pattern *pattern, const struct tmap_neighborhood *order,
		       struct tmap_alike *alike, struct tmap_error *err)
{
	double made = 0;
	int status = 0;

	if (alike && !model->wait_s)
		status = tmap_alike_find(alike, model, pattern, order, err);
	if (status == 0)
		status = alike && alike->is_found && !alike->is_vain && !model->wait_s ?
			tmap_alike_seconds(&made, alike, model, err) :
			seconds_by_rows(&made, model, pattern, order, err);
	if (status == 0)
		status = seconds_add_everyone(&made, model, pattern, err);
	if (status == 0)
		*seconds = made;
	return status;
}
