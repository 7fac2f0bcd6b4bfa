/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_edges.h - the title and the table of edges above a tree or a ring, for people.
 */
#ifndef TMAP_FORMATS_TEXT_TEXT_EDGES_H
#define TMAP_FORMATS_TEXT_TEXT_EDGES_H

#include "core/tree/edges.h"
#include "formats/base/view.h"

#include <stdio.h>

/** "32 ranks on 4 nodes", "16 ranks on n0": the caller's to free; NULL with *err set. */
char *tmap_text_where(const struct tmap_placement *placement, struct tmap_error *err);

/** "Title: 32 ranks on 4 nodes, root 0" (TMAP_NONE: no root) and the view's note, if any. */
int tmap_text_write_title(FILE *out, const struct tmap_view *view, int root,
			  struct tmap_error *err);

/** The table of distance, edges and meaning, each line indented by two columns. */
int tmap_text_write_edges(FILE *out, const struct tmap_view *view,
			  const struct tmap_edge_count *edges, int count, struct tmap_error *err);

#endif
