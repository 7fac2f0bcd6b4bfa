/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node_lines.h - logs that number the processes of each node from 0 on and do not name the nodes.
 *
 *     process 0 .. process 1 .. process 0 .. process 1        4 ranks, 2 on each of 2 nodes
 *
 * A job of several nodes is understood where the lines of all nodes are the same: nodes have
 * equally many processes, one after the other, and the last one may have fewer. A process without a
 * line is not bound.
 */
#ifndef TMAP_FORMATS_LOGS_NODE_LINES_H
#define TMAP_FORMATS_LOGS_NODE_LINES_H

#include "formats/launchers/common/launcher.h"

/** *ranks = the file's ranks on nodes +n0, +n1, ..., from lines whose ranks are the processes'
 *  numbers on their nodes, with the words of these; "" where a process has no line. Refuses no line
 *  at all, processes that are missing, that have more or fewer lines than there are nodes, or other
 *  words on another node; then *line is the line to blame, or 0. O(lines + ranks) expected. */
int tmap_node_lines_spread(struct tmap_entries *ranks, const struct tmap_entries *lines,
			   const struct tmap_launcher_file *file, int *line,
			   struct tmap_error *err);

#endif
