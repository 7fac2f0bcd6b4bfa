/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_line.h - "node:4 package:2 core:8": several equal nodes in one line.
 */
#ifndef TMAP_FORMATS_MACHINE_MACHINE_LINE_H
#define TMAP_FORMATS_MACHINE_MACHINE_LINE_H

#include "core/machine/topology.h"

/** *topo = the node that @p line describes, *nodes = how many there are. TMAP_INPUT messages
 *  show the line with a caret. The grammar and its limits: formats/machine/machine_spec.h. */
int tmap_machine_line_parse(struct tmap_topology *topo, int *nodes, const char *line,
			    struct tmap_error *err);

/** Does @p text look like such a line rather than like a file? */
bool tmap_machine_line_is(const char *text);

#endif
