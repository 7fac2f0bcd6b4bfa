/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_drawing.h - the boxes of a machine drawn, with the ranks in colours.
 */
#ifndef TMAP_FORMATS_MACHINE_MACHINE_DRAWING_H
#define TMAP_FORMATS_MACHINE_MACHINE_DRAWING_H

#include "core/lint/inspection.h"
#include "formats/machine/machine_boxes.h"
#include "formats/text/legend.h"

#include <stdio.h>

struct tmap_machine_drawing {
	FILE *out;
	const struct tmap_inspection *it;  /**< borrowed */
	struct tmap_machine_boxes boxes;   /**< laid out */
	const struct tmap_placement *home; /**< a rank has the colour of the node that it has here;
					      borrowed */
	int *color_of_node;                /**< [node_count] of home */
	int from; /**< ranks are coloured by their distance from it; TMAP_NONE: by node */
	struct tmap_legend legend; /**< of these distances */
};

/** Lay out an inspected placement; of more than @p most nodes those that are alike once. @p home
 *  has as many ranks on the same machine. Refuses (TMAP_INPUT) more than 64 kinds of nodes.
 *  Release in any case. */
int tmap_machine_drawing_init(struct tmap_machine_drawing *drawing, FILE *out,
			      const struct tmap_inspection *it, const struct tmap_placement *home,
			      int from, int most, struct tmap_error *err);
void tmap_machine_drawing_fini(struct tmap_machine_drawing *drawing);

/** Width and height of what is drawn. */
double tmap_machine_drawing_width(const struct tmap_machine_drawing *drawing);
double tmap_machine_drawing_height(const struct tmap_machine_drawing *drawing);

/** Draw it into an SVG picture, its corner at (@p x, @p y). */
void tmap_machine_drawing_write(const struct tmap_machine_drawing *drawing, double x, double y);

/** Number of ranks and nodes, and the order; the caller's to free. */
char *tmap_machine_drawing_title(const struct tmap_machine_drawing *drawing,
				 struct tmap_error *err);

#endif
