/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recording - nanoseconds of calls that the recorder sees, in one process: a message to nobody, which it
 * does not count; one to itself, which it counts; and a collective, whose time it takes. Each is a million
 * calls in a row of parts; shown is the quickest part, in which nothing else ran.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { PARTS = 200, CALLS = 5000 };

static int64_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static void call_nobody(void)
{
	MPI_Send(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void call_itself(void)
{
	char out = 0, in;

	MPI_Sendrecv(&out, 1, MPI_BYTE, 0, 0, &in, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
}

static void call_barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static double quickest(void (*call)(void))
{
	int64_t least = INT64_MAX;

	for (int part = 0; part < PARTS; part++) {
		int64_t began = now(), took;

		for (int i = 0; i < CALLS; i++)
			call();
		took = now() - began;
		least = took < least ? took : least;
	}
	return (double)least / CALLS;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	printf("%.1f", quickest(call_nobody));
	printf(" %.1f", quickest(call_itself));
	printf(" %.1f\n", quickest(call_barrier));
	MPI_Finalize();
	return 0;
}
