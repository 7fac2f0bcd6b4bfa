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

/* What each pair sends. */
struct pairs_load {
	double bytes;   /* of a message that is sent */
	double reduced; /* seconds to combine a byte */
	double sent;    /* of all messages: the others have no bytes */
};

/* The set of a rank at a step, by its position; TMAP_NONE: it is alone. */
static int rank_set(const struct tmap_cost_model *model, int step, int rank)
{
	const struct tmap_metric *metric = model->kinds.metric;
	const struct tmap_position position = tmap_pair_position(&model->kinds, rank);
	const struct tmap_pair_object *object = &model->kinds.object[position.object];

	return tmap_partition_of_object(&metric->step[step].sets, object->topology, position.node,
					object->object);
}

/* Adds the ranks that are nearer than the steps from @p step on: at first only oneself. */
static int sides_add_step(const struct tmap_cost_model *model, int step, struct pairs_side *side,
			  const struct pairs_load *load, struct tmap_error *err)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, step, load->bytes);
	struct tmap_price price = tmap_price_make(model->row[step],
						  tmap_cost_is_within(model, step), load->bytes,
						  load->bytes, 1, load->reduced);
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
		side[r].busy_s += (price.port_s + price.adding_s) * (within - side[r].near);
		side[r].out_s += price.overhead_s * (within - side[r].near);
		side[r].own_s += (load->sent * price.out_s + price.in_s) * (within - side[r].near);
		side[r].latency_s = fmax(side[r].latency_s, row->latency_s);
		side[r].near = within;
	}
	free(members);
	return 0;
}

/* What each rank spends on its messages: [size], the caller's to free; and the largest step at
 * which ranks are. */
static struct pairs_side *sides_new(const struct tmap_cost_model *model,
				    const struct pairs_load *load, int *widest,
				    struct tmap_error *err)
{
	int size = model->kinds.size, steps = model->kinds.metric->step_count, status = 0;
	struct pairs_side *side = tmap_alloc((size_t)size, sizeof *side, err);

	*widest = 0;
	for (int r = 0; side && r < size; r++)
		side[r].near = 1;
	for (int s = 0; side && s < steps && status == 0; s++) {
		int had = side[0].near;

		status = sides_add_step(model, s, side, load, err);
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
			   const struct pairs_side *side, const struct pairs_load *load,
			   uint32_t stamp)
{
	double longest = 0, p = model->kinds.size;

	for (int r = 0; r < model->kinds.size; r++) {
		size_t at = tmap_cost_load(
			link, tmap_cost_object(link, tmap_pair_position(&model->kinds, r)), false);
		struct tmap_cost_load *passing = &link->load[at];

		if (passing->round != stamp) {
			*passing = (struct tmap_cost_load){ .round = stamp };
			link->end_s[at] = link->busy_s[at] = 0;
		}
		passing->messages++;
		passing->first_s = fmax(passing->first_s, side[r].latency_s);
	}
	for (int i = 0; i < link->count; i++) {
		const struct tmap_cost_load *passing = &link->load[tmap_cost_load(link, i, false)];
		double ranks = passing->messages, messages;

		if (passing->round != stamp)
			continue;
		messages = link->is_network ? 2 * link->far_pairs :
			link->is_memory     ? 2 * ranks * (p - 1) :
			link->is_sum        ? 2 * ranks * (p - ranks) :
					      ranks * (p - ranks);
		messages *= load->sent;
		if (messages > 0)
			longest = fmax(
				longest,
				passing->first_s +
					tmap_cost_busy(link, i, messages * load->bytes, messages));
	}
	return longest;
}

/* One round: everything in it is known. */
static double pairs_at_once(struct tmap_cost_model *model, const struct pairs_side *side,
			    const struct pairs_load *load, int widest)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, widest, load->bytes);
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
			       link_busiest(model, &model->link[i], side, load, model->stamp));
	return longest;
}

/* Several rounds, in each of which some rank has the farthest one as its partner. */
static double pairs_in_rounds(struct tmap_cost_model *model, const struct tmap_all_pairs *pairs,
			      const struct pairs_side *side, const struct pairs_load *load,
			      int widest)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, widest, load->bytes);
	double rounds = (double)pairs->rounds, p = model->kinds.size, longest = 0;
	double latency = row->latency_s, wait = 0;

	for (int r = 0; r < model->kinds.size; r++)
		longest = fmax(longest, side[r].busy_s);
	if (pairs->rounds == model->kinds.size - 1) /* one partner a round */
		longest = rounds * load->bytes * (row->byte_s + load->reduced);
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
			       link_busiest(model, &model->link[i], side, load, model->stamp) -
				       latency);
	return rounds * latency + longest;
}

/* Where some have nothing to send, nobody waits for these, and eager messages are as if all went at
 * once. */
int tmap_cost_all_pairs(double *seconds, struct tmap_cost_model *model,
			const struct tmap_all_pairs *pairs, struct tmap_error *err)
{
	int p = model->kinds.size, widest;
	double larger = (double)pairs->larger / p; /* of the messages */
	struct pairs_load load = {
		.bytes = (double)pairs->bytes +
			(pairs->bytes > 0 ? larger * (double)pairs->more : (double)pairs->more),
		.reduced = pairs->combine ? model->profile->reduce_byte_s : 0,
		.sent = pairs->bytes > 0 ? 1 : larger,
	};
	double waiting = 1; /* of the messages, those for which ranks wait round by round */
	struct pairs_side *side;

	*seconds = 0;
	if (load.sent <= 0)
		return 0;
	side = sides_new(model, &load, &widest, err);
	if (!side)
		return -1;
	if (tmap_cost_row(model, widest, load.bytes)->protocol == TMAP_PROTOCOL_EAGER)
		waiting = load.sent;
	if (pairs->rounds == 1)
		waiting = 0;
	if (waiting > 0)
		*seconds = waiting * pairs_in_rounds(model, pairs, side, &load, widest);
	if (waiting < 1)
		*seconds += (1 - waiting) * pairs_at_once(model, side, &load, widest);
	free(side);
	return 0;
}
