/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dot_lanes.h - nodes and lanes as a picture: a frame for each node, its ranks below each other,
 * and a line for each lane across the nodes, coloured by the adapter that its ranks drive.
 */
#ifndef TMAP_FORMATS_REPORT_LANES_DOT_LANES_H
#define TMAP_FORMATS_REPORT_LANES_DOT_LANES_H

#include "formats/report/lanes/lanes_report.h"

/** Write it as DOT. Of many nodes, and of many ranks on a node, the first ones and the last one
 *  are drawn. O(drawn). */
int tmap_dot_write_lanes(FILE *out, const struct tmap_lanes_report *report, struct tmap_error *err);

#endif
