/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h - bytes of every rank of a communicator at its rank 0.
 *
 *     ranks --node--> leaders --leaders--> rank 0
 *
 * Rank 0 of the job gets one message a node, and of what many nodes have in
 * common, one copy.
 */
#ifndef TMAP_MPI_PROBE_GATHER_H
#define TMAP_MPI_PROBE_GATHER_H

#include "mpi_probe/bytes.h"
#include "mpi_probe/gathered.h"
#include "mpi_probe/job.h"

/** Bytes of several ranks, in one block of memory. */
struct tmap_parts {
	int count;
	struct tmap_part *part;
	unsigned char *data;
};

void tmap_parts_fini(struct tmap_parts *parts);

/** Collective over @p comm: *parts at its rank 0 has each rank's bytes, in rank order; it stays
 *  empty elsewhere. On -1 an error of rank 0 is rank 0's to print, see job.h. */
int tmap_gather(struct tmap_job *job, MPI_Comm comm, const struct tmap_bytes *mine,
		struct tmap_parts *parts, struct tmap_error *err);

/** What several ranks may have in common, at rank 0. */
struct tmap_distinct {
	struct tmap_parts parts; /**< the distinct ones, in order of first appearance */
	int *group;              /**< [ranks of comm]: the part that each rank has */
	int *first;              /**< [parts]: the first rank that has it */
};

void tmap_distinct_fini(struct tmap_distinct *distinct);

/** The same, but equal bytes come once: digests are gathered first (see sha256.h), and the
 *  first rank that has a digest sends the bytes. */
int tmap_gather_distinct(struct tmap_job *job, MPI_Comm comm, const struct tmap_bytes *mine,
			 struct tmap_distinct *distinct, struct tmap_error *err);

#endif
