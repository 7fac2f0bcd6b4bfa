/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * message_buffer.h - a message of a step as MPI takes it: address, count and datatype.
 *
 *     one piece          its address, its count, its type
 *     several            MPI_BOTTOM, 1, a datatype of their addresses
 *     2^31 elements      their address, 1, a datatype of all of them: counts of MPI are ints
 */
#ifndef TMAP_MPI_RUN_OPERATION_MESSAGE_BUFFER_H
#define TMAP_MPI_RUN_OPERATION_MESSAGE_BUFFER_H

#include "mpi_run/executor/steps.h"

#include <mpi.h>

/** The elements that pieces are made of, borrowed. */
struct tmap_message_types {
	const MPI_Datatype *type;
	const struct tmap_data_element *element;
	void *blank; /**< what blank messages carry; nobody looks at it */
};

struct tmap_message_buffer {
	void *address;
	int count;
	MPI_Datatype type, made; /**< made: to be freed, else MPI_DATATYPE_NULL */
};

/** Size, extent and bounds of a datatype. */
int tmap_element_of_type(MPI_Datatype type, struct tmap_data_element *element,
			 struct tmap_error *err);

int tmap_message_buffer_init(struct tmap_message_buffer *buffer,
			     const struct tmap_message_types *types, const struct tmap_steps *steps,
			     size_t step, char *const area[TMAP_AREAS], struct tmap_error *err);
int tmap_message_buffer_init_piece(struct tmap_message_buffer *buffer,
				   const struct tmap_message_types *types,
				   const struct tmap_data_piece *piece,
				   char *const area[TMAP_AREAS], struct tmap_error *err);
void tmap_message_buffer_fini(struct tmap_message_buffer *buffer);

#endif
