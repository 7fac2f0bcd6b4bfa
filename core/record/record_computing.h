/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record_computing.h - how much of a recorded run was computing, and how much waiting.
 *
 *     seconds of the run
 *     - in blocking collectives, as the mean rank had them       recorded
 *     - for messages, one-sided calls and other collectives      predicted: nobody timed them
 *     = computing
 *
 *     in blocking collectives, as the mean rank had them
 *     - TMAP_RUN_EXPLAINED x what is predicted for them
 *     = waiting, where that is more than 0: for ranks that came late, which no mapping changes
 *
 * That is of all of them together: in a barrier ranks wait for what others still send in an alltoall.
 */
#ifndef TMAP_CORE_RECORD_RECORD_COMPUTING_H
#define TMAP_CORE_RECORD_RECORD_COMPUTING_H

#include "core/cost/profile.h"
#include "core/mappers/run_time.h"
#include "core/record/record.h"

/** By the costs of @p profile and the algorithms of library @p library, a row of tmap_libraries; nothing is
 *  computing where what is predicted takes all the rest. Time of tmap_record_traffic_init() and of an
 *  evaluation, twice. */
int tmap_record_run_time(struct tmap_run_time *run, const struct tmap_record *record, int library,
			 const struct tmap_profile *profile, struct tmap_error *err);

#endif
