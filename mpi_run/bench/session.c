/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/session.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/units.h"
#include "formats/report/times/times_report.h"
#include "mpi_run/bench/bench_place.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static bool is_rank_0(const struct tmap_session *session)
{
	return session->startup->job.rank == 0;
}

/* Rank 0 says why something is not measured that nobody has named. */
static void note_left_out(struct tmap_session *session, enum tmap_collective collective,
			  const char *what, const struct tmap_error *err)
{
	session->left_out = *err;
	session->has_left_out = true;
	if (is_rank_0(session) && session->speaks)
		fprintf(stderr, "%s: left out: %s %s: %s\n", session->startup->program,
			tmap_collective_rows[collective].word.name, what, err->text);
}

static void note_wrong(struct tmap_session *session, const struct tmap_experiment *it,
		       const struct tmap_wrong *wrong)
{
	char size[TMAP_UNITS_ROOM];

	if (wrong->rank == TMAP_NONE || session->wrong++ > 0)
		return;
	snprintf(session->first_wrong, sizeof session->first_wrong,
		 "the result of %s %s (%s, %s) is wrong at rank %d: block %lld, byte %lld",
		 tmap_collective_rows[it->collective].word.name, it->algorithm,
		 tmap_keywords_at(&tmap_modes, it->mode)->name,
		 tmap_units_print_bytes(it->bytes, size), wrong->rank,
		 (long long)wrong->fault.block, (long long)wrong->fault.byte);
}

static void note_progress(const struct tmap_session *session, const struct tmap_experiment *it)
{
	char size[TMAP_UNITS_ROOM];

	if (is_rank_0(session) && session->speaks)
		fprintf(stderr, "%s: %d: %s %s, %s, %s\n", session->startup->program, session->done,
			tmap_collective_rows[it->collective].word.name, it->algorithm,
			tmap_keywords_at(&tmap_modes, it->mode)->name,
			tmap_units_print_bytes(it->bytes, size));
}

void tmap_session_note_lanes(const struct tmap_session *session, const char *what, int lanes,
			     int64_t bytes)
{
	char size[TMAP_UNITS_ROOM];

	if (is_rank_0(session) && session->speaks)
		fprintf(stderr, "%s: %d: %s over %d lane%s, %s\n", session->startup->program,
			session->done, what, lanes, lanes == 1 ? "" : "s",
			tmap_units_print_bytes(bytes, size));
}

void tmap_session_wrong_lanes(struct tmap_session *session, const char *what, int lanes,
			      int64_t bytes, const struct tmap_wrong *wrong)
{
	char size[TMAP_UNITS_ROOM];

	if (wrong->rank == TMAP_NONE || session->wrong++ > 0)
		return;
	snprintf(session->first_wrong, sizeof session->first_wrong,
		 "the result of %s over %d lane%s (%s) is wrong at rank %d: block %lld, byte %lld",
		 what, lanes, lanes == 1 ? "" : "s", tmap_units_print_bytes(bytes, size),
		 wrong->rank, (long long)wrong->fault.block, (long long)wrong->fault.byte);
}

/* Is it a mode that this is not called in? Then nobody asked for it, or there is no such thing. */
static bool mode_is_missing(struct tmap_session *session, const struct tmap_candidate *candidate,
			    enum tmap_collective collective, enum tmap_mode mode)
{
	struct tmap_error err;

	if (!candidate->is_native)
		return false;
	if (mode == TMAP_NAIVE || mode == TMAP_SCHEDULE)
		tmap_fail(&err, TMAP_INPUT, "what the library keeps is its own");
	else if (!tmap_native_has(mode))
		tmap_fail(&err, TMAP_INPUT, "%s has no persistent collectives", session->library);
	else if (candidate->words && mode != TMAP_BLOCKING)
		tmap_fail(&err, TMAP_INPUT, "its variables are of blocking calls");
	else if (candidate->mockup && mode != TMAP_BLOCKING)
		tmap_fail(&err, TMAP_INPUT, "a mock-up is of blocking calls");
	else
		return false;
	note_left_out(session, collective, candidate->name, &err);
	return true;
}

/* Collective: *it, which names what it is, gets its times and is added. */
static int experiment_run(struct tmap_session *session, const struct tmap_candidate *candidate,
			  const struct tmap_call *call, struct tmap_experiment *it,
			  struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	struct tmap_bench_subject subject;
	struct tmap_wrong wrong;
	int status = tmap_bench_subject_init(&subject, job, &session->channel, candidate, call,
					     it->mode, err);

	if (status < 0 && err->kind == TMAP_INPUT && !job->broken && !candidate->is_named) {
		note_left_out(session, it->collective, it->algorithm, err);
		tmap_bench_subject_fini(&subject);
		return 0;
	}
	if (status == 0)
		status = tmap_timing_run(&session->timing, &subject, it, &wrong, err);
	if (status == 0) {
		session->done++;
		note_wrong(session, it, &wrong);
		if (is_rank_0(session))
			status = tmap_times_add_take(&session->times, it, err);
		status = tmap_job_agree(job, status, err);
	} else {
		tmap_wrap(err, "%s %s", tmap_collective_rows[it->collective].word.name,
			  it->algorithm);
	}
	if (!job->broken)
		tmap_bench_subject_fini(&subject);
	return status;
}

int tmap_session_measure(struct tmap_session *session, const struct tmap_candidate *candidate,
			 enum tmap_collective collective, int64_t bytes, int root,
			 enum tmap_mode mode, struct tmap_error *err)
{
	const struct tmap_collective_row *row = &tmap_collective_rows[collective];
	struct tmap_call call = { .choice = candidate->choice,
				  .size = session->times.placement.size,
				  .root = row->has_root ? root : 0,
				  .bytes = bytes,
				  .metric = &session->metric };
	struct tmap_experiment it = {
		.collective = collective, .mode = mode, .bytes = bytes, .root = call.root
	};
	int status;

	if (mode_is_missing(session, candidate, collective, mode))
		return 0;
	if (row->reduces && row->cuts_vector)
		call.element = tmap_library_element(collective, bytes);
	it.algorithm = tmap_strdup(candidate->name, err);
	status = tmap_job_agree(&session->startup->job, it.algorithm ? 0 : -1, err);
	if (status == 0) {
		note_progress(session, &it);
		status = experiment_run(session, candidate, &call, &it, err);
	}
	tmap_experiment_fini(&it);
	return status;
}

int tmap_session_order(struct tmap_session *session, int64_t seed, int count, int **order,
		       struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;
	struct tmap_random random = { .state = (uint64_t)seed };
	struct timespec now;

	if (seed == TMAP_NONE) {
		timespec_get(&now, TIME_UTC);
		random.state = (uint64_t)now.tv_sec ^ (uint64_t)now.tv_nsec << 32;
	}
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
							&session->order };
	int status = tmap_candidates_add(candidates, collective, word, count,
					 session->times.placement.size, &library, err);

	return tmap_job_agree(&session->startup->job, status, err);
}

/* Rank 0: what describes the experiments. */
static int times_describe(struct tmap_session *session, struct tmap_error *err)
{
	struct tmap_origin origin = { 0 };
	int status = tmap_startup_describe(session->startup, NULL, &origin, err);

	session->times.mpi = tmap_strdup(session->library, err);
	session->times.sync = tmap_strdup("barrier", err);
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
	return tmap_job_agree(&session->startup->job, status, err);
}

int tmap_session_init(struct tmap_session *session, struct tmap_startup *startup,
		      const struct tmap_bench_args *args, const struct tmap_repetition_rule *rule,
		      struct tmap_error *err)
{
	struct tmap_job *job = &startup->job;
	int status = 0;

	*session = (struct tmap_session){ .startup = startup,
					  .args = args,
					  .write_text = tmap_text_write_times,
					  .speaks = args->progress || isatty(STDERR_FILENO),
					  .timing = { .job = job,
						      .rule = *rule,
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
	return status;
}

void tmap_session_fini(struct tmap_session *session)
{
	tmap_output_fini(&session->out);
	if (session->startup->job.broken)
		return;
	if (session->channel.size) {
		tmap_channel_fini(&session->timing.sync);
		tmap_channel_fini(&session->channel);
		tmap_knobs_fini();
	}
	tmap_metric_fini(&session->metric);
	tmap_times_fini(&session->times);
	free(session->library);
}

int tmap_session_check_done(const struct tmap_session *session, struct tmap_error *err)
{
	return session->done ? 0 :
			       tmap_fail(err, TMAP_INPUT, "nothing can be measured here%s%s",
					 session->has_left_out ? ": " : "",
					 session->has_left_out ? session->left_out.text : "");
}

int tmap_session_check_right(const struct tmap_session *session, struct tmap_error *err)
{
	if (!session->wrong)
		return 0;
	return session->wrong == 1 ?
		tmap_fail(err, TMAP_FINDINGS, "%s", session->first_wrong) :
		tmap_fail(err, TMAP_FINDINGS, "%s; so are %d other experiments",
			  session->first_wrong, session->wrong - 1);
}

int tmap_session_end(struct tmap_session *session, struct tmap_error *err)
{
	int status = tmap_session_check_done(session, err);

	if (status == 0 && is_rank_0(session))
		status = tmap_times_write(&session->out, &session->times, session->args->format,
					  session->write_text, err);
	if (session->done)
		status = tmap_job_agree(&session->startup->job, status, err);
	return status == 0 ? tmap_session_check_right(session, err) : -1;
}
