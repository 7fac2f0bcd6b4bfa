/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overhead - what the executor takes beside MPI code written by hand: the same messages, the same
 * buffers, in random order, so that what else the machine does is alike for both. Under mpirun.
 *
 *     overhead [ROUNDS]     so many times each (2000)
 *
 * 100 calls in a row are one measurement, 10 of large ones: a program that calls a collective in a loop; the
 * clock has steps of 10 ns, and a broadcast of 8 bytes takes 30 to 300. Medians of the slowest rank's times of a call, for each depth of keeping; behind each the
 * median of ours over that of the code by hand. Last, the largest of these where datatypes are kept, and
 * whether it is within 5 %.
 */
#include "core/algorithms/catalogue.h"
#include "core/base/random.h"
#include "mpi_run/operation/operation.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 100000, HAND = TMAP_KEEPINGS, VARIANTS };

static int rank, size;
static double worst;   /* of ours with datatypes kept, over the code by hand, */
static char where[64]; /* and in which call */
static struct tmap_error err;

static void stop(const char *what)
{
	fprintf(stderr, "overhead: %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void ring(const char *send, char *recv, int bytes, MPI_Comm comm)
{
	int to = (rank + 1) % size, from = (rank + size - 1) % size;

	for (int k = 0; k < bytes; k++)
		recv[(size_t)rank * (size_t)bytes + (size_t)k] = send[k];
	for (int i = 0; i < size - 1; i++) {
		size_t out = (size_t)((rank - i + size) % size) * (size_t)bytes;
		size_t in = (size_t)((rank - i - 1 + size) % size) * (size_t)bytes;

		MPI_Sendrecv(recv + out, bytes, MPI_BYTE, to, 0, recv + in, bytes, MPI_BYTE, from,
			     0, comm, MPI_STATUS_IGNORE);
	}
}

/* From rank 0, the farthest first: as MPICH's and topomap's binomial_far. */
static void binomial(char *data, int bytes, MPI_Comm comm)
{
	int away = 1;

	while (away < size && !(rank & away))
		away *= 2;
	if (rank)
		MPI_Recv(data, bytes, MPI_BYTE, rank - away, 0, comm, MPI_STATUS_IGNORE);
	for (away /= 2; away; away /= 2)
		if (rank + away < size)
			MPI_Send(data, bytes, MPI_BYTE, rank + away, 0, comm);
}

static int double_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *time, int count)
{
	qsort(time, (size_t)count, sizeof *time, double_compare);
	return time[count / 2];
}

static void compare(enum tmap_collective collective, const char *algorithm, int bytes, int calls,
		    int rounds)
{
	static double time[VARIANTS][MOST_ROUNDS];
	bool is_bcast = collective == TMAP_BCAST;
	int order[VARIANTS];
	struct tmap_random random = { 1 }; /* the same on all ranks */
	char *send = calloc((size_t)bytes, 1), *recv = calloc((size_t)bytes * (size_t)size, 1);
	struct tmap_arguments arguments = {
		.send = { .buffer = send, .count = bytes, .type = MPI_BYTE },
		.recv = { .buffer = recv, .count = bytes, .type = MPI_BYTE },
		.op = MPI_OP_NULL
	};
	struct tmap_operation *operation[TMAP_KEEPINGS];
	struct tmap_channel channel;
	struct tmap_call call = { 0 };

	if (!send || !recv || tmap_channel_init(&channel, MPI_COMM_WORLD, &err) < 0 ||
	    tmap_call_parse(&call, collective, algorithm, &err) < 0)
		stop("no memory");
	for (int k = 0; k < TMAP_KEEPINGS; k++)
		if (!(operation[k] = tmap_operation_new(&channel, &call, &arguments,
							(enum tmap_keeping)k, &err)))
			stop(err.text);
	for (int v = 0; v < VARIANTS; v++)
		order[v] = v;
	for (int i = 0; i < rounds; i++) {
		/* what one leaves behind, in caches and in who comes late, is different for each */
		tmap_random_shuffle(&random, order, VARIANTS);
		for (int k = 0; k < VARIANTS; k++) {
			int v = order[k];
			double begin, own;

			MPI_Barrier(MPI_COMM_WORLD);
			begin = MPI_Wtime();
			for (int n = 0; n < calls; n++) {
				if (v == HAND && is_bcast)
					binomial(recv, bytes, MPI_COMM_WORLD);
				else if (v == HAND)
					ring(send, recv, bytes, MPI_COMM_WORLD);
				else if (tmap_operation_run(operation[v], &err) < 0)
					stop(err.text);
			}
			own = (MPI_Wtime() - begin) / calls;
			MPI_Reduce(&own, &time[v][i], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
		}
	}
	if (rank == 0) {
		double hand = median(time[HAND], rounds);

		printf("%-10s %-12s %8d %9.2f", tmap_collective_rows[collective].word.name,
		       algorithm, bytes, hand * 1e6);
		for (int v = 0; v < TMAP_KEEPINGS; v++) {
			double ours = median(time[v], rounds);

			printf(" %10.2f %5.2f", ours * 1e6, ours / hand);
			if (v != TMAP_KEEP_DATATYPES || ours / hand <= worst)
				continue;
			worst = ours / hand;
			snprintf(where, sizeof where, "%s of %d bytes", algorithm, bytes);
		}
		putchar('\n');
		fflush(stdout);
	}
	for (int k = 0; k < TMAP_KEEPINGS; k++)
		tmap_operation_free(operation[k]);
	tmap_channel_fini(&channel);
	free(send);
	free(recv);
}

int main(int argc, char **argv)
{
	static const int bytes[] = { 8, 1024, 65536, 1048576 };
	int rounds = argc > 1 ? atoi(argv[1]) : 2000;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rounds < 1 || rounds > MOST_ROUNDS)
		stop("usage: overhead [ROUNDS]");
	if (rank == 0)
		printf("%d ranks, us: %34s %16s %16s %16s %16s\n", size, "by hand", "nothing kept",
		       "schedule", "and datatypes", "and requests");
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		int times = bytes[i] > 100000 ? rounds / 10 + 1 : rounds;
		int calls = bytes[i] > 10000 ? 10 : 100;

		compare(TMAP_ALLGATHER, "ring", bytes[i], calls, times);
		compare(TMAP_BCAST, "binomial_far", bytes[i], calls, times);
	}
	if (rank == 0)
		printf("datatypes kept, at most %.2f of the code by hand (%s): %s\n", worst, where,
		       worst <= 1.05 ? "within 5 %" : "more than 5 %");
	MPI_Finalize();
	return 0;
}
