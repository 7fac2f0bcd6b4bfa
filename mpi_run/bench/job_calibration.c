/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/job_calibration.h"

#include "core/measure/calibration_check.h"
#include "formats/base/signals.h"
#include "mpi_run/bench/calibration_check.h"

#include <math.h>
#include <time.h>

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
static int calibration_conduct(struct tmap_job_calibration *it, struct tmap_error *err)
{
	struct tmap_session *session = it->session;
	struct tmap_trial_runner runner = { trial_run, trial_spent, &it->conductor,
					    &session->line.progress };
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	if (it->seed == TMAP_NONE)
		it->seed = (int64_t)(((uint64_t)now.tv_sec ^ (uint64_t)now.tv_nsec << 20) % SEEDS);
	if (tmap_levels_init(&it->levels, session->times.placement.machine, err) < 0 ||
	    tmap_calibrator_init(&it->calibrator, &session->times.placement, &session->metric,
				 &it->levels, &runner, it->seconds, (uint64_t)it->seed, err) < 0)
		return -1;
	if (tmap_calibrator_run_pairs(&it->calibrator, err) < 0 ||
	    tmap_calibrator_run_shared(&it->calibrator, err) < 0)
		return -1;
	return tmap_calibrator_run_own(&it->calibrator, err);
}

/* Rank 0: some of them once more. */
static int calibration_repeat(struct tmap_job_calibration *it, struct tmap_error *err)
{
	if (tmap_calibrator_run_again(&it->calibrator, err) == 0)
		return 0;
	return it->conductor.stopped_by ? tmap_fail(err, TMAP_SYSTEM, "interrupted by %s",
						    tmap_signals_name(it->conductor.stopped_by)) :
					  -1;
}

/* Collective: trials, led by rank 0. */
static int calibration_measure(struct tmap_job_calibration *it,
			       int (*conduct)(struct tmap_job_calibration *it,
					      struct tmap_error *err),
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

/* One of so many algorithms that take longer at one time than at another is too many. */
enum { DRIFTING_PART = 4 };

/* Rank 0: what the check came to. */
static int verdict_keep(struct tmap_job_calibration *it, const struct tmap_check_verdict *verdict,
			const struct tmap_check *check, struct tmap_error *err)
{
	struct tmap_calibration *calibration = &it->made.calibration;
	int planned = 0;

	calibration->has_rho = verdict->rho_cases > 0;
	calibration->rho = verdict->rho;
	calibration->regret = verdict->regret;
	calibration->collectives = verdict->algorithms;
	calibration->choices = verdict->cases;
	calibration->choices_near = verdict->near;
	calibration->choices_tied = verdict->tied;
	calibration->worst_regret = verdict->worst_regret;
	calibration->largest_ratio = verdict->ratio;
	calibration->seconds = tmap_conductor_spent(&it->conductor);
	for (int c = 0; c < check->count; c++)
		planned += check->item[c].count >= 2; /* that can be measured */
	if (verdict->cases < planned &&
	    tmap_calibrator_note(
		    &it->calibrator, err,
		    "the check had time for %d of its %d cases, a collective of a size each",
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
static double check_seconds(const struct tmap_job_calibration *it)
{
	double part = tmap_calibrator_has_spread(&it->calibrator) ? check_part : 1;

	return fmax(0, part * it->seconds - tmap_conductor_spent(&it->conductor));
}

/* Collective: collectives that the profile predicts, measured. */
int tmap_job_calibration_check(struct tmap_job_calibration *it, struct tmap_error *err)
{
	struct tmap_job *job = &it->session->startup->job;
	struct tmap_check check = { 0 };
	struct tmap_check_verdict verdict = { 0 };
	double left_s = job->rank == 0 ? check_seconds(it) : 0;
	int status = tmap_job_check(job, MPI_Bcast(&it->seed, 1, MPI_INT64_T, 0, job->world),
				    "MPI_Bcast", err);

	if (status == 0)
		status = tmap_calibration_check(it->session, &it->made.profile, left_s,
						(uint64_t)it->seed, &check, &verdict, err);
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
static int again_keep(struct tmap_job_calibration *it, int status, struct tmap_error *err)
{
	it->made.calibration.seconds = tmap_conductor_spent(&it->conductor);
	if (status == 0)
		status = tmap_calibrator_vary(&it->calibrator, err);
	tmap_calibrated_profile_renew(&it->made, &it->calibrator);
	return status;
}

/* Collective: trials once more, which widen intervals; until all are made it is the profile of before. */
int tmap_job_calibration_repeat(struct tmap_job_calibration *it, struct tmap_error *err)
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
static int wait_note(struct tmap_job_calibration *it, int rank, double part, struct tmap_error *err)
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
int tmap_job_calibration_note_waits(struct tmap_job_calibration *it, struct tmap_error *err)
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

int tmap_job_calibration_init(struct tmap_job_calibration *it, struct tmap_session *session,
			      double seconds, int64_t seed, struct tmap_error *err)
{
	it->session = session;
	it->seconds = seconds;
	it->seed = seed;
	if (tmap_conductor_init(&it->conductor, &session->startup->job, &session->channel,
				&session->interrupt, &session->times.placement, err) < 0)
		return -1;
	it->wait = tmap_core_wait_begin();
	return 0;
}

void tmap_job_calibration_fini(struct tmap_job_calibration *it)
{
	tmap_calibrated_profile_fini(&it->made);
	tmap_calibrator_fini(&it->calibrator);
	tmap_levels_fini(&it->levels);
	tmap_conductor_fini(&it->conductor);
}

int tmap_job_calibration_measure(struct tmap_job_calibration *it, struct tmap_error *err)
{
	return calibration_measure(it, calibration_conduct, err);
}
