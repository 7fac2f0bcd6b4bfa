/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stretch.h - a ring cut where it goes from one node to another.
 *
 *     0 -1- 1 -1- 3 -7- 11 -1- 9 -1- 8 -7- 27 -1- 25 -1- 24 -7-
 *     `--- n0 ---'      `--- n1 ----'      `---- n3 -----'
 *
 * Stretches in a row are equal if they lead over kinds of nodes that are the same, through
 * the same distances; which ranks they visit does not matter. A ring over 43,808 equal nodes
 * is three or four groups of equal stretches.
 */
#ifndef TMAP_CORE_TREE_STRETCH_H
#define TMAP_CORE_TREE_STRETCH_H

#include "core/machine/placement.h"
#include "core/tree/ring.h"

/** Stretches in a row that are equal. */
struct tmap_stretch {
	int first;  /**< index in ring->order where the first of them begins */
	int length; /**< ranks of each */
	int copies; /**< how many there are */
};

/** Cut @p ring; with @p fold equal stretches in a row become one group, else each is one.
 *  *stretch is [*count], the caller's to free. O(p). */
int tmap_ring_cut(const struct tmap_ring *ring, const struct tmap_placement *placement, bool fold,
		  struct tmap_stretch **stretch, int *count, struct tmap_error *err);

#endif
