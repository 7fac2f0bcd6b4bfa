/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/session.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "formats/base/signals.h"
#include "formats/report/times/times_report.h"
#include "mpi_run/bench/bench_place.h"
#include "mpi_run/bench/session_clock.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SEEDS 1000000000 /* of an order that nobody chose: few digits to type */

static bool is_rank_0(const struct tmap_session *session)
{
	return session->startup->job.rank == 0;
}

static void note_wrong(struct tmap_session *session, const char *what,
		       const struct tmap_wrong *wrong)
{
	if (wrong->rank == TMAP_NONE || session->wrong++ > 0)
		return;
	if (wrong->fault.is_of_neighbors)
		snprintf(session->first_wrong, sizeof session->first_wrong,
			 "the communicator of %s is wrong at rank %d: its neighbors are not those "
			 "that were asked for, or in another order",
			 what, wrong->rank);
	else
		snprintf(session->first_wrong, sizeof session->first_wrong,
			 "the result of %s is wrong at rank %d: block %lld, byte %lld", what,
			 wrong->rank, (long long)wrong->fault.block, (long long)wrong->fault.byte);
}

/* Times of one rank are seldom what somebody wants who has forgotten the launcher. */
static void alone_note(const struct tmap_startup *startup)
{
	if (startup->job.size == 1 && startup->started_rank == TMAP_NONE)
		fprintf(stderr,
			"%s: no launcher has started this, so there is one rank: start it as your "
			"job, mpirun -n 4 %s ...\n",
			startup->program, startup->program);
}

void tmap_session_plan(struct tmap_session *session, int count)
{
	alone_note(session->startup);
	session->planned = count;
	if (!is_rank_0(session))
		return;
	if (session->caveats.sharing)
		fprintf(stderr, "%s: %s\n", session->startup->program, session->caveats.line[0]);
	if (session->args->progress)
		tmap_progress_line_init_list(&session->line, session->startup->program, stderr);
	else
		tmap_progress_line_init(&session->line, session->startup->program, stderr);
}

void tmap_session_note_next(struct tmap_session *session, const char *next)
{
	session->line.next = next;
	if (is_rank_0(session))
		tmap_progress_report(&session->line.progress, session->begun, session->planned,
				     "experiments");
	session->line.next = NULL;
	session->begun++;
}

static int session_fail_interrupted(const struct tmap_session *session, int number,
				    struct tmap_error *err)
{
	if (session->written)
		return tmap_fail(err, TMAP_SYSTEM, "interrupted by %s: %s",
				 tmap_signals_name(number), session->written);
	return session->done ?
		tmap_fail(err, TMAP_SYSTEM, "interrupted by %s: %d experiment%s written",
			  tmap_signals_name(number), session->done,
			  session->done == 1 ? " is" : "s are") :
		tmap_fail(err, TMAP_SYSTEM, "interrupted by %s before anything was measured",
			  tmap_signals_name(number));
}

/* Rank 0, with the lock: the experiment under way gets into what is written, if there is any of it. */
static int running_add(struct tmap_session *session, struct tmap_error *err)
{
	const struct tmap_session_addition *it = session->running;

	if (!it)
		return 0;
	session->running = NULL;
	if (session->timing.clock)
		session->times.clock =
			(struct tmap_clock_use){ session->clock.count,
						 (double)session->clock.error_ns * 1e-9,
						 session->clock.late };
	if (tmap_timing_cut(&session->timing, it->experiment, err) < 0)
		return -1;
	if (!it->experiment->run_count)
		return 0;
	session->done++;
	return it->add(it->data, err);
}

int tmap_session_time(struct tmap_session *session, struct tmap_bench_subject *subject,
		      const struct tmap_session_addition *addition, struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	struct tmap_wrong wrong;
	struct tmap_error ignored;
	int status;

	tmap_interrupt_lock(&session->interrupt);
	session->running = is_rank_0(session) ? addition : NULL;
	tmap_interrupt_unlock(&session->interrupt);
	status = tmap_timing_run(&session->timing, subject, addition->experiment, &wrong, err);
	tmap_interrupt_lock(&session->interrupt);
	if (status == 0 && is_rank_0(session))
		status = running_add(session, err);
	else if (status == 0)
		session->done++;
	else if (job->broken)
		running_add(session, &ignored);
	session->running = NULL;
	tmap_interrupt_unlock(&session->interrupt);
	if (job->broken || tmap_job_agree(job, status, err) < 0)
		return -1;
	note_wrong(session, addition->what, &wrong);
	return session->timing.stopped_by ?
		session_fail_interrupted(session, session->timing.stopped_by, err) :
		0;
}

int tmap_session_order(struct tmap_session *session, int64_t seed, int count, int **order,
		       struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	struct tmap_random random;
	struct timespec now;

	if (seed == TMAP_NONE) {
		timespec_get(&now, TIME_UTC);
		seed = (int64_t)(((uint64_t)now.tv_sec ^ (uint64_t)now.tv_nsec << 20) % SEEDS);
	}
	random = (struct tmap_random){ .state = (uint64_t)seed };
	session->times.has_seed = true;
	session->times.seed = seed;
	*order = tmap_alloc((size_t)count, sizeof **order, err);
	if (tmap_job_agree(job, *order ? 0 : -1, err) < 0)
		return -1;
	for (int i = 0; i < count; i++)
		(*order)[i] = i;
	tmap_random_shuffle(&random, *order, count);
	return tmap_job_check(job, MPI_Bcast(*order, count, MPI_INT, 0, job->world), "MPI_Bcast",
			      err);
}

int tmap_session_candidates_add(struct tmap_session *session, struct tmap_candidates *candidates,
				enum tmap_collective collective, const char *const *word,
				size_t count, struct tmap_error *err)
{
	const struct tmap_candidate_library library = { session->library,
							tmap_library_of(session->library),
							&session->order, session->also };
	int status = tmap_candidates_add(candidates, collective, word, count,
					 session->times.placement.size, &library, err);

	for (int i = 0; i < candidates->count && status == 0; i++) {
		candidates->item[i].by_rounds = session->args->by_rounds;
		session->has_own = session->has_own || !candidates->item[i].is_native;
		session->times.says_rounds = session->has_own;
	}
	return tmap_job_agree(&session->startup->job, status, err);
}

int tmap_session_check_by_rounds(const struct tmap_session *session, struct tmap_error *err)
{
	return session->args->by_rounds && !session->has_own ?
		tmap_fail(err, TMAP_USAGE,
			  "--by-rounds: no algorithm here is topomap's, and the library's have "
			  "rounds of their own") :
		0;
}

/* Rank 0: what describes the experiments. */
static int times_describe(struct tmap_session *session, struct tmap_error *err)
{
	struct tmap_origin origin = { 0 };
	int status = tmap_startup_describe(session->startup, NULL, &origin, err);

	session->times.mpi = tmap_strdup(session->library, err);
	session->times.sync =
		tmap_strdup(tmap_keywords_at(&tmap_syncs, (size_t)session->args->sync)->name, err);
	session->times.date = origin.date;
	free(origin.by);
	free(origin.mpi);
	free(origin.launcher);
	return status < 0 || !session->times.mpi || !session->times.sync ? -1 : 0;
}

/* Collective: who is where. */
static int session_place(struct tmap_session *session, struct tmap_error *err)
{
	struct tmap_placement *placement = &session->times.placement;
	int status = 0;

	if (tmap_bench_place(session->startup, session->args->placement, placement, err) < 0)
		return -1;
	if (tmap_metric_init(&session->metric, placement, TMAP_SCALE_PROCESS, err) < 0 ||
	    tmap_order_find(&session->order, placement, err) < 0)
		status = -1;
	if (status == 0)
		status = (session->library = tmap_startup_library(session->startup, err)) ? 0 : -1;
	if (status == 0 && is_rank_0(session))
		status = times_describe(session, err);
	if (status == 0 && is_rank_0(session))
		status = tmap_times_caveats_find(&session->caveats, &session->times, 1, err);
	if (status == 0 && session->args->sync != TMAP_SYNC_BARRIER)
		status = tmap_session_check_cores(
			placement, tmap_keywords_at(&tmap_syncs, (size_t)session->args->sync)->name,
			err);
	return tmap_job_agree(&session->startup->job, status, err);
}

static int session_write(struct tmap_session *session, struct tmap_error *err)
{
	return tmap_times_write(&session->out, &session->times, session->args->format,
				session->write_text, err);
}

/* In another thread than MPI's, which no longer comes to it. */
static void session_last(void *data, int number)
{
	struct tmap_session *session = data;
	struct tmap_error err;
	int status = 0;

	if (is_rank_0(session)) {
		tmap_progress_line_hide(&session->line);
		session->times.is_interrupted = true;
		running_add(session, &err);
		if (session->done)
			status = session->write(session, &err);
		if (status == 0)
			session_fail_interrupted(session, number, &err);
		tmap_startup_print(session->startup->program, &err);
		_exit((int)err.kind);
	}
	tmap_signals_end(number);
}

/* Seconds: rank 0 is to be faster than a launcher's SIGKILL, the others are to leave it the time. */
static const double patience_of_first = 0.3, patience_of_others = 5;

/* Ranks that a simulator runs in one process have no signals of their own. */
static int session_watch(struct tmap_session *session, struct tmap_error *err)
{
#ifdef SMPI_H
	(void)session;
	(void)err;
	(void)session_last;
	(void)patience_of_first;
	(void)patience_of_others;
	return 0;
#else
	return tmap_interrupt_init(&session->interrupt,
				   is_rank_0(session) ? patience_of_first : patience_of_others,
				   session_last, session, err);
#endif
}

int tmap_session_init(struct tmap_session *session, struct tmap_startup *startup,
		      const struct tmap_bench_args *args, const struct tmap_repetition_rule *rule,
		      struct tmap_error *err)
{
	struct tmap_job *job = &startup->job;
	int status = 0;

	*session = (struct tmap_session){ .startup = startup,
					  .args = args,
					  .write = session_write,
					  .write_text = tmap_text_write_times,
					  .speaks = args->progress || isatty(STDERR_FILENO),
					  .timing = { .job = job,
						      .one_by_one = args->sync == TMAP_SYNC_SLICES,
						      .rule = *rule,
						      .interrupt = &session->interrupt,
						      .checks_all = args->check,
						      .keeps_raw = args->raw } };
	if (job->rank == 0)
		status = tmap_output_init(&session->out, args->output, err);
	if (tmap_job_agree(job, status, err) < 0 || session_place(session, err) < 0 ||
	    tmap_job_check(job, tmap_knobs_init(), "MPI_T_init_thread", err) < 0)
		return -1;
	status = tmap_channel_init(&session->channel, job->world, err);
	if (status == 0)
		status = tmap_channel_init(&session->timing.sync, job->world, err);
	job->broken = job->broken || status < 0;
	if (status == 0) {
		session->times.off_cache = args->off_cache > 0 ? args->off_cache : 0;
		session->times.by_rounds = args->by_rounds;
		status = tmap_job_agree(
			job, tmap_cache_sweep_init(&session->timing.sweep, args->off_cache, err),
			err);
	}
	if (status == 0 && args->sync != TMAP_SYNC_BARRIER) {
		session->timing.clock = &session->clock;
		status = tmap_common_clock_init(&session->clock, job, true, err);
	}
	if (status == 0)
		status = tmap_job_agree(job, session_watch(session, err), err);
	return status;
}

void tmap_session_fini(struct tmap_session *session)
{
	tmap_interrupt_fini(&session->interrupt);
	tmap_progress_line_fini(&session->line);
	tmap_output_fini(&session->out);
	if (session->startup->job.broken)
		return;
	if (session->channel.size) {
		tmap_common_clock_fini(&session->clock);
		tmap_channel_fini(&session->timing.sync);
		tmap_channel_fini(&session->channel);
		tmap_knobs_fini();
	}
	tmap_cache_sweep_fini(&session->timing.sweep);
	tmap_metric_fini(&session->metric);
	tmap_times_fini(&session->times);
	free(session->library);
}

static int session_check_done(const struct tmap_session *session, struct tmap_error *err)
{
	return session->done ? 0 :
			       tmap_fail(err, TMAP_INPUT, "nothing can be measured here%s%s",
					 session->has_left_out ? ": " : "",
					 session->has_left_out ? session->left_out.text : "");
}

static int session_check_right(const struct tmap_session *session, struct tmap_error *err)
{
	if (!session->wrong)
		return 0;
	if (session->wrong == 1)
		return tmap_fail(err, TMAP_FINDINGS, "%s", session->first_wrong);
	return session->wrong == 2 ?
		tmap_fail(err, TMAP_FINDINGS, "%s; so is another experiment",
			  session->first_wrong) :
		tmap_fail(err, TMAP_FINDINGS, "%s; so are %d other experiments",
			  session->first_wrong, session->wrong - 1);
}

int tmap_session_end(struct tmap_session *session, int status, struct tmap_error *err)
{
	int number = session->timing.stopped_by;
	bool is_broken = session->startup->job.broken;
	/* the system did not let it go on: what was measured by then is measured */
	bool is_cut = status < 0 && !number && !is_broken && session->done &&
		err->kind == TMAP_SYSTEM;
	struct tmap_error ignored, reason = *err;

	if ((status < 0 && !number && !is_cut && !(is_broken && session->done)) ||
	    session_check_done(session, err) < 0)
		return -1;
	status = 0;
	tmap_progress_line_hide(&session->line);
	tmap_interrupt_lock(&session->interrupt);
	session->times.is_interrupted = is_broken || number || is_cut;
	if (is_rank_0(session))
		status = session->write(session, is_broken ? &ignored : err);
	tmap_interrupt_over(&session->interrupt);
	tmap_interrupt_unlock(&session->interrupt);
	if (is_broken || tmap_job_agree(&session->startup->job, status, err) < 0)
		return -1;
	if (is_cut && session->written)
		return tmap_fail(err, reason.kind, "%s; %s", reason.text, session->written);
	if (is_cut)
		return tmap_fail(err, reason.kind, "%s; %d experiment%s written", reason.text,
				 session->done, session->done == 1 ? " is" : "s are");
	return number ? session_fail_interrupted(session, number, err) :
			session_check_right(session, err);
}
