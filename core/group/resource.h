/*
 * resource.h - what a guided split may be guided by, and what each library calls it.
 *
 *     MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, key, info, &newcomm)
 *     with "mpi_hw_resource_type" in info: "mpi_shared_memory", or a word of the library
 *
 * The standard fixes that one word only; since MPI 4.1 a library lists by
 * MPI_Get_hw_resource_info what else it knows ("hwloc://NUMANode"). Open MPI before 5 has
 * split types of its own.
 */
#ifndef TMAP_CORE_GROUP_RESOURCE_H
#define TMAP_CORE_GROUP_RESOURCE_H

#include "core/machine/types.h"

/** All of them, "mpi_shared_memory" first, then outermost first; rows are struct tmap_resource. */
extern const struct tmap_keywords tmap_resources;

/** The row called @p name, or NULL: a tier of the network, a group in a group. */
const struct tmap_resource *tmap_resource_find(const char *name);

#endif
