/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graphviz.h - from a DOT text to a picture.
 *
 * The only place where Graphviz' headers are included is formats/draw/graphviz.c.
 */
#ifndef TMAP_FORMATS_DRAW_GRAPHVIZ_H
#define TMAP_FORMATS_DRAW_GRAPHVIZ_H

#include "core/base/error.h"

#include <stdio.h>

/** Lay @p dot out with @p engine ("dot", "neato"; the graph's own attribute "layout" counts
 *  more) and write it to @p out as @p format ("svg", "png"). Graphviz writes nothing to stderr:
 *  its last complaint becomes the message. The graph may be drawn but warned of: that is
 *  not a failure. */
int tmap_graphviz_render(const char *dot, const char *engine, const char *format, FILE *out,
			 struct tmap_error *err);

#endif
