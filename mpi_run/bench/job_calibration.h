/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job_calibration.h - what the ranks of a job measure of their machine, in this order:
 *
 *     tmap_job_calibration_measure()      trials of messages, what ranks share, and own memory
 *                                         ── a profile is made of them, by the caller ──
 *     tmap_job_calibration_check()        collectives that it predicts, measured
 *     tmap_job_calibration_repeat()       messages once more, in what time is left
 *     tmap_job_calibration_note_waits()   did the ranks have their cores?
 *
 * Each but the first changes the profile with the lock of a signal (interrupt.h), by which it can be
 * written at any time. Rank 0 has what is found; the others have no more than the conductor.
 */
#ifndef TMAP_MPI_RUN_BENCH_JOB_CALIBRATION_H
#define TMAP_MPI_RUN_BENCH_JOB_CALIBRATION_H

#include "core/measure/calibrated_profile.h"
#include "mpi_run/bench/conductor.h"
#include "mpi_run/bench/core_wait.h"
#include "mpi_run/bench/session.h"

struct tmap_job_calibration {
	struct tmap_session *session; /**< borrowed */
	double seconds;               /**< that it may take */
	int64_t seed;                 /**< TMAP_NONE until there is one */
	struct tmap_conductor conductor;
	struct tmap_levels levels;
	struct tmap_calibrator calibrator;
	struct tmap_calibrated_profile made; /**< by the caller, after the trials */
	struct tmap_core_wait wait;          /**< of this rank */
};

/** Collective; *it is zeroed, and tmap_job_calibration_fini() is due in any case. Without a seed
 *  (TMAP_NONE) rank 0 takes that of the moment. */
int tmap_job_calibration_init(struct tmap_job_calibration *it, struct tmap_session *session,
			      double seconds, int64_t seed, struct tmap_error *err);
void tmap_job_calibration_fini(struct tmap_job_calibration *it);

/** Collective, each once. They fail after a signal. */
int tmap_job_calibration_measure(struct tmap_job_calibration *it, struct tmap_error *err);
int tmap_job_calibration_check(struct tmap_job_calibration *it, struct tmap_error *err);
int tmap_job_calibration_repeat(struct tmap_job_calibration *it, struct tmap_error *err);
int tmap_job_calibration_note_waits(struct tmap_job_calibration *it, struct tmap_error *err);

#endif
