/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * communicator.h - --comm: the sub-communicator of a job that a command analyses.
 *
 *     8 ranks on 2 nodes, in block order      0 1 2 3 | 4 5 6 7
 *
 *     --comm 6,1-3      6 1 2 3     in the order of the list
 *     --comm node       0 1 2 3     the ranks of the node of rank 0
 *     --comm node:1     4 5 6 7     those of node 1 of the job, counted from 0
 *     --comm row:2      0 1         of rows of 2 consecutive ranks the one of rank 0
 *     --comm column:2   0 2 4 6     the ranks that are 0 modulo 2
 *
 * Its ranks are numbered anew, as MPI does; placement->world keeps their numbers in the job.
 */
#ifndef TMAP_CLI_BASE_COMMUNICATOR_H
#define TMAP_CLI_BASE_COMMUNICATOR_H

#include "cli/base/adapters.h"
#include "core/machine/placement.h"

#include <stdio.h>

#define TMAP_OPT_COMM(args, member) \
	TMAP_OPT_STRING( \
		args, member, 0, "comm", "COMM", NULL, \
		"analyze a sub-communicator: ranks in its order (\"0-31,64\", \"0-62/2\"), " \
		"node (that of rank 0) or node:K, row:K (the first K ranks) or column:K " \
		"(every K-th rank); they are renumbered from 0")

/** The ranks of *p that @p comm names, in its order: the caller's to free, NULL with *err set. A
 *  misspelt kind is TMAP_USAGE; what this job does not have is TMAP_INPUT. O(p). */
int *tmap_communicator_parse(int *count, const struct tmap_placement *p, const char *comm,
			     struct tmap_error *err);

/** Replace *p by its sub-communicator @p comm; NULL leaves it as it is. O(p). */
int tmap_communicator_take(struct tmap_placement *p, const char *comm, struct tmap_error *err);

/** Read the placement of @p path, choose its @p adapters (cli/base/adapters.h), and take @p comm of
 *  it. */
int tmap_communicator_read(struct tmap_placement *p, const char *path, const char *comm,
			   const char *adapters, struct tmap_error *err);

/** The lines that precede a text: of a sub-communicator "numbered anew: ranks 0, 2 .. 6 of the
 *  job", and which adapters were chosen; of neither nothing. */
int tmap_communicator_write_text(FILE *out, const struct tmap_placement *p, struct tmap_error *err);

#endif
