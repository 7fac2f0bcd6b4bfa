/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost_model.h - the inside of a cost model: the counters of ranks and of links.
 *
 * What a link carries in a round is never cleared: what has another stamp than the round at hand is 0.
 */
#ifndef TMAP_CORE_COST_COST_MODEL_H
#define TMAP_CORE_COST_COST_MODEL_H

#include "core/cost/clock_sizes.h"
#include "core/cost/cost.h"

/** What a rank with several messages in a round sends and receives in it; all 0 where it has not
 *  yet any. */
struct tmap_cost_side {
	double out_s;    /**< own time for the eager messages it has sent so far */
	double left_s;   /**< until when these keep its port; 0: they do not */
	double shared_s; /**< what keeps its port, of all that it sends, with the overhead of those
				     that wait for their receivers */
	double first_s, last_s; /**< when the first message comes, and the last one by itself */
	double taking_s;        /**< what it receives, one after another */
	double own_s;           /**< own time for all of them */
	bool sends_several, receives_several, sent, received;
	bool copies; /**< what it receives, or some of it */
};

/** What crosses the border of an object in one direction; of a memory controller, or where
 *  directions share it, in both. */
struct tmap_cost_load {
	double bytes, messages; /**< in a round */
	double first_s;         /**< when the first of these comes */
	uint32_t round;         /**< stamp of all this */
};

/** A load that has something of the round at hand. */
struct tmap_cost_used {
	int link, load;
};

/** The memory of clocks: lists keep their room from round to round. */
struct tmap_cost_room {
	double *at, *next, *taken, *left; /**< [size]; what stays 0 takes no memory */
	bool is_clean;                    /**< all of these are 0, as they were made */
	struct tmap_cost_used *busy;      /**< [loads of all links] */
	uint32_t *mark; /**< [size]: what a rank has in the round at hand (clock_sides.h); all 0
				 between rounds; NULL until ranks may have several messages */
	double *own_s; /**< [size]: own time for messages that are alone, in the round at hand; all 0
				 between rounds; NULL until there are such messages */
	size_t side_capacity;
	struct tmap_cost_side *side;        /**< of those that have several */
	struct tmap_clock_classes *classes; /**< clock_class.h; NULL until nodes have some */
	struct tmap_clock_even *even;       /**< clock_even.h; NULL until a round is one */
	size_t stretch_capacity, repeated_capacity;
	struct tmap_clock_batch *stretch;
	struct tmap_repeated *repeated;
	size_t from_capacity, to_capacity;
	int *from, *to;
	struct tmap_message_sizes sizes; /**< the bytes of these */
};

/** How fast an object is; 0: nothing is charged. */
struct tmap_cost_rate {
	double byte_s, message_s;
};

struct tmap_cost_link {
	struct tmap_cost_rate *rate; /**< [count] */
	bool is_memory;              /**< every message counts, also one within an object */
	bool is_adapter;             /**< of nodes */
	bool is_network;             /**< one object, which all messages between nodes cross */
	double far_pairs;            /**< of it: ordered pairs of ranks on different nodes */
	bool is_sum;   /**< what leaves and what enters share it; so it is with memory */
	int count;     /**< objects */
	int *base;     /**< [node_count]: number of a node's first one */
	int *local;    /**< [objects of the pair kinds]: an object's, from there on */
	bool *crossed; /**< [kinds]: does it carry messages of this kind of pair? */
	struct tmap_cost_load *load; /**< [2 x count]: what leaves an object, and what enters it; as
					  many as objects are used where both share it */
	double *end_s;               /**< the same: when the object is free again, in this call */
	double *busy_s;              /**< the same: of rounds that overlap, in one repetition */
	int local_count;             /**< local numbers of the objects are below */
};

/** The profile's row for a message of a step. */
const struct tmap_profile_row *tmap_cost_row(const struct tmap_cost_model *model, int step,
					     double bytes);

/** What a message to a rank waits for others on its core. */
static inline double tmap_cost_wait(const struct tmap_cost_model *model, int to)
{
	return model->wait_s ? model->wait_s[to] : 0;
}

/** Are messages of a step within a node? */
static inline bool tmap_cost_is_within(const struct tmap_cost_model *model, int step)
{
	return model->kinds.metric->step[step].value < TMAP_PROFILE_OTHER_NODE;
}

/** The step of the distance of two different ranks. */
static inline int tmap_cost_step(const struct tmap_cost_model *model, int a, int b)
{
	const struct tmap_pair_kinds *kinds = &model->kinds;

	return kinds->step[tmap_pair_kind(kinds, tmap_pair_position(kinds, a),
					  tmap_pair_position(kinds, b))];
}

/** The number of the link's object at a position. */
static inline int tmap_cost_object(const struct tmap_cost_link *link, struct tmap_position position)
{
	return link->base[position.node] + link->local[position.object];
}

/** How many loads a link has. */
static inline size_t tmap_cost_load_count(const struct tmap_cost_link *link)
{
	return (size_t)link->count * (link->is_sum ? 1 : 2);
}

/** The number of the load of what leaves an object, or enters it. */
static inline size_t tmap_cost_load(const struct tmap_cost_link *link, int object, bool enters)
{
	return link->is_sum ? (size_t)object : 2 * (size_t)object + enters;
}

/** The object of a load. */
static inline int tmap_cost_load_object(const struct tmap_cost_link *link, size_t load)
{
	return (int)(link->is_sum ? load : load / 2);
}

/** How long an object takes for what crosses it in a direction, or in both where they share it. */
static inline double tmap_cost_busy(const struct tmap_cost_link *link, int object, double bytes,
				    double messages)
{
	double moving = bytes * link->rate[object].byte_s;
	double starting = messages * link->rate[object].message_s;

	return moving > starting ? moving : starting;
}

/** The clocks' memory, released with the model. */
struct tmap_cost_room *tmap_cost_room_new(const struct tmap_cost_model *model,
					  struct tmap_error *err);
void tmap_cost_room_free(struct tmap_cost_room *room);

/** Seconds of all pairs. O(p x (steps + links)). */
int tmap_cost_all_pairs(double *seconds, struct tmap_cost_model *model,
			const struct tmap_all_pairs *pairs, struct tmap_error *err);

#endif
