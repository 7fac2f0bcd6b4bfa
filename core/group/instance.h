/*
 * instance.h - the one object of a kind that a rank is limited to.
 *
 *     packages       | 0       | 1       |
 *     rank 0         [===]                    package 0
 *     rank 1               [=======]          none: it may run on both
 *
 * A rank is limited to an object if the object covers all of its PUs. What hardware splits
 * group is the ranks that are limited to the same object; a rank that spans several objects of
 * the kind, or lies in none, is in no group. (MPI 4.0, section 7.4.2.)
 */
#ifndef TMAP_CORE_GROUP_INSTANCE_H
#define TMAP_CORE_GROUP_INSTANCE_H

#include "core/machine/levels.h"
#include "core/machine/placement.h"

struct tmap_instances {
	const struct tmap_machine *machine; /**< borrowed */
	int count;                          /**< numbers below this one; some may hold no rank */
	int *base;   /**< [node_count]: first number on a node; the number for a tier */
	int **local; /**< [topology_count][objects]: from base on, or TMAP_NONE; NULL: tier */
};

/** The objects of one kind in the whole job. Where a node has no boards, packages or memory
 *  controllers, it is one itself. O(N + objects x depth) time and memory. */
int tmap_instances_init(struct tmap_instances *it, const struct tmap_machine *machine,
			struct tmap_level_kind kind, struct tmap_error *err);

/** The switches of a level of the job that is a tier of the network. O(N). */
int tmap_instances_init_tier(struct tmap_instances *it, const struct tmap_levels *levels, int level,
			     struct tmap_error *err);
void tmap_instances_fini(struct tmap_instances *it);

/** The object that a rank of a placement on this machine is limited to, or TMAP_NONE. O(1). */
int tmap_instance_of_rank(const struct tmap_instances *it, const struct tmap_placement *p,
			  int rank);

#endif
