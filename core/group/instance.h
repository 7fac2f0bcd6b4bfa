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
#ifndef TM_INSTANCE_H
#define TM_INSTANCE_H

#include "core/machine/levels.h"
#include "core/machine/placement.h"

struct tm_instances {
	const struct tm_machine *machine; /**< borrowed */
	int count;           /**< numbers below this one; some may hold no rank */
	int *base;           /**< [node_count]: first number on a node; the number for a tier */
	int **local;         /**< [topology_count][objects]: from base on, or TM_NONE; NULL: tier */
};

/** The objects of one kind in the whole job. Where a node has no boards, packages or memory
 *  controllers, it is one itself. O(N + objects x depth) time and memory. */
int tm_instances_init(struct tm_instances *it, const struct tm_machine *machine,
		      struct tm_level_kind kind, struct tm_error *err);

/** The switches of a level of the job that is a tier of the network. O(N). */
int tm_instances_init_tier(struct tm_instances *it, const struct tm_levels *levels, int level,
			   struct tm_error *err);
void tm_instances_fini(struct tm_instances *it);

/** The object that a rank of a placement on this machine is limited to, or TM_NONE. O(1). */
int tm_instance_of_rank(const struct tm_instances *it, const struct tm_placement *p, int rank);

#endif
