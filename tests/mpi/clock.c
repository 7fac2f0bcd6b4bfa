/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock - the common clock on the ranks of a job, looked at ROUNDS times, 0.2 s apart.
 *
 *     clock shared|own ROUNDS     own: each rank counts as one with a clock of its own
 *
 * The ranks must be on one host. Oracle: its CLOCK_REALTIME, which is the same in all time namespaces
 * and untouched by drift.c. It runs otherwise than the common clock, steadily over a round: between
 * two looks of rank 0, a straight line says what the others should have seen. Fails where the common
 * clock was farther off than it says itself.
 */
#include "core/base/error.h"
#include "mpi_run/bench/common_clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The common clock, in between two readings of it, while the real one showed that. */
struct look {
	int64_t real_ns, common_ns, half_ns;
};

static int64_t real_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct look look_at(const struct tmap_common_clock *clock)
{
	struct look best = { .half_ns = INT64_MAX };

	for (int i = 0; i < 50; i++) {
		int64_t before = tmap_common_clock_now(clock), real = real_now();
		int64_t half = (tmap_common_clock_now(clock) - before + 1) / 2;

		if (half < best.half_ns)
			best = (struct look){ real, before + half, half };
	}
	return best;
}

/* By how much a look is off the line between two of rank 0 for certain. */
static int64_t look_error(const struct look *first, const struct look *last, const struct look *it)
{
	double part =
		(double)(it->real_ns - first->real_ns) / (double)(last->real_ns - first->real_ns);
	int64_t line =
		first->common_ns + (int64_t)(part * (double)(last->common_ns - first->common_ns));
	int64_t unsure =
		it->half_ns + (first->half_ns > last->half_ns ? first->half_ns : last->half_ns);
	int64_t off = llabs(it->common_ns - line);

	return off > unsure ? off - unsure : 0;
}

static void check(int status, const struct tmap_error *err)
{
	if (status == 0)
		return;
	fprintf(stderr, "clock: %s\n", err->text);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 200000000 };
	int rounds = argc == 3 ? atoi(argv[2]) : 0, wrong = 0;
	int64_t worst = 0, most_unsure = 0, least_unsure = INT64_MAX;
	struct tmap_common_clock clock;
	struct tmap_error err;
	struct tmap_job job;
	struct look *all;

	MPI_Init(&argc, &argv);
	check(tmap_job_init(&job, &err), &err);
	all = calloc((size_t)job.size, sizeof *all);
	if (!rounds || !all) {
		fputs("usage: clock shared|own ROUNDS\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	check(tmap_common_clock_init(&clock, &job, strcmp(argv[1], "shared") == 0, &err), &err);
	for (int i = 0; i < rounds; i++) {
		struct look first, mine, last;
		int64_t most = 0;

		nanosleep(&pause, NULL);
		first = look_at(&clock);
		MPI_Barrier(job.world);
		mine = look_at(&clock);
		MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, job.world);
		last = look_at(&clock);
		clock.error_ns = 0; /* of this round alone */
		check(tmap_common_clock_sync(&clock, &err), &err);
		most_unsure = clock.error_ns > most_unsure ? clock.error_ns : most_unsure;
		least_unsure = clock.error_ns < least_unsure ? clock.error_ns : least_unsure;
		for (int r = 0; r < job.size && job.rank == 0; r++) {
			int64_t off = look_error(&first, &last, &all[r]);

			most = off > most ? off : most;
		}
		worst = most > worst ? most : worst;
		wrong += most > clock.error_ns;
	}
	if (job.rank == 0)
		printf("%d ranks, %d clocks: wrong by %lld ns, known within %lld ns, once within %lld ns; "
		       "%d of %d too far\n",
		       job.size, clock.count, (long long)worst, (long long)most_unsure,
		       (long long)least_unsure, wrong, rounds);
	tmap_common_clock_fini(&clock);
	tmap_job_fini(&job);
	free(all);
	MPI_Finalize();
	return wrong != 0;
}
