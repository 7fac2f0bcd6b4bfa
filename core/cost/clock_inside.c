/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_inside.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer nodes are not worth what is found out for all of them. */
enum { LEAST_NODES = 8 };

/* Rows from, from + 1, ... to rows to, to + 1, ..., which have all else in common. */
struct inside_run {
	int from, to, count, kind;
	int first;     /* of its messages, among those of the node */
	int64_t bytes; /* of each */
	bool single;
	struct tmap_price price;
};

/* What a load of a node has in the round, and which messages that is. */
struct inside_load {
	int link;
	size_t number; /* counted from the node's first one on the link */
	double bytes, messages;
	int begin, end; /* in the list of crossings */
};

struct inside_round {
	struct tmap_clock *clock;
	struct tmap_node_rows in;
	int first_node; /* the round is on this one and all behind it */
	int run_count, message_count, load_count;
	struct inside_run *run;   /* [messages] */
	struct inside_load *load; /* [loads of a node] */
	int *crossing;            /* [2 x links x messages]: load after load */
	int *number;              /* the same: the load that message and side have on the link */
	double *head;             /* [messages]: when the first byte comes */
	double *through;          /* [messages]: when the links have let it through */
	double *next;             /* [rows]: the clocks after the round */
};

static void inside_fini(struct inside_round *it)
{
	free(it->run);
	free(it->load);
	free(it->crossing);
	free(it->number);
	free(it->head);
	free(it->through);
	free(it->next);
}

bool tmap_stretch_is_plain(const struct tmap_clock_batch *stretch, const struct tmap_node_rows *in)
{
	return stretch->is_shift && stretch->span == 1 && stretch->spread.times == 1 &&
		tmap_node_parts_are_uniform(in, &stretch->shift);
}

/* Rows of a node, which may go on from its last to its first. */
struct row_ring {
	int first, count;
};

static bool rings_meet(struct row_ring a, struct row_ring b, int rows)
{
	return (b.first - a.first + rows) % rows < a.count ||
		(a.first - b.first + rows) % rows < b.count;
}

static struct row_ring stretch_rows(const struct tmap_clock_batch *stretch, bool enters, int rows,
				    int size)
{
	const struct tmap_shift_pattern *shift = &stretch->shift;
	struct row_ring ring = { shift->first, shift->run };

	if (shift->count == size)
		ring = (struct row_ring){ 0, rows };
	if (enters)
		ring.first = (int)(((int64_t)ring.first + shift->ahead) % rows);
	return ring;
}

bool tmap_stretches_are_apart(const struct tmap_clock_batch *stretch, size_t count,
			      const struct tmap_node_rows *in)
{
	if (count > (size_t)in->rows)
		return false;
	for (int enters = 0; enters < 2; enters++)
		for (size_t a = 1; a < count; a++)
			for (size_t b = 0; b < a; b++)
				if (rings_meet(
					    stretch_rows(&stretch[a], enters, in->rows, in->size),
					    stretch_rows(&stretch[b], enters, in->rows, in->size),
					    in->rows))
					return false;
	return true;
}

/* How many rows after its sender a receiver is. */
static int64_t shift_down(const struct tmap_shift_pattern *shift, const struct tmap_node_rows *in)
{
	return shift->ahead < in->rows ? shift->ahead : (int64_t)shift->ahead - in->size;
}

bool tmap_stretch_is_inside(const struct tmap_clock_batch *stretch, const struct tmap_node_rows *in)
{
	const struct tmap_shift_pattern *shift = &stretch->shift;
	int64_t to = shift->first % in->rows + shift_down(shift, in);

	return shift->count < in->size && to >= 0 && to + shift->run <= in->rows;
}

/* Has the stretch the same messages on a node and all behind it, one of each of its senders, in its round
 * alone? */
static bool stretch_is_plain_from(const struct tmap_clock_batch *stretch,
				  const struct tmap_node_rows *in, int node)
{
	const struct tmap_shift_pattern *shift = &stretch->shift;

	return stretch->is_shift && stretch->span == 1 && stretch->spread.times == 1 &&
		shift->step == in->rows && !shift->gap && shift->first / in->rows == node &&
		shift->first % in->rows + shift->run <= in->rows &&
		shift->count == (int64_t)(in->nodes - node) * shift->run;
}

/* *first_node: that from which on it does. */
static bool round_fits(int *first_node, const struct tmap_clock *clock,
		       const struct tmap_node_rows *in, size_t begin, size_t end)
{
	const struct tmap_clock_batch *stretch = clock->model->room->stretch;
	double most = 0;

	if (in->nodes < LEAST_NODES || in->row_step != 1 || in->size % in->rows != 0 ||
	    clock->model->wait_s || clock->round < clock->overlap_end)
		return false;
	*first_node = stretch[begin].shift.first / in->rows;
	for (size_t s = begin; s < end; s++) {
		if (!stretch_is_plain_from(&stretch[s], in, *first_node) ||
		    !tmap_stretch_is_inside(&stretch[s], in))
			return false;
		most += 2.0 * in->rows * ((double)stretch[s].shift.bytes + 1);
	}
	return most < 0x1p53 && /* sums of whole numbers, in any order */
		tmap_stretches_are_apart(&stretch[begin], end - begin, in);
}

/* The object of a row, on every node. */
static int row_object(const struct inside_round *it, int row)
{
	return tmap_pair_position(&it->clock->model->kinds, row).object;
}

/* The messages of a stretch, in runs of one kind. */
static void inside_add_stretch(struct inside_round *it, const struct tmap_clock_batch *stretch)
{
	const struct tmap_pair_kinds *kinds = &it->clock->model->kinds;
	const struct tmap_shift_pattern *shift = &stretch->shift;
	int down = (int)shift_down(shift, &it->in), first = shift->first % it->in.rows;

	for (int row = first; row < first + shift->run; row++, it->message_count++) {
		struct inside_run *last = it->run_count ? &it->run[it->run_count - 1] : NULL;
		int kind = kinds->within[kinds->object[row_object(it, row)].row +
					 row_object(it, row + down)];

		if (row > first && last->kind == kind) {
			last->count++;
			continue;
		}
		it->run[it->run_count++] = (struct inside_run){
			.from = row,
			.to = row + down,
			.count = 1,
			.kind = kind,
			.first = it->message_count,
			.bytes = shift->bytes,
			.single = stretch->spread.single,
			.price = tmap_clock_price(it->clock, &stretch->spread, kind, shift->bytes),
		};
	}
}

/* The load that each message of the node has on a link, on one side; TMAP_NONE: it does not cross. False where
 * an object has no number. */
static bool link_number(const struct inside_round *it, int l, bool enters, int *number)
{
	const struct tmap_cost_link *link = &it->clock->model->link[l];

	for (int r = 0; r < it->run_count; r++)
		for (int i = 0; i < it->run[r].count; i++) {
			const struct inside_run *run = &it->run[r];
			int local = link->local[row_object(it, (enters ? run->to : run->from) + i)];

			if (link->crossed[run->kind] && local < 0)
				return false;
			number[run->first + i] = link->crossed[run->kind] ?
				(int)tmap_cost_load(link, local, enters) :
				TMAP_NONE;
		}
	return true;
}

/* The price of a message of the node; runs are looked through, as this is for what is found once a round. */
static const struct tmap_price *message_price(const struct inside_round *it, int message)
{
	int r = 0;

	while (message >= it->run[r].first + it->run[r].count)
		r++;
	return &it->run[r].price;
}

/* All messages of a link onto its loads; of messages that have both sides on one, that has them twice. */
static bool inside_add_link(struct inside_round *it, int l, int *crossings)
{
	const struct tmap_cost_link *link = &it->clock->model->link[l];
	int loads = link->local_count * (link->is_sum ? 1 : 2), count = it->message_count;

	for (int enters = 0; enters < 2; enters++)
		if (!link_number(it, l, enters, it->number + enters * count))
			return false;
	for (int number = 0; number < loads; number++) {
		struct inside_load load = { .link = l,
					    .number = (size_t)number,
					    .begin = *crossings };

		for (int k = 0; k < 2 * count; k++) {
			if (it->number[k] != number)
				continue;
			load.bytes += message_price(it, k % count)->bytes;
			load.messages++;
			it->crossing[(*crossings)++] = k % count;
		}
		load.end = *crossings;
		if (load.end > load.begin)
			it->load[it->load_count++] = load;
	}
	return true;
}

/* What the round is on every node. *fits: it can be told. */
static int inside_init(bool *fits, struct inside_round *it, size_t begin, size_t end,
		       struct tmap_error *err)
{
	const struct tmap_cost_model *model = it->clock->model;
	size_t messages = 0, links = (size_t)model->link_count, loads = 0;
	int crossings = 0;

	for (size_t s = begin; s < end; s++)
		messages += (size_t)model->room->stretch[s].shift.run;
	for (size_t l = 0; l < links; l++)
		loads += 2 * (size_t)model->link[l].local_count;
	it->run = tmap_alloc_raw(messages, sizeof *it->run, err);
	it->load = tmap_alloc_raw(loads, sizeof *it->load, err);
	it->crossing = tmap_alloc_raw(2 * links * messages, sizeof *it->crossing, err);
	it->number = tmap_alloc_raw(2 * messages, sizeof *it->number, err);
	it->head = tmap_alloc_raw(messages, sizeof *it->head, err);
	it->through = tmap_alloc_raw(messages, sizeof *it->through, err);
	it->next = tmap_alloc_raw((size_t)it->in.rows, sizeof *it->next, err);
	if (!it->run || !it->load || !it->crossing || !it->number || !it->head || !it->through ||
	    !it->next)
		return -1;
	for (size_t s = begin; s < end; s++)
		inside_add_stretch(it, &model->room->stretch[s]);
	for (int l = 0; l < model->link_count && *fits; l++)
		*fits = inside_add_link(it, l, &crossings);
	return 0;
}

static int inside_count_moved(const struct inside_round *it, struct tmap_error *err)
{
	for (int r = 0; r < it->run_count; r++)
		if (tmap_clock_count_moved(it->clock, it->run[r].kind,
					   (int64_t)it->run[r].count *
						   (it->in.nodes - it->first_node),
					   1, it->run[r].bytes, err) < 0)
			return -1;
	return 0;
}

/* When the messages of a node come, whose clocks these are. */
static void node_find_heads(const struct inside_round *it, const double *at, const double *left)
{
	for (int r = 0; r < it->run_count; r++) {
		const struct inside_run *run = &it->run[r];
		const struct tmap_price price = run->price;
		double *head = it->head + run->first;

		for (int i = 0; i < run->count; i++)
			head[i] = tmap_message_start(&price, at[run->from + i], left[run->from + i],
						     at[run->to + i]) +
				price.latency_s;
	}
}

/* Until when the loads of a node are busy, and what they let through when. */
static void node_load(const struct inside_round *it, int node)
{
	for (int k = 0; k < it->message_count; k++)
		it->through[k] = 0;
	for (int i = 0; i < it->load_count; i++) {
		const struct inside_load *load = &it->load[i];
		const struct tmap_cost_link *link = &it->clock->model->link[load->link];
		size_t number = tmap_cost_load(link, link->base[node], false) + load->number;
		double first_s = INFINITY, end_s;

		for (int k = load->begin; k < load->end; k++)
			first_s = it->head[it->crossing[k]] < first_s ? it->head[it->crossing[k]] :
									first_s;
		end_s = tmap_later(first_s, link->end_s[number]) +
			tmap_cost_busy(link, tmap_cost_load_object(link, number), load->bytes,
				       load->messages);
		link->end_s[number] = end_s;
		link->load[number] = (struct tmap_cost_load){ load->bytes, load->messages, first_s,
							      it->clock->model->stamp };
		for (int k = load->begin; k < load->end; k++)
			it->through[it->crossing[k]] =
				tmap_later(it->through[it->crossing[k]], end_s);
	}
}

/* All messages of a node, whose clocks these are, have come. */
static void node_arrive(const struct inside_round *it, const double *at, double *taken,
			double *left)
{
	double *next = it->next;

	for (int r = 0; r < it->run_count; r++) {
		const struct inside_run *run = &it->run[r];
		const struct tmap_price price = run->price;
		const double *head = it->head + run->first, *through = it->through + run->first;

		for (int i = 0; i < run->count; i++) {
			int from = run->from + i, to = run->to + i;
			struct tmap_message_end ends = run->single ?
				tmap_message_arrive(&price, head[i], at[from], at[to], taken[to],
						    through[i]) :
				tmap_messages_arrive(&price, head[i], tmap_message_kept(&price),
						     at[from], at[to], taken[to], through[i]);

			taken[to] = ends.done_s;
			next[to] = tmap_later(ends.receiver_s, next[to]);
			next[from] = tmap_later(ends.sender_s, next[from]);
			if (price.by_port && !price.together) {
				double port = tmap_message_start(&price, at[from], left[from], 0) +
					price.port_s;

				left[from] = run->single ? port : tmap_later(port, left[from]);
			}
		}
	}
}

int tmap_inside_round(bool *timed, struct tmap_clock *clock, size_t begin, size_t end,
		      struct tmap_error *err)
{
	struct inside_round it = { .clock = clock, .in = tmap_node_rows(&clock->model->kinds) };
	size_t rows = (size_t)it.in.rows;
	int status;

	*timed = round_fits(&it.first_node, clock, &it.in, begin, end);
	if (!*timed)
		return 0;
	status = inside_init(timed, &it, begin, end, err);
	if (status == 0 && *timed)
		status = inside_count_moved(&it, err);
	for (int n = it.first_node; status == 0 && *timed && n < it.in.nodes; n++) {
		size_t first = (size_t)n * rows;
		double *at = clock->at + first;

		memcpy(it.next, at, rows * sizeof *at);
		node_find_heads(&it, at, clock->left + first);
		node_load(&it, tmap_pair_position(&clock->model->kinds, (int64_t)first).node);
		node_arrive(&it, at, clock->taken + first, clock->left + first);
		memcpy(at, it.next, rows * sizeof *at);
		memcpy(clock->next + first, it.next, rows * sizeof *at);
	}
	inside_fini(&it);
	return status;
}
