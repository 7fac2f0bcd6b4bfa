/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hwloc.h - one node as hwloc sees it: an XML file, a synthetic line, this machine.
 *
 * Disallowed PUs are part of the topology and marked so. Instruction caches and
 * memory-side caches are left out; so is a level of Groups that only repeats the
 * memory controllers (hwloc makes such Groups to hang memory on). What a board and a
 * memory controller are, core/machine/topology.h says.
 *
 * <hwloc.h> is included in formats/machine/hwloc*.c only.
 */
#ifndef TMAP_FORMATS_MACHINE_HWLOC_H
#define TMAP_FORMATS_MACHINE_HWLOC_H

#include "core/machine/topology.h"

/** The hwloc that the program was built with: "2.9.0". */
const char *tmap_hwloc_version(void);

/** The node that the XML file @p path describes. *host becomes the HostName that it
 *  records, the caller's to free, or NULL; @p host may be NULL. A refusal gives hwloc's
 *  own reason, after the file's name. */
int tmap_hwloc_read_xml(struct tmap_topology *topo, char **host, const char *path,
			struct tmap_error *err);

/** The same with all I/O objects, tmap_topology.io. */
int tmap_hwloc_read_xml_io(struct tmap_topology *topo, char **host, const char *path,
			   struct tmap_error *err);

/** The same from @p length bytes of XML; messages name no file. */
int tmap_hwloc_read_xml_buffer(struct tmap_topology *topo, char **host, const char *xml,
			       size_t length, struct tmap_error *err);

/** The node that hwloc's synthetic @p line describes ("package:2 core:4 pu:1"). The column of a
 *  mistake is its place in @p line, 0 where hwloc does not give one. */
int tmap_hwloc_read_synthetic(struct tmap_topology *topo, const char *line, struct tmap_error *err);

/** This machine, open for questions about the calling thread. HWLOC_XMLFILE and
 *  HWLOC_SYNTHETIC of the environment stand in for it, as in every program with hwloc. */
struct tmap_hwloc;

/** NULL with *err set where hwloc fails. Close with tmap_hwloc_close(), NULL allowed. */
struct tmap_hwloc *tmap_hwloc_open(struct tmap_error *err);
void tmap_hwloc_close(struct tmap_hwloc *hw);

/** Is it the machine that the program runs on (not an XML file from elsewhere)? */
bool tmap_hwloc_is_this_system(const struct tmap_hwloc *hw);

/** The node that @p hw describes; as tmap_hwloc_read_xml(). */
int tmap_hwloc_describe(const struct tmap_hwloc *hw, struct tmap_topology *topo, char **host,
			struct tmap_error *err);

#endif
