/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * splits.c - the node and lane communicators that MPI gives, for test_lanes.sh.
 *
 *     splits K    nodes: by MPI_Comm_split_type; lanes: by the rank in the node's communicator;
 *                 virtual: of the leaders of K groups of neighbours on each node
 *
 * A line a communicator: "nodes 0 4 8", "lanes 0 1 2 3", of ranks in MPI_COMM_WORLD in the order
 * of the communicator.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

/* Rank 0 of the world prints what the first rank of each communicator sends. */
static void print_members(const char *what, MPI_Comm comm)
{
	int rank, size, world_rank, world_size, own = 0;
	int *member, *count = NULL, *displacement = NULL, *all = NULL;

	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &world_size);
	member = calloc((size_t)world_size, sizeof *member);
	if (comm != MPI_COMM_NULL) {
		MPI_Comm_rank(comm, &rank);
		MPI_Comm_size(comm, &size);
		MPI_Gather(&world_rank, 1, MPI_INT, member, 1, MPI_INT, 0, comm);
		own = rank == 0 ? size : 0;
	}
	if (world_rank == 0) {
		count = calloc((size_t)world_size, sizeof *count);
		displacement = calloc((size_t)world_size, sizeof *displacement);
		all = calloc((size_t)world_size * (size_t)world_size, sizeof *all);
	}
	MPI_Gather(&own, 1, MPI_INT, count, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (int r = 0; count && r < world_size; r++)
		displacement[r] = r * world_size;
	MPI_Gatherv(member, own, MPI_INT, all, count, displacement, MPI_INT, 0, MPI_COMM_WORLD);
	for (int r = 0; count && r < world_size; r++) {
		for (int i = 0; i < count[r]; i++)
			printf("%s %d", i ? "" : what, all[displacement[r] + i]);
		if (count[r])
			putchar('\n');
	}
	free(member);
	free(count);
	free(displacement);
	free(all);
}

/* The group of neighbours that number i of n is the first of; MPI_UNDEFINED: it leads none. */
static int leads(int i, int n, int k)
{
	k = k < n ? k : n;
	for (int g = 0; g < k; g++)
		if (n * g / k == i)
			return g;
	return MPI_UNDEFINED;
}

int main(int argc, char **argv)
{
	int rank, size;
	MPI_Comm node, lane, leaders;

	MPI_Init(&argc, &argv);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &rank);
	MPI_Comm_size(node, &size);
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &lane);
	MPI_Comm_split(MPI_COMM_WORLD, leads(rank, size, argc > 1 ? atoi(argv[1]) : 1), 0,
		       &leaders);
	print_members("nodes", node);
	print_members("lanes", lane);
	print_members("virtual", leaders);
	MPI_Finalize();
	return 0;
}
