/*
 * dot_heading.h - what stands above a picture: its title, the figures of what it shows, and
 * the legend, in which each stroke is drawn as the edges are.
 *
 *     Distance-aware broadcast tree
 *     32 ranks on 4 nodes, root 0
 *     distance_tree: weight 57, depth 3, fan-out 7
 *     binomial_near: weight 186, depth 5, fan-out 5
 *               distance  distance_tree  binomial_near  meaning
 *     ------           1             24              3  a shared cache or core
 */
#ifndef TM_DOT_HEADING_H
#define TM_DOT_HEADING_H

#include "core/score/baseline.h"
#include "formats/draw/legend.h"

#include <stdio.h>

/** At most two things are drawn beside each other. */
enum { TM_DOT_SUBJECTS = 2 };

struct tm_dot_heading {
	const struct tm_view *view; /**< borrowed */
	const char *note;    /**< borrowed; NULL: none */
	char *where;         /**< "32 ranks on 4 nodes, root 0" */
	int count;           /**< subjects */
	char *name[TM_DOT_SUBJECTS];    /**< where there are several */
	char *figures[TM_DOT_SUBJECTS]; /**< "weight 57, depth 3, fan-out 7" */
	int edge_count[TM_DOT_SUBJECTS];
	struct tm_edge_count *edges[TM_DOT_SUBJECTS];
	struct tm_legend legend;
};

/** A heading without subjects; @p root TM_NONE: there is none. */
int tm_dot_heading_init(struct tm_dot_heading *heading, const struct tm_view *view, int root,
			const char *note, struct tm_error *err);

/** Add a tree or a ring, the other NULL. @p row says what it is called and what crosses each
 *  level (NULL: nothing is said of that). */
int tm_dot_heading_add(struct tm_dot_heading *heading, const struct tm_tree *tree,
		       const struct tm_ring *ring, const struct tm_contestant *row,
		       const struct tm_load *load, struct tm_error *err);
void tm_dot_heading_fini(struct tm_dot_heading *heading);

/** The legend of all subjects, once they are added. */
int tm_dot_heading_finish(struct tm_dot_heading *heading, struct tm_error *err);

/** The label of the graph, at its top left. */
void tm_dot_heading_write(FILE *out, const struct tm_dot_heading *heading);

/** A width in points that the heading does not exceed in any usual font. */
double tm_dot_heading_width(const struct tm_dot_heading *heading);

/** color=..., style=..., penwidth=... of a row of the legend. */
void tm_dot_write_stroke(FILE *out, const struct tm_legend_row *row);

#endif
