/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overlaps.h - sets of PUs that overlap in part, and have too few together for the threads on them.
 *
 *     rank 0   PUs 0-7    8 threads       each has a PU for each of its threads,
 *     rank 1   PUs 4-11   8 threads       but both have 12 for 16
 *     rank 2   PUs 12-19  8 threads
 *
 * Sets that lie between two PUs are looked at together, so that of sets of PUs in a row, as masks usually
 * are, every such case is found; of others some are.
 */
#ifndef TMAP_CORE_LINT_OVERLAPS_H
#define TMAP_CORE_LINT_OVERLAPS_H

#include "core/base/idset.h"

#include <stdbool.h>

/** A set, and what is on it. */
struct tmap_overlap_set {
	const struct tmap_idset *pus; /**< borrowed, not empty */
	int64_t threads;
	int ranks;
};

/** Some sets together; pus is 0 where they have enough. */
struct tmap_overlap_group {
	int64_t threads;
	int ranks, pus;
};

enum {
	TMAP_OVERLAP_MOST = 1024, /**< of more sets that overlap in part nothing is found */
};

/** group[i] = of the set sets[i] the smallest of the groups with more threads than PUs, and more threads
 *  than ranks, that has it. O(sets log sets), and O(sets^2 x ranges) where some overlap in part. */
int tmap_overlaps_find(struct tmap_overlap_group *group, const struct tmap_overlap_set *sets,
		       int count, struct tmap_error *err);

#endif
