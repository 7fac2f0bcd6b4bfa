/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_transport.h - messages of an execution by MPI's point-to-point, reductions by
 * MPI_Reduce_local.
 *
 *     kept between starts     schedule     datatypes of messages        requests
 *                                          in several pieces
 *     TMAP_KEEP_NOTHING       made anew    made for each message        MPI_Isend, MPI_Irecv
 *     TMAP_KEEP_SCHEDULE      kept         made for each message        MPI_Isend, MPI_Irecv
 *     TMAP_KEEP_DATATYPES     kept         kept                         MPI_Isend, MPI_Irecv
 *     TMAP_KEEP_REQUESTS      kept         kept                         persistent: MPI_Start
 *
 * The schedule is the operation's (operation.h).
 */
#ifndef TMAP_MPI_RUN_OPERATION_MPI_TRANSPORT_H
#define TMAP_MPI_RUN_OPERATION_MPI_TRANSPORT_H

#include "mpi_run/executor/transport.h"
#include "mpi_run/operation/channel.h"
#include "mpi_run/operation/message_buffer.h"

enum tmap_keeping {
	TMAP_KEEP_NOTHING,
	TMAP_KEEP_SCHEDULE,
	TMAP_KEEP_DATATYPES,
	TMAP_KEEP_REQUESTS,
	TMAP_KEEPINGS
};

struct tmap_mpi_transport {
	struct tmap_transport transport; /**< its context is this object, which must not move */
	MPI_Comm comm;
	int tag;
	struct tmap_message_types types;
	MPI_Op op;
	enum tmap_keeping keeping;
	const struct tmap_steps *steps;
	struct tmap_mpi_message *kept; /**< [steps] */
	size_t to_make;                /**< messages that are not made, or no more */
	int count;                     /**< of the steps that are under way: */
	size_t *step;
	MPI_Request *request;
	MPI_Status *status;
	int *index;    /**< those that have ended, */
	size_t *ended; /**< and their steps */
};

/** For the messages of @p steps, which last as long, one execution at a time, which keeps its areas.
 *  @p op: MPI_OP_NULL where nothing is reduced. What is kept of messages in @p area is made here, where a
 *  rank that has no memory for it can say so, and not in a call that others wait in. */
int tmap_mpi_transport_init(struct tmap_mpi_transport *transport,
			    const struct tmap_channel *channel, int tag,
			    const struct tmap_steps *steps, const MPI_Datatype *type,
			    const struct tmap_data_element *element, MPI_Op op,
			    enum tmap_keeping keeping, char *const area[TMAP_AREAS],
			    struct tmap_error *err);

/** Also while messages are under way, after an error: those to be received are cancelled. false:
 *  some are sent still, and read what they carry. */
bool tmap_mpi_transport_fini(struct tmap_mpi_transport *transport);

#endif
