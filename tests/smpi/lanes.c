/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lanes RANKS_PER_NODE BYTES EXCHANGES: the exchanges of topomap-bench lanes on the ranks of a simulated job,
 * node by node, over 1, 2, 4, ... ranks of each node; prints the lanes, the seconds and the speed-up of
 * each. What comes is compared with what was sent.
 */
#include "core/measure/lane_times.h"
#include "mpi_run/bench/lane_exchange.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 8 };

static int fail(const char *what)
{
	fprintf(stderr, "lanes: %s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
	return 1;
}

/* The slowest rank's time of one repetition. */
static double exchange_time(struct tmap_lane_exchange *it, int repetition)
{
	struct tmap_bench_fault fault;
	double begin, mine, slowest;

	if (it->exchanges)
		tmap_lane_exchange_fill(it, (uint64_t)repetition);
	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	if (tmap_lane_exchange_call(it) != MPI_SUCCESS)
		fail("MPI_Sendrecv failed");
	mine = MPI_Wtime() - begin;
	if (it->exchanges && !tmap_lane_exchange_check(it, &fault))
		fail("what came is wrong");
	MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return slowest;
}

static void lanes_measure(struct tmap_lane_times *times, const struct tmap_lane_place *place,
			  int64_t bytes, int lanes, int64_t exchanges)
{
	struct tmap_experiment from = { .repetitions = REPETITIONS, .is_correct = true };
	struct tmap_lane_exchange exchange = { 0 };
	struct tmap_error err;

	if (place->lane < lanes &&
	    tmap_lane_exchange_init(&exchange, place, MPI_COMM_WORLD, bytes, lanes, exchanges,
				    &err) < 0)
		fail(err.text);
	from.raw = malloc(REPETITIONS * sizeof *from.raw);
	for (int r = 0; r < REPETITIONS; r++)
		from.raw[r] = exchange_time(&exchange, r);
	if (tmap_sample_statistics_init(&from.seconds, from.raw, REPETITIONS, &err) < 0 ||
	    tmap_lane_times_add_take(times, bytes, lanes, &from, &err) < 0)
		fail(err.text);
	tmap_lane_exchange_fini(&exchange);
}

int main(int argc, char **argv)
{
	struct tmap_lane_times times = { 0 };
	struct tmap_lane_place place = { 0 };
	struct tmap_error err;
	int rank, size, each;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc != 4)
		return fail("RANKS_PER_NODE BYTES EXCHANGES");
	each = atoi(argv[1]);
	place.lane = rank % each;
	place.node = rank / each;
	place.node_count = size / each;
	place.next = (rank + each) % size;
	place.previous = (rank + size - each) % size;
	for (int lanes = 1; lanes <= each; lanes *= 2)
		lanes_measure(&times, &place, atoll(argv[2]), lanes, atoll(argv[3]));
	if (tmap_lane_times_finish(&times, &err) < 0)
		fail(err.text);
	for (int i = 0; i < times.count && rank == 0; i++)
		printf("%d %g %.4f\n", times.experiment[i].lanes,
		       times.experiment[i].seconds.median, times.experiment[i].speedup.ratio);
	tmap_lane_times_fini(&times);
	MPI_Finalize();
	return 0;
}
