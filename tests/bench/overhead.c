/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overhead - what the executor takes beside MPI code written by hand: the same messages, the same
 * buffers. Under mpirun.
 *
 *     overhead [ROUNDS]                each at all sizes, so many times (2000)
 *     overhead ROUNDS bcast|allgather KIND
 *                                      only calls of one kind, at 8 bytes, and nothing is said: for a
 *                                      tool that counts instructions. KIND: hand, nothing, schedule,
 *                                      datatypes or requests
 *
 *     a round   C A D B E   E B D A C      all kinds in an order that is drawn, and back again
 *               |                   |
 *               +- the lesser of the two is what that kind takes in this round
 *
 * A part of a round is some calls in a row, 5 to 50 us: shorter than what the system gives a process at
 * a time. What else runs is alike for all kinds within a round, so each round has a ratio of its own, of
 * ours over the code by hand, by the slowest rank's times; shown is the median of these ratios with the interval that holds it
 * with 95 %. Rounds that something has disturbed are at both ends, and move neither.
 *
 * Last, of what keeps datatypes, the call whose ratio is surely the largest, and what the intervals of all
 * say of 5 %.
 */
#include "core/algorithms/catalogue.h"
#include "core/base/random.h"
#include "core/measure/sample_statistics.h"
#include "mpi_run/operation/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 100000, HAND = TMAP_KEEPINGS, KINDS };

static const char *const kinds[KINDS] = {
	[TMAP_KEEP_NOTHING] = "nothing",
	[TMAP_KEEP_SCHEDULE] = "schedule",
	[TMAP_KEEP_DATATYPES] = "datatypes",
	[TMAP_KEEP_REQUESTS] = "requests",
	[HAND] = "hand",
};

static int rank, size;
static struct tmap_error err;

/* Where datatypes are kept: the call whose interval begins last, and where the last one ends. */
static struct worst {
	double ratio, low, high;
	char call[64];
} worst;

static void stop(const char *what)
{
	fprintf(stderr, "overhead: %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void ring(const char *send, char *recv, int bytes, MPI_Comm comm)
{
	int to = (rank + 1) % size, from = (rank + size - 1) % size;

	memcpy(recv + (size_t)rank * (size_t)bytes, send, (size_t)bytes);
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

struct subject {
	enum tmap_collective collective;
	const char *algorithm;
	int bytes, calls; /* of a part */
	char *send, *recv;
	struct tmap_channel channel;
	struct tmap_operation *operation[TMAP_KEEPINGS];
};

static void subject_init(struct subject *it, enum tmap_collective collective, int bytes)
{
	struct tmap_arguments arguments = { .op = MPI_OP_NULL };
	struct tmap_call call = { 0 };

	*it = (struct subject){
		.collective = collective,
		.algorithm = collective == TMAP_BCAST ? "binomial_far" : "ring",
		.bytes = bytes,
		.calls = bytes > 10000 ? 1 :
			bytes > 100    ? 20 :
					 50,
		.send = calloc((size_t)bytes, 1),
		.recv = calloc((size_t)bytes * (size_t)size, 1),
	};
	arguments.send =
		(struct tmap_argument){ .buffer = it->send, .count = bytes, .type = MPI_BYTE };
	arguments.recv =
		(struct tmap_argument){ .buffer = it->recv, .count = bytes, .type = MPI_BYTE };
	if (!it->send || !it->recv || tmap_channel_init(&it->channel, MPI_COMM_WORLD, &err) < 0 ||
	    tmap_call_parse(&call, collective, it->algorithm, &err) < 0)
		stop("no memory");
	for (int k = 0; k < TMAP_KEEPINGS; k++) {
		it->operation[k] = tmap_operation_new(&it->channel, &call, &arguments,
						      (enum tmap_keeping)k, &err);
		if (!it->operation[k])
			stop(err.text);
	}
}

static void subject_fini(struct subject *it)
{
	for (int k = 0; k < TMAP_KEEPINGS; k++)
		tmap_operation_free(it->operation[k]);
	tmap_channel_fini(&it->channel);
	free(it->send);
	free(it->recv);
}

/* The only function whose instructions are counted. */
static __attribute__((noinline)) void calls_run(struct subject *it, int kind)
{
	if (kind == HAND && it->collective == TMAP_BCAST)
		for (int n = 0; n < it->calls; n++)
			binomial(it->recv, it->bytes, MPI_COMM_WORLD);
	else if (kind == HAND)
		for (int n = 0; n < it->calls; n++)
			ring(it->send, it->recv, it->bytes, MPI_COMM_WORLD);
	else
		for (int n = 0; n < it->calls; n++)
			if (tmap_operation_run(it->operation[kind], &err) < 0)
				stop(err.text);
}

/* This rank's seconds of a call. */
static double part_time(struct subject *it, int kind)
{
	double begin;

	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	calls_run(it, kind);
	return (MPI_Wtime() - begin) / it->calls;
}

/* time[2 * KINDS * round + ...]: of each kind there, and back; the slowest rank's at rank 0. */
static void rounds_run(struct subject *it, double *time, int rounds)
{
	struct tmap_random random = { 1 }; /* the same on all ranks */
	int order[KINDS];

	for (int v = 0; v < KINDS; v++)
		order[v] = v;
	for (int i = 0; i < rounds; i++) {
		double *there = time + 2 * KINDS * i, *back = there + KINDS;

		tmap_random_shuffle(&random, order, KINDS);
		for (int k = 0; k < KINDS; k++)
			there[order[k]] = part_time(it, order[k]);
		for (int k = KINDS; k-- > 0;)
			back[order[k]] = part_time(it, order[k]);
	}
	MPI_Reduce(rank ? time : MPI_IN_PLACE, time, 2 * KINDS * rounds, MPI_DOUBLE, MPI_MAX, 0,
		   MPI_COMM_WORLD);
}

static double lesser(const double *time, int round, int kind)
{
	double there = time[2 * KINDS * round + kind],
	       back = time[2 * KINDS * round + KINDS + kind];

	return there < back ? there : back;
}

static void worst_see(const struct tmap_sample_statistics *ratio, const struct subject *it)
{
	if (ratio->high > worst.high)
		worst.high = ratio->high;
	if (ratio->low <= worst.low)
		return;
	worst.ratio = ratio->median;
	worst.low = ratio->low;
	snprintf(worst.call, sizeof worst.call, "%s of %d bytes", it->algorithm, it->bytes);
}

static void subject_print(const struct subject *it, const double *time, int rounds)
{
	double *value = malloc((size_t)rounds * sizeof *value);
	struct tmap_sample_statistics hand, ratio;

	if (!value)
		stop("no memory");
	for (int i = 0; i < rounds; i++)
		value[i] = lesser(time, i, HAND);
	if (tmap_sample_statistics_init(&hand, value, (size_t)rounds, &err) < 0)
		stop(err.text);
	printf("%-12s %8d %9.3f", it->algorithm, it->bytes, hand.median * 1e6);
	for (int v = 0; v < TMAP_KEEPINGS; v++) {
		for (int i = 0; i < rounds; i++)
			value[i] = lesser(time, i, v) / lesser(time, i, HAND);
		if (tmap_sample_statistics_init(&ratio, value, (size_t)rounds, &err) < 0)
			stop(err.text);
		printf("  %6.3f %6.3f %6.3f", ratio.median, ratio.low, ratio.high);
		if (v == TMAP_KEEP_DATATYPES)
			worst_see(&ratio, it);
	}
	putchar('\n');
	fflush(stdout);
	free(value);
}

static void compare(enum tmap_collective collective, int bytes, int rounds)
{
	double *time = malloc((size_t)(2 * KINDS * rounds) * sizeof *time);
	struct subject subject;

	if (!time)
		stop("no memory");
	subject_init(&subject, collective, bytes);
	rounds_run(&subject, time, rounds);
	if (rank == 0)
		subject_print(&subject, time, rounds);
	subject_fini(&subject);
	free(time);
}

static void all_compare(int rounds)
{
	static const int bytes[] = { 8, 1024, 65536, 1048576 };

	if (rank == 0) {
		printf("%d ranks; by hand: us; ours: times as long, and the median's interval of 95 %%\n"
		       "%-12s %8s %9s",
		       size, "", "bytes", "by hand");
		for (int v = 0; v < TMAP_KEEPINGS; v++)
			printf("  %20s", v == TMAP_KEEP_NOTHING ? "nothing kept" : kinds[v]);
		putchar('\n');
	}
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		int times = bytes[i] > 100000 ? rounds / 10 + 6 : rounds;

		compare(TMAP_ALLGATHER, bytes[i], times);
		compare(TMAP_BCAST, bytes[i], times);
	}
	if (rank == 0)
		printf("datatypes kept, at most %.3f of the code by hand (%s): %s\n", worst.ratio,
		       worst.call,
		       worst.high <= 1.05       ? "within 5 %" :
			       worst.low > 1.05 ? "more than 5 %" :
						  "5 % is within an interval");
}

static void only_run(int rounds, const char *collective, const char *kind)
{
	struct subject subject;
	int v = 0;

	while (v < KINDS && strcmp(kinds[v], kind) != 0)
		v++;
	if (v == KINDS)
		stop("KIND: hand, nothing, schedule, datatypes or requests");
	subject_init(&subject, strcmp(collective, "bcast") == 0 ? TMAP_BCAST : TMAP_ALLGATHER, 8);
	subject.calls = 1;
	for (int i = 0; i < rounds; i++)
		part_time(&subject, v);
	subject_fini(&subject);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2000;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rounds < 6 || rounds > MOST_ROUNDS || (argc != 2 && argc != 1 && argc != 4))
		stop("usage: overhead [ROUNDS [bcast|allgather KIND]], from 6 rounds on");
	if (argc == 4)
		only_run(rounds, argv[2], argv[3]);
	else
		all_compare(rounds);
	MPI_Finalize();
	return 0;
}
