/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench_grid.h - the neighbors of neighborhood collectives that are measured: one grid or graph for all.
 *
 *     --stencil moore:1 --cart 2x2     ->  the calls of a session, and "neighborhood" of its document
 */
#ifndef TMAP_MPI_RUN_BENCH_BENCH_GRID_H
#define TMAP_MPI_RUN_BENCH_BENCH_GRID_H

#include "mpi_run/bench/session.h"
#include "options/grid.h"

/** Of @p size ranks, where one of the collectives has neighbors; else options of it are refused. Release
 *  with tmap_neighborhood_fini() in any case. */
int tmap_bench_grid_init(struct tmap_neighborhood *neighborhood, const struct tmap_grid_args *args,
			 const struct tmap_bench_what *what, int size, struct tmap_error *err);

/** Collective: what is measured in @p session is on it, if there is one, which stays the caller's. */
int tmap_bench_grid_use(struct tmap_session *session, const struct tmap_neighborhood *neighborhood,
			const struct tmap_grid_args *args, struct tmap_error *err);

#endif
