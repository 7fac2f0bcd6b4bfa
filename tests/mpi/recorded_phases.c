/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program with phases, which it marks, or which a pause tells apart ("slow"): messages to the next rank
 * and allreduces of 8 bytes, so many in each. "many": before that a message of 8 bytes in each of the phases 2 to 300.
 *
 *     phase 1    1 message of  10 bytes       7 of the last part, after MPI_Pcontrol(1)
 *     phase 2    2 messages of 100 bytes      3 calls; entered twice, and 4 calls behind a pause of half a second
 *     phase 9    -                            5 calls
 *
 * In phase 1 two alltoallvs have blocks of 8 bytes, and in phase 2 one of 8 KiB.
 */
#include <mpi.h>
#include <string.h>
#include <time.h>

static void pass_on(int messages, int bytes)
{
	char out[1000] = "", in[1000];
	int rank, size;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < messages; i++)
		MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, 0, in, bytes, MPI_BYTE,
			     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void add_up(int calls)
{
	double one = 1, sum;

	for (int i = 0; i < calls; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* To and from each of two ranks. */
static void exchange(int bytes)
{
	static char out[2 << 13], in[2 << 13];
	int counts[] = { bytes, bytes }, at[] = { 0, bytes };

	MPI_Alltoallv(out, counts, at, MPI_BYTE, in, counts, at, MPI_BYTE, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_sec = 1, .tv_nsec = 300000000 };
	const struct timespec rest = { .tv_nsec = 500000000 };

	MPI_Init(&argc, &argv);
	for (int level = 2; argc > 1 && strcmp(argv[1], "many") == 0 && level <= 300; level++) {
		MPI_Pcontrol(level);
		pass_on(1, 8);
	}
	MPI_Pcontrol(1);
	pass_on(1, 10);
	exchange(8);
	exchange(8);
	MPI_Pcontrol(2);
	pass_on(1, 100);
	exchange(1 << 13);
	add_up(1);
	MPI_Pcontrol(9);
	add_up(5);
	if (argc > 1 && strcmp(argv[1], "slow") == 0)
		nanosleep(&pause, NULL);
	MPI_Pcontrol(2);
	pass_on(1, 100);
	add_up(2);
	MPI_Pcontrol(0);
	pass_on(50, 50);
	add_up(50);
	nanosleep(&rest, NULL);
	MPI_Pcontrol(1); /* phase 2 goes on */
	add_up(4);
	MPI_Pcontrol(1);
	add_up(7);
	MPI_Finalize();
	return 0;
}
