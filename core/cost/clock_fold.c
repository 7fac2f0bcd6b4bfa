/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/clock_fold.h"

#include <string.h>

/* The machine's number of node n of those that have ranks. */
static int fold_node(const struct tmap_pair_kinds *kinds, int64_t n)
{
	return tmap_pair_position(kinds, n * kinds->period).node;
}

/* Are two nodes under one innermost switch, and joined by the first step of the distances? */
static bool nodes_are_near(const struct tmap_pair_kinds *kinds, int a, int b)
{
	return (kinds->tier_count == 0 ||
		kinds->tier[(int64_t)a * kinds->tier_count] ==
			kinds->tier[(int64_t)b * kinds->tier_count]) &&
		kinds->join[(int64_t)a * kinds->join_count] ==
		kinds->join[(int64_t)b * kinds->join_count];
}

/* Has node b objects of its own, and are they as fast as those of node a? */
static bool link_is_alike(const struct tmap_cost_link *link, int a, int b)
{
	if (link->base[b] < link->base[a] + link->local_count)
		return false;
	for (int i = 0; i < link->local_count; i++) {
		struct tmap_cost_rate one = link->rate[link->base[a] + i];
		struct tmap_cost_rate other = link->rate[link->base[b] + i];

		if (one.byte_s != other.byte_s || one.message_s != other.message_s)
			return false;
	}
	return true;
}

int tmap_fold_period(const struct tmap_cost_model *model)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;
	int64_t nodes = kinds->period > 0 ? kinds->size / kinds->period : 0;

	if (model->wait_s || kinds->distribution != TMAP_DISTRIBUTION_BLOCK || nodes < 2 ||
	    kinds->size % kinds->period != 0)
		return 0;
	for (int64_t n = 1; n < nodes; n++) {
		int a = fold_node(kinds, n - 1), b = fold_node(kinds, n);

		if (a >= b || !nodes_are_near(kinds, a, b))
			return 0;
		for (int l = 0; l < model->link_count; l++)
			if (!link_is_alike(&model->link[l], a, b))
				return 0;
	}
	return kinds->period;
}

bool tmap_fold_fits(const struct tmap_clock *clock, const struct tmap_shift_pattern *shift)
{
	int period = clock->model->kinds.period, size = clock->model->kinds.size;

	if (shift->count == size)
		return true;
	return period % shift->step == 0 &&
		shift->count == (int64_t)size / shift->step * shift->run;
}

size_t tmap_fold_count(const struct tmap_clock *clock, const struct tmap_shift_pattern *shift)
{
	const struct tmap_pair_kinds *kinds = &clock->model->kinds;

	return (size_t)((int64_t)shift->count * kinds->period / kinds->size);
}

void tmap_fold_fill(struct tmap_chunk *chunk, const struct tmap_clock *clock,
		    const struct tmap_shift_pattern *shift, size_t at)
{
	const struct tmap_pair_kinds *kinds = &clock->model->kinds;
	int period = kinds->period, nodes = kinds->size / period;
	int between = tmap_pair_kind_between(kinds, fold_node(kinds, 0), fold_node(kinds, 1));

	for (int i = 0; i < chunk->count; i++) {
		int64_t message = (int64_t)at + i;
		int from = (int)(shift->count == kinds->size ?
					 message :
					 tmap_shift_pattern_sender(shift, message) % period);
		int64_t to = (int64_t)from + shift->ahead;

		chunk->from[i] = from;
		chunk->to[i] = (int)(to % period);
		chunk->whole[i] = shift->bytes;
		chunk->kind[i] = to / period % nodes ?
			between :
			tmap_pair_kind(kinds, tmap_pair_position(kinds, from),
				       tmap_pair_position(kinds, chunk->to[i]));
	}
}

/* What the links of the first node had, on all. */
static void link_spread(const struct tmap_cost_link *link, const struct tmap_pair_kinds *kinds)
{
	size_t count = (size_t)link->local_count * (link->is_sum ? 1 : 2);
	size_t first = tmap_cost_load(link, link->base[fold_node(kinds, 0)], false);

	for (int64_t n = 1; n < kinds->size / kinds->period; n++) {
		size_t at = tmap_cost_load(link, link->base[fold_node(kinds, n)], false);

		memcpy(link->load + at, link->load + first, count * sizeof *link->load);
		memcpy(link->end_s + at, link->end_s + first, count * sizeof *link->end_s);
		memcpy(link->busy_s + at, link->busy_s + first, count * sizeof *link->busy_s);
	}
}

/* Clocks that are there are not written: those that are 0 then take no memory. */
static void clocks_copy(double *to, const double *from, size_t count)
{
	if (memcmp(to, from, count * sizeof *to) != 0)
		memcpy(to, from, count * sizeof *to);
}

void tmap_fold_end(struct tmap_clock *clock)
{
	const struct tmap_cost_model *model = clock->model;
	size_t size = (size_t)model->kinds.size, period = (size_t)clock->extent;
	double *each[] = { clock->at, clock->next, clock->taken, clock->left };

	if (clock->extent == model->kinds.size)
		return;
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		for (size_t r = period; r < size; r += period)
			clocks_copy(each[i] + r, each[i], period);
	for (int l = 0; l < model->link_count; l++)
		link_spread(&model->link[l], &model->kinds);
	for (size_t s = 0; s < clock->stretch_count; s++)
		model->room->stretch[s].is_folded = false;
	clock->extent = model->kinds.size;
}
