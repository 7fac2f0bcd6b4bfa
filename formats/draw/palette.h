/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * palette.h - the colours of areas in pictures: Okabe and Ito's, which colour-blind people
 * tell apart; greys for what lies beyond a node.
 */
#ifndef TMAP_FORMATS_DRAW_PALETTE_H
#define TMAP_FORMATS_DRAW_PALETTE_H

/** Colour of the distances of a legend's row with this rank (formats/text/legend.h). */
const char *tmap_palette_distance(int rank);

/** Colour of the @p index-th node; they repeat after eight. */
const char *tmap_palette_node(int index);

/** Colour of the @p index-th line on white: none as light as yellow; they repeat after seven. */
const char *tmap_palette_line(int index);

/** The colour of words on a fill "#RRGGBB": black or white, whichever is easier to read. */
const char *tmap_palette_ink(const char *fill);

#endif
