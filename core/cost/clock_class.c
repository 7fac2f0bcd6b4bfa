/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_class.h"

#include "core/base/mem.h"
#include "core/base/tuples.h"
#include "core/cost/node_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Classes are worth their while where there are no more than one for so many nodes, and some; and where
 * stretches are uniform or nodes have many messages of each, for each is looked at for each node. */
enum { MOST_OF_NODES = 4, FEW_CLASSES = 8, FEW_STRETCHES = 4, MANY_MESSAGES = 16 };

/* The clocks of a class: numbers of a node's rows, and when its loads are free. */
struct class_clocks {
	double *at, *taken, *left, *end_s;
};

/* A partition of the nodes, of which each class has an example. */
struct node_classes {
	int count;
	int *of;              /* [nodes] */
	int *example, *nodes; /* [count]: its first node, and how many there are; room for all */
};

/* What a stretch takes from rows of a node to another, or to them. */
struct class_part {
	struct tmap_node_part rows;
	int64_t senders; /* of the node that sends: as of tmap_node_senders() */
};

/* The same of all nodes, where it is that of the first one but for the nodes' numbers. */
struct class_stretch {
	bool is_uniform;
	int count[2]; /* leaves, enters */
	struct class_part part[2][TMAP_NODE_PARTS];
};

struct tmap_clock_classes {
	struct tmap_node_rows in;
	int load_count; /* of a node, all links together */
	size_t width;   /* doubles of a class's clocks */
	int *load;      /* [links][rows][leaves, enters]: the number of the load among those */
	struct node_classes now;       /* whose clocks are the same */
	struct node_classes loaded;    /* in this round: whose loads are the same */
	struct node_classes next;      /* and whose clocks are, as far as is known without them */
	double *state, *made;          /* [now.count][width], [next.count][width] */
	double *end_s;                 /* [loaded.count][load_count] */
	struct tmap_cost_load *passed; /* the same: what came by */
	size_t state_capacity, made_capacity, end_capacity, passed_capacity;
	struct tmap_tuples tuples;
	int64_t *tuple;
	size_t tuple_capacity;
	size_t begin;                  /* of the stretches of the round */
	struct class_stretch *stretch; /* [stretches of the round] */
	struct tmap_price *price;      /* [the same][kinds] */
	size_t stretch_capacity, price_capacity;
	double *own_s;  /* [rows]: of the class at hand */
	int64_t *moved; /* [kinds]: messages of the stretch and the class at hand */
};

static void node_classes_fini(struct node_classes *classes)
{
	free(classes->of);
	free(classes->example);
	free(classes->nodes);
}

void tmap_classes_free(struct tmap_clock_classes *classes)
{
	if (!classes)
		return;
	node_classes_fini(&classes->now);
	node_classes_fini(&classes->loaded);
	node_classes_fini(&classes->next);
	tmap_tuples_fini(&classes->tuples);
	free(classes->load);
	free(classes->state);
	free(classes->made);
	free(classes->end_s);
	free(classes->passed);
	free(classes->tuple);
	free(classes->stretch);
	free(classes->price);
	free(classes->own_s);
	free(classes->moved);
	free(classes);
}

static int node_classes_init(struct node_classes *classes, int nodes, struct tmap_error *err)
{
	classes->of = tmap_alloc((size_t)nodes, sizeof *classes->of, err);
	classes->example = tmap_alloc((size_t)nodes, sizeof *classes->example, err);
	classes->nodes = tmap_alloc((size_t)nodes, sizeof *classes->nodes, err);
	return classes->of && classes->example && classes->nodes ? 0 : -1;
}

/* The machine's number of a node. */
static int class_node(const struct tmap_clock *clock, int node)
{
	const struct tmap_clock_classes *it = clock->model->room->classes;

	return clock->model->kinds.position[tmap_node_rank(&it->in, node, 0)].node;
}

static int row_object(const struct tmap_clock *clock, int row)
{
	const struct tmap_clock_classes *it = clock->model->room->classes;

	return clock->model->kinds.position[tmap_node_rank(&it->in, 0, row)].object;
}

/* Have all nodes objects of their own, and are they as fast as those of the first one? */
static bool link_is_alike(const struct tmap_clock *clock, const struct tmap_cost_link *link)
{
	const struct tmap_clock_classes *it = clock->model->room->classes;
	int nodes = clock->model->kinds.node_count, first = class_node(clock, 0);

	for (int n = 1; n < nodes; n++)
		if (link->base[n] < link->base[n - 1])
			return false;
	for (int n = 0; n < it->in.nodes; n++) {
		int node = class_node(clock, n);
		int end = node + 1 < nodes ? link->base[node + 1] : link->count;

		if (end < link->base[node] + link->local_count ||
		    memcmp(&link->rate[link->base[node]], &link->rate[link->base[first]],
			   (size_t)link->local_count * sizeof *link->rate) != 0)
			return false;
	}
	for (int row = 0; row < it->in.rows; row++)
		if (link->local[row_object(clock, row)] < 0)
			return false;
	return true;
}

/* Numbers all loads of a node. */
static void classes_number_loads(const struct tmap_clock *clock)
{
	struct tmap_clock_classes *it = clock->model->room->classes;
	int *load = it->load;

	it->load_count = 0;
	for (int l = 0; l < clock->model->link_count; l++) {
		const struct tmap_cost_link *link = &clock->model->link[l];

		for (int row = 0; row < it->in.rows; row++)
			for (int enters = 0; enters < 2; enters++)
				*load++ = it->load_count +
					(int)tmap_cost_load(link,
							    link->local[row_object(clock, row)],
							    enters);
		it->load_count += link->local_count * (link->is_sum ? 1 : 2);
	}
	it->width = 3 * (size_t)it->in.rows + (size_t)it->load_count;
}

static struct tmap_clock_classes *classes_new(const struct tmap_cost_model *model,
					      const struct tmap_node_rows *in,
					      struct tmap_error *err)
{
	struct tmap_clock_classes *made = tmap_alloc(1, sizeof *made, err);
	size_t rows = (size_t)in->rows, loads = 2 * (size_t)model->link_count * rows;

	if (!made)
		return NULL;
	made->in = *in;
	made->load = tmap_alloc_raw(loads, sizeof *made->load, err);
	made->own_s = tmap_alloc_raw(rows, sizeof *made->own_s, err);
	made->moved = tmap_alloc_raw((size_t)model->kinds.count, sizeof *made->moved, err);
	if (made->load && made->own_s && made->moved &&
	    node_classes_init(&made->now, in->nodes, err) == 0 &&
	    node_classes_init(&made->loaded, in->nodes, err) == 0 &&
	    node_classes_init(&made->next, in->nodes, err) == 0)
		return made;
	tmap_classes_free(made);
	return NULL;
}

static struct class_clocks clocks_of(const struct tmap_clock_classes *it, double *state, int class)
{
	double *at = state + (size_t) class * it->width;

	return (struct class_clocks){ at, at + it->in.rows, at + 2 * it->in.rows,
				      at + 3 * it->in.rows };
}

/* Loads of a link on one node, the first of which is the node's. */
static size_t link_loads(const struct tmap_cost_link *link)
{
	return (size_t)link->local_count * (link->is_sum ? 1 : 2);
}

/* Begin with one class, whose clocks are those of the first node, if nothing but switches tells the
 * nodes apart; else nothing changes. O(nodes x links). */
static int classes_begin(struct tmap_clock *clock, struct tmap_node_rows in, struct tmap_error *err)
{
	struct tmap_cost_room *room = clock->model->room;
	struct tmap_clock_classes *it = room->classes;
	struct class_clocks all;
	size_t rows = (size_t)in.rows, filled = 0;
	bool is_alike = in.nodes > 1 && !clock->model->wait_s;

	if (!is_alike)
		return 0;
	if (it && (it->in.rows != in.rows || it->in.nodes != in.nodes)) {
		tmap_classes_free(it);
		it = room->classes = NULL;
	}
	if (!it)
		it = room->classes = classes_new(clock->model, &in, err);
	if (!it)
		return -1;
	it->in = in;
	for (int l = 0; l < clock->model->link_count && is_alike; l++)
		is_alike = link_is_alike(clock, &clock->model->link[l]);
	if (!is_alike)
		return 0;
	classes_number_loads(clock);
	if (tmap_grow(&it->state, &it->state_capacity, it->width, sizeof *it->state, err) < 0)
		return -1;
	memset(it->state, 0, it->width * sizeof *it->state);
	all = clocks_of(it, it->state, 0);
	if (clock->extent) { /* those of the first node */
		memcpy(all.at, clock->at, rows * sizeof *all.at);
		memcpy(all.taken, clock->taken, rows * sizeof *all.taken);
		memcpy(all.left, clock->left, rows * sizeof *all.left);
	}
	for (int l = 0; l < clock->model->link_count; l++) {
		const struct tmap_cost_link *link = &clock->model->link[l];
		size_t first = tmap_cost_load(link, link->base[class_node(clock, 0)], false);

		memcpy(all.end_s + filled, link->end_s + first,
		       link_loads(link) * sizeof *all.end_s);
		filled += link_loads(link);
	}
	memset(it->now.of, 0, (size_t)in.nodes * sizeof *it->now.of);
	it->now.count = 1;
	it->loaded.count = 0;
	clock->classes = it;
	clock->extent = 0;
	return 0;
}

void tmap_class_spread_links(const struct tmap_clock *clock)
{
	const struct tmap_clock_classes *it = clock->classes;
	size_t filled = 0;

	for (int l = 0; l < clock->model->link_count; l++) {
		const struct tmap_cost_link *link = &clock->model->link[l];
		size_t count = link_loads(link);

		for (int n = 0; n < it->in.nodes; n++) {
			size_t first =
				tmap_cost_load(link, link->base[class_node(clock, n)], false);
			struct class_clocks class = clocks_of(it, it->state, it->now.of[n]);

			memcpy(link->end_s + first, class.end_s + filled,
			       count * sizeof *link->end_s);
			if (it->loaded.count)
				memcpy(link->load + first,
				       it->passed + filled +
					       (size_t)it->loaded.of[n] * (size_t)it->load_count,
				       count * sizeof *link->load);
		}
		filled += count;
	}
}

void tmap_class_end(struct tmap_clock *clock)
{
	const struct tmap_clock_classes *it = clock->classes;

	for (int n = 0; n < it->in.nodes; n++) {
		struct class_clocks class = clocks_of(it, it->state, it->now.of[n]);

		for (int row = 0; row < tmap_node_size(&it->in, n); row++) {
			int rank = tmap_node_rank(&it->in, n, row);

			clock->at[rank] = clock->next[rank] = class.at[row];
			clock->taken[rank] = class.taken[row];
			clock->left[rank] = class.left[row];
		}
	}
	tmap_class_spread_links(clock);
	clock->extent = it->in.size;
	clock->classes = NULL;
}

double tmap_class_last(const struct tmap_clock *clock, int *rank)
{
	const struct tmap_clock_classes *it = clock->classes;
	int *rows = it->next.nodes, first = TMAP_NONE;
	double last = 0;

	for (int c = 0; c < it->now.count; c++)
		for (int row = 0; row < it->in.rows; row++)
			last = tmap_later(clocks_of(it, it->state, c).at[row], last);
	for (int c = 0; c < it->now.count; c++) /* rows: whose first is the last one there */
		for (rows[c] = 0; rows[c] < it->in.rows; rows[c]++)
			if (clocks_of(it, it->state, c).at[rows[c]] >= last)
				break;
	for (int n = 0; n < it->in.nodes && last > 0; n++) {
		int row = rows[it->now.of[n]];

		if (row < tmap_node_size(&it->in, n) &&
		    (first == TMAP_NONE || tmap_node_rank(&it->in, n, row) < first))
			first = tmap_node_rank(&it->in, n, row);
	}
	*rank = first == TMAP_NONE ? 0 : first;
	return last;
}

void tmap_class_together(const struct tmap_clock *clock, double at_s)
{
	const struct tmap_clock_classes *it = clock->classes;

	for (int c = 0; c < it->now.count; c++)
		for (int i = 0; i < 3 * it->in.rows; i++)
			clocks_of(it, it->state, c).at[i] = at_s;
}

/* Can the round be timed by classes, to the same bits? Sums of what crosses links are whole numbers
 * then, whose order does not matter. */
static bool round_fits(const struct tmap_clock *clock, const struct tmap_node_rows *in,
		       size_t begin, size_t end)
{
	double most = 0, messages = 0;

	if (clock->round < clock->overlap_end)
		return false;
	for (size_t s = begin; s < end; s++) {
		const struct tmap_clock_batch *stretch = &clock->model->room->stretch[s];
		const struct tmap_shift_pattern *shift = &stretch->shift;

		if (!stretch->is_shift || stretch->span != 1 ||
		    (!stretch->spread.single && end - begin > 1) ||
		    tmap_shift_pattern_sender(shift, shift->count - 1) - shift->first >= in->size)
			return false;
		most += 2.0 * in->rows * ((double)shift->bytes + stretch->spread.share);
		messages += tmap_node_parts_are_uniform(in, shift) ? in->size : shift->count;
	}
	return most < 0x1p53 &&
		(end - begin <= FEW_STRETCHES ||
		 messages >= (double)(end - begin) * in->nodes * MANY_MESSAGES);
}

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

/* A stretch's parts at a node, but for those in which nobody sends. */
static int parts_find(const struct tmap_clock *clock, size_t s, int node, bool enters,
		      struct class_part *part)
{
	const struct tmap_clock_classes *it = clock->classes;
	const struct tmap_shift_pattern *shift = &clock->model->room->stretch[s].shift;
	int ahead = enters ? it->in.size - shift->ahead : shift->ahead, kept = 0;
	struct tmap_node_part rows[TMAP_NODE_PARTS];
	int count = tmap_node_parts(&it->in, node, ahead, rows);

	for (int i = 0; i < count; i++) {
		int64_t senders = tmap_node_senders(&it->in, enters ? rows[i].node : node, shift);

		if (senders != TMAP_NO_ROWS)
			part[kept++] = (struct class_part){ rows[i], senders };
	}
	return kept;
}

/* The same, by what is known of all nodes. */
static int parts_of(const struct tmap_clock *clock, size_t s, int node, bool enters,
		    struct class_part *part)
{
	const struct tmap_clock_classes *it = clock->classes;
	const struct class_stretch *stretch = &it->stretch[s - it->begin];

	if (!stretch->is_uniform)
		return parts_find(clock, s, node, enters, part);
	for (int i = 0; i < stretch->count[enters]; i++) {
		part[i] = stretch->part[enters][i];
		part[i].rows.node += part[i].rows.node < it->in.nodes - node ? node :
									       node - it->in.nodes;
	}
	return stretch->count[enters];
}

/* A part cut to the rows of which all send. */
static bool part_trim(struct class_part *part, bool enters, const struct tmap_shift_pattern *shift)
{
	int first = enters ? part->rows.row : part->rows.lo; /* of the senders */
	int end = first + part->rows.hi - part->rows.lo;
	int low = first > shift->first ? first : shift->first;
	int high = end < shift->first + shift->run ? end : shift->first + shift->run;

	if (low >= high)
		return false;
	part->rows.row += low - first;
	part->rows.lo += low - first;
	part->rows.hi = part->rows.lo + high - low;
	part->senders = TMAP_ALL_ROWS;
	return true;
}

/* What the stretches are on all nodes. */
static int round_look(struct tmap_clock *clock, size_t begin, size_t end, struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;

	it->begin = begin;
	if (tmap_grow(&it->stretch, &it->stretch_capacity, end - begin, sizeof *it->stretch, err) <
	    0)
		return -1;
	for (size_t s = begin; s < end; s++) {
		const struct tmap_shift_pattern *shift = &clock->model->room->stretch[s].shift;
		struct class_stretch *all = &it->stretch[s - begin];

		all->is_uniform = tmap_node_parts_are_uniform(&it->in, shift);
		for (int enters = 0; enters < 2 && all->is_uniform; enters++) {
			struct class_part part[TMAP_NODE_PARTS];
			int count = parts_find(clock, s, 0, enters, part);

			all->count[enters] = 0;
			for (int i = 0; i < count; i++)
				if (shift->count == it->in.size ||
				    part_trim(&part[i], enters, shift))
					all->part[enters][all->count[enters]++] = part[i];
		}
	}
	return 0;
}

/* The messages of one part of a node's rows, which sends or receives them. */
static void look_at_part(const struct class_look *look, size_t s, bool enters,
			 const struct class_part *part)
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
		message.kind = tmap_pair_kind_between(kinds, class_node(look->clock, from),
						      class_node(look->clock, to));
	for (int sender = begin; sender < end; sender++) {
		if (part->senders != TMAP_ALL_ROWS)
			sender = tmap_node_next_sender(&it->in, from, sender, end, &stretch->shift);
		if (sender >= end)
			break;
		message.from_row = sender;
		message.to_row = sender - begin + receiver;
		if (from == to)
			message.kind =
				kinds->within[kinds->object[row_object(look->clock, sender)].row +
					      row_object(look->clock, message.to_row)];
		message.price = price + message.kind;
		look->visit(look, &message);
	}
}

/* All messages of a node in a stretch. */
static void look_at_node(const struct class_look *look, size_t s)
{
	for (int enters = 0; enters < 2; enters++) {
		struct class_part part[TMAP_NODE_PARTS];
		int count = parts_of(look->clock, s, look->node, enters, part);

		for (int i = 0; i < count; i++)
			look_at_part(look, s, enters, &part[i]);
	}
}

/* The clocks of a node before the round. */
static struct class_clocks clocks_before(const struct tmap_clock_classes *it, int node)
{
	return clocks_of(it, it->state, it->now.of[node]);
}

static double message_starts(const struct tmap_clock_classes *it,
			     const struct node_message *message)
{
	struct class_clocks from = clocks_before(it, message->from);
	struct class_clocks to = clocks_before(it, message->to);

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
	struct class_clocks before = clocks_before(it, look->node);

	memcpy(end_s, before.end_s, (size_t)it->load_count * sizeof *end_s);
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];
		int base = link->base[class_node(look->clock, look->node)];

		for (size_t i = 0; i < link_loads(link); i++, load++, end_s++) {
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

/* The same as tmap_message_arrive() for several messages together, where a rank has none but these. */
static struct tmap_message_end messages_arrive(const struct tmap_price *price, double head,
					       double at_from, double at_to, double taken_to,
					       double links_end)
{
	double begin = head - price->overhead_s;
	double kept = price->together ? price->held_s : price->out_s;
	double port = price->copied ? at_to : taken_to;
	double taking = price->overhead_s + price->port_s + price->adding_s;
	double come = tmap_later(head + price->moving_s, links_end), done;

	if (price->together && !price->pulled)
		come = tmap_later(come, begin + price->held_s);
	done = tmap_later(come + price->adding_s, tmap_later(begin, port) + taking);
	return (struct tmap_message_end){ done,
					  tmap_later(at_from + kept, price->awaited ? done : 0),
					  tmap_later(done, at_to + price->in_s) };
}

static void message_time(const struct class_look *look, const struct node_message *message)
{
	const struct tmap_clock_classes *it = look->clock->classes;
	const struct tmap_price *price = message->price;
	bool single = message->stretch->spread.single;
	struct class_clocks from = clocks_before(it, message->from);
	struct class_clocks to = clocks_before(it, message->to);
	struct class_clocks made = clocks_of(it, it->made, look->class);
	double start = message_starts(it, message), head = start + price->latency_s;
	double at_from = from.at[message->from_row], at_to = to.at[message->to_row];
	double taken = to.taken[message->to_row], end = message_links_end(look, message);
	struct tmap_message_end ends = single ?
		tmap_message_arrive(price, head, at_from, at_to, taken, end) :
		messages_arrive(price, head, at_from, at_to, taken, end);

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
	struct tmap_moved *moved = &look->clock->moved;
	bool over = false;

	for (int k = 0; k < look->clock->model->kinds.count; k++) {
		int64_t count = it->moved[k] * it->next.nodes[look->class], bytes;

		it->moved[k] = 0;
		moved->messages[k] += count * (int64_t)stretch->spread.times;
		over |= __builtin_mul_overflow(count, stretch->shift.bytes, &bytes);
		over |= __builtin_add_overflow(moved->bytes[k], bytes, &moved->bytes[k]);
	}
	if (over)
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

/* What the nodes of a class are like after this round, but for what others of them share. */
static int class_time(const struct class_look *look, struct tmap_error *err)
{
	struct tmap_clock_classes *it = look->clock->classes;
	struct class_clocks before = clocks_before(it, look->node);
	struct class_clocks made = clocks_of(it, it->made, look->class);
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

/* Sorts a node by its tuple. */
static int node_sort(struct tmap_clock_classes *it, struct node_classes *into, int node,
		     size_t length, struct tmap_error *err)
{
	int before = it->tuples.count,
	    class = tmap_tuples_intern(&it->tuples, it->tuple, length, err);

	if (class == TMAP_NONE)
		return -1;
	if (class == before) {
		into->example[class] = node;
		into->nodes[class] = 0;
	}
	into->of[node] = class;
	into->nodes[class]++;
	into->count = it->tuples.count;
	return 0;
}

/* What a stretch is for a node, in numbers: what is alike on two nodes has the same ones. With the
 * kinds and the rows of all its messages, or, where these are known, with the loads of the others. */
static size_t tuple_add(const struct tmap_clock *clock, size_t s, int node, bool enters,
			const struct node_classes *by, int64_t *tuple)
{
	const struct tmap_clock_classes *it = clock->classes;
	struct class_part part[TMAP_NODE_PARTS];
	int count = parts_of(clock, s, node, enters, part);
	int64_t *next = tuple;

	for (int i = 0; i < count; i++) {
		const struct tmap_node_part *rows = &part[i].rows;

		*next++ = by->of[rows->node];
		if (by == &it->loaded)
			continue;
		*next++ = rows->node == node ?
			TMAP_NONE :
			tmap_pair_kind_between(&clock->model->kinds, class_node(clock, node),
					       class_node(clock, rows->node));
		if (it->stretch[s - it->begin].is_uniform)
			continue;
		*next++ = part[i].senders;
		*next++ = rows->hi;
		*next++ = rows->row;
	}
	if (it->stretch[s - it->begin].is_uniform)
		return (size_t)(next - tuple);
	*next++ = TMAP_NONE;
	return (size_t)(next - tuple);
}

/* Nodes with the same messages to and from nodes of the same classes; -1 with *err set, 1: there are too
 * many. */
static int nodes_sort(struct tmap_clock *clock, size_t begin, size_t end, struct node_classes *into,
		      const struct node_classes *by, struct tmap_error *err)
{
	struct tmap_clock_classes *it = clock->classes;
	size_t most = 1 + (end - begin) * 2 * (5 * TMAP_NODE_PARTS + 1);

	if (tmap_grow(&it->tuple, &it->tuple_capacity, most, sizeof *it->tuple, err) < 0)
		return -1;
	tmap_tuples_clear(&it->tuples);
	for (int n = 0; n < it->in.nodes; n++) {
		size_t length = 1;

		it->tuple[0] = by->of[n];
		for (size_t s = begin; s < end; s++)
			for (int enters = 0; enters < 2; enters++)
				length += tuple_add(clock, s, n, enters, by, it->tuple + length);
		if (node_sort(it, into, n, length, err) < 0)
			return -1;
		if (into->count > it->in.nodes / MOST_OF_NODES + FEW_CLASSES)
			return 1;
	}
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
	if (!round_fits(clock, &in, begin, end))
		return 0;
	if (!clock->classes && classes_begin(clock, in, err) < 0)
		return -1;
	it = clock->classes;
	if (!it)
		return 0;
	status = round_look(clock, begin, end, err);
	if (status == 0)
		status = nodes_sort(clock, begin, end, &it->loaded, &it->now, err);
	if (status == 0)
		status = nodes_sort(clock, begin, end, &it->next, &it->loaded, err);
	it->loaded.count = status ? 0 : it->loaded.count;
	if (status)
		return status < 0 ? -1 : 0;
	*timed = true;
	return round_price(clock, begin, end, err) < 0 || round_load(clock, begin, end, err) < 0 ||
			round_time(clock, begin, end, err) < 0 || round_merge(it, err) < 0 ?
		-1 :
		0;
}
