/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_files.h - rank 0's files: the placement that it reads, and the record that it writes. Their
 * names count from the folder that the program had at MPI_Init.
 */
#ifndef TMAP_MPI_RUN_RECORD_RECORD_FILES_H
#define TMAP_MPI_RUN_RECORD_RECORD_FILES_H

#include "core/record/record.h"
#include "mpi_probe/startup.h"

/** What TOPOMAP_PLACEMENT names, which is to have @p size ranks. */
int tmap_record_read_placement(struct tmap_placement *p, const char *name, int size,
			       struct tmap_error *err);

/** The record, but for its program, MPI and date, which it gets here: into the file of TOPOMAP_RECORD, or
 *  one with the number of the job, where a launcher or batch system gave one. */
int tmap_record_write_file(struct tmap_record *record, struct tmap_startup *startup,
			   struct tmap_error *err);

#endif
