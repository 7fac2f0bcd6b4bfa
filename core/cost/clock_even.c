/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_even.h"

#include "core/base/mem.h"
#include "core/cost/clock_shift.h"
#include "core/cost/clock_sides.h"

#include <math.h>
#include <stdlib.h>

/* What crosses the border of an object in one direction, or in both; no message: INFINITY and 0. */
struct even_load {
	double first_s;
	int64_t count;
};

struct tmap_clock_even {
	int *first; /* [nodes][links]: the record of a node's first object */
	int *local; /* [objects][links]: that of an object, from there on */
	size_t count;
	struct tmap_cost_used *is; /* [count]: which load a record is */
	struct even_load *load;    /* [count]: of the round at hand */
	double *end_s;             /* [count]: of those that have something */
	double bytes, share;       /* of a message */
};

void tmap_even_free(struct tmap_clock_even *even)
{
	if (!even)
		return;
	free(even->first);
	free(even->local);
	free(even->is);
	free(even->load);
	free(even->end_s);
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
			even->first[(int64_t)n * links + l] = record[at + link->base[n]];
		}
	}
}

static void even_fill_locals(struct tmap_clock_even *even, const struct tmap_cost_model *model)
{
	int links = model->link_count;

	for (int o = 0; o < model->kinds.object_count; o++)
		for (int l = 0; l < links; l++)
			even->local[(int64_t)o * links + l] = model->link[l].local[o]
				<< !model->link[l].is_sum;
	for (size_t i = 0; i < even->count; i++)
		even->load[i] = (struct even_load){ INFINITY, 0 };
}

static struct tmap_clock_even *even_new(const struct tmap_cost_model *model, size_t objects,
					size_t loads, struct tmap_error *err)
{
	size_t links = (size_t)model->link_count, nodes = (size_t)model->kinds.node_count;
	struct tmap_clock_even *made = tmap_alloc(1, sizeof *made, err);
	int *record = tmap_alloc_raw(objects, sizeof *record, err);
	bool *is_first = tmap_alloc(objects, sizeof *is_first, err);
	bool is_whole = made && record && is_first;

	if (is_whole) {
		made->first = tmap_alloc_raw(nodes * links, sizeof *made->first, err);
		made->local = tmap_alloc_raw((size_t)model->kinds.object_count * links,
					     sizeof *made->local, err);
		made->is = tmap_alloc_raw(loads, sizeof *made->is, err);
		made->load = tmap_alloc_raw(loads, sizeof *made->load, err);
		made->end_s = tmap_alloc_raw(loads, sizeof *made->end_s, err);
		is_whole = made->first && made->local && made->is && made->load && made->end_s;
	}
	for (size_t i = 0; is_whole && i < objects; i++)
		record[i] = TMAP_NONE;
	if (is_whole) {
		even_number_all(made, model, record, is_first);
		even_fill_locals(made, model);
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
	const struct tmap_clock_batch *stretch = &model->room->stretch[begin];

	for (int l = 0; l < model->link_count; l++) {
		objects += (size_t)model->link[l].count;
		loads += tmap_cost_load_count(&model->link[l]);
	}
	*fits = loads > 0 && loads <= INT32_MAX && messages >= loads &&
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

/* Where the rows of the nodes and objects of a chunk's ranks begin, and which records the messages are on,
 * on both sides of a link. */
struct records {
	int64_t node[2][TMAP_CHUNK], object[2][TMAP_CHUNK];
	int left[TMAP_CHUNK], reached[TMAP_CHUNK];
};

static void records_begin(struct records *records, const struct tmap_cost_model *model,
			  const struct tmap_chunk *chunk)
{
	int64_t links = model->link_count;

	for (int i = 0; i < chunk->count; i++) {
		records->node[0][i] = chunk->left[i].node * links;
		records->object[0][i] = chunk->left[i].object * links;
		records->node[1][i] = chunk->reached[i].node * links;
		records->object[1][i] = chunk->reached[i].object * links;
	}
}

static void records_find(struct records *records, const struct tmap_clock_even *even,
			 const struct tmap_cost_link *link, int l, int count)
{
	const int *first = even->first + l, *local = even->local + l;
	int twice = !link->is_sum;

	for (int i = 0; i < count; i++) {
		records->left[i] = first[records->node[0][i]] + local[records->object[0][i]];
		records->reached[i] =
			first[records->node[1][i]] + local[records->object[1][i]] + twice;
	}
}

static inline void load_count(struct even_load *load, double first_s)
{
	load->count++;
	load->first_s = first_s < load->first_s ? first_s : load->first_s;
}

void tmap_even_load(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
		    const double *head)
{
	const struct tmap_clock_even *even = model->room->even;
	struct even_load *load = even->load;
	struct records records;

	records_begin(&records, model, chunk);
	for (int l = 0; l < model->link_count; l++) {
		const bool *crossed = model->link[l].crossed;

		if (chunk->is_like && !crossed[chunk->kind[0]])
			continue;
		records_find(&records, even, &model->link[l], l, chunk->count);
		for (int i = 0; i < chunk->count; i++) {
			__builtin_prefetch(&load[records.left[i]], 1);
			__builtin_prefetch(&load[records.reached[i]], 1);
		}
		for (int i = 0; i < chunk->count; i++) {
			if (!chunk->is_like && !crossed[chunk->kind[i]])
				continue;
			load_count(&load[records.left[i]], head[i]);
			load_count(&load[records.reached[i]], head[i]);
		}
	}
}

void tmap_even_loads_end(const struct tmap_clock *clock)
{
	const struct tmap_cost_model *model = clock->model;
	const struct tmap_clock_even *even = model->room->even;

	for (size_t i = 0; i < even->count; i++) {
		struct even_load *its = &even->load[i];
		const struct tmap_cost_link *link = &model->link[even->is[i].link];
		int at = even->is[i].load;
		double count = (double)its->count, busy;
		struct tmap_cost_load load = { count * even->bytes, count * even->share,
					       its->first_s, model->stamp };

		if (its->count == 0)
			continue;
		busy = tmap_cost_busy(link, tmap_cost_load_object(link, (size_t)at), load.bytes,
				      load.messages);
		if (clock->round < clock->overlap_end)
			link->busy_s[at] += busy;
		link->load[at] = load;
		even->end_s[i] = link->end_s[at] =
			(load.first_s > link->end_s[at] ? load.first_s : link->end_s[at]) + busy;
		*its = (struct even_load){ INFINITY, 0 };
	}
}

void tmap_even_links_end(const struct tmap_cost_model *model, const struct tmap_chunk *chunk,
			 double *end)
{
	const struct tmap_clock_even *even = model->room->even;
	const double *end_s = even->end_s;
	struct records records;

	records_begin(&records, model, chunk);
	for (int i = 0; i < chunk->count; i++)
		end[i] = 0;
	for (int l = 0; l < model->link_count; l++) {
		const bool *crossed = model->link[l].crossed;

		if (chunk->is_like && !crossed[chunk->kind[0]])
			continue;
		records_find(&records, even, &model->link[l], l, chunk->count);
		for (int i = 0; i < chunk->count; i++) {
			double left, reached;

			if (!chunk->is_like && !crossed[chunk->kind[i]])
				continue;
			left = end_s[records.left[i]];
			reached = end_s[records.reached[i]];
			end[i] = left > end[i] ? left : end[i];
			end[i] = reached > end[i] ? reached : end[i];
		}
	}
}
