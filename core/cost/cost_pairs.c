/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/cost_model.h"
#include "core/cost/price.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A rank while steps are added, the nearest first. */
struct pairs_side {
	int near; /* ranks that are no farther, itself among them */
	double busy_s, latency_s;
	double out_s, own_s; /* overhead of what it sends, and own time for all of its messages */
};

/* The set of a rank at a step, by its position; TMAP_NONE: it is alone. */
static int rank_set(const struct tmap_cost_model *model, int step, int rank)
{
	const struct tmap_metric *metric = model->kinds.metric;
	const struct tmap_position position = model->kinds.position[rank];
	const struct tmap_pair_object *object = &model->kinds.object[position.object];

	return tmap_partition_of_object(&metric->step[step].sets, object->topology, position.node,
					object->object);
}

/* Adds the ranks that are nearer than the steps from @p step on: at first only oneself. */
static int sides_add_step(const struct tmap_cost_model *model, int step, struct pairs_side *side,
			  double bytes, double reduced, struct tmap_error *err)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, step, bytes);
	struct tmap_price price =
		tmap_price_make(row, tmap_cost_is_within(model, step), bytes, bytes, 1, reduced);
	int size = model->kinds.size;
	int *members = tmap_alloc((size_t)model->kinds.metric->step[step].sets.count,
				  sizeof *members, err);

	if (!members)
		return -1;
	for (int r = 0; r < size; r++)
		if (rank_set(model, step, r) != TMAP_NONE)
			members[rank_set(model, step, r)]++;
	for (int r = 0; r < size; r++) {
		int set = rank_set(model, step, r), within = set == TMAP_NONE ? 1 : members[set];

		if (within == side[r].near)
			continue;
		side[r].busy_s += (price.moving_s + price.adding_s) * (within - side[r].near);
		side[r].out_s += price.overhead_s * (within - side[r].near);
		side[r].own_s += (price.out_s + price.in_s) * (within - side[r].near);
		side[r].latency_s = fmax(side[r].latency_s, row->latency_s);
		side[r].near = within;
	}
	free(members);
	return 0;
}

/* What each rank spends on its messages: [size], the caller's to free; and the largest step at
 * which ranks are. */
static struct pairs_side *sides_new(const struct tmap_cost_model *model, double bytes,
				    double reduced, int *widest, struct tmap_error *err)
{
	int size = model->kinds.size, steps = model->kinds.metric->step_count, status = 0;
	struct pairs_side *side = tmap_alloc((size_t)size, sizeof *side, err);

	*widest = 0;
	for (int r = 0; side && r < size; r++)
		side[r].near = 1;
	for (int s = 0; side && s < steps && status == 0; s++) {
		int had = side[0].near;

		status = sides_add_step(model, s, side, bytes, reduced, err);
		if (side[0].near >
		    had) /* once all are near to rank 0, all are near to each other */
			*widest = s;
	}
	for (int r = 0; side && r < size; r++)
		side[r].latency_s += tmap_cost_wait(model, r);
	if (side && status == 0)
		return side;
	free(side);
	return NULL;
}

/* The longest that an object of a link takes when every rank sends every other one so many
 * bytes; its latency is the largest of its ranks'. */
static double link_busiest(const struct tmap_cost_model *model, const struct tmap_cost_link *link,
			   const struct pairs_side *side, double bytes, uint32_t stamp)
{
	double longest = 0, p = model->kinds.size;

	for (int r = 0; r < model->kinds.size; r++) {
		struct tmap_cost_load *load = tmap_cost_load(
			link, tmap_cost_object(link, model->kinds.position[r]), false);

		if (load->round != stamp)
			*load = (struct tmap_cost_load){ .round = stamp };
		load->messages++;
		load->first_s = fmax(load->first_s, side[r].latency_s);
	}
	for (int i = 0; i < link->count; i++) {
		const struct tmap_cost_load *load = tmap_cost_load(link, i, false);
		double ranks = load->messages, messages;

		if (load->round != stamp)
			continue;
		messages = link->is_memory ? 2 * ranks * (p - 1) :
			link->is_sum       ? 2 * ranks * (p - ranks) :
					     ranks * (p - ranks);
		if (messages > 0)
			longest = fmax(longest,
				       load->first_s +
					       tmap_cost_busy(link, i, messages * bytes, messages));
	}
	return longest;
}

/* One round: everything in it is known. */
static double pairs_at_once(struct tmap_cost_model *model, const struct pairs_side *side,
			    double bytes, int widest)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, widest, bytes);
	double longest = 0;

	for (int r = 0; r < model->kinds.size; r++) {
		longest =
			fmax(longest,
			     side[r].latency_s - row->overhead_s + side[r].out_s + side[r].busy_s);
		longest = fmax(longest, side[r].own_s);
	}
	model->stamp++;
	for (int i = 0; i < model->link_count; i++)
		longest = fmax(longest,
			       link_busiest(model, &model->link[i], side, bytes, model->stamp));
	return longest;
}

/* Several rounds, in each of which some rank has the farthest one as its partner. */
static double pairs_in_rounds(struct tmap_cost_model *model, const struct tmap_all_pairs *pairs,
			      const struct pairs_side *side, double bytes, double reduced,
			      int widest)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, widest, bytes);
	double rounds = (double)pairs->rounds, p = model->kinds.size, longest = 0;
	double latency = row->latency_s, wait = 0;

	for (int r = 0; r < model->kinds.size; r++)
		longest = fmax(longest, side[r].busy_s);
	if (pairs->rounds == model->kinds.size - 1) /* one partner a round */
		longest = rounds * bytes * (row->byte_s + reduced);
	else
		longest += (p - 1 - rounds) * row->overhead_s;
	for (int r = 0; r < model->kinds.size; r++)
		wait = fmax(wait, tmap_cost_wait(model, r));
	latency += wait;
	for (int r = 0; r < model->kinds.size; r++)
		longest = fmax(longest, side[r].own_s - rounds * latency);
	model->stamp++;
	for (int i = 0; i < model->link_count; i++)
		longest = fmax(longest,
			       link_busiest(model, &model->link[i], side, bytes, model->stamp) -
				       latency);
	return rounds * latency + longest;
}

/* Where some have nothing to send, nobody waits for these, and eager messages are as if all went at
 * once. */
int tmap_cost_all_pairs(double *seconds, struct tmap_cost_model *model,
			const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	double bytes = (double)pairs->bytes +
		(double)pairs->larger * (double)pairs->more / model->kinds.size;
	double reduced = pairs->combine ? model->profile->reduce_byte_s : 0;
	double filled = 1; /* of the pairs, those that wait for each other's rounds */
	struct pairs_side *side;
	int widest;

	*seconds = 0;
	if (bytes <= 0) /* nothing is sent */
		return 0;
	side = sides_new(model, bytes, reduced, &widest, err);
	if (!side)
		return -1;
	if (pairs->bytes == 0 &&
	    tmap_cost_row(model, widest, bytes)->protocol == TMAP_PROTOCOL_EAGER)
		filled = (double)pairs->larger / model->kinds.size;
	if (pairs->rounds > 1)
		*seconds = filled * pairs_in_rounds(model, pairs, side, bytes, reduced, widest);
	if (pairs->rounds == 1 || filled < 1)
		*seconds += (pairs->rounds == 1 ? 1 : 1 - filled) *
			pairs_at_once(model, side, bytes, widest);
	free(side);
	return 0;
}
