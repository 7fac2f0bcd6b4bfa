/*
 * location.h - where the calling process may run and where it ran: the kernel's answers.
 *
 * hwloc is not asked here: only one rank of a node loads a topology, since hundreds of
 * ranks that read all of /sys at once are slow.
 */
#ifndef TM_LOCATION_H
#define TM_LOCATION_H

#include "core/base/idset.h"
#include "mpi_probe/bytes.h"

struct tm_location {
	struct tm_idset pus;    /**< OS indexes of the PUs that it may run on; never empty */
	struct tm_idset memory; /**< OS indexes of the NUMA nodes that its memory policy allows;
				     empty where the kernel does not tell */
	int last_pu;            /**< OS index of the PU that it last ran on, or TM_NONE */
};

/** Ask the kernel about the calling thread. TM_SYSTEM where it refuses. */
int tm_location_ask(struct tm_location *location, struct tm_error *err);
void tm_location_fini(struct tm_location *location);

/** As bytes, and back; unpack fails on bytes that are not a location. */
void tm_location_pack(struct tm_bytes *bytes, const struct tm_location *location);
int tm_location_unpack(struct tm_location *location, struct tm_cursor *cursor,
		       struct tm_error *err);

/** A set of numbers as bytes, and back; *set must be empty. */
void tm_idset_pack(struct tm_bytes *bytes, const struct tm_idset *set);
int tm_idset_unpack(struct tm_idset *set, struct tm_cursor *cursor, struct tm_error *err);

#endif
