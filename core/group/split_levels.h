/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split_levels.h - the levels at which MPI_Comm_split_type may split, and the one object of a
 * level that a rank is limited to.
 *
 *     all            switch1  node  numa  core        those of core/machine/levels.h
 *     "numa,node"             node  numa              those that are named
 *
 * Any level that the machine knows can be named, also one that has the same objects as the level
 * above it: NUMA nodes where each package is one.
 *
 *     packages       | 0       | 1       |
 *     rank 0         [===]                    package 0
 *     rank 1               [=======]          no set: it may run on both
 *
 * A rank is limited to an object if the object covers all of its PUs. A hardware split groups the
 * ranks that are limited to the same object; a rank that spans several objects of the level, or
 * is in none, is in no set. (MPI 4.0, section 7.4.2.) In core/machine/levels.h it would be in one.
 */
#ifndef TMAP_CORE_GROUP_SPLIT_LEVELS_H
#define TMAP_CORE_GROUP_SPLIT_LEVELS_H

#include "core/machine/levels.h"

/** The levels of a machine that are in @p names, separated by commas, in any order; NULL: all that
 *  separate ranks; their sets are of ranks that are limited to one object. Refuses (TMAP_INPUT) a
 *  name that no level has and one that is given twice. Released by tmap_levels_fini().
 *  O(levels x (N + objects x depth)). */
int tmap_split_levels_init(struct tmap_levels *levels, const struct tmap_machine *machine,
			   const char *names, struct tmap_error *err);

/** The objects of one kind in the whole job, for the ranks that are limited to one. Where a node
 *  has no boards, packages or memory controllers, it is one itself. O(N + objects x depth). */
int tmap_split_partition_init(struct tmap_partition *p, const struct tmap_machine *machine,
			      struct tmap_level_kind kind, struct tmap_error *err);

#endif
