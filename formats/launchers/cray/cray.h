/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cray.h - the row of Cray MPICH: an MPICH_RANK_ORDER file.
 *
 *     # slot after slot and node after node: the rank that takes it
 *     0,1,2,3,32,33
 *     4-7,16
 *
 * The k-th rank takes the k-th slot (core/place/permute.h): the file goes from slots to ranks, a
 * rankfile from ranks to slots.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_CRAY_CRAY_H
#define TMAP_FORMATS_LAUNCHERS_CRAY_CRAY_H

#include "formats/launchers/common/launcher.h"

int tmap_cray_parse_list(struct tmap_rank_list *list, const struct tmap_launcher_file *file,
			 int *line, struct tmap_error *err);
TMAP_LAUNCHER_WRITES(cray);
TMAP_LAUNCHER_NOTES(cray);

/** PALS's mpiexec and Cray MPICH (core/place/cray.h): --slots is its --ppn, --cpus-per-task its
 *  --depth. */
extern const struct tmap_launcher_policy tmap_cray_policy;

/** What lint advises, in the words of PALS's mpiexec and of Cray MPICH's environment. */
extern const struct tmap_fix_words tmap_cray_fixes;

#endif
