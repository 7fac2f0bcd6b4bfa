/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permute.h - a placement changed afterwards: other ranks on the same places, or every rank on
 * something larger around its own.
 *
 *     place        0  1 | 2  3          node after node, on a node in the order of its ranks
 *     list         0  2   3  1          rank 1 goes to place 3, rank 3 to place 2
 *
 * A list like this says which rank takes each place, as MPICH_RANK_REORDER_METHOD=3 has it;
 * place_of is the other way round: whose place each rank takes. Where the ranks change places, a
 * failure leaves *p as it was.
 */
#ifndef TMAP_CORE_PLACE_PERMUTE_H
#define TMAP_CORE_PLACE_PERMUTE_H

#include "core/machine/placement.h"

/** Rank list[k] takes the k-th place. The list has @p count ranks, which must be all of *p, each
 *  once. O(p + N). */
int tmap_reorder_place(struct tmap_placement *p, const int *list, int count,
		       struct tmap_error *err);

/** Rank r takes the place of rank place_of[r]: a permutation of all @p count ranks of *p. O(p). */
int tmap_permute_place(struct tmap_placement *p, const int *place_of, int count,
		       struct tmap_error *err);

/** Rank r takes the place of the r-th rank of 0 .. p-1 shuffled (core/base/random.h): the same
 *  for the same seed everywhere. It is what reordering has to beat. O(p). */
int tmap_shuffle_place(struct tmap_placement *p, uint64_t seed, struct tmap_error *err);

/** Bind every rank to all PUs that may be used of the object of @p type that its place lies
 *  in; TMAP_NODE unbinds. Refuses a place that lies in none: then some places may be wider already.
 *  O(places x objects). */
int tmap_rebind(struct tmap_placement *p, enum tmap_type type, struct tmap_error *err);

#endif
