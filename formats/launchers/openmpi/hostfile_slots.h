/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostfile_slots.h - the nodes and slots of Open MPI's hostfiles, for mpirun --hostfile.
 *
 *     # host [slots=N] [max_slots=M]
 *     node01 slots=8
 *     user@node02 slots = 4 max-slots=8
 *     node03                   as many slots as it has cores
 *     node04                   two slots: the host is there twice
 *     node04
 *     node05 max_slots=4       four slots
 *
 * Where MPICH's form is asked for, "node01:8" has the slots, and nothing but user=NAME may follow.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_HOSTFILE_SLOTS_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_HOSTFILE_SLOTS_H

#include "core/base/hostlist.h"

#include <stdbool.h>

struct tmap_openmpi_hostfile {
	struct tmap_hostlist hosts; /**< in the order of the file, each once */
	int *slots;                 /**< [hosts.count] TMAP_NONE where a host has none */
	int *most;                  /**< [hosts.count] max_slots, TMAP_NONE where a host has none */
	bool gives_slots;           /**< some host has either */
};

void tmap_openmpi_hostfile_fini(struct tmap_openmpi_hostfile *file);

/** Read the file @p path ("-": standard input); with @p colons, HOST:N has N slots, as mpiexec of
 *  MPICH reads it. Refused, as file:line: what is no host, HOST:N without @p colons, slots that are
 *  given twice or are no number, max_slots that are fewer than the slots before them, and hosts that
 *  are excluded or relative, which are not imitated. O(length) expected. */
int tmap_openmpi_hostfile_read(struct tmap_openmpi_hostfile *file, const char *path, bool colons,
			       struct tmap_error *err);

/** The same of a text; *line is then the line to blame. */
int tmap_openmpi_hostfile_parse(struct tmap_openmpi_hostfile *file, const char *text, bool colons,
				int *line, struct tmap_error *err);

#endif
