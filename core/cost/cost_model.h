/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost_model.h - the inside of a cost model: the counters of ranks and of links.
 *
 * Counters are never cleared: what carries another stamp than the round at hand is 0.
 */
#ifndef TMAP_CORE_COST_COST_MODEL_H
#define TMAP_CORE_COST_COST_MODEL_H

#include "core/cost/cost.h"

/** What a rank sends in a round, or receives. */
struct tmap_cost_side {
	double busy_s;
	int row; /**< of the profile: the one with the largest latency */
	uint32_t stamp;
};

/** What passes the border of an object, in a round or in all rounds of a pipeline. */
struct tmap_cost_load {
	double out, in;   /**< bytes; of a controller all are out */
	double latency_s; /**< the largest of its messages */
	uint32_t stamp;
};

/** What one node sends from an object, and another one gets at it, in messages; own: within one
 *  node. */
struct tmap_node_load {
	double out, in;
	double own_out, own_in, own_latency_s;
};

/** How fast an object is; 0: nothing is charged. */
struct tmap_cost_rate {
	double byte_s, message_s;
};

struct tmap_cost_link {
	struct tmap_cost_rate *rate; /**< [count] */
	bool is_memory;              /**< every message counts, also one within an object */
	bool is_sum;   /**< what leaves and what enters share it; so it is with memory */
	int count;     /**< objects */
	int *base;     /**< [node_count]: number of a node's first one */
	int *local;    /**< [objects of the pair kinds]: an object's, from there on */
	bool *crossed; /**< [kinds]: does it carry messages of this kind of pair? */
	struct tmap_cost_load *load;      /**< [count]: of a round */
	struct tmap_cost_load *all;       /**< [count]: of a pipeline */
	int node_load_count;              /**< local numbers of the objects are below */
	struct tmap_node_load *node_load; /**< [node_load_count]: room to count what one node does */
};

/** The profile's row for a message of a step. */
const struct tmap_profile_row *tmap_cost_row(const struct tmap_cost_model *model, int step,
					     double bytes);

/** The step of the distance of two different ranks. */
static inline int tmap_cost_step(const struct tmap_cost_model *model, int a, int b)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;

	return kinds->step[tmap_pair_kind(kinds, kinds->position[a], kinds->position[b])];
}

/** The number of the link's object at a position. */
static inline int tmap_cost_object(const struct tmap_cost_link *link, struct tmap_position position)
{
	return link->base[position.node] + link->local[position.object];
}

/** How long an object takes for what crosses it in a direction, or in both where they share it. */
static inline double tmap_cost_busy(const struct tmap_cost_link *link, int object, double bytes,
				    double messages)
{
	double moving = bytes * link->rate[object].byte_s;
	double starting = messages * link->rate[object].message_s;

	return moving > starting ? moving : starting;
}

/** Seconds of all pairs. O(p x (steps + links)). */
int tmap_cost_all_pairs(double *seconds, struct tmap_cost_model *model,
			const struct tmap_all_pairs *pairs, struct tmap_error *err);

#endif
