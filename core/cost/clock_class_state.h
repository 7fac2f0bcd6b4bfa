/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock_class_state.h - what classes of nodes are made of, for the files that time them.
 *
 *     clock_class_state.c   the clocks of the classes: how they begin and where they go in the end
 *     clock_class_sort.c    which nodes are alike in a round
 *     clock_class.c         the round, timed once for each class
 */
#ifndef TMAP_CORE_COST_CLOCK_CLASS_STATE_H
#define TMAP_CORE_COST_CLOCK_CLASS_STATE_H

#include "core/base/tuples.h"
#include "core/cost/clock_class.h"
#include "core/cost/node_parts.h"

/** The clocks of a class: numbers of a node's rows, and when its loads are free. */
struct tmap_class_clocks {
	double *at, *taken, *left, *end_s;
};

/** A partition of the nodes, of which each class has an example. */
struct tmap_node_classes {
	int count;
	int *of;              /**< [nodes] */
	int *example, *nodes; /**< [count]: its first node, and how many there are; room for all */
};

/** What a stretch takes from rows of a node to another, or to them. */
struct tmap_class_part {
	struct tmap_node_part rows;
	int64_t senders; /**< of the node that sends: as of tmap_node_senders() */
};

/** The same of all nodes, where it is that of the first one but for the nodes' numbers. */
struct tmap_class_stretch {
	bool is_uniform;
	bool is_inside; /**< and its messages stay on the nodes (clock_inside.h) */
	int count[2];   /**< leaves, enters */
	struct tmap_class_part part[2][TMAP_NODE_PARTS];
};

struct tmap_clock_classes {
	struct tmap_node_rows in;
	int load_count; /**< of a node, all links together */
	size_t width;   /**< doubles of a class's clocks */
	int *load;      /**< [links][rows][leaves, enters]: the number of the load among those */
	struct tmap_node_classes now;    /**< whose clocks are the same */
	struct tmap_node_classes loaded; /**< in this round: whose loads are the same */
	struct tmap_node_classes next; /**< and whose clocks are, as far as is known without them */
	double *state, *made;          /**< [now.count][width], [next.count][width] */
	double *end_s;                 /**< [loaded.count][load_count] */
	struct tmap_cost_load *passed; /**< the same: what came by */
	size_t state_capacity, made_capacity, end_capacity, passed_capacity;
	struct tmap_tuples tuples;
	int64_t *tuple;
	size_t tuple_capacity;
	size_t begin;                       /**< of the stretches of the round */
	struct tmap_class_stretch *stretch; /**< [stretches of the round] */
	struct tmap_price *price;           /**< [the same][kinds] */
	size_t stretch_capacity, price_capacity;
	double *own_s;  /**< [rows]: of the class at hand */
	int64_t *moved; /**< [kinds]: messages of the stretch and the class at hand */
};

/** Begin with one class, whose clocks are those of the first node, if nothing but switches tells the
 *  nodes apart; else nothing changes. O(nodes x links). */
int tmap_class_begin(struct tmap_clock *clock, struct tmap_node_rows in, struct tmap_error *err);

/** The clocks of a class in @p state, which has them class by class. */
static inline struct tmap_class_clocks tmap_class_clocks_of(const struct tmap_clock_classes *it,
							    double *state, int class)
{
	double *at = state + (size_t) class * it->width;

	return (struct tmap_class_clocks){ at, at + it->in.rows, at + 2 * it->in.rows,
					   at + 3 * it->in.rows };
}

/** The machine's number of a node, and the object of a row. */
static inline int tmap_class_node(const struct tmap_clock *clock, int node)
{
	const struct tmap_clock_classes *it = clock->model->room->classes;

	return tmap_pair_position(&clock->model->kinds, tmap_node_rank(&it->in, node, 0)).node;
}

static inline int tmap_class_object(const struct tmap_clock *clock, int row)
{
	const struct tmap_clock_classes *it = clock->model->room->classes;

	return tmap_pair_position(&clock->model->kinds, tmap_node_rank(&it->in, 0, row)).object;
}

/** Loads of a link on one node, the first of which is the node's. */
size_t tmap_class_link_loads(const struct tmap_cost_link *link);

#endif
