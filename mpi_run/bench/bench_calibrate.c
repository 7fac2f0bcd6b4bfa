/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/mem.h"
#include "core/base/units.h"
#include "core/base/utf8.h"
#include "core/cost/profile_trust.h"
#include "core/machine/placement_digest.h"
#include "core/measure/calibrated_profile.h"
#include "formats/base/signals.h"
#include "formats/machine/json_profile.h"
#include "formats/report/profile/profile_report.h"
#include "mpi_run/bench/calibration_check.h"
#include "mpi_run/bench/conductor.h"
#include "mpi_run/bench/core_wait.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct calibrate_args {
	const char *seconds, *times;
	int64_t seed;
	bool no_check;
	struct tmap_bench_args common;
};

static const struct tmap_opt options[] = {
	{ TMAP_OPT_STRING(struct calibrate_args, seconds, 't', "seconds", "SECONDS", "20",
			  "how long it is to take, 1 at least; with fewer there are fewer messages, "
			  "and wider intervals, and notes say for what there was no time") },
	{ TMAP_OPT_FLAG(struct calibrate_args, no_check, 0, "no-check",
			"do not predict collectives and measure them: nobody knows then how far the "
			"profile holds") },
	{ TMAP_BENCH_SEED(struct calibrate_args, seed) },
	{ TMAP_BENCH_PLACEMENT(struct calibrate_args) },
	{ TMAP_OPT_FILE(
		struct calibrate_args, times, 0, "times", "FILE", NULL,
		"write the collectives that the profile predicted, as they were measured, for "
		"topomap score --times: by this profile, or another one") },
	{ TMAP_BENCH_PROGRESS(struct calibrate_args) },
	{ TMAP_OPT_FORMAT(struct calibrate_args, common.format, "json",
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON)) },
	{ TMAP_BENCH_OUTPUT(struct calibrate_args) },
	TMAP_OPT_END,
};

static const struct tmap_example examples[] = {
	{ "what messages cost between the ranks of a job",
	  "mpirun --bind-to core topomap-bench calibrate -o here.json", "it needs an MPI job" },
	{ "the same, and the times of the collectives that it was checked by",
	  "mpirun --bind-to core topomap-bench calibrate -o here.json --times check.json",
	  "it needs an MPI job" },
	{ NULL, NULL, NULL },
};

/* The calibration of a job, of which the other ranks have no more than the conductor. */
struct calibration {
	const struct calibrate_args *args;
	double seconds;
	struct tmap_session *session;
	struct tmap_conductor conductor;
	struct tmap_levels levels;
	struct tmap_calibrator calibrator;
	struct tmap_calibrated_profile made;
	uint64_t seed;
	bool is_checked;
	struct tmap_core_wait wait; /* of this rank */
	struct tmap_output out;     /* of --times */
	char name[64], source[120];
	char digest[TMAP_PLACEMENT_DIGEST_ROOM]; /* of the placement */
};

static int trial_run(void *data, const struct tmap_trial *trial, struct tmap_trial_result *result,
		     struct tmap_error *err)
{
	return tmap_conductor_run(data, trial, result, err);
}

static double trial_spent(void *data)
{
	return tmap_conductor_spent(data);
}

#define SEEDS 1000000000 /* of an order that nobody chose: few digits to type */

/* Rank 0: all trials. */
static int calibration_conduct(struct calibration *it, struct tmap_error *err)
{
	struct tmap_session *session = it->session;
	struct tmap_trial_runner runner = { trial_run, trial_spent, &it->conductor,
					    &session->line.progress };
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	it->seed = it->args->seed == TMAP_NONE ?
		((uint64_t)now.tv_sec ^ (uint64_t)now.tv_nsec << 20) % SEEDS :
		(uint64_t)it->args->seed;
	if (tmap_levels_init(&it->levels, session->times.placement.machine, err) < 0 ||
	    tmap_calibrator_init(&it->calibrator, &session->times.placement, &session->metric,
				 &it->levels, &runner, it->seconds, it->seed, err) < 0)
		return -1;
	if (tmap_calibrator_run_pairs(&it->calibrator, err) < 0 ||
	    tmap_calibrator_run_shared(&it->calibrator, err) < 0)
		return -1;
	return tmap_calibrator_run_own(&it->calibrator, err);
}

/* Rank 0: some of them once more. */
static int calibration_repeat(struct calibration *it, struct tmap_error *err)
{
	if (tmap_calibrator_run_again(&it->calibrator, err) == 0)
		return 0;
	return it->conductor.stopped_by ? tmap_fail(err, TMAP_SYSTEM, "interrupted by %s",
						    tmap_signals_name(it->conductor.stopped_by)) :
					  -1;
}

/* Collective: trials, led by rank 0. */
static int calibration_measure(struct calibration *it,
			       int (*conduct)(struct calibration *it, struct tmap_error *err),
			       struct tmap_error *err)
{
	struct tmap_job *job = &it->session->startup->job;
	struct tmap_error last;
	int status;

	if (job->rank == 0) {
		status = conduct(it, err);
		if (!job->broken && tmap_conductor_end(&it->conductor, &last) < 0) {
			*err = last;
			status = -1;
		}
	} else
		status = tmap_conductor_follow(&it->conductor, err);
	return job->broken ? -1 : tmap_job_agree(job, status, err);
}

/* "here" of "results/here.json", which is what messages call the profile, and how it was asked for. */
static void words_find(struct calibration *it)
{
	const char *path = it->args->common.output, *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path, *end = strrchr(name, '.');
	size_t length = end ? (size_t)(end - name) : strlen(name);

	if (length == 0 || length >= sizeof it->name || strcmp(path, "-") == 0 ||
	    !tmap_utf8_is_plain(name)) {
		name = "calibrated";
		length = strlen(name);
	}
	snprintf(it->name, sizeof it->name, "%.*s", (int)length, name);
	snprintf(it->source, sizeof it->source,
		 "measured by topomap-bench calibrate --seconds %g --seed %" PRIu64, it->seconds,
		 it->seed);
}

/* Rank 0: what was found, as a profile. */
static int profile_make(struct calibration *it, struct tmap_error *err)
{
	if (tmap_calibrated_profile_init(&it->made, &it->calibrator, err) < 0)
		return -1;
	if (tmap_placement_digest(&it->session->times.placement, it->digest, err) < 0)
		return -1;
	words_find(it);
	it->session->times.has_seed = true;
	it->session->times.seed = (int64_t)it->seed;
	it->made.profile.word.name = it->name;
	it->made.profile.source = it->source;
	it->made.calibration.placement = it->digest;
	it->made.profile.date = it->session->times.date;
	it->made.calibration.mpi = it->session->library;
	it->made.calibration.seconds = tmap_conductor_spent(&it->conductor);
	return 0;
}

/* One of so many algorithms that take longer at one time than at another is too many. */
enum { DRIFTING_PART = 4 };

/* Rank 0: what the check came to. */
static int verdict_keep(struct calibration *it, const struct tmap_check_verdict *verdict,
			const struct tmap_check *check, struct tmap_error *err)
{
	struct tmap_calibration *calibration = &it->made.calibration;
	int planned = 0;

	calibration->rho = verdict->rho;
	calibration->regret = verdict->regret;
	calibration->collectives = verdict->algorithms;
	calibration->choices = verdict->cases;
	calibration->choices_near = verdict->near;
	calibration->worst_regret = verdict->worst_regret;
	calibration->largest_ratio = verdict->ratio;
	calibration->seconds = tmap_conductor_spent(&it->conductor);
	for (int c = 0; c < check->count; c++)
		planned += check->item[c].count >= 2; /* that can be measured */
	if (verdict->cases < planned &&
	    tmap_calibrator_note(&it->calibrator, err,
				 "the check had time for %d of its %d collectives and sizes",
				 verdict->cases, planned) < 0)
		return -1;
	if (!verdict->algorithms || verdict->drifting * DRIFTING_PART < verdict->algorithms)
		return 0;
	calibration->is_quiet = false;
	if (tmap_calibrator_note(&it->calibrator, err,
				 "the machine was not quiet: %d of %d algorithms took more than "
				 "%.0f %% longer at one time than at another",
				 verdict->drifting, verdict->algorithms,
				 100 * TMAP_CHECK_DRIFT) < 0)
		return -1;
	tmap_calibrated_profile_renew(&it->made, &it->calibrator);
	return 0;
}

/* The part of all seconds after which the check ends where some trials are made once more. */
static const double check_part = 0.9;

/* Rank 0: how long the check may take. */
static double check_seconds(const struct calibration *it)
{
	double part = tmap_calibrator_has_spread(&it->calibrator) ? check_part : 1;

	return fmax(0, part * it->seconds - tmap_conductor_spent(&it->conductor));
}

/* Collective: collectives that the profile predicts, measured. */
static int profile_check(struct calibration *it, struct tmap_error *err)
{
	struct tmap_job *job = &it->session->startup->job;
	struct tmap_check check = { 0 };
	struct tmap_check_verdict verdict = { 0 };
	double left_s = job->rank == 0 ? check_seconds(it) : 0;
	int status = tmap_job_check(job, MPI_Bcast(&it->seed, 1, MPI_UINT64_T, 0, job->world),
				    "MPI_Bcast", err);

	if (status == 0)
		status = tmap_calibration_check(it->session, &it->made.profile, left_s, it->seed,
						&check, &verdict, err);
	if (status == 0 && job->rank == 0) {
		tmap_interrupt_lock(&it->session->interrupt);
		status = verdict_keep(it, &verdict, &check, err);
		tmap_interrupt_unlock(&it->session->interrupt);
	}
	if (!job->broken)
		status = tmap_job_agree(job, status, err);
	tmap_check_fini(&check);
	return status;
}

/* Rank 0, with the lock: what trials once more came to, if all of them were made. */
static int again_keep(struct calibration *it, int status, struct tmap_error *err)
{
	it->made.calibration.seconds = tmap_conductor_spent(&it->conductor);
	if (status == 0)
		status = tmap_calibrator_vary(&it->calibrator, err);
	tmap_calibrated_profile_renew(&it->made, &it->calibrator);
	return status;
}

/* Collective: trials once more, which widen intervals; until all are made it is the profile of before. */
static int profile_repeat(struct calibration *it, struct tmap_error *err)
{
	struct tmap_session *session = it->session;
	struct tmap_job *job = &session->startup->job;
	int status = calibration_measure(it, calibration_repeat, err), kept = status;

	if (job->rank == 0) {
		tmap_interrupt_lock(&session->interrupt);
		kept = again_keep(it, status, err);
		tmap_interrupt_unlock(&session->interrupt);
	}
	return status < 0 ? -1 : tmap_job_agree(job, kept, err);
}

/* A rank that has a core of its own waits no longer for it where a machine is quiet. */
static const double wait_part = 0.03;

/* Rank 0: a rank waited that part of the time for its core, which it has to itself in the job. */
static int wait_note(struct calibration *it, int rank, double part, struct tmap_error *err)
{
	if (it->conductor.sleeps || !tmap_calibrator_has_spread(&it->calibrator) ||
	    part <= wait_part)
		return 0;
	it->calibrator.is_noisy = true;
	return tmap_calibrator_note(&it->calibrator, err,
				    "the machine was not quiet: the core of rank %d ran something "
				    "else for %.0f %% of the time",
				    rank, 100 * part);
}

/* Collective: did the ranks have their cores? */
static int profile_note_waits(struct calibration *it, struct tmap_error *err)
{
	struct tmap_job *job = &it->session->startup->job;
	double part;
	int rank, status = tmap_core_wait_most(&part, &rank, &it->wait, job, err);

	if (status == 0 && job->rank == 0) {
		tmap_interrupt_lock(&it->session->interrupt);
		status = wait_note(it, rank, part, err);
		tmap_calibrated_profile_renew(&it->made, &it->calibrator);
		tmap_interrupt_unlock(&it->session->interrupt);
	}
	return job->broken ? -1 : tmap_job_agree(job, status, err);
}

/* Rank 0: what the check measured, if it did. */
static int times_write(struct calibration *it, struct tmap_error *err)
{
	if (!it->args->times || !it->session->times.count)
		return 0;
	return tmap_times_write(&it->out, &it->session->times, TMAP_FORMAT_JSON, NULL, err);
}

/* Who writes to a file sees nothing else of it. */
static void verdict_print(const struct calibration *it)
{
	const struct tmap_calibration *calibration = &it->made.calibration;
	const char *program = it->session->startup->program;

	if (strcmp(it->args->common.output, "-") == 0)
		return;
	if (calibration->choices)
		fprintf(stderr,
			"%s: rank correlation %.3g, first choice within 5 %% of the best in %d of %d "
			"cases%s\n",
			program, calibration->rho, calibration->choices_near, calibration->choices,
			tmap_profile_is_poor(&it->made.profile) ? ": poor" : "");
	for (int i = 0; i < calibration->note_count; i++)
		fprintf(stderr, "%s: note: %s\n", program, calibration->note[i]);
}

/* Rank 0. */
static int profile_write(struct tmap_session *session, struct tmap_error *err)
{
	struct calibration *it = session->write_data;
	int status = 0;

	if (session->times.is_interrupted)
		status = tmap_calibrator_note(&it->calibrator, err, "%s",
					      it->is_checked ?
						      "interrupted before messages were measured "
						      "once more" :
						      "interrupted before collectives were "
						      "predicted and measured");
	if (status < 0)
		return -1;
	tmap_calibrated_profile_renew(&it->made, &it->calibrator);
	status = it->args->common.format == TMAP_FORMAT_JSON ?
		tmap_profile_write_json_measured(&it->made.profile, &session->times.placement,
						 session->out.file, err) :
		tmap_text_write_whole_profile(session->out.file, &it->made.profile, err);

	status = tmap_output_end(&session->out, status, err);
	if (status == 0)
		verdict_print(it);
	return status;
}

/* Less is too short for a message of each distance and size. */
static const double least_seconds = 1, most_seconds = 86400;

static int seconds_parse(const char *text, double *seconds, struct tmap_error *err)
{
	char *end;

	*seconds = strtod(text, &end);
	if (end == text || *end || !(*seconds >= least_seconds && *seconds <= most_seconds))
		return tmap_fail(err, TMAP_USAGE, "--seconds: '%s' is no number from %g to %g",
				 text, least_seconds, most_seconds);
	return 0;
}

static int args_check(const struct calibrate_args *args, double *seconds, struct tmap_error *err)
{
	if (seconds_parse(args->seconds, seconds, err) < 0)
		return -1;
	if (args->times && args->no_check)
		return tmap_fail(
			err, TMAP_USAGE,
			"--times and --no-check cannot be combined: the times are the check's");
	if (args->times && strcmp(args->times, args->common.output) == 0)
		return tmap_fail(err, TMAP_USAGE,
				 "--times and --output: '%s' cannot hold two documents",
				 args->times);
	return 0;
}

int tmap_bench_calibrate(struct tmap_startup *startup, const void *data, struct tmap_error *err)
{
	const struct tmap_repetition_rule rule = { .repetitions = 1 };
	struct tmap_session session;
	struct tmap_error ignored;
	struct calibration it = { .args = data, .session = &session };
	struct tmap_job *job = &startup->job;
	int status = tmap_job_agree(job, args_check(it.args, &it.seconds, err), err);

	if (status < 0)
		return -1;
	status = tmap_session_init(&session, startup, &it.args->common, &rule, err);
	if (status == 0 && job->rank == 0 && it.args->times &&
	    tmap_output_init(&it.out, it.args->times, err) < 0)
		status = tmap_wrap(err, "--times");
	if (!job->broken)
		status = tmap_job_agree(job, status, err);
	session.write = profile_write;
	session.write_data = &it;
	if (status == 0)
		status = tmap_conductor_init(&it.conductor, job, &session.channel,
					     &session.interrupt, &session.times.placement, err);
	if (status == 0) {
		it.wait = tmap_core_wait_begin();
		tmap_session_plan(&session, 1);
		status = calibration_measure(&it, calibration_conduct, err);
	}
	if (status == 0)
		status = tmap_job_agree(job, job->rank == 0 ? profile_make(&it, err) : 0, err);
	if (status == 0) {
		tmap_interrupt_lock(&session.interrupt);
		session.done = 1; /* it is there, whatever interrupts the check */
		session.written = it.args->no_check ? "the profile is written" :
						      "the profile is written, without its check";
		tmap_interrupt_unlock(&session.interrupt);
		status = it.args->no_check ? 0 : profile_check(&it, err);
		tmap_interrupt_lock(&session.interrupt);
		it.is_checked = status == 0;
		if (it.is_checked)
			session.written = "the profile is written";
		tmap_interrupt_unlock(&session.interrupt);
		if (status == 0)
			status = profile_repeat(&it, err);
		if (status == 0)
			status = profile_note_waits(&it, err);
	}
	if (status == 0)
		status = tmap_job_agree(job, job->rank == 0 ? times_write(&it, err) : 0, err);
	else if ((session.timing.stopped_by || it.conductor.stopped_by) && job->rank == 0 &&
		 !job->broken) {
		tmap_interrupt_lock(&session.interrupt);
		session.times.is_interrupted = !it.is_checked;
		tmap_interrupt_unlock(&session.interrupt);
		times_write(&it, &ignored); /* the signal is what is said */
	}
	status = tmap_session_end(&session, status, err);
	tmap_output_fini(&it.out);
	tmap_calibrated_profile_fini(&it.made);
	tmap_calibrator_fini(&it.calibrator);
	tmap_levels_fini(&it.levels);
	tmap_conductor_fini(&it.conductor);
	tmap_session_fini(&session);
	return status;
}

const struct tmap_command tmap_bench_calibrate_command = {
	.name = "bench-calibrate",
	.invocation = "topomap-bench calibrate",
	.summary = "measure what messages cost on this machine, as a cost profile",
	.description =
		"An MPI program: start it as you start your job, with the same options for "
		"mapping and binding. Messages between a few ranks of each process distance, "
		"and between many at once, say what a message costs and what ranks share; rank "
		"0 writes a profile, which predicts collectives that it then measures, too.",
	.options = options,
	.args_size = sizeof(struct calibrate_args),
	.examples = examples,
};
