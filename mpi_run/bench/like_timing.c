/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/like_timing.h"

static int barriers_pass(struct tmap_job *job, int count, struct tmap_error *err)
{
	for (int i = 0; i < count; i++)
		if (tmap_job_check(job, MPI_Barrier(job->world), "MPI_Barrier", err) < 0)
			return -1;
	return 0;
}

/* *mean_s: of this rank's own times of a call; 0 without calls. */
static int calls_time(struct tmap_job *job, struct tmap_bench_subject *subject, bool is_apart,
		      int64_t count, double *mean_s, struct tmap_error *err)
{
	double sum_s = 0;

	for (int64_t i = 0; i < count; i++) {
		double begin = MPI_Wtime();

		if (tmap_bench_subject_call(subject, err) < 0) {
			job->broken = true;
			return -1;
		}
		sum_s += MPI_Wtime() - begin;
		if (barriers_pass(job, is_apart, err) < 0)
			return -1;
	}
	*mean_s = count ? sum_s / (double)count : 0;
	return 0;
}

/* Collective: the warm-up, as long as the slowest rank's, and the calls that count. */
static int way_time(struct tmap_job *job, struct tmap_bench_subject *subject,
		    const struct tmap_like_request *request, enum tmap_like way, bool is_apart,
		    struct tmap_like_times *plan, double *mean_s, struct tmap_error *err)
{
	const struct tmap_like_row *row = &tmap_like_rows[way];
	double slowest_s;

	if (barriers_pass(job, row->barriers, err) < 0 ||
	    calls_time(job, subject, is_apart, plan->warm_up, mean_s, err) < 0)
		return -1;
	if (row->limit_s > 0) {
		if (tmap_job_check(
			    job,
			    MPI_Allreduce(mean_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, job->world),
			    "MPI_Allreduce", err) < 0)
			return -1;
		tmap_like_limit(request, way, slowest_s, plan);
	}
	if (row->is_restarted && barriers_pass(job, row->barriers, err) < 0)
		return -1;
	return calls_time(job, subject, is_apart, plan->repetitions, mean_s, err);
}

/* Collective: what the ranks' means are together, and the signal that came to any. */
static int means_gather(struct tmap_job *job, double mean_s, const volatile sig_atomic_t *signal,
			struct tmap_like_times *like, int *came, struct tmap_error *err)
{
	double mine[] = { -mean_s, mean_s, *signal }, most[3], sum_s;

	if (tmap_job_check(job, MPI_Allreduce(mine, most, 3, MPI_DOUBLE, MPI_MAX, job->world),
			   "MPI_Allreduce", err) < 0 ||
	    tmap_job_check(job, MPI_Allreduce(&mean_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, job->world),
			   "MPI_Allreduce", err) < 0)
		return -1;
	like->min_s = -most[0];
	like->max_s = most[1];
	like->avg_s = sum_s / job->size;
	if (like->avg_s > like->max_s) /* by rounding */
		like->avg_s = like->max_s;
	if (like->avg_s < like->min_s)
		like->avg_s = like->min_s;
	*came = (int)most[2];
	return 0;
}

int tmap_like_timing_run(struct tmap_job *job, struct tmap_bench_subject *subject,
			 const struct tmap_like_request *request, enum tmap_collective collective,
			 int64_t bytes, const volatile sig_atomic_t *signal,
			 struct tmap_like_times *like, int *came, struct tmap_error *err)
{
	double mean_s;

	*came = 0;
	for (int way = 0; way < TMAP_LIKES && !*came; way++) {
		bool is_apart = tmap_like_is_apart((enum tmap_like)way, collective);

		if (!(request->ways >> way & 1))
			continue;
		tmap_like_plan(request, (enum tmap_like)way, bytes, &like[way]);
		if (way_time(job, subject, request, (enum tmap_like)way, is_apart, &like[way],
			     &mean_s, err) < 0 ||
		    means_gather(job, mean_s, signal, &like[way], came, err) < 0)
			return -1;
	}
	return 0;
}
