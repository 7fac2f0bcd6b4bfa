/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_neighbor - a preload by which one call takes a fifth of a second longer on rank SLOW_RANK.
 * SLOW_CALL is neighbor_allgather (MPI_Neighbor_allgather), cart (that on a communicator of
 * MPI_Cart_create), cart_create, or flipped: not slow, but MPI_Neighbor_allgather brings a wrong byte,
 * or swapped: MPI_Dist_graph_neighbors names the first two sources in the other order.
 * Proves that what is injected is found, and where; nothing of topomap is in it.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is_chosen(const char *call)
{
	const char *slow = getenv("SLOW_CALL"), *chosen = getenv("SLOW_RANK");
	int rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return slow && chosen && atoi(chosen) == rank && strcmp(slow, call) == 0;
}

static void wait_if(const char *call)
{
	double end = MPI_Wtime() + 0.2;

	while (is_chosen(call) && MPI_Wtime() < end)
		;
}

static void wait_on(MPI_Comm comm)
{
	int kind;

	PMPI_Topo_test(comm, &kind);
	if (kind == MPI_CART)
		wait_if("cart");
}

int MPI_Neighbor_allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
			   int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
	int code, size;

	wait_if("neighbor_allgather");
	wait_on(comm);
	code = PMPI_Neighbor_allgather(send, send_count, send_type, recv, recv_count, recv_type,
				       comm);
	PMPI_Type_size(recv_type, &size);
	if (is_chosen("flipped") && recv_count * size > 0)
		*(unsigned char *)recv ^= 1;
	return code;
}

int MPI_Cart_create(MPI_Comm from, int dimensions, const int *dim, const int *period, int reorder,
		    MPI_Comm *made)
{
	wait_if("cart_create");
	return PMPI_Cart_create(from, dimensions, dim, period, reorder, made);
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int sources, int source[], int source_weight[],
			     int targets, int target[], int target_weight[])
{
	int code = PMPI_Dist_graph_neighbors(comm, sources, source, source_weight, targets, target,
					     target_weight);

	if (is_chosen("swapped") && sources > 1) {
		int first = source[0];

		source[0] = source[1];
		source[1] = first;
	}
	return code;
}
