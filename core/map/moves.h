/*
 * moves.h - which pairs of ranks a mapping brings closer, and what that saves.
 */
#ifndef TM_MOVES_H
#define TM_MOVES_H

#include "core/map/objective.h"

enum { TM_MOVES_TOP = 5 };

/** Two ranks that talk to each other. */
struct tm_move {
	int a, b;            /**< a < b */
	double bytes;        /**< both ways */
	double before, after; /**< process distance */
};

struct tm_moves {
	bool is_known;       /**< false: there are too many messages to look at each pair, or the
				  algorithm follows the places of the ranks */
	double closer, further, same; /**< bytes of all pairs */
	int silent;          /**< ranks that say nothing to anybody, and to whom nobody does */
	int count;
	struct tm_move top[TM_MOVES_TOP]; /**< those that save the most bytes x distance */
};

/** Compare two placements of the ranks that the traffic is of. What everyone sends to everyone is
 *  left out. O(entries x steps). */
int tm_moves_find(struct tm_moves *moves, const struct tm_placement *before,
		  const struct tm_placement *after, const struct tm_traffic *traffic,
		  struct tm_error *err);

#endif
