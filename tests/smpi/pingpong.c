/* SPDX-License-Identifier: BSD-3-Clause */
/* Seconds of a message of each size that is named, from rank 0 to rank 1 and back, halved. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 4, BYTES_MOST = 1 << 23 };

int main(int argc, char **argv)
{
	char *data = malloc(BYTES_MOST);
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 1; data && i < argc; i++) {
		int bytes = atoi(argv[i]);
		double start = 0;

		/* the first one leaves both ranks where the others begin */
		for (int k = 0; k <= TIMES; k++) {
			if (k == 1)
				start = MPI_Wtime();
			if (rank == 0) {
				MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
				MPI_Recv(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD,
					 MPI_STATUS_IGNORE);
			} else {
				MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
					 MPI_STATUS_IGNORE);
				MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
			}
		}
		if (rank == 0)
			printf("%d %.9g\n", bytes, (MPI_Wtime() - start) / (2 * TIMES));
	}
	free(data);
	MPI_Finalize();
	return 0;
}
