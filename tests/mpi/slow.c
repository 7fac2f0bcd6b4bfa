/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow - a preload by which MPI_Bcast of SLOW_BYTES bytes takes SLOW_SECONDS longer on rank
 * SLOW_RANK: each call, or one in SLOW_EVERY. Proves that a slow collective is found, and that a few
 * slow calls are outliers; nothing of topomap is in it.
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
