/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmpi.h - the rows of Open MPI: rankfiles, and hostfiles of the sequential mapper.
 *
 *     rank 0=a slot=0-3         # mpirun -np 3 --mca rmaps seq --hostfile FILE PROGRAM
 *     rank 1=b slot=0-3,8       node01 0-1
 *                               node02 4
 *                               node01
 *
 * What the numbers of a list count (slot_list.h) depends on options of mpirun. A comment in the
 * file that has such an option is obeyed, and the writers put one there.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_OPENMPI_OPENMPI_H
#define TMAP_FORMATS_LAUNCHERS_OPENMPI_OPENMPI_H

#include "formats/launchers/common/launcher.h"

/** Rankfiles, as Open MPI 4 or, with limits.is_prrte, as Open MPI 5 (PRRTE) reads them: there
 *  numbers are logical whatever comments have, "P" may stand for a package like "S", and "0:0,1"
 *  are two cores. Refuses what Open MPI refuses or silently misreads: rank 0 not first, more
 *  characters of host and list than the limit, a core that does not exist. */
TMAP_LAUNCHER_PARSES(rankfile);
TMAP_LAUNCHER_RESOLVES(rankfile);
int tmap_rankfile_lint(struct tmap_file_findings *findings, const struct tmap_launcher_file *file,
		       struct tmap_machine *machine, struct tmap_error *err);

/** The lists count cores, or hardware threads where some rank has a part of a core. Refused: a host
 *  name that no rankfile can hold, two hosts of one short name, and a host and list that are too
 *  long. */
TMAP_LAUNCHER_WRITES(openmpi4);
TMAP_LAUNCHER_WRITES(openmpi5);
TMAP_LAUNCHER_NOTES(openmpi5);

/** The sequential mapper: line after line, rank after rank. Behind the host is a slot list of
 *  cores; or, if a comment has the option that makes hardware threads cpus, of these by the
 *  operating system's numbers, which Open MPI 4.1 takes here, other than in rankfiles. A rank
 *  without a list is not bound; hosts are written alone if no rank is. */
TMAP_LAUNCHER_PARSES(seq_hostfile);
TMAP_LAUNCHER_RESOLVES(seq_hostfile);
TMAP_LAUNCHER_WRITES(seq_hostfile);
TMAP_LAUNCHER_NOTES(seq_hostfile);

/** --map-by, --rank-by and --bind-to of Open MPI 4.1. */
extern const struct tmap_launcher_policy tmap_openmpi_policy;

/** The same of Open MPI 5, and of prterun itself. */
extern const struct tmap_launcher_policy tmap_openmpi5_policy, tmap_prrte_policy;

extern const struct tmap_fix_words tmap_openmpi4_fixes, tmap_openmpi5_fixes;

#endif
