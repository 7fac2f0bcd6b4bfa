/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_pieces.h - a ring cut into as many pieces as a picture can show.
 *
 * Of equal stretches in a row (core/tree/stretch.h) the first is shown and the others are one
 * piece. What is shown is cut before every step that is at least as far as some distance,
 * the smallest for which the pieces are few enough: at best each rank is a piece.
 */
#ifndef TMAP_FORMATS_REPORT_RING_RING_PIECES_H
#define TMAP_FORMATS_REPORT_RING_RING_PIECES_H

#include "core/tree/stretch.h"

/** Positions [first, first + length) of the ring, drawn as one thing. */
struct tmap_ring_piece {
	int first, length;
	int copies; /**< nodes that it visits: more than one where it is folded */
	int like;   /**< position of the stretch that the copies equal, or TMAP_NONE */
};

/** Cut @p ring; without @p fold every rank is a piece. *piece is [*count], the caller's to
 *  free. O(p x distances). */
int tmap_ring_pieces(const struct tmap_ring *ring, const struct tmap_placement *placement,
		     bool fold, struct tmap_ring_piece **piece, int *count, struct tmap_error *err);

#endif
