/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * location.h - where the calling process may run and where it ran: the kernel's answers.
 *
 * hwloc is not used here: only one rank of a node loads a topology, since hundreds of
 * ranks that read all of /sys at once are slow.
 */
#ifndef TMAP_MPI_PROBE_LOCATION_H
#define TMAP_MPI_PROBE_LOCATION_H

#include "core/base/idset.h"
#include "mpi_probe/bytes.h"

struct tmap_probed_location {
	struct tmap_idset pus;    /**< OS indexes of the PUs that it may run on; never empty */
	struct tmap_idset memory; /**< OS indexes of the NUMA nodes that its memory policy allows;
				     empty where the kernel does not report it */
	int last_pu;              /**< OS index of the PU that it last ran on, or TMAP_NONE */
};

/** Ask the kernel about the calling thread. TMAP_SYSTEM where it refuses. */
int tmap_probed_location_query(struct tmap_probed_location *location, struct tmap_error *err);
void tmap_probed_location_fini(struct tmap_probed_location *location);

/** As bytes, and back; unpack fails on bytes that are not a location. */
void tmap_probed_location_pack(struct tmap_bytes *bytes,
			       const struct tmap_probed_location *location);
int tmap_probed_location_unpack(struct tmap_probed_location *location, struct tmap_cursor *cursor,
				struct tmap_error *err);

/** A set of numbers as bytes, and back; *set must be empty. */
void tmap_idset_pack(struct tmap_bytes *bytes, const struct tmap_idset *set);
int tmap_idset_unpack(struct tmap_idset *set, struct tmap_cursor *cursor, struct tmap_error *err);

#endif
