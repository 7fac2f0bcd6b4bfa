/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * access.h - what a tree or a ring reads and writes at the memory controllers (Ma et al., section
 * IV-C).
 *
 * Ranks copy by themselves, as KNEM and XPMEM let them: the receiver reads the sender's
 * memory and writes its own. One access touches a whole message of a tree, or one block
 * of an allgather:
 *
 *     tree   an edge: a read at the parent's controller, a write at the child's
 *     ring   every rank copies its own block and p-1 more from its left neighbour: p reads
 *            and p writes at its controller; with P ranks on each of N controllers P x P x N
 *
 * An access is remote where reader and memory are at different controllers: edges between
 * controllers, times p-1 on a ring. A rank that is bound to an object above the controllers
 * (or to none) counts at that object, as if it were a controller of its own.
 */
#ifndef TMAP_CORE_TREE_ACCESS_H
#define TMAP_CORE_TREE_ACCESS_H

#include "core/machine/levels.h"
#include "core/tree/ring.h"

/** The memory controllers of a machine: each rank is in the set of one. O(N + objects x depth).
 *  Refuses more than 2^31-1 of them. */
int tmap_controllers_init(struct tmap_partition *controllers, const struct tmap_machine *machine,
			  struct tmap_error *err);

/** One controller that is accessed. */
struct tmap_access {
	int node;
	int object; /**< its NUMA node; the node itself where there are none; or above */
	int64_t reads, writes;
};

struct tmap_accesses {
	int count;
	struct tmap_access *row; /**< [count], by node, then in the order of its objects */
	int64_t remote;
};

/** Count the accesses of a tree or a ring over the ranks of @p p. O(p + controllers). */
int tmap_accesses_of_tree(struct tmap_accesses *accesses, const struct tmap_tree *tree,
			  const struct tmap_placement *p, struct tmap_error *err);
int tmap_accesses_of_ring(struct tmap_accesses *accesses, const struct tmap_ring *ring,
			  const struct tmap_placement *p, struct tmap_error *err);
void tmap_accesses_fini(struct tmap_accesses *accesses);

/** How many edges have their ends in different objects of each level: [levels->count], the
 *  caller's to free. A message over the tree crosses the level so often. O(p x levels). */
int64_t *tmap_tree_count_crossings(const struct tmap_tree *tree, const struct tmap_levels *levels,
				   const struct tmap_placement *p, struct tmap_error *err);
int64_t *tmap_ring_count_crossings(const struct tmap_ring *ring, const struct tmap_levels *levels,
				   const struct tmap_placement *p, struct tmap_error *err);

#endif
