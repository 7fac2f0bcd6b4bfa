/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pin - a preload by which every rank runs on CPU PIN_CPU from its first call of MPI_Bcast of PIN_BYTES
 * bytes on. Nothing of topomap is in it.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
	int size;

	PMPI_Type_size(type, &size);
	if (count * size == atoi(getenv("PIN_BYTES"))) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(atoi(getenv("PIN_CPU")), &set);
		sched_setaffinity(0, sizeof set, &set);
	}
	return PMPI_Bcast(buffer, count, type, root, comm);
}
