/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_boxes.h - a machine as boxes inside boxes, with the ranks in their places: which
 * boxes there are, what their labels are, and where they lie.
 *
 *     +- n0 ---------------------------+
 *     | +- package 0 NUMA 0 L3 32 MiB -+|     objects over the same PUs are one box
 *     | | [core 0: 4]  [core 1: 5]     ||     cells hold the ranks bound to them
 *     | +------------------------------+|
 *     +--------------------------------+
 *
 * A rank is shown once in the box of the object it is bound to, or in the cell of each PU if
 * these make up no object. Nodes on which the same places are taken may be drawn once.
 */
#ifndef TMAP_FORMATS_MACHINE_MACHINE_BOXES_H
#define TMAP_FORMATS_MACHINE_MACHINE_BOXES_H

#include "core/machine/levels.h"
#include "core/machine/node_fold.h"

struct tmap_machine_box {
	int parent, first, next; /**< boxes, or TMAP_NONE */
	int node;                /**< that it lies in; TMAP_NONE: a switch, or all */
	int object; /**< the outermost that it stands for; TMAP_NONE: a switch, or all */
	int pu;     /**< of a cell; else TMAP_NONE */
	char *label;
	int *rank; /**< [ranks]: in the order of their numbers */
	int ranks;
	size_t rank_capacity;
	int *device; /**< [devices]: what hangs on its objects */
	int devices;
	size_t device_capacity;
	bool core;                  /**< it stands for a core */
	int columns;                /**< that its children stand in */
	double top;                 /**< height of what stands above them */
	double x, y, width, height; /**< these and the two above: set by laying out */
};

struct tmap_machine_boxes {
	const struct tmap_placement *placement; /**< borrowed */
	int count;
	struct tmap_machine_box *box; /**< [count]; box 0 holds all; a parent before its children */
	size_t capacity;
	int *last; /**< [count]: last child so far */
	size_t last_capacity;
};

/** The boxes of the nodes that hold ranks, under their switches. With @p fold, nodes that are
 *  alike are one box, that of the first. O(boxes + ranks shown x PUs). */
int tmap_machine_boxes_init(struct tmap_machine_boxes *boxes,
			    const struct tmap_placement *placement,
			    const struct tmap_node_fold *fold, const struct tmap_levels *levels,
			    bool folded, struct tmap_error *err);
void tmap_machine_boxes_fini(struct tmap_machine_boxes *boxes);

/** Sizes of words and spaces, in pixels. */
enum {
	TMAP_BOX_TEXT = 10, /* size of a label's letters */
	TMAP_BOX_HEAD = 16, /* height of the line with the label */
	TMAP_BOX_CHIP = 16, /* height of a line of ranks and devices */
	TMAP_BOX_PAD = 5,
	TMAP_BOX_CELL = 26,  /* height of a cell */
	TMAP_BOX_CHIPS = 16, /* more ranks than this are one chip */
};

/** Where everything lies: box 0 at (0, 0), children in equal places of a grid inside their
 *  parents, so that the whole is about half as wide again as high. O(boxes x children). */
void tmap_machine_boxes_lay_out(struct tmap_machine_boxes *boxes);

/** What a box says of its ranks in one word: "5", "3,7", "12 ranks". The text is cut to
 *  @p room. */
void tmap_machine_box_label(const struct tmap_machine_box *box, char *text, size_t room);

/** Is the box so small (a core with one rank) that the rank stands beside its label? */
bool tmap_machine_box_is_tagged(const struct tmap_machine_box *box);

/** Width of a chip with this text. */
double tmap_machine_box_chip_width(const char *text);

#endif
