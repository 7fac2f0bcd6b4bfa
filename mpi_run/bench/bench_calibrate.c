/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/units.h"
#include "core/base/utf8.h"
#include "core/cost/profile_trust.h"
#include "core/machine/placement_digest.h"
#include "formats/machine/json_profile.h"
#include "formats/report/profile/profile_plot.h"
#include "formats/report/profile/profile_report.h"
#include "mpi_run/bench/job_calibration.h"
#include "mpi_run/bench/session.h"
#include "mpi_run/bench/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
			  TMAP_FORMATS(TEXT) | TMAP_FORMATS(JSON) | TMAP_FORMATS(SVG)) },
	{ TMAP_OPT_OUTPUT(struct calibrate_args, common.output) },
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

/* The calibration of a job, and what becomes of it on rank 0. */
struct calibration {
	const struct calibrate_args *args;
	struct tmap_session *session;
	struct tmap_job_calibration found;
	bool is_checked;
	struct tmap_output out; /* of --times */
	char name[64], source[120];
	char digest[TMAP_PLACEMENT_DIGEST_ROOM]; /* of the placement */
};

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
		 "measured by topomap-bench calibrate --seconds %g --seed %" PRId64,
		 it->found.seconds, it->found.seed);
}

/* Rank 0: what was found, as a profile. */
static int profile_make(struct calibration *it, struct tmap_error *err)
{
	if (tmap_calibrated_profile_init(&it->found.made, &it->found.calibrator, err) < 0)
		return -1;
	if (tmap_placement_digest(&it->session->times.placement, it->digest, err) < 0)
		return -1;
	words_find(it);
	it->session->times.has_seed = true;
	it->session->times.seed = it->found.seed;
	it->found.made.profile.word.name = it->name;
	it->found.made.profile.source = it->source;
	it->found.made.calibration.placement = it->digest;
	it->found.made.profile.date = it->session->times.date;
	it->found.made.calibration.mpi = it->session->library;
	it->found.made.calibration.sharing_ranks = it->session->caveats.sharing;
	it->found.made.calibration.seconds = tmap_conductor_spent(&it->found.conductor);
	return 0;
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
	char rho[48] = "", tied[64] = "";
	const struct tmap_calibration *calibration = &it->found.made.calibration;
	const char *program = it->session->startup->program;

	if (strcmp(it->args->common.output, "-") == 0)
		return;
	if (calibration->has_rho)
		snprintf(rho, sizeof rho, "rank correlation %.3g, ", calibration->rho);
	if (calibration->choices_tied)
		snprintf(tied, sizeof tied, ", not to be told from it in %d",
			 calibration->choices_tied);
	if (calibration->choices)
		fprintf(stderr,
			"%s: %sregret %.3g, first choice within 5 %% of the best in %d of %d cases%s%s\n",
			program, rho, calibration->regret, calibration->choices_near,
			calibration->choices, tied,
			tmap_profile_is_poor(&it->found.made.profile)     ? ": poor" :
				tmap_calibration_is_unjudged(calibration) ? ": too few to tell" :
									    "");
	for (int i = 0; i < calibration->note_count; i++)
		fprintf(stderr, "%s: note: %s\n", program, calibration->note[i]);
}

static int document_write(const struct calibration *it, FILE *out, struct tmap_error *err)
{
	const struct tmap_profile *profile = &it->found.made.profile;

	switch (it->args->common.format) {
	case TMAP_FORMAT_SVG:
		return tmap_svg_write_profile(out, profile, err);
	case TMAP_FORMAT_JSON:
		return tmap_profile_write_json_measured(profile, &it->session->times.placement, out,
							err);
	default:
		return tmap_text_write_whole_profile(out, profile, err);
	}
}

/* Rank 0. */
static int profile_write(struct tmap_session *session, struct tmap_error *err)
{
	struct calibration *it = session->write_data;
	int status = 0;

	if (session->times.is_interrupted)
		status = tmap_calibrator_note(&it->found.calibrator, err, "%s",
					      it->is_checked ?
						      "interrupted before messages were measured "
						      "once more" :
						      "interrupted before collectives were "
						      "predicted and measured");
	if (status < 0)
		return -1;
	tmap_calibrated_profile_renew(&it->found.made, &it->found.calibrator);
	status = document_write(it, session->out.file, err);
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
	double seconds;
	int status = tmap_job_agree(job, args_check(it.args, &seconds, err), err);

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
		status =
			tmap_job_calibration_init(&it.found, &session, seconds, it.args->seed, err);
	if (status == 0) {
		tmap_session_plan(&session, 1);
		status = tmap_job_calibration_measure(&it.found, err);
	}
	if (status == 0)
		status = tmap_job_agree(job, job->rank == 0 ? profile_make(&it, err) : 0, err);
	if (status == 0) {
		tmap_interrupt_lock(&session.interrupt);
		session.done = 1; /* it is there, whatever interrupts the check */
		session.written = it.args->no_check ? "the profile is written" :
						      "the profile is written, without its check";
		tmap_interrupt_unlock(&session.interrupt);
		status = it.args->no_check ? 0 : tmap_job_calibration_check(&it.found, err);
		tmap_interrupt_lock(&session.interrupt);
		it.is_checked = status == 0;
		if (it.is_checked)
			session.written = "the profile is written";
		tmap_interrupt_unlock(&session.interrupt);
		if (status == 0)
			status = tmap_job_calibration_repeat(&it.found, err);
		if (status == 0)
			status = tmap_job_calibration_note_waits(&it.found, err);
		if (status == 0 && job->rank == 0)
			tmap_progress_report(&session.line.progress, 1, 1, NULL);
	}
	if (status == 0)
		status = tmap_job_agree(job, job->rank == 0 ? times_write(&it, err) : 0, err);
	else if ((session.timing.stopped_by || it.found.conductor.stopped_by) && job->rank == 0 &&
		 !job->broken) {
		tmap_interrupt_lock(&session.interrupt);
		session.times.is_interrupted = !it.is_checked;
		tmap_interrupt_unlock(&session.interrupt);
		times_write(&it, &ignored); /* the signal is what is said */
	}
	status = tmap_session_end(&session, status, err);
	tmap_output_fini(&it.out);
	tmap_job_calibration_fini(&it.found);
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
