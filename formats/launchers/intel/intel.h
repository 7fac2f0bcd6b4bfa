/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intel.h - the row of Intel MPI: a machinefile.
 *
 *     # mpirun -machinefile FILE -genv I_MPI_PIN_PROCESSOR_LIST 0,4 -n 4 PROGRAM
 *     node01:2
 *     node02:2
 *
 * Ranks fill the lines in order. They are pinned as a comment has it, by I_MPI_PIN_PROCESSOR_LIST,
 * I_MPI_PIN_DOMAIN with masks, or I_MPI_PIN off; else each goes to the next core.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_INTEL_INTEL_H
#define TMAP_FORMATS_LAUNCHERS_INTEL_INTEL_H

#include "formats/launchers/common/launcher.h"

TMAP_LAUNCHER_PARSES(intel);
/** Hosts with their numbers of ranks; one list of processors for all nodes. */
TMAP_LAUNCHER_WRITES(intel);

/** mpirun and I_MPI_PIN... (core/place/intel.h): --slots is its -ppn, --env its variables. */
extern const struct tmap_launcher_policy tmap_intel_policy;

extern const struct tmap_fix_words tmap_intel_fixes;

#endif
