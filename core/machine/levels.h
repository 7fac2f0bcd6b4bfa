/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * levels.h - the levels of a job, and where each rank is at each of them.
 *
 *     switch2  switch1  node  package  numa  l3  core        outermost first
 *
 * A level is left out where it separates nothing: one object in the whole job, or the same
 * objects as the level above it; "node" always stays. That is decided on the machine,
 * not on the ranks, so the list is the same for every placement on it.
 *
 * At each level every rank is in one object, known by its number:
 *
 *     level numa    | 0 | 1 | 2 | 3 |    n0: two packages of two NUMA nodes each
 *                      | 4 |             package 0 itself, for ranks bound to all of it
 *
 * A rank that is bound to an object above a level is in an object of its own there, shared
 * by the ranks that are bound to that object. Where a part of a node lacks a level (no L3 over
 * these cores), the outermost object of the levels below stands in for it, so that who
 * shares an object of one level shares one of every level above. That is so where all kinds
 * of nodes nest alike; there is one order of the levels, that of most objects, and where NUMA
 * nodes lie in L3s on some nodes and L3s in NUMA nodes on others, ranks of the latter that
 * share an object of the inner one of the two levels may share none of the outer one. A node
 * of which a tier does not know the switch stays there with those it shares one with in the
 * tier below.
 */
#ifndef TMAP_CORE_MACHINE_LEVELS_H
#define TMAP_CORE_MACHINE_LEVELS_H

#include "core/machine/level_order.h"
#include "core/machine/partition.h"

struct tmap_level {
	char *name; /**< "switch2", "node", "numa", "group2", the user's own heading */
	int tier;   /**< index of the machine's tier; TMAP_NONE inside nodes */
	struct tmap_level_kind kind; /**< of a level that is no tier */
	int object_count;           /**< objects in the whole job, those of their own not counted */
	struct tmap_partition sets; /**< by object; every rank is in one */
};

struct tmap_levels {
	const struct tmap_machine *machine; /**< borrowed: must outlive the levels */
	int count;
	struct tmap_level *level; /**< [count], outermost first */
};

/** The levels of a machine. O(levels x (N + objects)) time and memory. */
int tmap_levels_init(struct tmap_levels *levels, const struct tmap_machine *machine,
		     struct tmap_error *err);
void tmap_levels_fini(struct tmap_levels *levels);

/** Index of the level called @p name, or TMAP_NONE. */
int tmap_levels_find(const struct tmap_levels *levels, const char *name);

/** Index of the level with the same nodes as a tier of the machine: its own, or the one that it was
 *  left out for; TMAP_NONE where it separates nothing. */
int tmap_levels_find_tier(const struct tmap_levels *levels, int tier);

/** Number, at a level, of the object that @p object of @p node is in: below sets.count. O(1). */
int tmap_levels_number(const struct tmap_levels *levels, int level, int node, int object);

/** The same for a rank of a placement on this machine. O(1). */
int tmap_levels_of_rank(const struct tmap_levels *levels, int level, const struct tmap_placement *p,
			int rank);

#endif
