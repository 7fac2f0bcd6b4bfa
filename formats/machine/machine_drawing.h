/*
 * machine_drawing.h - the boxes of a machine drawn, with the ranks in colours.
 */
#ifndef TM_MACHINE_DRAWING_H
#define TM_MACHINE_DRAWING_H

#include "core/lint/inspection.h"
#include "formats/draw/legend.h"
#include "formats/machine/machine_boxes.h"

#include <stdio.h>

struct tm_machine_drawing {
	FILE *out;
	const struct tm_inspection *it;  /**< borrowed */
	struct tm_machine_boxes boxes;   /**< laid out */
	const struct tm_placement *home; /**< a rank has the colour of the node that it has here;
					      borrowed */
	int *color_of_node;  /**< [node_count] of home */
	int from;            /**< ranks are coloured by their distance from it; TM_NONE: by node */
	struct tm_legend legend; /**< of these distances */
};

/** Lay out an inspected placement; of more than @p most nodes those that are alike once. @p home
 *  has as many ranks on the same machine. Refuses (TM_INPUT) more than 64 kinds of nodes.
 *  Release in any case. */
int tm_machine_drawing_init(struct tm_machine_drawing *drawing, FILE *out,
			    const struct tm_inspection *it, const struct tm_placement *home,
			    int from, int most, struct tm_error *err);
void tm_machine_drawing_fini(struct tm_machine_drawing *drawing);

/** Width and height of what is drawn. */
double tm_machine_drawing_width(const struct tm_machine_drawing *drawing);
double tm_machine_drawing_height(const struct tm_machine_drawing *drawing);

/** Draw it into an SVG picture, its corner at (@p x, @p y). */
void tm_machine_drawing_write(const struct tm_machine_drawing *drawing, double x, double y);

/** Number of ranks and nodes, and the order; the caller's to free. */
char *tm_machine_drawing_title(const struct tm_machine_drawing *drawing, struct tm_error *err);

#endif
