/*
 * hwloc.h - one node as hwloc sees it: an XML file, a synthetic line, this machine.
 *
 * Disallowed PUs are part of the topology and marked so. Instruction caches and
 * memory-side caches are left out; so is a level of Groups that only repeats the
 * memory controllers (hwloc makes such Groups to hang memory on). What a board and a
 * memory controller are, core/machine/topology.h says.
 *
 * The only place where <hwloc.h> is included is formats/machine/hwloc.c.
 */
#ifndef TM_FORMATS_HWLOC_H
#define TM_FORMATS_HWLOC_H

#include "core/machine/topology.h"

/** The hwloc that the program was built with: "2.9.0". */
const char *tm_hwloc_version(void);

/** The node that the XML file @p path describes. *host becomes the HostName that it
 *  records, the caller's to free, or NULL; @p host may be NULL. A refusal gives hwloc's
 *  own reason, after the file's name. */
int tm_hwloc_read_xml(struct tm_topology *topo, char **host, const char *path,
		      struct tm_error *err);

/** The same from @p length bytes of XML; messages name no file. */
int tm_hwloc_read_xml_buffer(struct tm_topology *topo, char **host, const char *xml, size_t length,
			     struct tm_error *err);

/** The node that hwloc's synthetic @p line describes ("package:2 core:4 pu:1"). *where becomes
 *  the place of the mistake in @p line, NULL where hwloc does not tell; @p where may be NULL. */
int tm_hwloc_read_synthetic(struct tm_topology *topo, const char *line, const char **where,
			    struct tm_error *err);

/** This machine, open for questions about the calling thread. HWLOC_XMLFILE and
 *  HWLOC_SYNTHETIC of the environment stand in for it, as in every program with hwloc. */
struct tm_hwloc;

/** NULL with *err set where hwloc fails. Close with tm_hwloc_close(), NULL allowed. */
struct tm_hwloc *tm_hwloc_open(struct tm_error *err);
void tm_hwloc_close(struct tm_hwloc *hw);

/** Is it the machine that the program runs on (not an XML file from elsewhere)? */
bool tm_hwloc_is_this_system(const struct tm_hwloc *hw);

/** The node that @p hw describes; as tm_hwloc_read_xml(). */
int tm_hwloc_describe(const struct tm_hwloc *hw, struct tm_topology *topo, char **host,
		      struct tm_error *err);

/** OS indexes, ascending, of the PUs that the calling thread may run on: all that are allowed
 *  where it is not bound, or where the machine is imitated and nothing can be asked. Returns
 *  their number, or -1 with *err set; *os is the caller's to free. */
int tm_hwloc_get_binding(const struct tm_hwloc *hw, int **os, struct tm_error *err);

/** The same of the NUMA nodes that the calling thread's memory policy allows; 0 where the
 *  system does not tell. */
int tm_hwloc_get_memory_binding(const struct tm_hwloc *hw, int **os, struct tm_error *err);

/** OS index of the PU that the calling thread last ran on, or TM_NONE. */
int tm_hwloc_get_last_pu(const struct tm_hwloc *hw);

#endif
