/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operation.h - a collective of MPI, executed by an algorithm of the catalogue.
 *
 *     tmap_channel_init(&channel, comm, err)                   once for a communicator
 *     it = tmap_operation_new(&channel, &call, &arguments, keeping, err)
 *     tmap_operation_start(it, err)                            as often as one likes
 *     tmap_operation_test(it, waits, &ended, err)              or tmap_operation_run(it, err)
 *     tmap_operation_free(it)
 *
 * All ranks of the communicator make their operations in the same order; several may be under way
 * at once. Buffers are those of the arguments until the end. What is kept from one start to the
 * next, enum tmap_keeping, may differ from rank to rank.
 */
#ifndef TMAP_MPI_RUN_OPERATION_OPERATION_H
#define TMAP_MPI_RUN_OPERATION_OPERATION_H

#include "mpi_run/executor/execution.h"
#include "mpi_run/operation/arguments.h"
#include "mpi_run/operation/mpi_transport.h"

struct tmap_operation;

/** Collective over the channel, though it communicates nothing: @p call has the choice, root,
 *  metric and neighborhood; size and bytes are filled in here. Refuses (TMAP_INPUT) what
 *  tmap_call_check() refuses, an operation that does not commute where the algorithm changes the
 *  order, and blocks of any sizes where it forwards blocks whose size only others know; each of
 *  that on all ranks alike. */
struct tmap_operation *tmap_operation_new(struct tmap_channel *channel,
					  const struct tmap_call *call,
					  const struct tmap_arguments *arguments,
					  enum tmap_keeping keeping, struct tmap_error *err);

/** Also after an error, or while it is under way: what it has begun to receive is cancelled. */
void tmap_operation_free(struct tmap_operation *operation);

/** tmap_execution_run(): the fastest way of a blocking collective. */
int tmap_operation_run(struct tmap_operation *operation, struct tmap_error *err);

int tmap_operation_start(struct tmap_operation *operation, struct tmap_error *err);

/** As tmap_execution_test(). */
int tmap_operation_test(struct tmap_operation *operation, bool waits, bool *ended,
			struct tmap_error *err);

#endif
