/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_spec.h - the MACHINE operands: the nodes of a job that runs nowhere yet.
 *
 *     4*node.xml                                       four nodes as hwloc's file says
 *     "node:4 package:2 numa:2 l3:1 core:4 pu:1"       four nodes of one line
 *
 * A line begins with node:N; what follows is hwloc's synthetic grammar, except that
 * "board" is a Group, " pu:1" is appended where it does not end with PUs, and "node"
 * (for hwloc a NUMA node) is refused anywhere else. Mistakes get a caret.
 *
 * Nodes are called n0, n1, ... across all operands; a file that stands for one node
 * gives it the HostName that it records, unless another node has it already.
 */
#ifndef TMAP_FORMATS_MACHINE_MACHINE_SPEC_H
#define TMAP_FORMATS_MACHINE_MACHINE_SPEC_H

#include "core/base/hostlist.h"
#include "core/machine/machine.h"

/** Limits, each refused with a sentence: nodes of a job (as many names as a document may have), PUs of a node,
 *  and objects of one level under one of the level above (hwloc takes quadratic time over them). */
#define TMAP_MOST_NODES TMAP_HOSTLIST_MOST
#define TMAP_MOST_PUS 16384
#define TMAP_MOST_SIBLINGS 4096
/** Linux numbers no more (CONFIG_NODES_SHIFT). */
#define TMAP_MOST_NUMAS 1024
/** PUs x objects side by side: hwloc compares each PU with the objects of a level, some seconds at
 *  this many. */
#define TMAP_MOST_COMPARISONS 16777216

/** The machine of @p count operands, or NULL with *err set; release with tmap_machine_free().
 *  Equal nodes are described once. O(N log N) over N nodes, beside the reading. */
struct tmap_machine *tmap_machine_read_specs(const char *const *spec, size_t count,
					     struct tmap_error *err);

/** The same with all I/O objects (tmap_topology.io), for launchers that bind to devices
 *  (tmap_launcher.wants_io). */
struct tmap_machine *tmap_machine_read_specs_io(const char *const *spec, size_t count,
						struct tmap_error *err);

#endif
