/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svg_machine.h - the machine with the ranks in their places, as a picture; or twice, as they
 * are and as they could be.
 */
#ifndef TMAP_FORMATS_REPORT_INSPECTION_SVG_MACHINE_H
#define TMAP_FORMATS_REPORT_INSPECTION_SVG_MACHINE_H

#include "core/lint/inspection.h"

#include <stdio.h>

/** More nodes than this are drawn once for all that are alike: of one placement, and of two
 *  side by side, where readers look for every rank while these are few. */
enum {
	TMAP_SVG_MOST_NODES = 8,
	TMAP_SVG_MOST_NODES_COMPARED = 64,
	TMAP_SVG_MOST_RANKS_COMPARED = 1024
};

/** Draw the inspected placement as SVG: ranks coloured by their node, or by their distance from
 *  rank @p from unless that is TMAP_NONE. Refuses (TMAP_INPUT) more than 64 kinds of nodes. */
int tmap_svg_write_machine(FILE *out, const struct tmap_inspection *inspection, int from,
			   struct tmap_error *err);

struct tmap_svg_panel {
	const char *title;
	const struct tmap_inspection *inspection; /**< borrowed */
};

/** Draw two placements of the same ranks on one machine side by side; a rank has the colour of
 *  the node that it has in the first one. @p note is a sentence about both, or "". Refuses the
 *  same. */
int tmap_svg_write_machines(FILE *out, const struct tmap_svg_panel panel[2], const char *note,
			    struct tmap_error *err);

#endif
