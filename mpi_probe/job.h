/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h - the ranks of the job, their nodes, and how they fail together.
 *
 *     world     0 1 2 3 4 5 6 7
 *     node     (0 1 2 3)(4 5 6 7)     the ranks that can share memory
 *     leaders   0       4             the smallest rank of each node
 *
 * A rank whose own work failed takes part in everything up to the next
 * tmap_job_agree(), where all get the error of the smallest rank that failed.
 * After an MPI call failed nothing can be agreed on any more: the job is broken,
 * and main() prints and aborts.
 */
#ifndef TMAP_MPI_PROBE_JOB_H
#define TMAP_MPI_PROBE_JOB_H

#include "core/base/error.h"

#include <mpi.h>
#include <stdbool.h>

struct tmap_job {
	MPI_Comm world, node;
	MPI_Comm leaders; /**< MPI_COMM_NULL but on leaders */
	int rank, size;   /**< in world */
	bool is_leader;   /**< rank 0 is one, and the first in leaders */
	bool broken;
};

/** After MPI_Init. From here on MPI's errors are returned, not fatal. */
int tmap_job_init(struct tmap_job *job, struct tmap_error *err);
void tmap_job_fini(struct tmap_job *job);

/** What an MPI call returned: 0, or -1 with "<call> failed: <MPI's reason>"; the job is broken
 *  then. */
int tmap_job_check(struct tmap_job *job, int code, const char *call, struct tmap_error *err);

/** Collective over the job: 0 if every rank's @p status is; else -1 on all of them, *err being
 *  that of the smallest rank that failed, with its number and host in front unless it is 0. */
int tmap_job_agree(struct tmap_job *job, int status, struct tmap_error *err);

/** Collective over @p comm: the status of its rank 0. Where it is -1, *err is as it was. */
int tmap_job_follow(struct tmap_job *job, MPI_Comm comm, int status, struct tmap_error *err);

#endif
