/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rank_forms.h - the programs whose lines for ranks are known, for rank_lines.h.
 */
#ifndef TMAP_FORMATS_LOGS_RANK_FORMS_H
#define TMAP_FORMATS_LOGS_RANK_FORMS_H

#include "formats/logs/rank_lines.h"

/** The table that Intel MPI prints from I_MPI_DEBUG=4 on. */
extern const struct tmap_rank_lines tmap_intel_debug_lines;
/** What xthi and programs made from it print. */
extern const struct tmap_rank_lines tmap_xthi_lines;
/** hello_jobstep and hello_mpi_omp. */
extern const struct tmap_rank_lines tmap_hello_jobstep_lines;
/** Cray MPICH's MPICH_CPUMASK_DISPLAY. */
extern const struct tmap_rank_lines tmap_cpumask_display_lines;
/** mpibind's mapping, as srun --mpibind=v and flux run -o mpibind=verbose:1 print it. */
extern const struct tmap_rank_lines tmap_mpibind_lines;
/** MVAPICH2's MV2_SHOW_CPU_BINDING. */
extern const struct tmap_rank_lines tmap_mvapich2_lines;
/** taskset -cp of each rank. */
extern const struct tmap_rank_lines tmap_taskset_lines;

#endif
