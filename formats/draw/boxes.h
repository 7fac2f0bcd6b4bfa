/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * boxes.h - which frames to draw around ranks: switches, nodes, boards, packages and
 * memory controllers, one inside the other.
 *
 * Only levels that separate the drawn ranks are kept: not those that have
 * all of them in one object, nor those that divide them as the level above does; inside
 * nodes, not those at which everybody is alone either. A rank that sits above a level
 * (it is bound to more than one of its objects) is in no box of that level, and neither
 * is a rank of a node without such objects, nor an element that stands for ranks in
 * several of them.
 */
#ifndef TMAP_FORMATS_DRAW_BOXES_H
#define TMAP_FORMATS_DRAW_BOXES_H

#include "core/base/string.h"
#include "core/machine/levels.h"
#include "core/machine/placement.h"

/** What is drawn as one thing: a rank, or several that are folded into one. */
struct tmap_element {
	const int *rank; /**< [count], borrowed */
	int count;       /**< at least 1 */
};

struct tmap_boxes {
	const struct tmap_placement *placement; /**< borrowed */
	const struct tmap_element *element;     /**< [count], borrowed */
	int count;
	struct tmap_levels levels;
	int depth;    /**< kept levels */
	int *kept;    /**< [depth]: indexes of levels, outermost first */
	int **number; /**< [depth][count]: an element's box at a level, or TMAP_NONE */
	int *order;   /**< [count]: elements box by box; those in no box first */
};

/** The boxes of @p count >= 1 elements. O(levels x (ranks + N + objects)). */
int tmap_boxes_init(struct tmap_boxes *boxes, const struct tmap_placement *placement,
		    const struct tmap_element *element, int count, struct tmap_error *err);
void tmap_boxes_fini(struct tmap_boxes *boxes);

/** The first depth at which two elements are not in the same box (or one of them in none);
 *  boxes->depth if there is none. O(depth). */
int tmap_boxes_parting(const struct tmap_boxes *boxes, int a, int b);

/** Is there a box at @p depth, 0 .. boxes->depth - 1, that holds both elements? O(depth). */
bool tmap_boxes_is_same(const struct tmap_boxes *boxes, int depth, int a, int b);

/** Append what is written at an element's box: "n3", "package 1", a switch's name. */
void tmap_boxes_add_label(struct tmap_str *str, const struct tmap_boxes *boxes, int depth,
			  int element);

#endif
