/*
 * seat.h - what a rank is bound to, without saying where: the ranks of a node, and
 * nodes that are filled alike, share their seats.
 */
#ifndef TM_SEAT_H
#define TM_SEAT_H

#include "core/idset.h"
#include "mpi_probe/bytes.h"

struct tm_seat {
	bool bound;             /**< false: it is all that the job may use of the node */
	struct tm_idset pus;    /**< OS indexes, not empty */
	struct tm_idset memory; /**< OS indexes of NUMA nodes; empty where unknown */
};

void tm_seat_fini(struct tm_seat *seat);
void tm_seats_free(struct tm_seat *seat, int count);

/** A total order: by the PUs, then the memory, then bound or not. */
int tm_seat_compare(const struct tm_seat *a, const struct tm_seat *b);

void tm_seat_pack(struct tm_bytes *bytes, const struct tm_seat *seat);
/** *seat must be zeroed; tm_seat_fini() it in any case. */
int tm_seat_unpack(struct tm_seat *seat, struct tm_cursor *cursor, struct tm_error *err);

#endif
