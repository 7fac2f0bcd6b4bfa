/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slurm.h - the row of Slurm: the file that SLURM_HOSTFILE names for srun -m arbitrary.
 *
 *     # srun -n 4 --distribution=arbitrary --cpu-bind=map_cpu:0,4 PROGRAM
 *     node03*2,node01      # ranks 0 and 1, then 2
 *     node02
 *
 * Entry i is the node of rank i; "*2" repeats it. Slurm does not expand bracket ranges here.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_SLURM_SLURM_H
#define TMAP_FORMATS_LAUNCHERS_SLURM_SLURM_H

#include "formats/launchers/common/launcher.h"

/** Tasks are bound as a comment has it: --cpu-bind=map_cpu:..., mask_cpu:..., or a script beside
 *  the file (slurm_script.h); else each to the next core. */
TMAP_LAUNCHER_PARSES(slurm);

/** A SLURM_HOSTFILE; where one list of CPUs cannot serve all nodes a script beside it. */
TMAP_LAUNCHER_WRITES(slurm);
TMAP_LAUNCHER_NOTES(slurm);
int tmap_slurm_count_files(const struct tmap_launch *job);

/** --distribution, --cpu-bind and --cpus-per-task of srun, of 22.05 and from 23.11 on. */
extern const struct tmap_launcher_policy tmap_slurm_policy, tmap_slurm_23_11_policy;

extern const struct tmap_fix_words tmap_slurm_fixes;

#endif
