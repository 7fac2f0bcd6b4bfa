/*
 * partition_statistics.h - how ranks are spread over the sets of a partition: what the least that
 * any algorithm must move depends on, and how many pairs of ranks are separated.
 */
#ifndef TMAP_CORE_SCORE_PARTITION_STATISTICS_H
#define TMAP_CORE_SCORE_PARTITION_STATISTICS_H

#include "core/machine/partition.h"

struct tmap_partition_statistics {
	int *ranks;          /**< [count of the partition]: ranks in each set */
	int64_t sets;        /**< that hold ranks */
	int64_t apart;       /**< pairs of ranks in different sets, each counted both ways */
	int64_t outside;     /**< sum over the sets of the ranks outside them */
	int64_t beyond_root; /**< ranks outside the root's set */
	int64_t runs;        /**< of consecutive ranks in one set */
};

/** Count the ranks of a placement by a partition that has every rank in a set.
 *  O(p + count) time, O(count) memory. */
int tmap_partition_statistics_init(struct tmap_partition_statistics *statistics,
				   const struct tmap_partition *sets,
				   const struct tmap_placement *placement, int root,
				   struct tmap_error *err);
void tmap_partition_statistics_fini(struct tmap_partition_statistics *statistics);

#endif
