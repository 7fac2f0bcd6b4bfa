/*
 * machinefile.h - the file that Intel MPI's mpirun -machinefile reads, as a placement.
 *
 *     # mpirun -machinefile FILE -genv I_MPI_PIN_PROCESSOR_LIST 0,4 -n 4 PROGRAM
 *     node01:2
 *     node02:2
 *
 * Ranks fill the lines in order. They are pinned as a comment says, by I_MPI_PIN_PROCESSOR_LIST,
 * I_MPI_PIN_DOMAIN with masks, or I_MPI_PIN off; else each goes to the next core.
 */
#ifndef TMAP_FORMATS_LAUNCHERS_HYDRA_MACHINEFILE_H
#define TMAP_FORMATS_LAUNCHERS_HYDRA_MACHINEFILE_H

#include "core/machine/placement.h"

/** *p = the first @p ranks ranks (TMAP_NONE: all) of the file @p path ("-": standard input). The
 *  nodes take the file's names if they have other ones (hosts.h). Refuses, as file:line, malformed
 *  lines, unknown hosts and PUs. O(length + ranks). */
int tmap_machinefile_read(struct tmap_placement *p, struct tmap_machine *machine, const char *path,
			  int ranks, struct tmap_error *err);

#endif
