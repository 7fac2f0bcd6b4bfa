/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/timing.h"

#include "core/base/mem.h"

#include <limits.h>
#include <stdlib.h>

enum { BATCH = 64, BARRIER_TAG = 0 };

/* Round k: to the rank 2^k ahead. */
static int barrier_wait(const struct tmap_timing *it, struct tmap_error *err)
{
	const struct tmap_channel *sync = &it->sync;

	for (int away = 1; away<sync->size; away = away> INT_MAX / 2 ? INT_MAX : 2 * away) {
		int to = (sync->rank + away) % sync->size;
		int from = (sync->rank - away % sync->size + sync->size) % sync->size;

		if (tmap_job_check(it->job,
				   MPI_Sendrecv(NULL, 0, MPI_BYTE, to, BARRIER_TAG, NULL, 0,
						MPI_BYTE, from, BARRIER_TAG, sync->comm,
						MPI_STATUS_IGNORE),
				   "MPI_Sendrecv", err) < 0)
			return -1;
	}
	return 0;
}

/* What ranks do together cannot be left half done. */
static int subject_call(const struct tmap_timing *it, struct tmap_bench_subject *subject,
			struct tmap_error *err)
{
	if (tmap_bench_subject_call(subject, err) == 0)
		return 0;
	it->job->broken = true;
	return -1;
}

/* A call that is looked at, @p time of it if that is not NULL. */
static int call_checked(const struct tmap_timing *it, struct tmap_bench_subject *subject,
			uint64_t round, double *time, struct tmap_wrong *wrong,
			struct tmap_error *err)
{
	struct tmap_bench_fault fault;
	double begin;

	tmap_bench_subject_fill(subject, round);
	if (barrier_wait(it, err) < 0)
		return -1;
	begin = MPI_Wtime();
	if (subject_call(it, subject, err) < 0)
		return -1;
	if (time)
		*time = MPI_Wtime() - begin;
	if (wrong->rank == TMAP_NONE && !tmap_bench_subject_check(subject, &fault))
		*wrong = (struct tmap_wrong){ it->job->rank, fault };
	return 0;
}

static int call_timed(const struct tmap_timing *it, struct tmap_bench_subject *subject,
		      double *time, struct tmap_error *err)
{
	double begin;

	if (barrier_wait(it, err) < 0)
		return -1;
	begin = MPI_Wtime();
	if (subject_call(it, subject, err) < 0)
		return -1;
	*time = MPI_Wtime() - begin;
	return 0;
}

/* Collective: of what was wrong anywhere, that of the smallest rank. */
static int wrong_agree(struct tmap_job *job, struct tmap_wrong *wrong, struct tmap_error *err)
{
	int mine = wrong->rank == TMAP_NONE ? INT_MAX : wrong->rank, first = INT_MAX;

	if (tmap_job_check(job, MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, job->world),
			   "MPI_Allreduce", err) < 0)
		return -1;
	if (first == INT_MAX)
		return 0;
	wrong->rank = first;
	return tmap_job_check(
		job,
		MPI_Bcast(&wrong->fault, (int)sizeof wrong->fault, MPI_BYTE, first, job->world),
		"MPI_Bcast", err);
}

/* Collective: repetitions by the rule; *all has their times on rank 0. */
static int repeat(const struct tmap_timing *it, struct tmap_bench_subject *subject,
		  struct tmap_repetition *all, struct tmap_wrong *wrong, struct tmap_error *err)
{
	double time[BATCH], slowest[BATCH], begin = MPI_Wtime();
	struct tmap_job *job = it->job;
	uint64_t round = 1;
	int status = 0, next = 1;

	while (next > 0) {
		if (job->rank == 0)
			next = status < 0 ? 0 : (int)tmap_repetition_next(all, BATCH);
		if (tmap_job_check(job, MPI_Bcast(&next, 1, MPI_INT, 0, job->world), "MPI_Bcast",
				   err) < 0)
			return -1;
		for (int i = 0; i < next; i++, round++)
			if ((it->checks_all ?
				     call_checked(it, subject, round, &time[i], wrong, err) :
				     call_timed(it, subject, &time[i], err)) < 0)
				return -1;
		if (next > 0 &&
		    tmap_job_check(
			    job,
			    MPI_Reduce(time, slowest, next, MPI_DOUBLE, MPI_MAX, 0, job->world),
			    "MPI_Reduce", err) < 0)
			return -1;
		if (job->rank == 0 && next > 0)
			status = tmap_repetition_add(all, slowest, (size_t)next,
						     MPI_Wtime() - begin, err);
	}
	return tmap_job_agree(job, status, err);
}

/* Rank 0. */
static int experiment_fill(const struct tmap_timing *timing, struct tmap_experiment *experiment,
			   struct tmap_repetition *all, struct tmap_error *err)
{
	if (tmap_sample_statistics_init(&experiment->seconds, all->time, all->count, err) < 0)
		return -1;
	experiment->run = tmap_alloc_raw(1, sizeof *experiment->run, err);
	if (!experiment->run)
		return -1;
	experiment->run[0] = experiment->seconds.median;
	if (timing->drops_outliers &&
	    tmap_median_without_outliers(experiment->run, all->time, all->count, err) < 0)
		return -1;
	experiment->run_count = 1;
	experiment->repetitions = (int64_t)all->count;
	if (timing->keeps_raw) {
		experiment->raw = all->time;
		all->time = NULL;
	}
	return 0;
}

int tmap_timing_run(const struct tmap_timing *timing, struct tmap_bench_subject *subject,
		    struct tmap_experiment *experiment, struct tmap_wrong *wrong,
		    struct tmap_error *err)
{
	struct tmap_repetition all;
	int status;

	*wrong = (struct tmap_wrong){ .rank = TMAP_NONE };
	tmap_repetition_init(&all, &timing->rule);
	status = call_checked(timing, subject, 0, NULL, wrong, err);
	if (status == 0)
		status = repeat(timing, subject, &all, wrong, err);
	if (status == 0)
		status = wrong_agree(timing->job, wrong, err);
	if (status == 0 && timing->job->rank == 0) {
		experiment->is_correct = wrong->rank == TMAP_NONE;
		status = experiment_fill(timing, experiment, &all, err);
	}
	tmap_repetition_fini(&all);
	return timing->job->broken ? -1 : tmap_job_agree(timing->job, status, err);
}
