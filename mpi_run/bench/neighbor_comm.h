/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor_comm.h - a communicator on which the library's neighborhood collectives have given neighbors.
 *
 *     stencil cart    MPI_Cart_create: a block for each direction, also beyond a border
 *     any other       MPI_Dist_graph_create_adjacent: blocks of the ranks that there are
 */
#ifndef TMAP_MPI_RUN_BENCH_NEIGHBOR_COMM_H
#define TMAP_MPI_RUN_BENCH_NEIGHBOR_COMM_H

#include "core/schedule/neighborhood.h"
#include "mpi_run/bench/bench_data.h"

#include <mpi.h>

/** Collective over @p world, whose ranks keep their numbers; *data gets the blocks that this communicator
 *  has. MPI's codes. */
int tmap_neighbor_comm_make(MPI_Comm world, const struct tmap_neighborhood *neighborhood,
			    struct tmap_bench_data *data, MPI_Comm *made);

#endif
