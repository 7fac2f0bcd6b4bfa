/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * affinity.h - what the system affinities a rank of its node: the PUs that it may run on and the
 * memory. Ranks that are bound alike, and nodes that are filled alike, share affinities.
 */
#ifndef TMAP_MPI_PROBE_AFFINITY_H
#define TMAP_MPI_PROBE_AFFINITY_H

#include "core/base/idset.h"
#include "mpi_probe/bytes.h"

struct tmap_affinity {
	bool bound;               /**< false: it is all that the job may use of the node */
	struct tmap_idset pus;    /**< OS indexes, not empty */
	struct tmap_idset memory; /**< OS indexes of NUMA nodes; empty where unknown */
};

void tmap_affinity_fini(struct tmap_affinity *affinity);
void tmap_affinities_free(struct tmap_affinity *affinity, int count);

/** A total order: by the PUs, then the memory, then bound or not. */
int tmap_affinity_compare(const struct tmap_affinity *a, const struct tmap_affinity *b);

void tmap_affinity_pack(struct tmap_bytes *bytes, const struct tmap_affinity *affinity);
/** *affinity must be zeroed; tmap_affinity_fini() it in any case. */
int tmap_affinity_unpack(struct tmap_affinity *affinity, struct tmap_cursor *cursor,
			 struct tmap_error *err);

#endif
