/* SPDX-License-Identifier: BSD-3-Clause */
/* Four threads of each rank send at once, each on a communicator of its own that it makes and frees, and
 * all on MPI_COMM_WORLD: 40 messages of 7 bytes and 5 allreduces a thread, twice. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>

enum { THREADS = 4, MESSAGES = 20, CALLS = 5 };

static MPI_Comm comm[THREADS];
static int rank, size;

static void *thread_run(void *data)
{
	int number = (int)(intptr_t)data, next = (rank + 1) % size,
	    before = (rank + size - 1) % size;
	char out[7] = "", in[7];
	int one = 1, sum;

	for (int i = 0; i < MESSAGES; i++) {
		MPI_Sendrecv(out, 7, MPI_BYTE, next, number, in, 7, MPI_BYTE, before, number,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Sendrecv(out, 7, MPI_BYTE, next, 0, in, 7, MPI_BYTE, before, 0, comm[number],
			     MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < CALLS; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm[number]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (level != MPI_THREAD_MULTIPLE)
		return MPI_Finalize(), 77;
	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < THREADS; i++)
			MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
		for (intptr_t i = 0; i < THREADS; i++)
			pthread_create(&thread[i], NULL, thread_run, (void *)i);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
		for (int i = 0; i < THREADS; i++)
			MPI_Comm_free(&comm[i]);
	}
	return MPI_Finalize();
}
