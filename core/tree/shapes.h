/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shapes.h - the trees and rings that MPI libraries build on p ranks, whatever lies under them.
 *
 *     binomial_near          binomial_far           knomial,radix=4
 *         0                      0                      0
 *       / | \                  / | \                 / / | \
 *      1  2  4                4  2  1               4  1 2  3
 *     /|  |                  /|  |                 /|\
 *    3 5  6                 6 5  3                5 6 7
 *    |                      |
 *    7                      7
 *
 * All are drawn for root 0; another root r shifts them: rank s + r mod p is where s
 * is here. A row of the tables has the settings by which the library itself uses it.
 * (Open MPI coll_base_topo.c, MPICH treeutil.c, UCC ucc_sbgp.c.)
 */
#ifndef TMAP_CORE_TREE_SHAPES_H
#define TMAP_CORE_TREE_SHAPES_H

#include "core/base/spec.h"
#include "core/tree/ring.h"

/** The order in which a parent serves its children, by shifted rank. */
enum tmap_turns {
	TMAP_TURNS_RISING,
	TMAP_TURNS_FALLING,
	TMAP_TURNS_REAL,     /**< rising by rank, not shifted */
	TMAP_TURNS_DIGITS,   /**< the highest digit first, of one digit the smaller values */
	TMAP_TURNS_TOGETHER, /**< all at once; rising by rank, not shifted */
};

struct tmap_tree_row {
	struct tmap_spec_row choice;
	/** The parent of shifted rank @p rank, not 0, of @p size, shifted; NULL: see build. */
	int (*parent)(int rank, int size, const int64_t *value);
	enum tmap_turns turns;
	bool is_halved; /**< a broadcast sends each half of the message down one half of the tree,
			     and pairs swap them: it takes another time than a message down it */
	bool is_last_rooted; /**< the library roots it at the last rank, and that one sends the
				  result on to the root that was asked for */
	/** Set parent[] and turn[] of a tree whose size and root are set and whose turns are 0;
	 *  for trees that depend on more than ranks. */
	int (*build)(struct tmap_tree *tree, const struct tmap_spec *choice,
		     const struct tmap_placement *placement, struct tmap_error *err);
};

struct tmap_ring_row {
	struct tmap_spec_row choice;
	/** Fill in order[size] over all ranks of the placement. */
	int (*build)(int *order, const struct tmap_placement *placement, int size,
		     struct tmap_error *err);
};

/** The trees and the rings, by name; choices from tmap_spec_parse() with these tables. */
extern const struct tmap_keywords tmap_tree_shapes;
extern const struct tmap_keywords tmap_ring_shapes;

/** The tree that @p choice (of tmap_tree_shapes) names over the ranks of @p metric, with its
 *  distances and turns. Refuses a root that is not one of the ranks; the topology_ trees
 *  where the network is not known (MPICH would fall back to another tree).
 *  O(p x steps) time, O(p log p) for topology_wave, and switches^2 of a group for both. */
int tmap_shape_tree(struct tmap_tree *tree, const struct tmap_spec *choice,
		    const struct tmap_metric *metric, int root, struct tmap_error *err);

/** The same without distances, over so many ranks; @p placement is for trees that depend on more
 *  than ranks, else NULL. O(p). */
int tmap_shape_parents(struct tmap_tree *tree, const struct tmap_spec *choice,
		       const struct tmap_placement *placement, int size, int root,
		       struct tmap_error *err);

/** The ring that @p choice (of tmap_ring_shapes) names, in its own direction from rank 0.
 *  O(p x steps). */
int tmap_shape_ring(struct tmap_ring *ring, const struct tmap_spec *choice,
		    const struct tmap_metric *metric, struct tmap_error *err);

/** The same by their names, "binomial_near" or "knomial,radix=8". */
int tmap_shape_tree_called(struct tmap_tree *tree, const char *name,
			   const struct tmap_metric *metric, int root, struct tmap_error *err);
int tmap_shape_ring_called(struct tmap_ring *ring, const char *name,
			   const struct tmap_metric *metric, struct tmap_error *err);

/** MPICH's trees over the switches of the network (core/tree/shapes_aware.c, shapes_wave.c),
 *  for the table. */
int tmap_shape_topology_aware(struct tmap_tree *tree, const struct tmap_spec *choice,
			      const struct tmap_placement *placement, struct tmap_error *err);
int tmap_shape_topology_aware_k(struct tmap_tree *tree, const struct tmap_spec *choice,
				const struct tmap_placement *placement, struct tmap_error *err);
int tmap_shape_topology_wave(struct tmap_tree *tree, const struct tmap_spec *choice,
			     const struct tmap_placement *placement, struct tmap_error *err);

/** UCC's order of the ranks (core/tree/shapes_ucc.c), for the table: by node, package and NUMA node
 *  where they are not so already. UCC takes its nodes by a hash of the machine's identity,
 *  which no placement knows; here they stand in the order of the machine. */
int tmap_shape_ucc_order(int *order, const struct tmap_placement *placement, int size,
			 struct tmap_error *err);

#endif
