/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_message.h - the message of a step as MPI's, and what begins and ends it.
 *
 *                           begun anew                 with requests
 *     begin                 MPI_Isend, MPI_Irecv       MPI_Start
 *     run: a message        MPI_Send, MPI_Recv         MPI_Start, MPI_Wait
 *          an exchange      MPI_Sendrecv               both, the receive first
 *
 * Where datatypes are kept, all messages are made at once; else each when it is first begun. Its address and
 * its count are part of the schedule, and last as long; its datatype, which a message of several pieces has,
 * goes with it where datatypes are not kept.
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

/** All of a transport, and their requests where these are kept. */
int tmap_mpi_messages_make(struct tmap_mpi_transport *transport, char *const area[TMAP_AREAS],
			   struct tmap_error *err);

/** Also of NULL. */
void tmap_mpi_messages_free(struct tmap_mpi_message *message, size_t count);

/** The functions of a transport (transport.h) that begin messages; its context is a struct
 *  tmap_mpi_transport. */
void tmap_mpi_messages_begin_by(enum tmap_keeping keeping, struct tmap_transport *transport);

#endif
