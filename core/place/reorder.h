/*
 * reorder.h - other ranks in the same slots, as MPICH_RANK_REORDER_METHOD=3 distributes them.
 *
 * Slots are counted node after node, and on a node in the order of its ranks;
 * the list says which rank takes each of them:
 *
 *     slot         0  1 | 2  3          (n0: slots 0 and 1, n1: 2 and 3)
 *     list         0  2   3  1          rank 1 goes to slot 3, rank 3 to slot 2
 */
#ifndef TMAP_CORE_PLACE_REORDER_H
#define TMAP_CORE_PLACE_REORDER_H

#include "core/machine/placement.h"

/** Rank list[k] takes the k-th slot. The list has @p count ranks, which must be all of *p, each
 *  once. On failure *p is as it was. O(p + N). */
int tmap_reorder_place(struct tmap_placement *p, const int *list, int count,
		       struct tmap_error *err);

/** Rank r takes the place of rank place_of[r]: a permutation of all @p count ranks of *p. On
 *  failure *p is as it was. O(p). */
int tmap_permute_place(struct tmap_placement *p, const int *place_of, int count,
		       struct tmap_error *err);

#endif
