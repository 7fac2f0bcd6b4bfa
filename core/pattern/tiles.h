/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiles.h - a pattern as a square of tiles: what some ranks, which follow each other in an order, send to
 * some others.
 *
 *     order 0 2 1 3,          to 0 2   to 1 3
 *     two ranks a side
 *              from 0 2          800       10
 *              from 1 3            0      790
 */
#ifndef TMAP_CORE_PATTERN_TILES_H
#define TMAP_CORE_PATTERN_TILES_H

#include "core/pattern/pattern.h"

struct tmap_tiles {
	int ranks;     /**< of a tile's side; those at the end may have fewer */
	int count;     /**< of tiles in a row */
	double *bytes; /**< [count * count], row by row of the senders */
};

/** Of a stored pattern, its ranks as order[size] has them, no more than @p most tiles in a row, with as few
 *  ranks each as that allows. O(entries + p + tiles). */
int tmap_tiles_init(struct tmap_tiles *tiles, const struct tmap_pattern *pattern, const int *order,
		    int most, struct tmap_error *err);
void tmap_tiles_fini(struct tmap_tiles *tiles);

#endif
