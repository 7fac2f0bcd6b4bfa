/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of 4 ranks that makes each one-sided call and each neighborhood collective. Rank 0 prints what
 * a record is to have of it, written down by hand:
 *
 *     S FROM TO BYTES CALLS       one-sided, to the target whichever way the bytes go
 *     N FROM TO BYTES BLOCKS      along the edges of neighborhoods
 *
 * With an argument it makes one-sided calls alone: Open MPI 4.1's monitoring fails in the others.
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static char out[4096], in[1 << 16];
static int integer[8];

/* To the next: 40 + 20 + 24 + 32 + 8 + 4 + 8 bytes; what is got and accumulated goes both ways, with MPI_NO_OP
 * one. */
static void call_between_fences(MPI_Win window, int next)
{
	MPI_Win_fence(0, window);
	MPI_Put(out, 10, MPI_INT, next, 0, 10, MPI_INT, window);
	MPI_Put(out, 999, MPI_INT, MPI_PROC_NULL, 0, 999, MPI_INT, window);
	MPI_Win_fence(0, window);
	MPI_Get(out, 20, MPI_BYTE, next, 0, 20, MPI_BYTE, window);
	MPI_Win_fence(0, window);
	MPI_Accumulate(out, 3, MPI_DOUBLE, next, 0, 3, MPI_DOUBLE, MPI_SUM, window);
	MPI_Win_fence(0, window);
	MPI_Get_accumulate(integer, 4, MPI_INT, integer + 4, 4, MPI_INT, next, 0, 4, MPI_INT,
			   MPI_SUM, window);
	MPI_Win_fence(0, window);
	MPI_Fetch_and_op(integer, integer + 1, MPI_INT, next, 0, MPI_SUM, window);
	MPI_Win_fence(0, window);
	MPI_Fetch_and_op(integer, integer + 1, MPI_INT, next, 0, MPI_NO_OP, window);
	MPI_Win_fence(0, window);
	MPI_Compare_and_swap(integer, integer + 1, integer + 2, MPI_INT, next, 0, window);
	MPI_Win_fence(0, window);
}

/* To the next: 5 + 6 + 8 + 4 bytes. */
static void call_with_requests(MPI_Win window, int next)
{
	MPI_Request request;

	MPI_Win_lock_all(0, window);
	MPI_Rput(out, 5, MPI_BYTE, next, 0, 5, MPI_BYTE, window, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Rget(out, 6, MPI_BYTE, next, 0, 6, MPI_BYTE, window, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Raccumulate(integer, 2, MPI_INT, next, 0, 2, MPI_INT, MPI_SUM, window, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Rget_accumulate(integer, 1, MPI_INT, integer + 4, 1, MPI_INT, next, 0, 1, MPI_INT,
			    MPI_NO_OP, window, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_unlock_all(window);
}

/* On ranks in the other order: 100 bytes to the one before; made anew, a window is another one. */
static void call_backwards(void)
{
	MPI_Comm backwards;
	MPI_Win window;
	void *room;
	int me;

	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
	MPI_Comm_rank(backwards, &me);
	for (int turn = 0; turn < 2; turn++) {
		MPI_Win_allocate(4096, 1, MPI_INFO_NULL, backwards, &room, &window);
		MPI_Win_fence(0, window);
		MPI_Put(out, 50, MPI_BYTE, (me + 1) % size, 0, 50, MPI_BYTE, window);
		MPI_Win_fence(0, window);
		MPI_Win_free(&window);
	}
	MPI_Comm_free(&backwards);
}

/* 7 + 8 + 9 + 10 + 4 bytes to the one before, 7 + 8 + 9 + 11 + 8 to the next: blocking, nonblocking, and of
 * MPI-4 kept and started twice. */
static const int counts[2] = { 10, 11 }, from_counts[2] = { 11, 10 }, displs[2] = { 0, 32 };
static const int ints[2] = { 1, 2 }, from_ints[2] = { 2, 1 };
static const MPI_Aint addresses[2] = { 0, 32 };

static void call_neighbors(MPI_Comm ring)
{
	const MPI_Datatype types[2] = { MPI_INT, MPI_INT };
	const int eights[2] = { 8, 8 };
	MPI_Request request[5];

	MPI_Neighbor_allgather(out, 7, MPI_BYTE, in, 7, MPI_BYTE, ring);
	MPI_Neighbor_allgatherv(out, 8, MPI_BYTE, in, eights, displs, MPI_BYTE, ring);
	MPI_Neighbor_alltoall(out, 9, MPI_BYTE, in, 9, MPI_BYTE, ring);
	MPI_Neighbor_alltoallv(out, counts, displs, MPI_BYTE, in, from_counts, displs, MPI_BYTE,
			       ring);
	MPI_Neighbor_alltoallw(out, ints, addresses, types, in, from_ints, addresses, types, ring);

	MPI_Ineighbor_allgather(out, 7, MPI_BYTE, in, 7, MPI_BYTE, ring, &request[0]);
	MPI_Ineighbor_allgatherv(out, 8, MPI_BYTE, in + 1000, eights, displs, MPI_BYTE, ring,
				 &request[1]);
	MPI_Ineighbor_alltoall(out, 9, MPI_BYTE, in + 2000, 9, MPI_BYTE, ring, &request[2]);
	MPI_Ineighbor_alltoallv(out, counts, displs, MPI_BYTE, in + 3000, from_counts, displs,
				MPI_BYTE, ring, &request[3]);
	MPI_Ineighbor_alltoallw(out, ints, addresses, types, in + 4000, from_ints, addresses, types,
				ring, &request[4]);
	MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
#if MPI_VERSION >= 4
	MPI_Neighbor_allgather_init(out, 7, MPI_BYTE, in, 7, MPI_BYTE, ring, MPI_INFO_NULL,
				    &request[0]);
	MPI_Neighbor_allgatherv_init(out, 8, MPI_BYTE, in + 1000, eights, displs, MPI_BYTE, ring,
				     MPI_INFO_NULL, &request[1]);
	MPI_Neighbor_alltoall_init(out, 9, MPI_BYTE, in + 2000, 9, MPI_BYTE, ring, MPI_INFO_NULL,
				   &request[2]);
	MPI_Neighbor_alltoallv_init(out, counts, displs, MPI_BYTE, in + 3000, from_counts, displs,
				    MPI_BYTE, ring, MPI_INFO_NULL, &request[3]);
	MPI_Neighbor_alltoallw_init(out, ints, addresses, types, in + 4000, from_ints, addresses,
				    types, ring, MPI_INFO_NULL, &request[4]);
	for (int turn = 0; turn < 2; turn++) {
		MPI_Start(&request[0]);
		MPI_Startall(4, request + 1);
		MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
	}
	for (int i = 0; i < 5; i++)
		MPI_Request_free(&request[i]);
#endif
}

/* 2 x 2 without wrapping: 100 and 200 bytes down and up in the first dimension, 300 and 400 in the second,
 * where there is somebody. */
static void call_in_a_grid(void)
{
	const int dims[2] = { 2, 2 }, no[2] = { 0, 0 }, at[4] = { 0, 500, 1000, 1500 };
	const int sent[4] = { 100, 200, 300, 400 }, got[4] = { 200, 100, 400, 300 };
	MPI_Comm grid;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, no, 0, &grid);
	MPI_Neighbor_alltoallv(out, sent, at, MPI_BYTE, in, got, at, MPI_BYTE, grid);
	MPI_Comm_free(&grid);
}

/* 1000 bytes to the one after the next, 2000 to both beside. */
static void call_in_graphs(void)
{
	const int other = (rank + 2) % 4, ends[4] = { 2, 4, 6, 8 };
	const int edges[8] = { 1, 3, 2, 0, 3, 1, 0, 2 };
	MPI_Comm graph;

	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	MPI_Neighbor_alltoall(out, 1000, MPI_BYTE, in, 1000, MPI_BYTE, graph);
	MPI_Comm_free(&graph);
	MPI_Graph_create(MPI_COMM_WORLD, 4, ends, edges, 0, &graph);
	MPI_Neighbor_allgather(out, 2000, MPI_BYTE, in, 2000, MPI_BYTE, graph);
	MPI_Comm_free(&graph);
}

static void say_edges(void)
{
	/* nonblocking and blocking ones, the grid and the graphs; kept ones */
	static const struct {
		int from, to, bytes, blocks, kept_bytes, kept_blocks;
	} edge[] = {
		{ 0, 1, 86 + 2000 + 400, 12, 86, 10 }, { 0, 2, 1000 + 200, 2, 0, 0 },
		{ 0, 3, 76 + 2000, 11, 76, 10 },       { 1, 0, 76 + 2000 + 300, 12, 76, 10 },
		{ 1, 2, 86 + 2000, 11, 86, 10 },       { 1, 3, 1000 + 200, 2, 0, 0 },
		{ 2, 0, 1000 + 100, 2, 0, 0 },         { 2, 1, 76 + 2000, 11, 76, 10 },
		{ 2, 3, 86 + 2000 + 400, 12, 86, 10 }, { 3, 0, 86 + 2000, 11, 86, 10 },
		{ 3, 1, 1000 + 100, 2, 0, 0 },         { 3, 2, 76 + 2000 + 300, 12, 76, 10 },
	};

	for (int r = 0; r < 4; r++) {
		printf("S %d %d 159 11\n", r, (r + 1) % 4);
		printf("S %d %d 100 2\n", r, (r + 3) % 4);
	}
	for (int i = 0; i < 12; i++)
		printf("N %d %d %d %d\n", edge[i].from, edge[i].to,
		       edge[i].bytes + (MPI_VERSION >= 4 ? edge[i].kept_bytes : 0),
		       edge[i].blocks + (MPI_VERSION >= 4 ? edge[i].kept_blocks : 0));
}

int main(int argc, char **argv)
{
	const int all = 4, wraps = 1;
	MPI_Win window;
	MPI_Comm ring;
	void *room;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Win_allocate(4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &room, &window);
	call_between_fences(window, (rank + 1) % size);
	call_with_requests(window, (rank + 1) % size);
	MPI_Win_free(&window);
	call_backwards();
	if (argc == 1) {
		MPI_Cart_create(MPI_COMM_WORLD, 1, &all, &wraps, 0, &ring);
		call_neighbors(ring);
		MPI_Comm_free(&ring);
		call_in_a_grid();
		call_in_graphs();
	}
	if (rank == 0)
		say_edges();
	MPI_Finalize();
	return 0;
}
