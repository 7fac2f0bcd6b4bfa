/*
 * team.h - the ranks of the job, their nodes, and how they fail together.
 *
 *     world     0 1 2 3 4 5 6 7
 *     node     (0 1 2 3)(4 5 6 7)     the ranks that can share memory
 *     leaders   0       4             the smallest rank of each node
 *
 * A rank whose own work failed takes part in everything up to the next
 * tmap_team_agree(), where all learn the sentence of the smallest rank that failed.
 * After an MPI call failed nothing can be agreed on any more: the team is broken,
 * and main() prints and aborts.
 */
#ifndef TMAP_MPI_PROBE_TEAM_H
#define TMAP_MPI_PROBE_TEAM_H

#include "core/base/error.h"

#include <mpi.h>
#include <stdbool.h>

struct tmap_team {
	MPI_Comm world, node;
	MPI_Comm leaders; /**< MPI_COMM_NULL but on leaders */
	int rank, size;   /**< in world */
	bool is_leader;   /**< rank 0 is one, and the first in leaders */
	bool broken;
};

/** After MPI_Init. From here on MPI's errors are returned, not fatal. */
int tmap_team_init(struct tmap_team *team, struct tmap_error *err);
void tmap_team_fini(struct tmap_team *team);

/** What an MPI call returned: 0, or -1 with "<call> failed: <MPI's reason>"; the team is broken
 *  then. */
int tmap_team_check(struct tmap_team *team, int code, const char *call, struct tmap_error *err);

/** Collective over the job: 0 if every rank's @p status is; else -1 on all of them, *err being
 *  that of the smallest rank that failed, with its number and host in front unless it is 0. */
int tmap_team_agree(struct tmap_team *team, int status, struct tmap_error *err);

/** Collective over @p comm: the status of its rank 0. Where it is -1, *err is as it was. */
int tmap_team_follow(struct tmap_team *team, MPI_Comm comm, int status, struct tmap_error *err);

#endif
