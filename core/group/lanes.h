/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes.h - a job cut into node communicators and, across them, lanes.
 *
 *              node 0     node 1     node 2
 *     lane 0   0          4          8          MPI_Comm_split_type(SHARED) gives the
 *     lane 1   1          5          9          nodes, MPI_Comm_split by the rank in the
 *     lane 2   2          6         10          node communicator gives the lanes
 *     lane 3   3          7         11
 *
 * Nodes are those that hold ranks, N of them, in the order of their smallest rank. With n
 * ranks on the fullest node there are n lanes; a node with fewer ranks is in the first ones
 * only. (Träff and Hunold, figure 4, where all nodes have n ranks.)
 *
 * With k virtual lanes the ranks of a node are k groups of neighbours as equal as can be, each
 * with a leader, and lane l joins the leaders of the groups l. Where a node has fewer than k
 * ranks, each is a group that drives several neighbouring lanes:
 *
 *     k = 2    [0 1] [2 3] | [4 5] [6 7] | [8]        lanes  0 4 8    2 6 8
 *
 * The leader is the rank closest to a network adapter, of equals the first.
 *
 * Published implementations count ranks node by node: they check whether all nodes have equally
 * many ranks and whether these are consecutive; if not, they silently take every rank for a node of
 * its own. So it matters what would make the ranks consecutive:
 *
 *     nodes    n0: 0 2 4    n1: 1 3 5        not consecutive
 *     fixed    n0: 0 1 2    n1: 3 4 5        rank r takes the place of rank place_of[r]:
 *                                            0 2 4 1 3 5
 */
#ifndef TMAP_CORE_GROUP_LANES_H
#define TMAP_CORE_GROUP_LANES_H

#include "core/machine/order.h"

struct tmap_lanes {
	const struct tmap_placement *placement; /**< borrowed: must outlive the lanes */
	struct tmap_order order;
	int node_count;   /**< N */
	int *node;        /**< [N]: their numbers in the machine */
	int *first;       /**< [N + 1]: the ranks of node i are rank[first[i]] up to
				     rank[first[i + 1] - 1], rising */
	int *rank;        /**< [size] */
	bool is_virtual;  /**< k was given */
	int lane_count;   /**< k, or n of the fullest node */
	int *group_first; /**< [N + 1]: the groups of node i are group_first[i] and so on */
	int *leader; /**< [groups]; where each rank is a group, as where k was not given, rank[] itself */
};

/** The lanes of a placement; @p k TMAP_NONE: those of the split. Refuses (TMAP_INPUT) a k that is
 *  not 1 .. n. O(p x adapters) time, O(p) memory. */
int tmap_lanes_init(struct tmap_lanes *lanes, const struct tmap_placement *placement, int k,
		    struct tmap_error *err);
void tmap_lanes_fini(struct tmap_lanes *lanes);

/** Ranks of node i, and groups of it. O(1). */
int tmap_lanes_ranks(const struct tmap_lanes *lanes, int node);
int tmap_lanes_groups(const struct tmap_lanes *lanes, int node);

/** The rank that represents node i in a lane; TMAP_NONE: none does. O(1). */
int tmap_lanes_driver(const struct tmap_lanes *lanes, int node, int lane);

/** The ranks of group g of node i: rank[*begin] up to rank[*end - 1]. O(1). */
void tmap_lanes_group(const struct tmap_lanes *lanes, int node, int group, int *begin, int *end);

/** Is each rank a group? O(1). */
bool tmap_lanes_are_single(const struct tmap_lanes *lanes);

/** The lanes that group g of node i drives: first_lane(g) up to first_lane(g + 1) - 1. O(1). */
int tmap_lanes_first_lane(const struct tmap_lanes *lanes, int node, int group);

/** Make a rank the leader of its group. O(N + ranks of its node). */
void tmap_lanes_elect(struct tmap_lanes *lanes, int rank);

/** The members of a lane as its communicator has them, rising; returns how many. @p member has
 *  room for N. O(N), O(N log N) where the nodes are not consecutive. */
int tmap_lanes_members(const struct tmap_lanes *lanes, int lane, int *member);

/** Does the decomposition that counts ranks node by node work: several nodes, equally many ranks
 *  on each, consecutive? */
bool tmap_lanes_are_plain(const struct tmap_lanes *lanes);

/** What is wrong with one node. */
struct tmap_odd_node {
	int node;          /**< of the lanes: 0 .. N - 1 */
	bool is_uneven;    /**< it has another number of ranks than most nodes */
	bool is_scattered; /**< its ranks are not contiguous */
};

/** Why that decomposition does not fit the placement, and what would fix it. */
struct tmap_lanes_order {
	char *reason; /**< a sentence without its full stop; NULL: it fits */
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
