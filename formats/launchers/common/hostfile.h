/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostfile.h - lines of hosts and processes, which the mpiexec of MPICH and of Intel MPI read.
 *
 *     # host[:processes] [binding=SPEC] [user=NAME]
 *     node01:4 binding=user:0,2+3,4-7x2      ranks 0 to 3: PUs 0; 2 and 3; 4 to 7; 4 to 7
 *     node02:2 binding=core                  ranks 4 and 5, as -bind-to core has them
 *     node03                                 rank 6 on the first core
 *
 * As Hydra 4.0 has it, lines of one host that follow each other are one node, whose binding=
 * may stand in any of them, but once; where the host comes back after others, its processes
 * are counted anew. Processes beyond the list of "user:" are not bound. What mpiexec would leave
 * to its options, a line without binding=, goes to the next core of the host.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_COMMON_HOSTFILE_H
#define TMAP_FORMATS_LAUNCHERS_COMMON_HOSTFILE_H

#include "formats/launchers/common/entries.h"

/** The first @p ranks ranks (TMAP_NONE: all) of the text in order, with words for
 *  tmap_hostfile_resolve(): "0+2-3" are PUs, "" is not bound, "numa:2@4" is process 4 under that
 *  -bind-to. Refuses malformed lines, unknown bindings, and more ranks than the file has,
 *  or processes than @p most; *line is
 *  then the line to blame, or 0. O(length + ranks). */
int tmap_hostfile_parse(struct tmap_entries *entries, const char *text, int ranks, int most,
			int *line, struct tmap_error *err);

/** tmap_entries_resolve for these words, as Hydra has them from 4.1 on, and as 4.0 has. */
int tmap_hostfile_resolve(struct tmap_idset *pus, const char *words,
			  const struct tmap_topology *topo, const void *context,
			  struct tmap_error *err);
int tmap_hostfile40_resolve(struct tmap_idset *pus, const char *words,
			    const struct tmap_topology *topo, const void *context,
			    struct tmap_error *err);

#endif
