/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core_wait.h - how long ranks were ready to run while their cores ran something else.
 *
 *     runs      |#####|     |########|   |#####|
 *     waits           |-----|        |---|           of another process: the machine is not quiet
 */
#ifndef TMAP_MPI_RUN_BENCH_CORE_WAIT_H
#define TMAP_MPI_RUN_BENCH_CORE_WAIT_H

#include "mpi_probe/job.h"

struct tmap_core_wait {
	double waited_s; /**< by then, as Linux counts it for the calling thread; negative: not known */
	double at_s;     /**< by MPI_Wtime() */
};

/** From now on, for tmap_core_wait_most() by the same thread. */
struct tmap_core_wait tmap_core_wait_begin(void);

/** Collective: on rank 0, the largest part of the time since then that a rank has waited for its core, and that
 *  rank; 0 where it is not known. */
int tmap_core_wait_most(double *part, int *rank, const struct tmap_core_wait *begin,
			struct tmap_job *job, struct tmap_error *err);

#endif
