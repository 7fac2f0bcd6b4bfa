/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * channel.h - where executions of a communicator send, apart from all that the program sends.
 *
 * A communicator of its own, of the same ranks, made by MPI_Comm_create, which calls none of the
 * program's attribute callbacks, as MPI_Comm_dup would. Operations that are under way at once are
 * told apart by their tags, which all ranks count alike, because they begin them in one order.
 */
#ifndef TMAP_MPI_RUN_OPERATION_CHANNEL_H
#define TMAP_MPI_RUN_OPERATION_CHANNEL_H

#include "core/base/error.h"

#include <mpi.h>
#include <stdint.h>

struct tmap_channel {
	MPI_Comm comm;
	int rank, size;
	int tag, tag_last; /**< the next operation's; after tag_last comes 0 */
};

/** Collective over @p comm. Refuses MPI_COMM_NULL and intercommunicators (TMAP_INPUT); TMAP_SYSTEM
 *  where the library has no more communicators. */
int tmap_channel_init(struct tmap_channel *channel, MPI_Comm comm, struct tmap_error *err);
void tmap_channel_fini(struct tmap_channel *channel);

/** The tag of one more operation; all ranks ask in the same order. */
int tmap_channel_tag(struct tmap_channel *channel);

/** TMAP_SYSTEM, with the name of an MPI function and what MPI says of its error. */
int tmap_mpi_fail(int code, const char *function, struct tmap_error *err);

/** 0 where an MPI function returned MPI_SUCCESS, else tmap_mpi_fail(). */
static inline int tmap_mpi_check(int code, const char *function, struct tmap_error *err)
{
	return code == MPI_SUCCESS ? 0 : tmap_mpi_fail(code, function, err);
}

#endif
