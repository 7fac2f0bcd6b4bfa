/*
 * dot.h - what the graphs of trees and rings have in common: names, strokes, boxes, the
 * title and the legend.
 *
 * The strokes differ in colour (Okabe and Ito's, which colour-blind people tell apart), in
 * width, which grows with the distance, and in dashes; the legend shows each as it is drawn.
 */
#ifndef TM_DOT_H
#define TM_DOT_H

#include "formats/boxes.h"
#include "formats/legend.h"

#include <stdio.h>

/** A string as DOT wants it, in quotes: a newline breaks the line, other control characters
 *  become blanks. */
void tm_dot_write_quoted(FILE *out, const char *text);

/** How nodes and arrows look: circles, or (not @p round) boxes as wide as their labels. */
void tm_dot_write_node_style(FILE *out, bool round);

/** color=..., style=..., penwidth=... of a row of the legend. */
void tm_dot_write_stroke(FILE *out, const struct tm_legend_row *row);

/** Colour of a box at @p depth, the outermost being 0. */
const char *tm_dot_fill(int depth);

/** The label of the graph: the title, a line of figures, the legend's rows, and a note (NULL:
 *  none), at the top left. */
void tm_dot_write_heading(FILE *out, const struct tm_view *view, const char *figures,
			  const char *note, const struct tm_legend *legend);

/** A width in points that the heading does not exceed in any usual font. */
double tm_dot_heading_width(const struct tm_view *view, const char *figures, const char *note,
			    const struct tm_legend *legend);

/** Writes one element of a graph as a DOT node and its line end. */
typedef int tm_dot_write_node(FILE *out, const void *graph, int element, struct tm_error *err);

/** All elements as nodes, in one subgraph a box, called @p name and a number: Graphviz draws
 *  those called "cluster". */
int tm_dot_write_boxes(FILE *out, const struct tm_boxes *boxes, const char *name,
		       tm_dot_write_node *write_node, const void *graph, struct tm_error *err);

#endif
