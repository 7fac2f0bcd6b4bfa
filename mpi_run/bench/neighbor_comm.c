/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/neighbor_comm.h"

#include "mpi_run/bench/virtual_run.h"

int tmap_neighbor_comm_make(MPI_Comm world, const struct tmap_neighborhood *neighborhood,
			    struct tmap_bench_data *data, MPI_Comm *made)
{
	int periods[TMAP_DIMENSIONS_MAX];

	if (neighborhood->stencil == TMAP_STENCIL_CART) {
		for (int i = 0; i < neighborhood->dimensions; i++)
			periods[i] = neighborhood->periodic[i];
		return MPI_Cart_create(world, neighborhood->dimensions, neighborhood->dim, periods,
				       false, made);
	}
	tmap_bench_data_close_ranks(data);
	return MPI_Dist_graph_create_adjacent(
		world, data->sources, data->source, tmap_virtual_no_weights(), data->targets,
		data->target, tmap_virtual_no_weights(), MPI_INFO_NULL, false, made);
}
