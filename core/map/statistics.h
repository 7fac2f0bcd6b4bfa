/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * statistics.h - how close the ranks of a placement are to their neighbours in rank order.
 *
 * Before and after a mapping these show the gain, for programs that send to rank r+1
 * and for the collectives that libraries build from rank numbers.
 */
#ifndef TMAP_CORE_MAP_STATISTICS_H
#define TMAP_CORE_MAP_STATISTICS_H

#include "core/machine/levels.h"
#include "core/tree/ring.h"

struct tmap_statistics {
	double ring;          /**< sum of the distances r to r+1, and back to 0 */
	double binomial_near; /**< sum of the distances along the binomial trees from rank 0 */
	double binomial_far;
	int edge_count;                /**< distances along the ring, rising */
	struct tmap_edge_count *edges; /**< [edge_count] */
	int level_count;
	int64_t *crossings; /**< [level_count]: steps of the ring between two objects of a level */
};

/** The statistics of a placement on @p scale; @p levels are its machine's. O(p x (steps +
 *  levels)). */
int tmap_statistics_init(struct tmap_statistics *statistics, const struct tmap_placement *p,
			 enum tmap_scale scale, const struct tmap_levels *levels,
			 struct tmap_error *err);
void tmap_statistics_fini(struct tmap_statistics *statistics);

/** Steps of the ring at one distance; 0 where there are none. */
int64_t tmap_statistics_edges(const struct tmap_statistics *statistics, double distance);

#endif
