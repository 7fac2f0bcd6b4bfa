/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/cost/clock_round.h"
#include "core/map/alike.h"
#include "core/map/burst_loads.h"

#include <stdlib.h>

/* What a rank has sent up to a step of the rows; its last message comes to its receiver from head_s on. */
struct row_cost {
	double out_s, left_s; /* own time, and until when its port sends what left eagerly */
	double shared_s;      /* what shares its port */
	double head_s;
	bool is_whole; /* some rank's row ends here */
};

/* What a rank does up to a step of the works. */
struct work_cost {
	double first_s;  /* when the first message begins to come */
	double taking_s; /* all of them, one after another */
	double own_s;    /* own time for these and for what it sends */
	bool sent, received, has_several;
	bool is_whole;
};

/* What crosses a link of all that is on a path: what leaves by it, of a row; what enters, of a work. */
struct crossing {
	double bytes, messages, first_s;
};

struct alike_times {
	const struct tmap_alike *alike;
	const struct tmap_cost_model *model;
	struct tmap_price *price; /* [sizes x kinds] */
	struct row_cost *row;     /* [steps] */
	struct work_cost *work;
	int *path;                        /* scratch [steps of the rows] */
	struct crossing *leaves, *enters; /* [steps]: of the link at hand */
	double last_s;
};

static void times_wait(struct alike_times *it, double until_s)
{
	it->last_s = tmap_later(it->last_s, until_s);
}

static const struct tmap_price *step_price(const struct alike_times *it, int step)
{
	return &it->price[it->alike->rows.step[step].what];
}

static void prices_fill(struct alike_times *it)
{
	const struct tmap_alike *alike = it->alike;
	const struct tmap_cost_model *model = it->model;

	for (int s = 0; s < alike->size_count; s++)
		for (int k = 0; k < alike->kinds; k++) {
			double bytes = (double)alike->size[s];
			int step = model->kinds.step[k];

			it->price[s * alike->kinds + k] =
				tmap_price_make(model->row[step], tmap_cost_is_within(model, step),
						bytes, bytes, 1, 0);
		}
}

/* A message that leaves after those of the step before it. */
static void row_step(struct alike_times *it, int step)
{
	const struct tmap_price *price = step_price(it, step);
	struct row_cost made = it->row[it->alike->rows.step[step].before];
	double start = 0;

	made.is_whole = it->row[step].is_whole;
	if (!price->together) {
		start = price->by_port ? tmap_later(made.out_s, made.left_s) : made.out_s;
		made.out_s += price->out_s;
		if (price->by_port)
			made.left_s = start + price->port_s;
	}
	made.shared_s += price->together ? price->held_s : price->by_port ? price->port_s : 0;
	made.head_s = start + price->latency_s;
	it->row[step] = made;
}

/* All messages of a row by themselves, and their sender. */
static void row_end(struct alike_times *it, int last)
{
	for (int step = last; step > 0; step = it->alike->rows.step[step].before) {
		const struct tmap_price *price = step_price(it, step);
		double kept = price->together ? it->row[last].shared_s : it->row[step].out_s;

		times_wait(it, kept);
		times_wait(it, price->in_s);
		times_wait(it, tmap_messages_come(price, it->row[step].head_s, kept, 0));
	}
}

/* Own time for a row, message after message. */
static void work_send(struct work_cost *work, struct alike_times *it, int last)
{
	int count = 0;

	for (int step = last; step > 0; step = it->alike->rows.step[step].before)
		it->path[count++] = step;
	while (count-- > 0) {
		work->own_s += step_price(it, it->path[count])->out_s;
		work->has_several |= work->sent;
		work->sent = true;
	}
}

static void work_step(struct alike_times *it, int step)
{
	const struct tmap_alike_step *at = &it->alike->works.step[step];
	struct work_cost made = it->work[at->before];
	double begin;

	made.is_whole = it->work[step].is_whole;
	if (at->what < 0) {
		work_send(&made, it, -1 - at->what);
	} else {
		const struct tmap_price *price = step_price(it, at->what);

		begin = it->row[at->what].head_s - price->overhead_s;
		made.first_s = made.received && made.first_s < begin ? made.first_s : begin;
		made.taking_s += tmap_messages_taking(price);
		made.own_s += price->in_s;
		made.has_several |= made.received;
		made.received = true;
	}
	it->work[step] = made;
}

static void work_end(struct alike_times *it, const struct work_cost *work)
{
	if (work->received)
		times_wait(it, tmap_later(work->first_s, 0) + work->taking_s);
	if (work->has_several)
		times_wait(it, work->own_s);
}

static void steps_time(struct alike_times *it)
{
	const struct tmap_alike *alike = it->alike;

	for (int r = 0; r < it->model->kinds.size; r++) {
		it->row[alike->row[r]].is_whole = true;
		it->work[alike->work[r]].is_whole = true;
	}
	for (int s = 1; s < alike->rows.count; s++)
		row_step(it, s);
	for (int s = 1; s < alike->rows.count; s++)
		if (it->row[s].is_whole)
			row_end(it, s);
	for (int s = 1; s < alike->works.count; s++) {
		work_step(it, s);
		if (it->work[s].is_whole)
			work_end(it, &it->work[s]);
	}
}

/* The message of a step of the rows crosses the link, or not. */
static struct crossing crossing_add(struct crossing sum, const struct alike_times *it,
				    const struct tmap_cost_link *link, int step)
{
	double head = it->row[step].head_s;

	if (!link->crossed[it->alike->rows.step[step].what % it->alike->kinds])
		return sum;
	return (struct crossing){ sum.bytes + step_price(it, step)->bytes, sum.messages + 1,
				  sum.messages > 0 && sum.first_s < head ? sum.first_s : head };
}

static void link_load(struct alike_times *it, const struct tmap_cost_link *link)
{
	const struct tmap_alike *alike = it->alike;
	const struct tmap_pair_kinds *kinds = &it->model->kinds;

	for (int s = 1; s < alike->rows.count; s++)
		it->leaves[s] = crossing_add(it->leaves[alike->rows.step[s].before], it, link, s);
	for (int s = 1; s < alike->works.count; s++) {
		const struct tmap_alike_step *at = &alike->works.step[s];

		it->enters[s] = at->what < 0 ?
			it->enters[at->before] :
			crossing_add(it->enters[at->before], it, link, at->what);
	}
	for (int r = 0; r < kinds->size; r++) {
		const struct crossing *leaves = &it->leaves[alike->row[r]];
		const struct crossing *enters = &it->enters[alike->work[r]];
		int object = tmap_cost_object(link, tmap_pair_position(kinds, r));

		if (leaves->messages > 0)
			tmap_burst_load_add(&link->load[tmap_cost_load(link, object, false)],
					    leaves->bytes, leaves->messages, leaves->first_s);
		if (enters->messages > 0)
			tmap_burst_load_add(&link->load[tmap_cost_load(link, object, true)],
					    enters->bytes, enters->messages, enters->first_s);
	}
}

/* Whatever crosses a link is there once it has let all of it through. */
static void links_time(struct alike_times *it)
{
	const struct tmap_cost_model *model = it->model;

	tmap_burst_loads_begin(model);
	for (int l = 0; l < model->link_count; l++)
		link_load(it, &model->link[l]);
	tmap_burst_loads_end(model);
	for (int l = 0; l < model->link_count; l++) {
		const struct tmap_cost_link *link = &model->link[l];

		for (size_t i = 0; i < tmap_cost_load_count(link); i++)
			if (link->load[i].messages > 0)
				times_wait(it, link->end_s[i]);
	}
}

int tmap_alike_seconds(double *seconds, const struct tmap_alike *alike,
		       const struct tmap_cost_model *model, struct tmap_error *err)
{
	size_t rows = (size_t)alike->rows.count, works = (size_t)alike->works.count;
	size_t prices = (size_t)alike->size_count * (size_t)alike->kinds;
	struct alike_times it = { .alike = alike, .model = model };
	int status = -1;

	it.price = tmap_alloc_raw(prices, sizeof *it.price, err);
	it.row = tmap_alloc(rows, sizeof *it.row, err);
	it.work = tmap_alloc(works, sizeof *it.work, err);
	it.path = tmap_alloc_raw(rows, sizeof *it.path, err);
	it.leaves = tmap_alloc(rows, sizeof *it.leaves, err);
	it.enters = tmap_alloc(works, sizeof *it.enters, err);
	if (it.price && it.row && it.work && it.path && it.leaves && it.enters) {
		prices_fill(&it);
		steps_time(&it);
		links_time(&it);
		*seconds = it.last_s;
		status = 0;
	}
	free(it.price);
	free(it.row);
	free(it.work);
	free(it.path);
	free(it.leaves);
	free(it.enters);
	return status;
}
