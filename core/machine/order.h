/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order.h - in which order the ranks fill the nodes.
 *
 *     block      0 1 2 3 | 4 5 6 7          each node holds one interval of ranks
 *     cyclic     0 2 4 6 | 1 3 5 7          rank r is on node r mod N
 *     plane(2)   0 1 4 5 | 2 3 6 7          rank r is on node floor(r/k) mod N
 *
 * Nodes are those that hold ranks, N of them, in the order of their smallest rank.
 * Where several hold, the first one is named.
 */
#ifndef TMAP_CORE_MACHINE_ORDER_H
#define TMAP_CORE_MACHINE_ORDER_H

#include "core/machine/placement.h"

enum tmap_order_kind { TMAP_ORDER_BLOCK, TMAP_ORDER_CYCLIC, TMAP_ORDER_PLANE, TMAP_ORDER_OTHER };

/** Room for what tmap_order_print() writes. */
#define TMAP_ORDER_ROOM 32

struct tmap_order {
	int used_nodes; /**< N */
	int ranks_min;  /**< ranks on the emptiest and on the fullest used node */
	int ranks_max;
	int ranks_usual;  /**< on most used nodes; of equals the larger */
	bool regular;     /**< every used node has the same number of ranks */
	bool consecutive; /**< each node's ranks are one interval */
	enum tmap_order_kind kind;
	int plane; /**< k of plane(k); else 0 */
};

/** Look at a placement. O(p + N) time, O(N) memory. */
int tmap_order_find(struct tmap_order *order, const struct tmap_placement *p,
		    struct tmap_error *err);

/** The ranks node after node, by number, and on a node as their places lie: [size], the caller's to
 *  free. O(p log p). */
int *tmap_order_by_place(const struct tmap_placement *p, struct tmap_error *err);

/** "block", "cyclic", "plane(4)", "other", into and returning @p text. */
char *tmap_order_print(const struct tmap_order *order, char text[TMAP_ORDER_ROOM]);

#endif
