/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/cost/cost_model.h"
#include "core/cost/price.h"

#include "core/base/mem.h"
#include "core/base/tuples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ranks that have as many others near them at each step, while steps are added, the nearest first. */
struct pairs_side {
	int near; /* ranks that are no farther, itself among them */
	double busy_s, latency_s;
	double out_s, own_s; /* overhead of what it sends, and own time for all of its messages */
};

struct pairs_sides {
	int *of; /* [size]: the side of a rank */
	int count;
	struct pairs_side *side; /* [count] */
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

static void sides_fini(struct pairs_sides *sides)
{
	free(sides->of);
	free(sides->side);
}

/* Has a side so many ranks within a step, those that come with it have this price. */
static struct pairs_side side_widen(struct pairs_side side, int within, double latency_s,
				    const struct tmap_price *price, const struct pairs_load *load)
{
	int more = within - side.near;

	if (more == 0)
		return side;
	side.busy_s += (price->port_s + price->adding_s) * more;
	side.out_s += price->overhead_s * more;
	side.own_s += (load->sent * price->out_s + price->in_s) * more;
	side.latency_s = fmax(side.latency_s, latency_s);
	side.near = within;
	return side;
}

/* Each side for each number of ranks that ranks of it have within a step; neighbours mostly have the same. */
static int sides_part(struct pairs_sides *sides, const struct tmap_cost_model *model, int step,
		      const int *members, const struct pairs_load *load, struct tmap_error *err)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, step, load->bytes);
	struct tmap_price price = tmap_price_make(model->row[step],
						  tmap_cost_is_within(model, step), load->bytes,
						  load->bytes, 1, load->reduced);
	int64_t last[2] = { TMAP_NONE, TMAP_NONE };
	struct pairs_side *made = NULL;
	struct tmap_tuples seen = { 0 };
	int count = 0, its = TMAP_NONE, status = 0;
	size_t capacity = 0;

	for (int r = 0; r < model->kinds.size && status == 0; r++) {
		int set = rank_set(model, step, r);
		const int64_t key[2] = { sides->of[r], set == TMAP_NONE ? 1 : members[set] };

		if (memcmp(key, last, sizeof key) != 0) {
			its = tmap_tuples_intern(&seen, key, 2, err);
			if (its == TMAP_NONE ||
			    tmap_grow(&made, &capacity, (size_t)count + 1, sizeof *made, err) < 0)
				status = -1;
			else if (its == count)
				made[count++] = side_widen(sides->side[key[0]], (int)key[1],
							   row->latency_s, &price, load);
			memcpy(last, key, sizeof last);
		}
		sides->of[r] = its;
	}
	tmap_tuples_fini(&seen);
	free(sides->side);
	sides->side = made;
	sides->count = count;
	return status;
}

/* Adds the ranks that are nearer than the steps from @p step on: at first only oneself. */
static int sides_add_step(struct pairs_sides *sides, const struct tmap_cost_model *model, int step,
			  const struct pairs_load *load, struct tmap_error *err)
{
	int *members = tmap_alloc((size_t)model->kinds.metric->step[step].sets.count,
				  sizeof *members, err);
	int status = -1;

	for (int r = 0; members && r < model->kinds.size; r++)
		if (rank_set(model, step, r) != TMAP_NONE)
			members[rank_set(model, step, r)]++;
	if (members)
		status = sides_part(sides, model, step, members, load, err);
	free(members);
	return status;
}

/* What each rank spends on its messages; and the largest step at which ranks are. */
static int sides_init(struct pairs_sides *sides, const struct tmap_cost_model *model,
		      const struct pairs_load *load, int *widest, struct tmap_error *err)
{
	int steps = model->kinds.metric->step_count, status = -1;

	*widest = 0;
	*sides = (struct pairs_sides){
		.of = tmap_alloc((size_t)model->kinds.size, sizeof *sides->of, err),
		.count = 1,
		.side = tmap_alloc(1, sizeof *sides->side, err),
	};
	if (sides->of && sides->side) {
		sides->side[0].near = 1;
		status = 0;
	}
	for (int s = 0; s < steps && status == 0; s++) {
		int had = sides->side[sides->of[0]].near;

		status = sides_add_step(sides, model, s, load, err);
		if (status == 0 && sides->side[sides->of[0]].near > had)
			*widest = s; /* once all are near to rank 0, they are to each other */
	}
	if (status < 0)
		sides_fini(sides);
	return status;
}

/* The largest latency to a rank, with what it waits for others on its core. */
static double rank_latency(const struct tmap_cost_model *model, const struct pairs_sides *sides,
			   int rank)
{
	return sides->side[sides->of[rank]].latency_s + tmap_cost_wait(model, rank);
}

/* The longest that an object of a link takes when every rank sends every other one so many
 * bytes; its latency is the largest of its ranks'. */
static double link_busiest(const struct tmap_cost_model *model, const struct tmap_cost_link *link,
			   const struct pairs_sides *sides, const struct pairs_load *load,
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
		passing->first_s = fmax(passing->first_s, rank_latency(model, sides, r));
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
static double pairs_at_once(struct tmap_cost_model *model, const struct pairs_sides *sides,
			    const struct pairs_load *load, int widest)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, widest, load->bytes);
	double longest = 0;

	for (int r = 0; r < model->kinds.size; r++) {
		const struct pairs_side *side = &sides->side[sides->of[r]];

		longest = fmax(longest,
			       rank_latency(model, sides, r) - row->overhead_s + side->out_s +
				       side->busy_s);
		longest = fmax(longest, side->own_s);
	}
	model->stamp++;
	for (int i = 0; i < model->link_count; i++)
		longest = fmax(longest,
			       link_busiest(model, &model->link[i], sides, load, model->stamp));
	return longest;
}

/* Several rounds, in each of which some rank has the farthest one as its partner. */
static double pairs_in_rounds(struct tmap_cost_model *model, const struct tmap_all_pairs *pairs,
			      const struct pairs_sides *sides, const struct pairs_load *load,
			      int widest)
{
	const struct tmap_profile_row *row = tmap_cost_row(model, widest, load->bytes);
	double rounds = (double)pairs->rounds, p = model->kinds.size, longest = 0;
	double latency = row->latency_s, wait = 0;

	for (int i = 0; i < sides->count; i++)
		longest = fmax(longest, sides->side[i].busy_s);
	if (pairs->rounds == model->kinds.size - 1) /* one partner a round */
		longest = rounds * load->bytes * (row->byte_s + load->reduced);
	else
		longest += (p - 1 - rounds) * row->overhead_s;
	for (int r = 0; r < model->kinds.size; r++)
		wait = fmax(wait, tmap_cost_wait(model, r));
	latency += wait;
	for (int i = 0; i < sides->count; i++)
		longest = fmax(longest, sides->side[i].own_s - rounds * latency);
	model->stamp++;
	for (int i = 0; i < model->link_count; i++)
		longest = fmax(longest,
			       link_busiest(model, &model->link[i], sides, load, model->stamp) -
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
	struct pairs_sides sides;

	*seconds = 0;
	if (load.sent <= 0)
		return 0;
	if (sides_init(&sides, model, &load, &widest, err) < 0)
		return -1;
	if (tmap_cost_row(model, widest, load.bytes)->protocol == TMAP_PROTOCOL_EAGER)
		waiting = load.sent;
	if (pairs->rounds == 1)
		waiting = 0;
	if (waiting > 0)
		*seconds = waiting * pairs_in_rounds(model, pairs, &sides, &load, widest);
	if (waiting < 1)
		*seconds += (1 - waiting) * pairs_at_once(model, &sides, &load, widest);
	sides_fini(&sides);
	return 0;
}
