/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture.h - a graph that we write, drawn by Graphviz.
 */
#ifndef TMAP_FORMATS_DRAW_PICTURE_H
#define TMAP_FORMATS_DRAW_PICTURE_H

#include "core/base/error.h"

#include <stdio.h>

/** So many ranks can be drawn each for itself in some ten seconds; above that only folded. */
enum { TMAP_PICTURE_MOST = 2048 };

/** Writes the graph of @p subject as DOT. */
typedef int tmap_picture_graph(FILE *out, const void *subject, struct tmap_error *err);

/** Draw what @p graph writes as @p format ("svg", "png"). The DOT text is in memory. */
int tmap_picture_write(FILE *out, const char *format, tmap_picture_graph *graph,
		       const void *subject, struct tmap_error *err);

#endif
