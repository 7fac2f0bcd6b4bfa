/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_plan.h - the plan of a check of a profile (core/measure/calibration_check.h), made by rank 0, which
 * has the profile, and known to all ranks.
 */
#ifndef TMAP_MPI_RUN_BENCH_CHECK_PLAN_H
#define TMAP_MPI_RUN_BENCH_CHECK_PLAN_H

#include "core/measure/calibration_check.h"
#include "mpi_probe/job.h"

/** Collective: *check on all ranks, with predictions on rank 0; request->memory_bytes is set to an eighth
 *  of what the host has, by its ranks, on the host that has least. */
int tmap_check_plan_spread(struct tmap_check *check, struct tmap_job *job,
			   const struct tmap_placement *placement,
			   struct tmap_check_request *request, struct tmap_error *err);

#endif
