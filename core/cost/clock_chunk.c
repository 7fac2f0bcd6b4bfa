/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages a few hundred at a time: what they cost, then what each link carries of them, so that
 * every loop is short and goes over few arrays.
 */
#include "core/cost/clock.h"

#include "core/base/mem.h"

enum { CHUNK = 256 };

struct chunk {
	int count;
	const int *from, *to;
	const int64_t *bytes;
	struct tmap_position left[CHUNK], reached[CHUNK];
	int kind[CHUNK];
	double latency_s[CHUNK];
	double load[CHUNK]; /* bytes on a link */
};

static double chunk_max(double a, double b)
{
	return a > b ? a : b;
}

/* Neighbours in a chunk are mostly of one kind: they are added up first. */
static int chunk_count_moved(struct tmap_clock *clock, const struct tmap_spread *spread,
			     const struct chunk *chunk, struct tmap_error *err)
{
	struct tmap_moved *moved = &clock->moved;
	int64_t times = (int64_t)spread->times;
	bool over = false;

	for (int i = 0, begin = 0; i < chunk->count; begin = i) {
		int kind = chunk->kind[i];
		int64_t bytes = 0;

		for (; i < chunk->count && chunk->kind[i] == kind; i++)
			over |= __builtin_add_overflow(bytes, chunk->bytes[i], &bytes);
		moved->messages[kind] += (i - begin) * times;
		over |= __builtin_add_overflow(moved->bytes[kind], bytes, &moved->bytes[kind]);
	}
	if (over)
		return tmap_fail(err, TMAP_INPUT, "the schedule moves more than 2^63 - 1 bytes");
	return 0;
}

/* A rank has so many more messages; returns how long its chain is now. */
static double side_lengthen(struct tmap_clock *clock, struct tmap_cost_side *side,
			    const struct tmap_profile_row *row, double messages, double busy)
{
	const struct tmap_profile *profile = clock->model->profile;

	if (side->stamp != clock->model->stamp)
		*side = (struct tmap_cost_side){ .row = (int)(row - profile->row),
						 .stamp = clock->model->stamp };
	else
		side->busy_s += row->overhead_s;
	side->busy_s += busy + (messages - 1) * row->overhead_s;
	if (row->latency_s > profile->row[side->row].latency_s)
		side->row = (int)(row - profile->row);
	return profile->row[side->row].latency_s + side->busy_s;
}

/* The longest chain of two ranks of which nothing else is known, or of all that they have. */
static double chunk_chain(struct tmap_clock *clock, const struct tmap_spread *spread,
			  const struct chunk *chunk, int i, const struct tmap_price *price,
			  double bytes)
{
	const struct tmap_profile *profile = clock->model->profile;
	double busy = spread->share * bytes * price->byte_s;
	double reduced = spread->combine ? spread->share * bytes * profile->reduce_byte_s : 0;
	struct tmap_cost_side *side = clock->model->side;

	if (spread->single)
		return price->latency_s + busy + reduced +
			(spread->share - 1) * price->row->overhead_s;
	return chunk_max(side_lengthen(clock, &side[2 * (size_t)chunk->from[i]], price->row,
				       spread->share, busy),
			 side_lengthen(clock, &side[2 * (size_t)chunk->to[i] + 1], price->row,
				       spread->share, busy + reduced));
}

static void chunk_count_chains(struct tmap_clock *clock, const struct tmap_spread *spread,
			       struct chunk *chunk)
{
	double longest = clock->group.seconds;

	for (int i = 0; i < chunk->count; i++) {
		const struct tmap_price *price;
		double bytes;

		if (i && spread->single && chunk->kind[i] == chunk->kind[i - 1] &&
		    chunk->bytes[i] == chunk->bytes[i - 1]) { /* nothing new */
			chunk->latency_s[i] = chunk->latency_s[i - 1];
			chunk->load[i] = chunk->load[i - 1];
			continue;
		}
		bytes = (double)chunk->bytes[i] / spread->times;
		price = tmap_clock_price(clock, chunk->kind[i], bytes);
		chunk->latency_s[i] = price->latency_s;
		chunk->load[i] = (double)chunk->bytes[i] / spread->active;
		longest = chunk_max(longest, chunk_chain(clock, spread, chunk, i, price, bytes));
	}
	clock->group.seconds = longest;
}

/* Messages of a chunk that pass the same two objects, one after another. */
struct passage {
	int from, to;
	double bytes, latency_s;
};

static double passage_add(const struct tmap_cost_link *link, struct tmap_cost_load *loads,
			  uint32_t stamp, const struct passage *it)
{
	double left = tmap_load_add(link, loads, it->from, stamp, false, it->bytes, it->latency_s);
	double reached = tmap_load_add(link, loads, it->to, stamp, true, it->bytes, it->latency_s);

	return chunk_max(left, reached);
}

/* The messages that pass a link, and between which objects: returns how many. */
static int link_find_passages(const struct tmap_cost_link *link, const struct tmap_cost_load *loads,
			      const struct chunk *chunk, struct passage *passage)
{
	int count = 0;

	for (int i = 0; i < chunk->count; i++) {
		struct passage it = { tmap_cost_object(link, chunk->left[i]),
				      tmap_cost_object(link, chunk->reached[i]), chunk->load[i],
				      chunk->latency_s[i] };
		struct passage *last = &passage[count - 1];

		if (!link->crossed[chunk->kind[i]])
			continue;
		if (count && last->from == it.from && last->to == it.to &&
		    last->latency_s >= it.latency_s) {
			last->bytes += it.bytes;
			continue;
		}
		__builtin_prefetch(&loads[it.from]);
		__builtin_prefetch(&loads[it.to]);
		passage[count++] = it;
	}
	return count;
}

/* The longest that any object of a link takes with what these messages add. */
static double link_count_loads(const struct tmap_cost_link *link, struct tmap_cost_load *loads,
			       uint32_t stamp, const struct chunk *chunk)
{
	struct passage passage[CHUNK];
	int count = link_find_passages(link, loads, chunk, passage);
	double longest = 0;

	for (int i = 0; i < count; i++)
		longest = chunk_max(longest, passage_add(link, loads, stamp, &passage[i]));
	return longest;
}

static void chunk_count_links(struct tmap_clock *clock, const struct tmap_spread *spread,
			      struct chunk *chunk)
{
	struct tmap_cost_model *model = clock->model;

	for (int i = 0; i < model->link_count; i++)
		clock->group.seconds =
			chunk_max(clock->group.seconds,
				  link_count_loads(&model->link[i], model->link[i].load,
						   model->stamp, chunk));
	if (!clock->group.overlaps)
		return;
	for (int i = 0; i < chunk->count; i++)
		chunk->load[i] *= spread->active;
	for (int i = 0; i < model->link_count; i++)
		clock->pipeline.busiest =
			chunk_max(clock->pipeline.busiest,
				  link_count_loads(&model->link[i], model->link[i].all,
						   clock->all_stamp, chunk));
}

static int chunk_count(struct tmap_clock *clock, const struct tmap_spread *spread,
		       struct chunk *chunk, struct tmap_error *err)
{
	const struct tmap_pair_kinds *kinds = &clock->model->kinds;

	for (int i = 0; i < chunk->count; i++) {
		chunk->left[i] = kinds->position[chunk->from[i]];
		chunk->reached[i] = kinds->position[chunk->to[i]];
		chunk->kind[i] = tmap_pair_kind(kinds, chunk->left[i], chunk->reached[i]);
	}
	if (chunk_count_moved(clock, spread, chunk, err) < 0)
		return -1;
	chunk_count_chains(clock, spread, chunk);
	chunk_count_links(clock, spread, chunk);
	return 0;
}

int tmap_clock_take(struct tmap_clock *clock, const struct tmap_spread *spread, const int *from,
		    const int *to, const int64_t *bytes, int count, struct tmap_error *err)
{
	struct tmap_cost_model *model = clock->model;
	struct chunk chunk;

	if (!spread->single && !model->side) {
		model->side = tmap_alloc(2 * (size_t)model->kinds.size, sizeof *model->side, err);
		if (!model->side)
			return -1;
	}
	for (int begin = 0; begin < count; begin += CHUNK) {
		chunk.count = count - begin < CHUNK ? count - begin : CHUNK;
		chunk.from = from + begin;
		chunk.to = to + begin;
		chunk.bytes = bytes + begin;
		if (chunk_count(clock, spread, &chunk, err) < 0)
			return -1;
	}
	return 0;
}
