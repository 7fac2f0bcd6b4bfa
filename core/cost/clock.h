/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - the time of a schedule on a cost model, while it is emitted.
 *
 * Messages that begin in one round are a group; groups that overlap are a pipeline. The clock
 * (clock.c) opens and closes both; what the messages of a round add to ranks and links is
 * counted in chunks (clock_chunk.c), or for whole nodes at once (clock_shift.c).
 */
#ifndef TMAP_CORE_COST_CLOCK_H
#define TMAP_CORE_COST_CLOCK_H

#include "core/cost/cost_model.h"

/** What a message of a kind of pairs costs while its bytes are in [low, high). */
struct tmap_price {
	double low, high;
	double latency_s, byte_s;
	const struct tmap_profile_row *row;
};

/** The messages that begin in one round, and how many rounds they take. */
struct tmap_group {
	int64_t round, active, period;
	double seconds; /**< of one of these rounds */
	bool is_open;
	bool overlaps; /**< its links are those of a pipeline, too */
};

/** The groups that overlap. */
struct tmap_pipeline {
	int64_t end;    /**< first round after it */
	double seconds; /**< of the groups' first rounds */
	double busiest; /**< link, over all rounds */
	double *rest;   /**< [capacity]: by round of the period, the longest of the further
				  ones */
	size_t capacity;
	int64_t used;
};

struct tmap_clock {
	struct tmap_cost_model *model;
	struct tmap_group group;
	struct tmap_pipeline pipeline;
	double seconds;
	uint32_t all_stamp;       /**< of the pipeline at hand */
	struct tmap_price *price; /**< [kind_count] */
	struct tmap_moved moved;
};

/** How messages that are emitted together are spread over their rounds. */
struct tmap_spread {
	double active; /**< rounds with messages */
	double share;  /**< of a message of one rank in one of these */
	double times;
	bool combine, single;
};

int tmap_clock_init(struct tmap_clock *clock, struct tmap_cost_model *model,
		    struct tmap_error *err);
void tmap_clock_fini(struct tmap_clock *clock);

/** Open the group of a round; *spread is how its messages are spread. */
int tmap_clock_begin(struct tmap_clock *clock, const struct tmap_round_info *info,
		     struct tmap_spread *spread, struct tmap_error *err);

/** Close what is open. */
int tmap_clock_end(struct tmap_clock *clock, struct tmap_error *err);

/** Count some messages of the group at hand, by ranks and bytes (over all times). */
int tmap_clock_take(struct tmap_clock *clock, const struct tmap_spread *spread, const int *from,
		    const int *to, const int64_t *bytes, int count, struct tmap_error *err);

/** Count a shift of the group at hand. */
int tmap_clock_shift(struct tmap_clock *clock, const struct tmap_spread *spread,
		     const struct tmap_shift_pattern *shift, struct tmap_error *err);

/** The price of a message of so many bytes. */
static inline const struct tmap_price *tmap_clock_price(struct tmap_clock *clock, int kind,
							double bytes)
{
	struct tmap_price *price = &clock->price[kind];
	const struct tmap_profile_row *row;

	if (bytes >= price->low && bytes < price->high)
		return price;
	row = tmap_cost_row(clock->model, clock->model->kinds.step[kind], bytes);
	*price = (struct tmap_price){ .low = bytes,
				      .high = (double)row->below_bytes,
				      .latency_s = row->latency_s,
				      .byte_s = row->byte_s,
				      .row = row };
	return price;
}

/** More bytes on an object of a link; returns how long it takes now. @p in: they enter. */
static inline double tmap_load_add(const struct tmap_cost_link *link, struct tmap_cost_load *loads,
				   int object, uint32_t stamp, bool in, double bytes,
				   double latency_s)
{
	struct tmap_cost_load *load = &loads[object];

	if (load->stamp != stamp)
		*load = (struct tmap_cost_load){ .stamp = stamp };
	if (in && !link->is_sum)
		load->in += bytes;
	else
		load->out += bytes;
	if (latency_s > load->latency_s)
		load->latency_s = latency_s;
	return load->latency_s +
		(load->out > load->in ? load->out : load->in) * link->rate[object].byte_s;
}

#endif
