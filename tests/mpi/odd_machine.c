/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * odd_machine - a preload by which a rank is odd, in one of three ways:
 *
 *     ODD_CLOCK=RANK   its clock jumps by 20 ms, every 20 ms, and takes 10 us to be read, as that of a
 *                      virtual machine may
 *     ODD_SLOW=RANK    what it sends begins 1 ms later
 *     ODD_STOP=RANK    it is stopped for 20 ms, 10 times a second, as if another had its core
 *
 * Proves that who measures with it says so; nothing of topomap is in it.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const double step_s = 0.02, read_s = 1e-5, late_s = 1e-3;

static int number_of(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : -1;
}

static double true_time(clockid_t which)
{
	struct timespec now;

	syscall(SYS_clock_gettime, which, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Open MPI's launcher says which rank it is, MPICH's in another variable. */
static int own_rank(void)
{
	return number_of(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
}

int clock_gettime(clockid_t which, struct timespec *now)
{
	static int is_odd = -1;
	double jumps;
	int status = (int)syscall(SYS_clock_gettime, which, now);

	if (is_odd < 0)
		is_odd = getenv("ODD_CLOCK") && number_of("ODD_CLOCK") == own_rank();
	if (status != 0 || !is_odd || which == CLOCK_REALTIME)
		return status;
	for (double begin = true_time(CLOCK_MONOTONIC);
	     true_time(CLOCK_MONOTONIC) - begin < read_s;)
		;
	jumps = (double)(long)(true_time(which) / step_s); /* since whenever */
	now->tv_nsec += (long)((jumps * step_s - (double)(long)(jumps * step_s)) * 1e9);
	now->tv_sec += (time_t)(jumps * step_s);
	if (now->tv_nsec >= 1000000000) {
		now->tv_nsec -= 1000000000;
		now->tv_sec++;
	}
	return 0;
}

/* A process of its own stops the rank, until there is none. */
__attribute__((constructor)) static void odd_stop(void)
{
	const struct timespec on = { 0, 80000000 }, off = { 0, 20000000 };
	pid_t rank = getpid();

	if (!getenv("ODD_STOP") || number_of("ODD_STOP") != own_rank() || fork() != 0)
		return;
	for (int i = 0; i < 3; i++)
		close(i);
	while (getppid() == rank) {
		nanosleep(&on, NULL);
		kill(rank, SIGSTOP);
		nanosleep(&off, NULL);
		kill(rank, SIGCONT);
	}
	_exit(0);
}

static void odd_wait(void)
{
	double end;
	int rank;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank != number_of("ODD_SLOW"))
		return;
	for (end = true_time(CLOCK_MONOTONIC) + late_s; true_time(CLOCK_MONOTONIC) < end;)
		;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	odd_wait();
	return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	      MPI_Request *request)
{
	odd_wait();
	return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}
