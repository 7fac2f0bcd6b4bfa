/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_message.h - the message of a step as MPI's, and what begins and ends it where its datatype is made
 * anew, where that is kept, and where its request is persistent.
 *
 *                        datatype made anew          datatype kept         with requests
 *     begin              MPI_Isend, MPI_Irecv        the same              MPI_Start
 *     run                MPI_Send, MPI_Recv          the same              MPI_Start, MPI_Wait
 *     exchange           MPI_Sendrecv                the same              both, the receive first
 *
 * What is kept is made when it is first begun; an address and a count always are, as part of the schedule. The
 * three are functions of their own, so that a message that is kept takes no more than the call of MPI.
 */
#ifndef TMAP_MPI_RUN_OPERATION_MPI_MESSAGE_H
#define TMAP_MPI_RUN_OPERATION_MPI_MESSAGE_H

#include "mpi_run/operation/message_buffer.h"
#include "mpi_run/operation/mpi_transport.h"

struct tmap_mpi_message {
	bool is_made, is_send;
	int peer;
	struct tmap_message_buffer buffer;
	MPI_Request request; /**< persistent, or MPI_REQUEST_NULL */
};

/** [count] of which none is made yet. */
struct tmap_mpi_message *tmap_mpi_messages_new(size_t count, struct tmap_error *err);

/** Also of NULL. */
void tmap_mpi_messages_free(struct tmap_mpi_message *message, size_t count);

/** The functions of a transport (transport.h) that begin messages; its context is a struct
 *  tmap_mpi_transport. */
void tmap_mpi_messages_begin_by(enum tmap_keeping keeping, struct tmap_transport *transport);

#endif
