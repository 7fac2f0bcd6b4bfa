/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow - a preload by which MPI_Bcast of SLOW_BYTES bytes takes SLOW_SECONDS longer on rank
 * SLOW_RANK: each call, or one in SLOW_EVERY; with SLOW_PROBES one in so many of its MPI_Iprobe
 * takes 2 ms. Proves that a slow collective is found, that a few slow calls are outliers, and that
 * who waits too long is late; nothing of topomap is in it.
 */
#include <mpi.h>
#include <stdlib.h>

static double number_of(const char *name, double otherwise)
{
	const char *text = getenv(name);

	return text ? atof(text) : otherwise;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	static int calls;
	int rank, size;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Type_size(type, &size);
	if (rank == (int)number_of("SLOW_RANK", -1) &&
	    count * size == (int)number_of("SLOW_BYTES", -1) &&
	    ++calls % (int)number_of("SLOW_EVERY", 1) == 0) {
		double end = MPI_Wtime() + number_of("SLOW_SECONDS", 0);

		while (MPI_Wtime() < end)
			;
	}
	return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
	static int calls;
	int rank, every = (int)number_of("SLOW_PROBES", 0);

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (every && rank == (int)number_of("SLOW_RANK", -1) && ++calls % every == 0) {
		double end = MPI_Wtime() + 0.002;

		while (MPI_Wtime() < end)
			;
	}
	return PMPI_Iprobe(source, tag, comm, flag, status);
}
