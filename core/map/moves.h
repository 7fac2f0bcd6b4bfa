/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * moves.h - the pairs of ranks that a mapping brings closer, and what that saves.
 */
#ifndef TMAP_CORE_MAP_MOVES_H
#define TMAP_CORE_MAP_MOVES_H

#include "core/map/objective.h"

enum { TMAP_MOVES_TOP = 5 };

/** Two ranks that communicate. */
struct tmap_move {
	int a, b;             /**< a < b */
	double bytes;         /**< both ways */
	double before, after; /**< process distance */
};

struct tmap_moves {
	bool is_known; /**< false: there are too many messages to compare each pair, or the
				  algorithm follows the places of the ranks */
	double closer, further, same; /**< bytes of all pairs */
	int silent;                   /**< ranks that neither send nor receive */
	int count;
	struct tmap_move top[TMAP_MOVES_TOP]; /**< those that save the most bytes x distance */
};

/** Compare two placements of the ranks that the traffic is of. What everyone sends to everyone is
 *  left out. O(entries x steps). */
int tmap_moves_find(struct tmap_moves *moves, const struct tmap_placement *before,
		    const struct tmap_placement *after, const struct tmap_traffic *traffic,
		    struct tmap_error *err);

#endif
