/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guided.h - what a guided hardware split gives: by the standard, and by two libraries.
 *
 *     MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, key, info, &newcomm)
 *     with "mpi_hw_resource_type" in info: "mpi_shared_memory", or a word of the library
 *
 * The standard fixes that one word only; since MPI 4.1 a library lists by
 * MPI_Get_hw_resource_info what else it knows ("hwloc://NUMANode"). Open MPI before 5 has
 * split types of its own.
 *
 *                              rank 0 on core 0, 1 on cores 0-1, 2 on core 1; split by core
 *     MPI 4.0                  {0} {2}; rank 1 gets MPI_COMM_NULL, for it is limited to no core
 *     Open MPI 4.1.4           0: {0 1}  1: {0 1 2}  2: {1 2}: who shares any core with it.
 *                              These overlap: no communicators that can be used
 *     MPICH 4.0.2              {0} {1} {2}: those that are limited to no core stay together on
 *                              each node
 *
 * Further, where the standard leaves it free: Open MPI gives a rank that is not bound, or on a
 * machine without such objects, a communicator of its own; for boards it takes the node. MPICH
 * gives MPI_COMM_NULL wherever the communicator would have all ranks of the node, but for
 * mpi_shared_memory. (Both as they behave when run.)
 */
#ifndef TMAP_CORE_GROUP_GUIDED_H
#define TMAP_CORE_GROUP_GUIDED_H

#include "core/machine/partition.h"
#include "core/machine/placement.h"
#include "core/machine/types.h"

/** What a split may be guided by: "mpi_shared_memory", then the types of objects outermost first;
 *  rows are struct tmap_resource, with the word of each library. */
extern const struct tmap_keywords tmap_resources;

/** The row called @p name, or NULL: a tier of the network, a group in a group. */
const struct tmap_resource *tmap_resource_find(const char *name);

/** How many ranks MPI_COMM_NULL is for, for one reason. */
struct tmap_null_ranks {
	int count, first; /**< the smallest of them, TMAP_NONE if there is none */
};

struct tmap_guided {
	const struct tmap_resource *resource;
	struct tmap_partition standard; /**< outside: MPI_COMM_NULL */
	struct tmap_null_ranks
		spanning; /**< may run on several of the objects, or partly outside one */
	int spanned;      /**< objects that spanning.first may run on */
	struct tmap_null_ranks without; /**< none of the objects is where they run */

	bool has_openmpi, has_mpich; /**< the library knows the type */
	bool overlaps;               /**< Open MPI's communicators overlap: openmpi is empty */
	int overlap[3];              /**< the first is given both others, and they not each other */
	struct tmap_partition openmpi, mpich;
};

/** Split all ranks of a placement. O(p + N + objects + places x objects) time and memory; where
 *  ranks span objects, and none is common to the ranks that share some, up to O(ranks of a node)
 *  for each rank until two are found that share nothing. */
int tmap_guided_init(struct tmap_guided *guided, const struct tmap_placement *p,
		     const struct tmap_resource *resource, struct tmap_error *err);
void tmap_guided_fini(struct tmap_guided *guided);

#endif
