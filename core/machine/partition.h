/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partition.h - the ranks in disjoint sets: which set each is in, which level separates two.
 *
 * Nests of partitions, each of whose sets lies in one of the next outer partition, are what this
 * project computes with:
 *
 *     levels       core/machine/levels.h       partitions with names, outermost first
 *     metric       core/distance/distance.h    partitions with distances, nearest first
 *     splits       core/group/split_levels.h   levels by what ranks are limited to;
 *                                              hierarchy.h makes communicators of them
 *     nest         core/map/nest.h             slots in an order in which all sets are intervals
 *     pair kinds   core/cost/pair_kinds.h      which levels, and which distance, separate two ranks
 *
 * Most partitions follow from where ranks are placed, so 11 million ranks take no memory:
 *
 *     set = node_base[node] + local[topology of the node][object]
 *
 *     NUMA nodes      node 0                node 1           two kinds of nodes
 *     node_base       0                     3
 *     local           0 0 0 1 1 2 2 . .     0 0 1 1          by object
 *
 * A partition of nodes has no local[]; where several nodes are one set (a switch), they have one
 * node_base. Others are listed rank by rank:
 *
 *     of_rank     0 1 0 -1 1          count 2, one rank in no set
 *     sets        {0 2} {1 4}
 *
 * A rank may be in no set (TMAP_NONE): then it is alone.
 */
#ifndef TMAP_CORE_MACHINE_PARTITION_H
#define TMAP_CORE_MACHINE_PARTITION_H

#include "core/machine/placement.h"

struct tmap_partition {
	int count;      /**< sets are numbered 0 .. count - 1; some may hold no rank */
	int *node_base; /**< [node_count]: number of a node's first set */
	int **local;    /**< [topology_count][objects]: from node_base on, or TMAP_NONE; NULL: 0 */

	int size;     /**< listed partitions: number of ranks, else 0 */
	int *of_rank; /**< [size]: the set of each rank, or TMAP_NONE; NULL: it is not listed */
	int outside;  /**< ranks in no set */
	int *first;   /**< [count + 1]: set s has first[s + 1] - first[s] ranks */
	int *member;  /**< member[first[s]] up to member[first[s + 1] - 1] are these, rising;
			   NULL before tmap_partition_list() */
};

/** Number of an object's set, or TMAP_NONE: it is in no set. The partition is not listed. O(1). */
static inline int tmap_partition_of_object(const struct tmap_partition *p, int topology, int node,
					   int object)
{
	int local = p->local ? p->local[topology][object] : 0;

	return local == TMAP_NONE ? TMAP_NONE : p->node_base[node] + local;
}

/** Number of a rank's set, or TMAP_NONE: it is in no set. A listed partition needs no
 *  placement. O(1). */
static inline int tmap_partition_set(const struct tmap_partition *p,
				     const struct tmap_placement *placement, int rank)
{
	const struct tmap_place *place;

	if (p->of_rank)
		return p->of_rank[rank];
	place = &placement->places[placement->place[rank]];
	return tmap_partition_of_object(p, place->topology, placement->node[rank], place->object);
}

/** Are two different ranks in different sets, or one of them in none? O(1). */
static inline bool tmap_partition_separates(const struct tmap_partition *p,
					    const struct tmap_placement *placement, int a, int b)
{
	int set = tmap_partition_set(p, placement, a);

	return set == TMAP_NONE || set != tmap_partition_set(p, placement, b);
}

/** Each node is a set. */
int tmap_partition_init_nodes(struct tmap_partition *p, const struct tmap_machine *machine,
			      struct tmap_error *err);

/** The nodes under each switch of a tier, numbered by their first nodes; nodes whose switch is
 *  unknown stay in the sets that they have in @p below, the partition of the tier below (NULL:
 *  each alone). O(N + switches). */
int tmap_partition_init_switches(struct tmap_partition *p, const struct tmap_machine *machine,
				 int tier, const struct tmap_partition *below,
				 struct tmap_error *err);

/** Sets of objects inside nodes: @p number fills in local[objects] of one topology (numbers, or
 *  TMAP_NONE) and returns how many sets there are; -1 with *err set. Refuses more than INT_MAX
 *  sets, as objects of @p what. O(N + objects) and what the function takes. */
int tmap_partition_init_objects(struct tmap_partition *p, const struct tmap_machine *machine,
				int (*number)(int *local, const struct tmap_topology *topo,
					      const void *context, struct tmap_error *err),
				const void *context, const char *what, struct tmap_error *err);

/** Room alone, all zero, for makers of other partitions. */
int tmap_partition_alloc(struct tmap_partition *p, const struct tmap_machine *machine,
			 struct tmap_error *err);

/** A listed partition, sets of equal keys, numbered in the order of their smallest ranks; so equal
 *  partitions have equal numbers. Keys are below @p limit; TMAP_NONE: no set. key[size] is
 *  overwritten and becomes of_rank, also on failure. O(size + limit). */
int tmap_partition_init_take(struct tmap_partition *p, int *key, int size, int limit,
			     struct tmap_error *err);
void tmap_partition_fini(struct tmap_partition *p);

/** Fill in member[] of a listed partition, if it is not there. O(size). */
int tmap_partition_list(struct tmap_partition *p, struct tmap_error *err);

/** The ranks sorted by their sets: those of set s, rising, go to rank[first[s]] up to
 *  rank[first[s + 1] - 1], those in none behind first[count]. first[count + 1] and rank[size] are
 *  the caller's room. O(size + count). */
void tmap_partition_sort(const struct tmap_partition *p, const struct tmap_placement *placement,
			 int *first, int *rank);

/** Number of ranks in each set: [count], the caller's to free; NULL with *err set.
 *  O(size + count). */
int *tmap_partition_count_ranks(const struct tmap_partition *p,
				const struct tmap_placement *placement, struct tmap_error *err);

/** Are these, both listed, the same? */
bool tmap_partition_equal(const struct tmap_partition *a, const struct tmap_partition *b);

/** Ranks of the smallest and of the largest set of a listed partition; 0 where there is none.
 *  O(count). */
void tmap_partition_sizes(const struct tmap_partition *p, int *least, int *most);

#endif
