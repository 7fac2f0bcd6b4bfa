/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/session_clock.h"

#include "core/base/mem.h"
#include "core/lint/inspection.h"

#include <stdlib.h>

int tmap_session_check_cores(const struct tmap_placement *placement, const char *sync,
			     struct tmap_error *err)
{
	struct tmap_inspection inspection;
	int sharing;

	if (tmap_inspection_init(&inspection, placement, TMAP_SCALE_PROCESS, err) < 0)
		return -1;
	sharing = inspection.crowding_core + inspection.crowding_unbound;
	tmap_inspection_fini(&inspection);
	return sharing ? tmap_fail(err, TMAP_INPUT,
				   "--sync %s: %d ranks share cores, so that some would begin late "
				   "again and again",
				   sync, sharing) :
			 0;
}

/* Rank 0: what is written says how repetitions began. */
static int sync_say(struct tmap_session *session, enum tmap_sync sync, struct tmap_error *err)
{
	char *word = tmap_strdup(tmap_keywords_at(&tmap_syncs, (size_t)sync)->name, err);

	if (!word)
		return -1;
	free(session->times.sync);
	session->times.sync = word;
	return 0;
}

#ifndef SMPI_H
static bool has_nodes(const struct tmap_placement *placement)
{
	for (int r = 1; r < placement->size; r++)
		if (placement->node[r] != placement->node[0])
			return true;
	return false;
}
#endif

int tmap_session_begin_clock(struct tmap_session *session, struct tmap_error *err)
{
#ifdef SMPI_H /* all ranks leave a barrier at the same time there */
	(void)session;
	(void)err;
	(void)sync_say;
	return 0;
#else
	struct tmap_job *job = &session->startup->job;
	struct tmap_error why;
	int mine = tmap_session_check_cores(&session->times.placement, "clock", &why) == 0, all;

	if (tmap_job_check(job, MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, job->world),
			   "MPI_Allreduce", err) < 0)
		return -1;
	if (!all || !has_nodes(&session->times.placement) || session->timing.clock)
		return 0;
	session->timing.clock = &session->clock;
	session->timing.is_lenient = true;
	if (tmap_common_clock_init(&session->clock, job, true, err) < 0)
		return -1;
	return tmap_job_agree(job, job->rank == 0 ? sync_say(session, TMAP_SYNC_CLOCK, err) : 0,
			      err);
#endif
}

int tmap_session_leave_clock(struct tmap_session *session, struct tmap_error *err)
{
	struct tmap_job *job = &session->startup->job;

	session->timing.clock = NULL;
	session->timing.is_lenient = false;
	session->times.clock = (struct tmap_clock_use){ 0 };
	return tmap_job_agree(job, job->rank == 0 ? sync_say(session, TMAP_SYNC_BARRIER, err) : 0,
			      err);
}
