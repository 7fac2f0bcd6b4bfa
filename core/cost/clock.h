/*
 * clock.h - a cost model while it listens to a schedule.
 *
 * Messages that begin in one round are a group; groups that overlap are a pipeline. The clock
 * (clock.c) opens and closes both; what the messages of a wave add to ranks and links is
 * counted in chunks (clock_chunk.c), or for whole nodes at once (clock_weave.c).
 */
#ifndef TM_CLOCK_H
#define TM_CLOCK_H

#include "core/cost/cost_model.h"

/** What a message of a kind of reach costs while its bytes are in [low, high). */
struct tm_price {
	double low, high;
	double latency_s, byte_s;
	const struct tm_profile_row *row;
};

/** The messages that begin in one round, and how many rounds they take. */
struct tm_group {
	int64_t round, active, period;
	double seconds;      /**< of one of these rounds */
	bool is_open;
	bool overlaps;       /**< its links are those of a pipeline, too */
};

/** The groups that overlap. */
struct tm_pipeline {
	int64_t end;         /**< first round after it */
	double seconds;      /**< of the groups' first rounds */
	double busiest;      /**< link, over all rounds */
	double *rest;        /**< [capacity]: by round of the period, the longest of the further
				  ones */
	size_t capacity;
	int64_t used;
};

struct tm_clock {
	struct tm_cost_model *model;
	struct tm_group group;
	struct tm_pipeline pipeline;
	double seconds;
	uint32_t all_stamp;  /**< of the pipeline at hand */
	struct tm_price *price; /**< [kind_count] */
	struct tm_moved moved;
};

/** How the messages of a wave are spread over its rounds. */
struct tm_spread {
	double active;       /**< rounds with messages */
	double share;        /**< of a message of one rank in one of these */
	double times;
	bool combine, single;
};

int tm_clock_init(struct tm_clock *clock, struct tm_cost_model *model, struct tm_error *err);
void tm_clock_fini(struct tm_clock *clock);

/** Opens the group of a wave; of its messages, how they are spread. */
int tm_clock_begin(struct tm_clock *clock, const struct tm_wave *wave, struct tm_spread *spread,
		   struct tm_error *err);

/** Closes what is open. */
int tm_clock_end(struct tm_clock *clock, struct tm_error *err);

/** Count some messages of the group at hand, by ranks and bytes (over all times). */
int tm_clock_take(struct tm_clock *clock, const struct tm_spread *spread, const int *from,
		  const int *to, const int64_t *bytes, int count, struct tm_error *err);

/** Count a shift of the group at hand. */
int tm_clock_shift(struct tm_clock *clock, const struct tm_spread *spread,
		   const struct tm_shift *shift, struct tm_error *err);

/** The price of a message of so many bytes. */
static inline const struct tm_price *tm_clock_price(struct tm_clock *clock, int kind, double bytes)
{
	struct tm_price *price = &clock->price[kind];
	const struct tm_profile_row *row;

	if (bytes >= price->low && bytes < price->high)
		return price;
	row = tm_cost_row(clock->model, clock->model->reach.step[kind], bytes);
	*price = (struct tm_price){ .low = bytes, .high = (double)row->below_bytes,
				    .latency_s = row->latency_s, .byte_s = row->byte_s,
				    .row = row };
	return price;
}

/** More bytes on an object of a link; returns how long it takes now. @p in: they enter. */
static inline double tm_load_add(const struct tm_cost_link *link, struct tm_cost_load *load,
				 uint32_t stamp, bool in, double bytes, double latency_s)
{
	if (load->stamp != stamp)
		*load = (struct tm_cost_load){ .stamp = stamp };
	if (in && !link->is_memory)
		load->in += bytes;
	else
		load->out += bytes;
	if (latency_s > load->latency_s)
		load->latency_s = latency_s;
	return load->latency_s + (load->out > load->in ? load->out : load->in) * link->byte_s;
}

#endif
