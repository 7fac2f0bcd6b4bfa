/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowd.h - which ranks send to which, so that a distance is measured, or something that ranks share
 * is full.
 *
 *     pairs       at each process distance a few pairs of ranks, at random: disjoint ones, and
 *                 others where there are few ranks
 *     across      package 0   0 1 2 3        k ranks of an object send to as many of other objects
 *                             | | | |        of the same outer object, or get from them; partners
 *                 package 1   4 5 6 7        are spread by what these objects can take
 *     within      NUMA node   0 1 2 3        k ranks of an object send to k others of it
 *                             0>1 2>3
 */
#ifndef TMAP_CORE_MEASURE_CROWD_H
#define TMAP_CORE_MEASURE_CROWD_H

#include "core/base/random.h"
#include "core/distance/distance.h"
#include "core/measure/trial.h"

#define TMAP_DISTANCE_PAIRS_MAX 5

struct tmap_distance_pairs {
	int distance; /**< process distance */
	int count;
	int a[TMAP_DISTANCE_PAIRS_MAX], b[TMAP_DISTANCE_PAIRS_MAX];
};

/** *list = [*count], the caller's to free: those distances that ranks are apart, rising, each with
 *  pairs. O(steps x tries x p), where tries are a few dozens. */
int tmap_distance_pairs_find(struct tmap_distance_pairs **list, int *count,
			     const struct tmap_metric *process, struct tmap_random *random,
			     struct tmap_error *err);

/** The ranks by the sets of a partition. */
struct tmap_crowd_sets {
	int count;
	int *first; /**< [count + 1]: set s has rank[first[s]] up to rank[first[s + 1] - 1] */
	int *rank;  /**< in random order within a set */
	int *outer; /**< [count]: the set of another partition that it lies in; of empty ones any */
};

/** The sets of @p inner in those of @p outer; NULL: in one that has all ranks. Ranks that are to be
 *  @p without [size] are in none. O(p). */
int tmap_crowd_sets_init(struct tmap_crowd_sets *sets, const struct tmap_partition *inner,
			 const struct tmap_partition *outer, const struct tmap_placement *placement,
			 const bool *without, struct tmap_random *random, struct tmap_error *err);
void tmap_crowd_sets_fini(struct tmap_crowd_sets *sets);

static inline int tmap_crowd_size(const struct tmap_crowd_sets *sets, int set)
{
	return sets->first[set + 1] - sets->first[set];
}

/** Messages from @p k ranks of a set to others outside of it (@p enters: the other way round), as many
 *  as there are partners for, which trial->count is. @p rate: what each set can take, NULL: all the
 *  same. O(sets + k x partners). */
void tmap_crowd_across(struct tmap_trial *trial, const struct tmap_crowd_sets *sets, int set, int k,
		       const double *rate, bool enters, struct tmap_random *random);

/** The ranks of each set in the order of those of another partition, so that who is near in the one is
 *  so in the other. O(p log p). */
int tmap_crowd_sets_sort(struct tmap_crowd_sets *sets, const struct tmap_partition *by,
			 const struct tmap_placement *placement, struct tmap_error *err);

/** Messages between @p k pairs of neighbors within a set, at most half of its ranks. O(k). */
void tmap_crowd_within(struct tmap_trial *trial, const struct tmap_crowd_sets *sets, int set,
		       int k);

/** Each message also the other way. Refuses none: what exceeds TMAP_TRIAL_MESSAGES_MAX is left out. */
void tmap_crowd_reverse_too(struct tmap_trial *trial);

#endif
