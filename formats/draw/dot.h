/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot.h - what the graphs of trees and rings have in common: names, boxes, looks.
 *
 * The strokes of edges differ in colour (Okabe and Ito's, which colour-blind people can tell
 * apart), in width, which grows with the distance, and in dashes (formats/draw/dot_heading.h).
 */
#ifndef TMAP_FORMATS_DRAW_DOT_H
#define TMAP_FORMATS_DRAW_DOT_H

#include "formats/draw/boxes.h"

#include <stdio.h>

/** A string as DOT wants it, in quotes: a newline breaks the line; with the escapes of
 *  core/base/utf8.h. */
void tmap_dot_write_quoted(FILE *out, const char *text);

/** How nodes and arrows look: circles, or (not @p round) boxes as wide as their labels. */
void tmap_dot_write_node_style(FILE *out, bool round);

/** Colour of a box at @p depth, the outermost being 0. */
const char *tmap_dot_fill(int depth);

/** Writes one element of a graph as a DOT node and its line end. */
typedef int tmap_dot_write_node(FILE *out, const void *graph, int element, struct tmap_error *err);

/** All elements as nodes, in one subgraph a box, called @p name and a number: Graphviz draws
 *  those whose names begin with "cluster". */
int tmap_dot_write_boxes(FILE *out, const struct tmap_boxes *boxes, const char *name,
			 tmap_dot_write_node *write_node, const void *graph,
			 struct tmap_error *err);

#endif
