/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.c - how long one collective takes: collective NAME BYTES prints the seconds of the
 * second of two, from a barrier to the end of the last rank. The first one makes communicators.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void call(const char *name, const char *in, char *out, int bytes)
{
	if (strcmp(name, "bcast") == 0)
		MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	else
		MPI_Allreduce(in, out, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank, bytes = argc == 3 ? atoi(argv[2]) : 0;
	char *in = calloc((size_t)bytes + 1, 1), *out = calloc((size_t)bytes + 1, 1);
	double seconds = 0, begin, longest;

	if (!in || !out || MPI_Init(&argc, &argv) != MPI_SUCCESS)
		return 1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		begin = MPI_Wtime();
		call(argv[1], in, out, bytes);
		seconds = MPI_Wtime() - begin;
	}
	MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.9g\n", longest);
	MPI_Finalize();
	free(in);
	free(out);
	return 0;
}
