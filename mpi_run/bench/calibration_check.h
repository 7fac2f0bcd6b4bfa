/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibration_check.h - the check of a cost profile (core/measure/calibration_check.h), measured on the
 * ranks of the job.
 *
 *     round 0   each case, each of its algorithms, a few times     so that there is something of all
 *     round 1   the same in another order, as often as there is time
 *     round 2, 3                                                   what comes and goes is not in all
 *
 * Of each algorithm the median of all its times counts. Where all times of round 0 are the same, as in a
 * simulation, there is nothing to be learnt from more.
 */
#ifndef TMAP_MPI_RUN_BENCH_CALIBRATION_CHECK_H
#define TMAP_MPI_RUN_BENCH_CALIBRATION_CHECK_H

#include "core/measure/calibration_check.h"
#include "mpi_run/bench/session.h"

/** Collective, after tmap_session_plan(): rank 0 has the plan by @p profile and @p seconds, which the others
 *  need not have, and *check and *verdict. About @p seconds by MPI_Wtime(): what does not fit is left out, and
 *  does not count. The experiments that count are added to session->times of rank 0. Fails after a signal, as
 *  tmap_session_time(). The caller's to tmap_check_fini(), in any case. */
int tmap_calibration_check(struct tmap_session *session, const struct tmap_profile *profile,
			   double seconds, uint64_t seed, struct tmap_check *check,
			   struct tmap_check_verdict *verdict, struct tmap_error *err);

#endif
