/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_heading.h - the heading of a picture: its title, statistics of what it shows, and the
 * legend, in which each stroke is drawn as the edges are.
 *
 *     Distance-aware broadcast tree
 *     32 ranks on 4 nodes, root 0
 *     distance_tree: weight 57, depth 3, fan-out 7
 *     binomial_near: weight 186, depth 5, fan-out 5
 *               distance  distance_tree  binomial_near  meaning
 *     ------           1             24              3  a shared cache or core
 */
#ifndef TMAP_FORMATS_DRAW_DOT_HEADING_H
#define TMAP_FORMATS_DRAW_DOT_HEADING_H

#include "core/score/baselines.h"
#include "formats/text/legend.h"

#include <stdio.h>

/** At most two things are drawn side by side. */
enum { TMAP_DOT_SUBJECTS = 2 };

struct tmap_dot_heading {
	const struct tmap_view *view;        /**< borrowed */
	const char *note;                    /**< borrowed; NULL: none */
	char *where;                         /**< "32 ranks on 4 nodes, root 0" */
	int count;                           /**< subjects */
	char *name[TMAP_DOT_SUBJECTS];       /**< where there are several */
	char *statistics[TMAP_DOT_SUBJECTS]; /**< "weight 57, depth 3, fan-out 7" */
	int edge_count[TMAP_DOT_SUBJECTS];
	struct tmap_edge_count *edges[TMAP_DOT_SUBJECTS];
	struct tmap_legend legend;
};

/** The heading of @p count trees, or of rings where @p tree is NULL; @p root TMAP_NONE: there is
 *  none. The first rows of @p baselines are these trees or rings: their names and what crosses each
 *  level (NULL: neither is shown). */
int tmap_dot_heading_init(struct tmap_dot_heading *heading, const struct tmap_view *view, int root,
			  const struct tmap_tree *const *tree, const struct tmap_ring *const *ring,
			  int count, const struct tmap_baselines *baselines,
			  struct tmap_error *err);
void tmap_dot_heading_fini(struct tmap_dot_heading *heading);

/** The label of the graph, at its top left. */
void tmap_dot_heading_write(FILE *out, const struct tmap_dot_heading *heading);

/** A width in points that the heading does not exceed in any usual font. */
double tmap_dot_heading_width(const struct tmap_dot_heading *heading);

/** color=..., style=..., penwidth=... of a row of the legend. */
void tmap_dot_write_stroke(FILE *out, const struct tmap_legend_row *row);

#endif
