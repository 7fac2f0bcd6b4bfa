/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_gates.h - which objects of a node share all the links that messages between nodes cross.
 *
 *     adapter                  0
 *     package          0               1
 *     memory        0     1         2     3
 *     core         0 1   2 3       4 5   6 7
 *     gate          0     1         2     3        what leaves core 2 for another node crosses the links
 *                                                  that what leaves core 3 does
 *
 * What goes through a gate is added up there, and then once to each link behind it, not message by message.
 */
#ifndef TMAP_CORE_COST_NODE_GATES_H
#define TMAP_CORE_COST_NODE_GATES_H

#include "core/cost/cost_model.h"

enum { TMAP_NODE_MOST_GATES = 64 };

struct tmap_node_gates {
	int count; /**< of a node; 0: there are none, as they would save nothing */
	int *of;   /**< [objects of the pair kinds] */
	int *behind; /**< [count][links]: the local number of the link's object; TMAP_NONE: some messages
			  between nodes do not cross the link */
};

/** The gates of a model's nodes; none where not two links are crossed by all messages between nodes, or where
 *  gates were many. O(objects x links). */
int tmap_node_gates_init(struct tmap_node_gates *gates, const struct tmap_cost_model *model,
			 struct tmap_error *err);
void tmap_node_gates_fini(struct tmap_node_gates *gates);

#endif
