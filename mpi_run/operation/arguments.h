/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arguments.h - the buffers of a collective as MPI's functions have them, and what MPI asks of them.
 *
 *     send    buffer, count, type          or, of v- and w-forms, counts, displacements and types
 *     recv    buffer, count, type          of each block
 *
 * A buffer without blocks at a rank, as the receive of a gather has none but at the root, means
 * nothing there, whatever it holds.
 */
#ifndef TMAP_MPI_RUN_OPERATION_ARGUMENTS_H
#define TMAP_MPI_RUN_OPERATION_ARGUMENTS_H

#include "core/schedule/call.h"

#include <mpi.h>

/** One of the two buffers. */
struct tmap_argument {
	void *buffer; /**< or MPI_IN_PLACE */
	int64_t count;
	MPI_Datatype type;
	const int *counts, *displacements;  /**< v-forms: [blocks], in elements; else NULL */
	const MPI_Datatype *types;          /**< w-forms: then displacements are bytes; else NULL */
	const MPI_Aint *byte_displacements; /**< w-forms of neighborhoods: these instead */
};

/** Of a bcast, recv is the buffer; of reductions both have the count and type, and those of a
 *  reduce_scatter have the blocks in send, also where it is in place. */
struct tmap_arguments {
	struct tmap_argument send, recv;
	bool is_irregular; /**< a v- or w-form, at every rank, also where it has no counts */
	MPI_Op op;         /**< MPI_OP_NULL where nothing is reduced */
	bool by_rounds;    /**< as tmap_steps_init() has it */
};

/** Blocks of each buffer that somebody must know: 0 where it means nothing, or is in place. */
struct tmap_argument_blocks {
	int sent, received;
};

struct tmap_argument_blocks tmap_arguments_blocks(const struct tmap_arguments *arguments,
						  const struct tmap_call *call, int rank);

/** Is this rank's own part of the collective in place? */
bool tmap_arguments_in_place(const struct tmap_arguments *arguments, const struct tmap_call *call,
			     int rank);

/** Refuses (TMAP_INPUT) MPI_IN_PLACE where MPI has none, null handles, counts that are negative, and
 *  operations of MPI on derived datatypes; before anything of MPI is called that would refuse them
 *  by the program's error handler. call->size and root are set. */
int tmap_arguments_check(const struct tmap_arguments *arguments, const struct tmap_call *call,
			 int rank, struct tmap_error *err);

#endif
