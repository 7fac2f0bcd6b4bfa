/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sequence.h - the list of hosts that Open MPI 5's --map-by seq goes through, line after line.
 *
 *     node01 0-3       rank 0; cpus are read and not used
 *     # a comment begins in the first column
 *     node02
 *     node01           rank 2
 *
 * PRRTE reads it with less care than hostfiles, though --hostfile gives such a list too: a blank
 * ends the host, so a tab does not, and one at the beginning leaves no host; and of the last line it cuts
 * the last character, which should be the end of the line. These are refused with the reason, as
 * mpirun does without.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_SEQUENCE_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_SEQUENCE_H

#include "core/base/hostlist.h"

/** *hosts (empty or zeroed before) = those of the lines in their order; a last line that is cut and to
 *  which none of @p ranks comes (TMAP_NONE: as many as lines) is left out. On failure *line is the
 *  one to blame, or 0. O(length). */
int tmap_openmpi_sequence_parse(struct tmap_hostlist *hosts, const char *text, int ranks, int *line,
				struct tmap_error *err);

/** The same of the file @p path, which must not be standard input. */
int tmap_openmpi_sequence_read(struct tmap_hostlist *hosts, const char *path, int ranks,
			       struct tmap_error *err);

#endif
