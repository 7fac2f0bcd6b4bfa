/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial_run.h - a trial on the ranks that have a part in it (core/measure/trial.h).
 *
 * Every rank of it calls tmap_trial_run() with the same trial, and no other rank does. The first
 * time is not kept.
 */
#ifndef TMAP_MPI_RUN_BENCH_TRIAL_RUN_H
#define TMAP_MPI_RUN_BENCH_TRIAL_RUN_H

#include "core/measure/trial.h"
#include "mpi_run/operation/channel.h"

/** What a rank sends from, and where what it gets lies; each grows to what is needed. */
struct tmap_trial_room {
	unsigned char *send, *recv;
	size_t send_capacity, recv_capacity;
	MPI_Request *request;
	size_t request_capacity;
};

/** @p seconds [repetitions]: what this rank measured, 0 where it only answers. TMAP_SYSTEM for a
 *  call of MPI that failed. */
int tmap_trial_run(const struct tmap_trial *trial, const struct tmap_channel *channel,
		   struct tmap_trial_room *room, double *seconds, struct tmap_error *err);

/** Has the rank a part in it? */
bool tmap_trial_has(const struct tmap_trial *trial, int rank);

/** Memory for a trial: before any rank begins it, so that none waits for one that has none. */
int tmap_trial_room_make(struct tmap_trial_room *room, const struct tmap_trial *trial, int rank,
			 struct tmap_error *err);
void tmap_trial_room_fini(struct tmap_trial_room *room);

#endif
