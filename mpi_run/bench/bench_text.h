/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_text.h - a text that rank 0 has, for all ranks: a file may be there on its node alone.
 */
#ifndef TMAP_MPI_RUN_BENCH_BENCH_TEXT_H
#define TMAP_MPI_RUN_BENCH_BENCH_TEXT_H

#include "mpi_probe/job.h"

#include <stddef.h>

/** Collective: *text of rank 0, of *length bytes, on all, terminated; everybody's to free. */
int tmap_bench_text_spread(struct tmap_job *job, char **text, size_t *length,
			   struct tmap_error *err);

#endif
