/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostfile_slots.h - the nodes and slots of Open MPI's hostfiles, for mpirun --hostfile.
 *
 *     # host [slots=N]
 *     node01 slots=8
 *     user@node02 slots = 4
 *     node03                   as many slots as it has cores
 *     node04                   two slots: the host is there twice
 *     node04
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_HOSTFILE_SLOTS_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_HOSTFILE_SLOTS_H

#include "core/base/hostlist.h"

/** *hosts (empty or zeroed before) = the hosts of the file @p path ("-": standard input) in its
 *  order, each once; (*slots)[hosts->count], the caller's to free, TMAP_NONE where a host has none.
 *  Refused, as file:line: what is no host, slots that are given twice or are no number, and hosts
 *  that are excluded, relative or limited by max_slots, which are not imitated. O(length)
 *  expected. */
int tmap_openmpi_hostfile_read(struct tmap_hostlist *hosts, int **slots, const char *path,
			       struct tmap_error *err);

/** The same of a text; *line is then the line to blame. */
int tmap_openmpi_hostfile_parse(struct tmap_hostlist *hosts, int **slots, const char *text,
				int *line, struct tmap_error *err);

#endif
