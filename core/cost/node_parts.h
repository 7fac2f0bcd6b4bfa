/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_parts.h - what a shift takes from the rows of a node to those of others.
 *
 *     block, 4 rows a node          cyclic, 3 nodes
 *     node 0   0 1 2 3              node 0   0 3 6 9        rank r + 6 of node 0:
 *     node 1   4 5 6 7              node 1   1 4 7 10       block: rows 0 1 to node 1, row 2;
 *     node 2   8 9 10 11            node 2   2 5 8 11              rows 2 3 to node 2, row 0
 *
 * Nodes are counted as they come among the ranks, rows are the ranks of a node, rising. A last node, or
 * a last row, may be cut.
 */
#ifndef TMAP_CORE_COST_NODE_PARTS_H
#define TMAP_CORE_COST_NODE_PARTS_H

#include "core/cost/pair_kinds.h"
#include "core/schedule/message.h"

/** Ranks in rows of nodes: rank = node x node_step + row x row_step. */
struct tmap_node_rows {
	int size, nodes;
	int rows; /**< the most of a node */
	int node_step, row_step;
};

/** Rows lo .. hi - 1 of a node belong to the rows of another from @p row on. */
struct tmap_node_part {
	int lo, hi, node, row;
};

enum { TMAP_NODE_PARTS = 4 };

/** How the ranks are in rows; nodes 0: not in such an order. */
struct tmap_node_rows tmap_node_rows(const struct tmap_pair_kinds *kinds);

static inline int tmap_node_rank(const struct tmap_node_rows *in, int node, int row)
{
	return node * in->node_step + row * in->row_step;
}

/** How many ranks a node has. */
int tmap_node_size(const struct tmap_node_rows *in, int node);

/** Where the ranks are that are so far ahead, modulo p, of those of a node. Returns how many parts
 *  there are. */
int tmap_node_parts(const struct tmap_node_rows *in, int node, int ahead,
		    struct tmap_node_part part[TMAP_NODE_PARTS]);

/** Have all nodes the parts of the first one, each counted from itself, and the same senders? */
bool tmap_node_parts_are_uniform(const struct tmap_node_rows *in,
				 const struct tmap_shift_pattern *shift);

/** Which rows of a node send in a shift: nodes with equal numbers have the same senders. */
enum { TMAP_ALL_ROWS = -1, TMAP_NO_ROWS = -2 };
int64_t tmap_node_senders(const struct tmap_node_rows *in, int node,
			  const struct tmap_shift_pattern *shift);

/** The first row of a node from @p row on that sends; not below @p end where none before it does. */
int tmap_node_next_sender(const struct tmap_node_rows *in, int node, int row, int end,
			  const struct tmap_shift_pattern *shift);

#endif
