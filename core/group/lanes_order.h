/*
 * lanes_order.h - why a decomposition into lanes that counts ranks node by node does not fit a
 * placement, and what would fix it.
 *
 *     nodes    n0: 0 2 4    n1: 1 3 5        not consecutive
 *     fixed    n0: 0 1 2    n1: 3 4 5        rank r takes the place of rank place_of[r]:
 *                                            0 2 4 1 3 5
 *
 * Published implementations check whether all nodes have equally many ranks and whether these
 * are consecutive; if not, they silently take every rank for a node of its own.
 */
#ifndef TMAP_CORE_GROUP_LANES_ORDER_H
#define TMAP_CORE_GROUP_LANES_ORDER_H

#include "core/group/lanes.h"

/** What is wrong with one node. */
struct tmap_odd_node {
	int node;          /**< of the lanes: 0 .. N - 1 */
	bool is_uneven;    /**< it has another number of ranks than most nodes */
	bool is_scattered; /**< its ranks are not contiguous */
};

struct tmap_lanes_order {
	char *reason; /**< a sentence without its full stop; NULL: all is well */
	char *hint;   /**< what to do; NULL where there is nothing to fix */
	int odd_count;
	struct tmap_odd_node *odd; /**< [odd_count], rising */
	int *place_of;             /**< [size], whose place each rank takes to make the ranks
				  consecutive; NULL: they are */
};

/** O(p). */
int tmap_lanes_order_init(struct tmap_lanes_order *order, const struct tmap_lanes *lanes,
			  struct tmap_error *err);
void tmap_lanes_order_fini(struct tmap_lanes_order *order);

#endif
