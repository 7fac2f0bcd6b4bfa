/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_place.h - the placement of the job, at each of its ranks.
 */
#ifndef TMAP_MPI_RUN_BENCH_BENCH_PLACE_H
#define TMAP_MPI_RUN_BENCH_BENCH_PLACE_H

#include "core/machine/placement.h"
#include "mpi_probe/startup.h"

/** Collective: what rank 0 probes with the others, or reads from @p path (NULL: none), which must
 *  be of as many ranks. */
int tmap_bench_place(struct tmap_startup *startup, const char *path,
		     struct tmap_placement *placement, struct tmap_error *err);

#endif
