/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_even.h"

#include "core/base/mem.h"
#include "core/cost/clock_shift.h"
#include "core/cost/clock_sides.h"
#include "core/cost/node_gates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What crosses the border of an object in one direction, or in both, or goes through a gate. */
struct even_load {
	double at_s; /* when the first message comes; once all are added up: until when it is busy */
	int64_t count; /* 0 but while messages are added up */
};

/* Records are in columns: one for each link, and the last one for the gates. */
struct tmap_clock_even {
	int columns;
	int *first;    /* [nodes][columns]: the record of a node's first object, or gate */
	int *local;    /* [objects][columns]: that of an object, from there on */
	bool *crossed; /* [columns][kinds]: has the column messages of this kind? */
	struct tmap_node_gates gates;
	bool passes_gates;         /* in the round at hand */
	size_t count;              /* records of links; those of the gates come behind them */
	struct tmap_cost_used *is; /* [count]: which load a record is */
	struct even_load *load;    /* of the round at hand */
	double bytes, share;       /* of a message */
};

void tmap_even_free(struct tmap_clock_even *even)
{
	if (!even)
		return;
	free(even->first);
	free(even->local);
	free(even->crossed);
	tmap_node_gates_fini(&even->gates);
	free(even->is);
	free(even->load);
	free(even);
}

/* Objects from one on, up to the first of another node. */
static int objects_of_node(const struct tmap_cost_link *link, const bool *is_first, int object)
{
	int end = object + 1;

	while (end < link->count && !is_first[end])
		end++;
	return end - object;
}

/* The records of a link's objects of a node, if these have none yet; nodes below one switch share them. */
static void even_number(struct tmap_clock_even *even, const struct tmap_cost_link *link, int l,
			const bool *is_first, int *record, int node)
{
	int object = link->base[node], twice = !link->is_sum;
	int loads;

	if (record[object] != TMAP_NONE)
		return;
	record[object] = (int)even->count;
	loads = objects_of_node(link, is_first, object) << twice;
	for (int i = 0; i < loads; i++)
		even->is[even->count++] = (struct tmap_cost_used){ l, (object << twice) + i };
}

/* One side of a gate. */
static int gate_record(const struct tmap_clock_even *even, int node, int gate, bool enters)
{
	return (int)even->count + 2 * (node * even->gates.count + gate) + enters;
}

/* Number the records node by node; @p record and @p is_first are scratch for all objects of all links. */
static void even_number_all(struct tmap_clock_even *even, const struct tmap_cost_model *model,
			    int *record, bool *is_first)
{
	int links = model->link_count, nodes = model->kinds.node_count;
	int at = 0;

	for (int l = 0; l < links; at += model->link[l++].count)
		for (int n = 0; n < nodes; n++)
			is_first[at + model->link[l].base[n]] = true;
	for (int n = 0; n < nodes; n++) {
		at = 0;
		for (int l = 0; l < links; at += model->link[l++].count) {
			const struct tmap_cost_link *link = &model->link[l];

			even_number(even, link, l, is_first + at, record + at, n);
			even->first[(int64_t)n * even->columns + l] = record[at + link->base[n]];
		}
	}
	for (int n = 0; n < nodes; n++)
		even->first[(int64_t)n * even->columns + links] = gate_record(even, n, 0, false);
}

static void even_fill_locals(struct tmap_clock_even *even, const struct tmap_cost_model *model)
{
	int links = model->link_count;

	for (int o = 0; o < model->kinds.object_count; o++) {
		int *local = even->local + (int64_t)o * even->columns;

		for (int l = 0; l < links; l++)
			local[l] = model->link[l].local[o] << !model->link[l].is_sum;
		local[links] = 2 * even->gates.of[o];
	}
}

/* What goes from node to node is on gates, not on the links behind these. */
static void even_fill_crossed(struct tmap_clock_even *even, const struct tmap_cost_model *model)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	int links = model->link_count, between = (kinds->tier_count + 1) * kinds->join_count;

	for (int l = 0; l < links; l++)
		memcpy(even->crossed + (int64_t)l * kinds->count, model->link[l].crossed,
		       (size_t)kinds->count * sizeof *even->crossed);
	for (int i = 0; i < between && even->gates.count; i++)
		for (int l = 0; l <= links; l++)
			if (l == links || even->gates.behind[l] != TMAP_NONE)
				even->crossed[(int64_t)l * kinds->count + kinds->between[i]] = l ==
					links;
}

static struct tmap_clock_even *even_new(const struct tmap_cost_model *model, size_t objects,
					size_t loads, struct tmap_error *err)
{
	size_t columns = (size_t)model->link_count + 1, nodes = (size_t)model->kinds.node_count;
	struct tmap_clock_even *made = tmap_alloc(1, sizeof *made, err);
	int *record = tmap_alloc_raw(objects, sizeof *record, err);
	bool *is_first = tmap_alloc(objects, sizeof *is_first, err);
	bool is_whole = made && record && is_first &&
		tmap_node_gates_init(&made->gates, model, err) == 0;

	if (is_whole) {
		made->columns = model->link_count + 1;
		made->first = tmap_alloc_raw(nodes * columns, sizeof *made->first, err);
		made->local = tmap_alloc_raw((size_t)model->kinds.object_count * columns,
					     sizeof *made->local, err);
		made->crossed = tmap_alloc((size_t)model->kinds.count * columns,
					   sizeof *made->crossed, err);
		made->is = tmap_alloc_raw(loads, sizeof *made->is, err);
		made->load = tmap_alloc(loads + 2 * nodes * (size_t)made->gates.count,
					sizeof *made->load, err);
		is_whole = made->first && made->local && made->crossed && made->is && made->load;
	}
	for (size_t i = 0; is_whole && i < objects; i++)
		record[i] = TMAP_NONE;
	if (is_whole) {
		even_number_all(made, model, record, is_first);
		even_fill_locals(made, model);
		even_fill_crossed(made, model);
	}
	free(record);
	free(is_first);
	if (is_whole)
		return made;
	tmap_even_free(made);
	return NULL;
}

/* Is a sum of up to so many times the same number never rounded, in whichever order? */
static bool sum_is_exact(double number, double most)
{
	double odd = number;

	if (!(number >= 0 && number < 0x1p53) || floor(number) != number)
		return false;
	while (odd > 0 && fmod(odd, 2) == 0)
		odd /= 2;
	return odd * most < 0x1p53;
}

static double stretch_bytes(const struct tmap_clock *clock, const struct tmap_clock_batch *stretch)
{
	int64_t whole = stretch->is_shift ? stretch->shift.bytes : clock->model->room->sizes.first;

	return (double)whole / stretch->spread.active;
}

/* Do all stretches of a round add the same? */
static bool round_is_even(const struct tmap_clock *clock, size_t begin, size_t end, size_t messages)
{
	const struct tmap_cost_room *room = clock->model->room;
	const struct tmap_clock_batch *stretch = &room->stretch[begin];
	double bytes = stretch_bytes(clock, stretch), share = stretch->spread.share;

	for (size_t s = begin; s < end; s++, stretch++)
		if (stretch->is_folded || tmap_shift_is_regular(clock, stretch) ||
		    (!stretch->is_shift && room->sizes.width) ||
		    stretch_bytes(clock, stretch) != bytes || stretch->spread.share != share)
			return false;
	return sum_is_exact(bytes, 2 * (double)messages) &&
		sum_is_exact(share, 2 * (double)messages);
}

int tmap_even_begin(bool *fits, struct tmap_clock *clock, size_t begin, size_t end,
		    struct tmap_error *err)
{
	const struct tmap_cost_model *model = clock->model;
	size_t objects = 0, loads = 0, messages = tmap_round_count(clock, begin, end);
	size_t gates = 2 * (size_t)TMAP_NODE_MOST_GATES * (size_t)model->kinds.node_count;
	const struct tmap_clock_batch *stretch = &model->room->stretch[begin];

	for (int l = 0; l < model->link_count; l++) {
		objects += (size_t)model->link[l].count;
		loads += tmap_cost_load_count(&model->link[l]);
	}
	*fits = loads > 0 && loads + gates <= INT32_MAX && messages >= loads &&
		round_is_even(clock, begin, end, messages);
	if (!*fits)
		return 0;
	if (!model->room->even)
		model->room->even = even_new(model, objects, loads, err);
	if (!model->room->even)
		return -1;
	model->room->even->bytes = stretch_bytes(clock, stretch);
	model->room->even->share = stretch->spread.share;
	return 0;
}

/* On which records of a column the messages of a chunk are, on both sides. */
struct records {
	int left[TMAP_CHUNK], reached[TMAP_CHUNK];
};

static bool chunk_crosses(const struct tmap_chunk *chunk, const bool *crossed)
{
	bool some = crossed[chunk->kind[0]];

	for (int i = 1; i < chunk->count && !some && !chunk->is_like; i++)
		some = crossed[chunk->kind[i]];
	return some;
}

static void records_find(struct records *records, const struct tmap_cost_model *model,
			 const struct tmap_chunk *chunk, int column)
{
	const struct tmap_clock_even *even = model->room->even;
	const int *first = even->first + column, *local = even->local + column;
	int twice = column == model->link_count || !model->link[column].is_sum;
	int64_t columns = even->columns;

	for (int i = 0, count = chunk->count; i < count; i++) {
		struct tmap_position left = chunk->left[i], reached = chunk->reached[i];

		records->left[i] = first[left.node * columns] + local[left.object * columns];
		records->reached[i] =
			first[reached.node * columns] + local[reached.object * columns] + twice;
	}
}

static const bool *even_crossed(const struct tmap_cost_model *model, int column)
{
	return model->room->even->crossed + (int64_t)column * model->kinds.count;
}

static inline double later(double a, double b)
{
	return a > b ? a : b;
}

static inline void load_add(struct even_load *load, int64_t count, double first_s)
{
	load->at_s = load->count && load->at_s < first_s ? load->at_s : first_s;
	load->count += count;
}

void tmap_even_load(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
		    const double *head)
{
	struct tmap_clock_even *even = model->room->even;
	struct even_load *load = even->load;
	struct records records;

	for (int c = 0; c < even->columns; c++) {
		const bool *crossed = even_crossed(model, c);

		if (!chunk_crosses(chunk, crossed))
			continue;
		records_find(&records, model, chunk, c);
		even->passes_gates |= c == model->link_count;
		for (int i = 0; i < chunk->count; i++) {
			__builtin_prefetch(&load[records.left[i]], 1);
			__builtin_prefetch(&load[records.reached[i]], 1);
		}
		for (int i = 0; i < chunk->count; i++) {
			if (!chunk->is_like && !crossed[chunk->kind[i]])
				continue;
			load_add(&load[records.left[i]], 1, head[i]);
			load_add(&load[records.reached[i]], 1, head[i]);
		}
	}
}

/* The record of a link behind a gate; TMAP_NONE: the link is not. */
static int gate_behind(const struct tmap_cost_model *model, int node, int gate, bool enters, int l)
{
	const struct tmap_clock_even *even = model->room->even;
	int local = even->gates.behind[gate * model->link_count + l];
	int first = even->first[(int64_t)node * even->columns + l];

	if (local == TMAP_NONE)
		return TMAP_NONE;
	return model->link[l].is_sum ? first + local : first + 2 * local + enters;
}

/* Each side of a node's gates that has something: it is handed on to the links behind the gate, or, once
 * these have ended, it is seen until when they are busy. */
static void gates_visit(const struct tmap_cost_model *model, int node, bool ended)
{
	const struct tmap_clock_even *even = model->room->even;

	for (int i = 0; i < 2 * even->gates.count; i++) {
		struct even_load *its = &even->load[gate_record(even, node, i / 2, i % 2)];
		double end_s = 0;

		for (int l = 0; l < model->link_count && its->count; l++) {
			int behind = gate_behind(model, node, i / 2, i % 2, l);

			if (behind == TMAP_NONE)
				continue;
			if (ended)
				end_s = later(end_s, even->load[behind].at_s);
			else
				load_add(&even->load[behind], its->count, its->at_s);
		}
		if (ended)
			*its = (struct even_load){ end_s, 0 };
	}
}

/* Until when the load of a record that has something is busy. */
static void record_end(const struct tmap_clock *clock, size_t i)
{
	const struct tmap_cost_model *model = clock->model;
	const struct tmap_clock_even *even = model->room->even;
	struct even_load *its = &even->load[i];
	const struct tmap_cost_link *link = &model->link[even->is[i].link];
	int at = even->is[i].load;
	double count = (double)its->count;
	struct tmap_cost_load load = { count * even->bytes, count * even->share, its->at_s,
				       model->stamp };
	double busy = tmap_cost_busy(link, tmap_cost_load_object(link, (size_t)at), load.bytes,
				     load.messages);

	if (clock->round < clock->overlap_end)
		link->busy_s[at] += busy;
	link->load[at] = load;
	link->end_s[at] = later(load.first_s, link->end_s[at]) + busy;
	*its = (struct even_load){ link->end_s[at], 0 };
}

void tmap_even_loads_end(const struct tmap_clock *clock)
{
	const struct tmap_cost_model *model = clock->model;
	struct tmap_clock_even *even = model->room->even;
	int gated = even->passes_gates ? model->kinds.node_count : 0;

	for (int n = 0; n < gated; n++)
		gates_visit(model, n, false);
	for (size_t i = 0; i < even->count; i++)
		if (even->load[i].count)
			record_end(clock, i);
	for (int n = 0; n < gated; n++)
		gates_visit(model, n, true);
	even->passes_gates = false;
}

void tmap_even_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
			 double *end)
{
	const struct tmap_clock_even *even = model->room->even;
	const struct even_load *load = even->load;
	struct records records;

	for (int i = 0; i < chunk->count; i++)
		end[i] = 0;
	for (int c = 0; c < even->columns; c++) {
		const bool *crossed = even_crossed(model, c);

		if (!chunk_crosses(chunk, crossed))
			continue;
		records_find(&records, model, chunk, c);
		for (int i = 0; i < chunk->count; i++)
			if (chunk->is_like || crossed[chunk->kind[i]])
				end[i] = later(end[i],
					       later(load[records.left[i]].at_s,
						     load[records.reached[i]].at_s));
	}
}
