/*
 * dot_lanes.h - nodes and lanes as a picture: a frame for each node, its ranks below each other,
 * and a line for each lane across the nodes, coloured by the adapter that its ranks drive.
 */
#ifndef TM_DOT_LANES_H
#define TM_DOT_LANES_H

#include "formats/report/lanes/json_lanes.h"

/** Write it as DOT. Of many nodes, and of many ranks on a node, the first ones and the last one
 *  are drawn. O(drawn). */
int tm_dot_write_lanes(FILE *out, const struct tm_lanes_report *report, struct tm_error *err);

#endif
