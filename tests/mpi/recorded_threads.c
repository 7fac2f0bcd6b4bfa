/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Four threads of each rank send at once, each on a communicator of its own that it makes and frees, and
 * all on MPI_COMM_WORLD: 40 messages of 7 bytes and 5 allreduces a thread, twice. Then twenty times all meet
 * a communicator and a window that are new: one thread sends 3 bytes to both neighbors of a ring, the others 11
 * bytes to the next rank, and each puts 4 bytes there.
 *
 * What the recorder asks MPI in between takes a while here, so that threads meet in it.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

enum { THREADS = 4, MESSAGES = 20, CALLS = 5, MEETINGS = 20 };

static MPI_Comm comm[THREADS], ring;
static MPI_Win window;
static pthread_barrier_t all_are_there;
static int rank, size;

/* Found by the recorder instead of the library's; linked with -rdynamic. */

int PMPI_Comm_set_attr(MPI_Comm on, int keyval, void *value)
{
	int (*next)(MPI_Comm, int, void *) = dlsym(RTLD_NEXT, "PMPI_Comm_set_attr");

	usleep(1000);
	return next(on, keyval, value);
}

int PMPI_Win_set_attr(MPI_Win on, int keyval, void *value)
{
	int (*next)(MPI_Win, int, void *) = dlsym(RTLD_NEXT, "PMPI_Win_set_attr");

	usleep(1000);
	return next(on, keyval, value);
}

int PMPI_Group_translate_ranks(MPI_Group from, int count, const int *in, MPI_Group to, int *out)
{
	int (*next)(MPI_Group, int, const int *, MPI_Group, int *) =
		dlsym(RTLD_NEXT, "PMPI_Group_translate_ranks");

	usleep(1500);
	return next(from, count, in, to, out);
}

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

static void *thread_meet(void *data)
{
	int number = (int)(intptr_t)data, me, next;
	char out[11] = "", in[11];

	MPI_Comm_rank(ring, &me);
	next = (me + 1) % size;
	pthread_barrier_wait(&all_are_there);
	if (number == 0)
		MPI_Neighbor_allgather(out, 3, MPI_BYTE, in, 3, MPI_BYTE, ring);
	else
		MPI_Sendrecv(out, 11, MPI_BYTE, next, number, in, 11, MPI_BYTE,
			     (me + size - 1) % size, number, ring, MPI_STATUS_IGNORE);
	pthread_barrier_wait(&all_are_there);
	MPI_Put(&number, 1, MPI_INT, next, 4 * number, 1, MPI_INT, window);
	MPI_Win_flush(next, window);
	return NULL;
}

static void run_all(void *(*run)(void *))
{
	pthread_t thread[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* Ranks are the other way round in it. */
static void meet(void)
{
	const int wraps = 1;
	MPI_Comm backwards;
	void *room;

	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
	MPI_Cart_create(backwards, 1, &size, &wraps, 0, &ring);
	MPI_Win_allocate(64, 1, MPI_INFO_NULL, backwards, &room, &window);
	MPI_Win_lock_all(0, window);
	run_all(thread_meet);
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	MPI_Comm_free(&ring);
	MPI_Comm_free(&backwards);
}

int main(int argc, char **argv)
{
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (level != MPI_THREAD_MULTIPLE)
		return MPI_Finalize(), 77;
	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < THREADS; i++)
			MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
		run_all(thread_run);
		for (int i = 0; i < THREADS; i++)
			MPI_Comm_free(&comm[i]);
	}
	pthread_barrier_init(&all_are_there, NULL, THREADS);
	for (int turn = 0; turn < MEETINGS; turn++)
		meet();
	pthread_barrier_destroy(&all_are_there);
	return MPI_Finalize();
}
