/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circle.h - places on a circle, and the sectors around them.
 *
 *          . 0 .            element i is at angle i * 360 / count, clockwise from the
 *       3         1         top; the sectors of boxes are nested as the boxes are, and
 *          ' 2 '            labels are in their outer parts
 *
 * Lengths are points; x grows to the right, y upwards, the lower left corner of the whole
 * is (0, 0), as Graphviz has it.
 */
#ifndef TMAP_FORMATS_DRAW_CIRCLE_H
#define TMAP_FORMATS_DRAW_CIRCLE_H

#include "formats/draw/boxes.h"

#include <stdio.h>

/** A stretch of the circle that is in one box. */
struct tmap_arc {
	int depth;      /**< of the box */
	int begin, end; /**< elements [begin, end); end may exceed their number */
	char *label;
};

struct tmap_circle {
	int count;     /**< elements */
	int depth;     /**< levels of boxes */
	double half;   /**< half the width of most elements */
	double radius; /**< of the circle of the elements */
	double outer;  /**< radius of the whole */
	double x, y;   /**< the centre: the outer radius, until the caller moves it */
	double *slot;  /**< [depth]: radial room for the labels of a level */
	int arc_count;
	struct tmap_arc *arc; /**< [arc_count], outer ones first */
	size_t arc_capacity;
};

/** Room for the elements of @p boxes, which are in the circle's order and width[i] points wide:
 *  they do not touch, and neither do the labels. */
int tmap_circle_init(struct tmap_circle *circle, const struct tmap_boxes *boxes,
		     const double *width, struct tmap_error *err);
void tmap_circle_fini(struct tmap_circle *circle);

/** Centre of element @p index. */
void tmap_circle_place(const struct tmap_circle *circle, double index, double *x, double *y);

/** The sectors in the language of the attribute _background, between its quotes. */
void tmap_circle_write_sectors(FILE *out, const struct tmap_circle *circle);

/** Their labels as nodes whose names begin with @p prefix. */
void tmap_circle_write_labels(FILE *out, const struct tmap_circle *circle, const char *prefix);

#endif
