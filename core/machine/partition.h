/*
 * partition.h - ranks in disjoint groups, some in none.
 *
 *     of        0 1 0 -1 1          count 2, one rank in no group
 *     groups    {0 2} {1 4}
 *
 * Groups are numbered in the order of their smallest ranks, so equal partitions have equal
 * numbers.
 */
#ifndef TMAP_CORE_MACHINE_PARTITION_H
#define TMAP_CORE_MACHINE_PARTITION_H

#include "core/base/error.h"

#include <stdbool.h>

struct tmap_partition {
	int size;    /**< ranks */
	int count;   /**< groups */
	int outside; /**< ranks in no group */
	int *of;     /**< [size]: its group, or TMAP_NONE */
	int *first;  /**< [count + 1]: group g has first[g + 1] - first[g] ranks */
	int *member; /**< member[first[g]] up to member[first[g + 1] - 1] are these, rising;
				  NULL before tmap_partition_list() */
};

/** Groups of equal keys, the caller's [size]; keys are below @p limit, TMAP_NONE: no group. What
 *  stands in @p key is overwritten and taken over as of[], also on failure. O(size + limit). */
int tmap_partition_init_take(struct tmap_partition *p, int *key, int size, int limit,
			     struct tmap_error *err);
void tmap_partition_fini(struct tmap_partition *p);

/** Fill in member[], if it is not there. O(size). */
int tmap_partition_list(struct tmap_partition *p, struct tmap_error *err);

bool tmap_partition_equal(const struct tmap_partition *a, const struct tmap_partition *b);

/** Ranks of the smallest and of the largest group; 0 where there is none. O(count). */
void tmap_partition_sizes(const struct tmap_partition *p, int *least, int *most);

#endif
