/*
 * text_edges.h - the figures above a tree or a ring, for people.
 */
#ifndef TM_TEXT_EDGES_H
#define TM_TEXT_EDGES_H

#include "core/tree/edges.h"
#include "formats/base/view.h"

#include <stdio.h>

/** "32 ranks on 4 nodes", "16 ranks on n0": the caller's to free; NULL with *err set. */
char *tm_text_where(const struct tm_placement *placement, struct tm_error *err);

/** "Title: 32 ranks on 4 nodes, root 0" (TM_NONE: no root) and the view's note, if any. */
int tm_text_write_title(FILE *out, const struct tm_view *view, int root, struct tm_error *err);

/** The table of distance, edges and meaning, each line indented by two columns. */
void tm_text_write_edges(FILE *out, const struct tm_view *view, const struct tm_edge_count *edges,
			 int count);

#endif
