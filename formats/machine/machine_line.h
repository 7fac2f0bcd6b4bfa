/*
 * machine_line.h - "node:4 package:2 core:8": several equal nodes in one line.
 */
#ifndef TM_MACHINE_LINE_H
#define TM_MACHINE_LINE_H

#include "core/machine/topology.h"

/** *topo = the node that @p line describes, *nodes = how many there are. TM_INPUT messages
 *  show the line with a caret. The grammar and its limits: formats/machine/machine_spec.h. */
int tm_machine_line_parse(struct tm_topology *topo, int *nodes, const char *line,
			  struct tm_error *err);

/** Does @p text look like such a line rather than like a file? */
bool tm_machine_line_is(const char *text);

#endif
