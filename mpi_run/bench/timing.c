/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/timing.h"

#include "core/base/mem.h"
#include "core/measure/start_window.h"
#include "mpi_run/bench/like_timing.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 64, BARRIER_TAG = 0 };

#define SYNC_NS INT64_C(1000000000) /* the common clock is looked at again after so long */

/* Where that takes as long as many repetitions: soon at first, as its drift is little known, and then later
 * and later. */
#define FIRST_SYNC_NS INT64_C(200000000)
#define LAST_SYNC_NS INT64_C(4000000000)

static const double batch_s = 0.1;

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

static int subject_rest(const struct tmap_timing *it, struct tmap_bench_subject *subject,
			struct tmap_error *err)
{
	if (tmap_bench_subject_rest(subject, err) == 0)
		return 0;
	it->job->broken = true;
	return -1;
}

static double seconds_since(const struct tmap_timing *it, int64_t start_ns)
{
	return (double)(tmap_common_clock_now(it->clock) - start_ns) * 1e-9;
}

/* What all ranks do next, as rank 0 says; with neither they have done. */
struct batch {
	int64_t count;               /* repetitions */
	int64_t syncs;               /* of the common clock, before anything else is begun */
	int64_t start_ns, length_ns; /* of windows of the common clock */
	int64_t signal;              /* that ends it, or 0 */
};

/* All ranks of a simulator have one clock, by which they go on at the same time: they leave a barrier one
 * after another, by as much as some messages take, which is as much as a small collective does. */
static int start_await(const struct tmap_timing *it, struct tmap_error *err)
{
#ifdef SMPI_H
	struct timespec rest = { 0 };
	double now = MPI_Wtime(), last, mine, longest;

	if (tmap_job_check(it->job,
			   MPI_Allreduce(&now, &last, 1, MPI_DOUBLE, MPI_MAX, it->job->world),
			   "MPI_Allreduce", err) < 0)
		return -1;
	mine = MPI_Wtime() - last;
	if (tmap_job_check(it->job,
			   MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, it->job->world),
			   "MPI_Allreduce", err) < 0)
		return -1;
	now = last + 3 * longest - MPI_Wtime();
	rest.tv_sec = (time_t)fmax(now, 0);
	rest.tv_nsec = (long)(fmax(now - (double)rest.tv_sec, 0) * 1e9);
	nanosleep(&rest, NULL);
#else
	(void)it;
	(void)err;
#endif
	return 0;
}

/* By a barrier, or in window @p i of the batch. */
static int call_timed(const struct tmap_timing *it, struct tmap_bench_subject *subject,
		      const struct batch *batch, int i, struct tmap_start_outcome *outcome,
		      struct tmap_error *err)
{
	const int64_t start = batch->start_ns + i * batch->length_ns;
	double begin = 0;

	outcome->late_s = 0;
	if (it->clock) {
		if (tmap_common_clock_await(it->clock, start, &outcome->late_s, err) < 0)
			return -1;
	} else {
		if (barrier_wait(it, err) < 0 || start_await(it, err) < 0)
			return -1;
		begin = MPI_Wtime();
	}
	if (subject_call(it, subject, err) < 0)
		return -1;
	outcome->took_s = it->clock ? seconds_since(it, start) : MPI_Wtime() - begin;
	return 0;
}

static void subject_look(const struct tmap_timing *it, struct tmap_bench_subject *subject,
			 struct tmap_wrong *wrong)
{
	struct tmap_bench_fault fault;

	if (wrong->rank == TMAP_NONE && !tmap_bench_subject_check(subject, &fault))
		*wrong = (struct tmap_wrong){ it->job->rank, fault };
}

/* A call that is looked at and not timed; after it, as after each that is looked at, there are new
 * data: a window of the common clock has to hold that, too. */
static int call_first(const struct tmap_timing *it, struct tmap_bench_subject *subject,
		      struct tmap_wrong *wrong, struct tmap_error *err)
{
	tmap_bench_subject_fill(subject, 0);
	if (barrier_wait(it, err) < 0 || subject_call(it, subject, err) < 0)
		return -1;
	subject_look(it, subject, wrong);
	if (subject_rest(it, subject, err) < 0)
		return -1;
	tmap_bench_subject_fill(subject, 1);
	tmap_cache_sweep_run(&it->sweep);
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

/* Rank 0: no more at once than a fraction of a second takes, since signals are looked for between. */
static size_t batch_most(const struct tmap_repetition *all)
{
	double fit = all->count ? batch_s * (double)all->count / all->spent_s : BATCH;

	return fit < 1 ? 1 : fit < BATCH ? (size_t)fit : BATCH;
}

static int64_t sync_ns(const struct tmap_timing *it)
{
	int64_t known = (it->clock->synced_ns - it->clock->begun_ns) / 2;

	return !it->is_lenient        ? SYNC_NS :
		known < FIRST_SYNC_NS ? FIRST_SYNC_NS :
		known > LAST_SYNC_NS  ? LAST_SYNC_NS :
					known;
}

/* Rank 0: *batch is what comes next. The clock is looked at again in between, and at the end. */
static void batch_plan(const struct tmap_timing *it, const struct tmap_repetition *all,
		       const struct tmap_start_window *window, struct batch *batch)
{
	size_t most = batch_most(all);

	*batch = (struct batch){ 0 };
	if (it->clock) {
		int64_t now = tmap_common_clock_now(it->clock);

		if (now - it->clock->synced_ns > sync_ns(it)) {
			batch->syncs = 1;
			return;
		}
		batch->length_ns = llround(window->length_s * 1e9);
		batch->start_ns = now + llround(window->lead_s * 1e9);
		if (window->length_s * (double)most > batch_s)
			most = window->length_s > batch_s ? 1 :
							    (size_t)(batch_s / window->length_s);
		if (it->one_by_one)
			most = 1;
	}
	batch->count =
		(int64_t)tmap_start_window_tries(window, tmap_repetition_next(all, most), most);
}

/* What came of a batch at a rank, or at most at any: numbers of one type, the largest of which one
 * reduction finds. */
struct batch_outcome {
	double signal;   /* the number of one that came, or 0 */
	double is_wrong; /* has a result been wrong so far? */
	struct tmap_start_outcome repetition[BATCH];
};

static int outcome_reduce(struct tmap_job *job, const struct batch_outcome *mine, int count,
			  struct batch_outcome *most, struct tmap_error *err)
{
	size_t size = offsetof(struct batch_outcome, repetition) +
		(size_t)count * sizeof *mine->repetition;

	return tmap_job_check(job,
			      MPI_Reduce(mine, most, (int)(size / sizeof(double)), MPI_DOUBLE,
					 MPI_MAX, 0, job->world),
			      "MPI_Reduce", err);
}

/* Collective: the repetitions of a batch; *most: what came of them, on rank 0. */
static int batch_run(const struct tmap_timing *it, struct tmap_bench_subject *subject,
		     const struct batch *batch, uint64_t round, struct batch_outcome *most,
		     struct tmap_wrong *wrong, struct tmap_error *err)
{
	struct batch_outcome mine;
	int count = (int)batch->count;

	for (int i = 0; i < count; i++) {
		struct tmap_start_outcome *outcome = &mine.repetition[i];

		if (call_timed(it, subject, batch, i, outcome, err) < 0)
			return -1;
		if (it->checks_all) {
			subject_look(it, subject, wrong);
			tmap_bench_subject_fill(subject, round + (uint64_t)i + 1);
		}
		if (subject_rest(it, subject, err) < 0)
			return -1;
		tmap_cache_sweep_run(&it->sweep);
		outcome->busy_s = 0;
		if (it->clock)
			outcome->busy_s =
				seconds_since(it, batch->start_ns + i * batch->length_ns) -
				outcome->late_s;
	}
	mine.signal = it->interrupt->number;
	mine.is_wrong = wrong->rank != TMAP_NONE;
	return outcome_reduce(it->job, &mine, count, most, err);
}

/* Rank 0: the repetitions of a batch that count. */
static int batch_add(struct tmap_timing *it, struct tmap_repetition *all,
		     struct tmap_start_window *window, struct batch_outcome *most, size_t count,
		     double spent_s, struct tmap_error *err)
{
	double took[BATCH];
	int status;

	count = tmap_start_window_add(window, most->repetition, count, spent_s, took);
	if (all->rule.repetitions && count > (size_t)all->rule.repetitions - all->count)
		count = (size_t)all->rule.repetitions - all->count;
	if (tmap_start_window_check(window, it->one_by_one ? "slices" : "clock", err) < 0)
		return -1;
	tmap_interrupt_lock(it->interrupt);
	it->running = all;
	it->running_is_wrong = most->is_wrong > 0;
	status = tmap_repetition_add(all, took, count, spent_s, err);
	tmap_interrupt_unlock(it->interrupt);
	return status;
}

/* Collective: repetitions by the rule; *all has their times on rank 0, *window what was late. */
static int repeat(struct tmap_timing *it, struct tmap_bench_subject *subject,
		  struct tmap_repetition *all, struct tmap_start_window *window,
		  struct tmap_wrong *wrong, struct tmap_error *err)
{
	struct batch_outcome most = { 0 };
	double begin = MPI_Wtime();
	struct tmap_job *job = it->job;
	struct batch batch = { .count = 1 };
	uint64_t round = 1;
	int status = 0;

	while (batch.count || batch.syncs) {
		if (job->rank == 0) {
			batch_plan(it, all, window, &batch);
			if (status < 0 || (most.signal > 0 && all->count))
				batch = (struct batch){ .signal = (int64_t)most.signal };
		}
		if (tmap_job_check(job,
				   MPI_Bcast(&batch, (int)sizeof batch, MPI_BYTE, 0, job->world),
				   "MPI_Bcast", err) < 0)
			return -1;
		if (batch.syncs && tmap_common_clock_sync(it->clock, err) < 0)
			return -1;
		if (!batch.count)
			continue;
		if (batch_run(it, subject, &batch, round, &most, wrong, err) < 0)
			return -1;
		round += (uint64_t)batch.count;
		if (job->rank == 0)
			status = batch_add(it, all, window, &most, (size_t)batch.count,
					   MPI_Wtime() - begin, err);
	}
	it->stopped_by = (int)batch.signal;
	if (tmap_job_agree(job, status, err) < 0) /* before anything else can fail */
		return -1;
	return it->clock && !it->is_lenient ? tmap_common_clock_sync(it->clock, err) : 0;
}

/* Collective: the same subject by the loops of others, of whose calls the last is looked at. */
static int repeat_like(struct tmap_timing *it, struct tmap_bench_subject *subject,
		       struct tmap_experiment *experiment, struct tmap_wrong *wrong,
		       struct tmap_error *err)
{
	if (!it->like || it->stopped_by)
		return 0;
	tmap_bench_subject_fill(subject, 0);
	if (tmap_like_timing_run(it->job, subject, it->like, experiment->collective,
				 experiment->bytes, &it->interrupt->number, experiment->like,
				 &it->stopped_by, err) < 0)
		return -1;
	subject_look(it, subject, wrong);
	return it->clock ? tmap_common_clock_sync(it->clock, err) : 0;
}

/* Rank 0. */
static int experiment_fill(const struct tmap_timing *timing, struct tmap_experiment *experiment,
			   const struct tmap_repetition *all, struct tmap_error *err)
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
	if (timing->keeps_raw) {
		experiment->raw = tmap_alloc_raw(all->count, sizeof *all->time, err);
		if (!experiment->raw)
			return -1;
		memcpy(experiment->raw, all->time, all->count * sizeof *all->time);
	}
	experiment->run_count = 1;
	experiment->repetitions = (int64_t)all->count;
	return 0;
}

int tmap_timing_cut(const struct tmap_timing *timing, struct tmap_experiment *experiment,
		    struct tmap_error *err)
{
	if (experiment->run_count || !timing->running || !timing->running->count)
		return 0;
	experiment->is_correct = !timing->running_is_wrong;
	memset(experiment->like, 0, sizeof experiment->like); /* perhaps half of one */
	return experiment_fill(timing, experiment, timing->running, err);
}

/* Rank 0: the run is over; *experiment has what there is of it. */
static int run_end(struct tmap_timing *timing, struct tmap_experiment *experiment,
		   struct tmap_repetition *all, const struct tmap_wrong *wrong, int status,
		   struct tmap_error *err)
{
	struct tmap_error ignored;

	tmap_interrupt_lock(timing->interrupt);
	if (status == 0) {
		experiment->is_correct = wrong->rank == TMAP_NONE;
		status = experiment_fill(timing, experiment, all, err);
	} else if (timing->job->broken) {
		tmap_timing_cut(timing, experiment, &ignored);
	}
	timing->running = NULL;
	tmap_repetition_fini(all);
	tmap_interrupt_unlock(timing->interrupt);
	return status;
}

int tmap_timing_run(struct tmap_timing *timing, struct tmap_bench_subject *subject,
		    struct tmap_experiment *experiment, struct tmap_wrong *wrong,
		    struct tmap_error *err)
{
	struct tmap_start_window window;
	struct tmap_repetition all;
	int status;

	tmap_start_window_init(&window);
	window.is_lenient = timing->is_lenient;
	if (timing->lead_s > 0)
		window.lead_s = timing->lead_s;
	*wrong = (struct tmap_wrong){ .rank = TMAP_NONE };
	tmap_repetition_init(&all, &timing->rule);
	status = call_first(timing, subject, wrong, err);
	if (status == 0)
		status = repeat(timing, subject, &all, &window, wrong, err);
	if (status == 0)
		status = repeat_like(timing, subject, experiment, wrong, err);
	if (status == 0)
		status = wrong_agree(timing->job, wrong, err);
	timing->lead_s = window.lead_s;
	if (status == 0 && timing->clock)
		timing->clock->late += window.late;
	if (timing->job->rank == 0)
		status = run_end(timing, experiment, &all, wrong, status, err);
	else
		tmap_repetition_fini(&all);
	return timing->job->broken ? -1 : tmap_job_agree(timing->job, status, err);
}
