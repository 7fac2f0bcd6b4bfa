/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * level_order.h - the levels inside a node, outermost first.
 *
 * A level is a type of objects, nested groups apart ("group", "group2", ...). Which of
 * two levels is the outer one is asked of the machine: package around NUMA nodes on one,
 * NUMA node around packages on another, L3 around NUMA nodes on a third. Where the
 * objects cover the same PUs, enum tmap_type decides.
 *
 *     a package of 2 NUMA nodes, an L3 each      node package numa l3 core pu
 *     4 packages at one memory controller        node numa package l2 core
 *     one L3 over 2 NUMA nodes                   node package l3 numa core
 */
#ifndef TMAP_CORE_MACHINE_LEVEL_ORDER_H
#define TMAP_CORE_MACHINE_LEVEL_ORDER_H

#include "core/machine/topology.h"

/** Objects of one type, inside @p nest others of that type. */
struct tmap_level_kind {
	enum tmap_type type;
	int nest;
};

struct tmap_level_order {
	int count;
	struct tmap_level_kind *kind; /**< [count], outermost first; the first is the node */
};

/** All levels that occur in any of @p topo_count topologies, ordered by which contains which
 *  more often (objects over equal PUs do not count; ties as enum tmap_type has them). Refuses
 *  more than 64 of them. O(objects x depth). */
int tmap_level_order_init(struct tmap_level_order *order, const struct tmap_topology *topo,
			  int topo_count, struct tmap_error *err);

/** The levels of one kind of node without those that have the same objects as the level
 *  above them. O(objects x depth). */
int tmap_level_order_of(struct tmap_level_order *order, const struct tmap_topology *topo,
			struct tmap_error *err);
void tmap_level_order_fini(struct tmap_level_order *order);

/** Is the node itself the only object of this level? So it is for a node without boards,
 *  packages or memory controllers. O(objects). */
bool tmap_level_is_implied(const struct tmap_topology *topo, struct tmap_level_kind kind);

/** The object of level @p kind that is or contains @p object, or TMAP_NONE. O(depth). */
int tmap_level_around(const struct tmap_topology *topo, struct tmap_level_kind kind, int object);

/** The same, but the node where the level is implied. O(depth) where there is such an object, else
 *  O(objects). */
int tmap_level_object(const struct tmap_topology *topo, struct tmap_level_kind kind, int object);

/** Number of objects that a level has on a node; 1 where it is implied. O(objects). */
int tmap_level_count(const struct tmap_topology *topo, struct tmap_level_kind kind);

/** Do both levels have the same objects on this node? O(objects x depth). */
bool tmap_level_is_same(const struct tmap_topology *topo, struct tmap_level_kind a,
			struct tmap_level_kind b);

/** "numa", "group2": the caller's to free; NULL with *err set. */
char *tmap_level_name(struct tmap_level_kind kind, struct tmap_error *err);

#endif
