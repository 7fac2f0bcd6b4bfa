/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank r sends 1000 (r + 1) bytes to the next rank, and all call an allgather of 5000 bytes
 * each. */
#include <mpi.h>

static char out[1 << 16], in[1 << 20];

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Sendrecv(out, 1000 * (rank + 1), MPI_BYTE, (rank + 1) % size, 0, in,
		     1000 * ((rank + size - 1) % size + 1), MPI_BYTE, (rank + size - 1) % size, 0,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allgather(out, 5000, MPI_BYTE, in, 5000, MPI_BYTE, MPI_COMM_WORLD);
	return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
