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
#ifndef TM_ORDER_H
#define TM_ORDER_H

#include "core/machine/placement.h"

enum tm_order_kind { TM_ORDER_BLOCK, TM_ORDER_CYCLIC, TM_ORDER_PLANE, TM_ORDER_OTHER };

/** Room for what tm_order_print() writes. */
#define TM_ORDER_ROOM 32

struct tm_order {
	int used_nodes;      /**< N */
	int ranks_min;       /**< ranks on the emptiest and on the fullest used node */
	int ranks_max;
	int ranks_usual;     /**< on most used nodes; of equals the larger */
	bool regular;        /**< every used node has the same number of ranks */
	bool consecutive;    /**< each node's ranks are one interval */
	enum tm_order_kind kind;
	int plane;           /**< k of plane(k); else 0 */
};

/** Look at a placement. O(p + N) time, O(N) memory. */
int tm_order_find(struct tm_order *order, const struct tm_placement *p, struct tm_error *err);

/** "block", "cyclic", "plane(4)", "other", into and returning @p text. */
char *tm_order_print(const struct tm_order *order, char text[TM_ORDER_ROOM]);

#endif
