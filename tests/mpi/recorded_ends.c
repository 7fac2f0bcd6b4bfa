/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that ends as its argument says: by MPI_Finalize and with status 3; "abort" by MPI_Abort of
 * rank 1; "exit" without MPI_Finalize. It prints a line, which is to stay as it is. "slow" waits in front of
 * MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		puts("the program's own words");
	fflush(stdout);
	if (strcmp(how, "abort") == 0 && rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 7);
	if (strcmp(how, "exit") == 0)
		exit(5);
	if (strcmp(how, "slow") == 0 && rank == 1)
		sleep(1);
	MPI_Finalize();
	return 3;
}
