/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal - a preload by which rank SIGNAL_RANK, in its call number SIGNAL_CALL of MPI_Bcast of
 * SIGNAL_BYTES bytes, sends signal SIGNAL_NUMBER to itself, or, where SIGNAL_TO is there, to process
 * LAUNCHER; and never comes back from that call where SIGNAL_STAYS is. Nothing of topomap is in it.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int number_of(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : -1;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	static int calls;
	int rank, size;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Type_size(type, &size);
	if (rank == number_of("SIGNAL_RANK") && count * size == number_of("SIGNAL_BYTES") &&
	    ++calls == number_of("SIGNAL_CALL")) {
		if (getenv("SIGNAL_TO"))
			kill(number_of("LAUNCHER"), number_of("SIGNAL_NUMBER"));
		else
			raise(number_of("SIGNAL_NUMBER"));
		while (getenv("SIGNAL_STAYS"))
			pause();
	}
	return PMPI_Bcast(buffer, count, type, root, comm);
}
