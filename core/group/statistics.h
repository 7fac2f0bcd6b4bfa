/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * statistics.h - the communicators of a hierarchy in numbers.
 *
 *     level  calls  communicators          sizes  conduit communicators  sizes  null ranks
 *     numa   2      6, most of 3 ranks     2..3   3                      2..2   0
 *
 * A program that makes the hierarchy and its conduit communicators holds, on each rank, one
 * communicator of each level that the rank has, and one more for each of these whose conduit it
 * is.
 */
#ifndef TMAP_CORE_GROUP_STATISTICS_H
#define TMAP_CORE_GROUP_STATISTICS_H

#include "core/group/hierarchy.h"

struct tmap_span {
	int least, most;
};

struct tmap_level_statistics {
	int comms;
	struct tmap_span sizes;
	int usual;              /**< the size that most of them have, of several the largest */
	int unusual;            /**< how many have another one */
	struct tmap_span calls; /**< how many splits it takes to get there */
	int splits; /**< communicators that are split here: as many conduit communicators */
	struct tmap_span conduits; /**< sizes of these */
	int null_ranks;            /**< ranks whose communicator is split here and that get none */
};

struct tmap_hierarchy_statistics {
	int level_count;
	struct tmap_level_statistics *level; /**< [level_count] */
	struct tmap_span held; /**< communicators on one rank, its conduit communicators included */
	int64_t total;         /**< communicators in the whole job */
};

/** Count. O(p x levels) time, O(p) memory. */
int tmap_hierarchy_statistics_init(struct tmap_hierarchy_statistics *statistics,
				   const struct tmap_hierarchy *h, struct tmap_error *err);
void tmap_hierarchy_statistics_fini(struct tmap_hierarchy_statistics *statistics);

/** The @p count ranks that get none at a level while others of their communicator do, rising;
 *  the caller's to free. O(p). */
int *tmap_hierarchy_null_ranks(const struct tmap_hierarchy *h, int level, int count,
			       struct tmap_error *err);

/** Number of a communicator's conduits at the level at which it is split. O(group x levels). */
int tmap_comm_conduits(const struct tmap_hierarchy *h, int comm);

#endif
