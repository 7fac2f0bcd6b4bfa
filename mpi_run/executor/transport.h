/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport.h - what carries the messages of an execution, and reduces: MPI, or a test's own.
 *
 * Pieces are given with the addresses of their areas. A transport keeps one request a step, and
 * says of those that are under way which have ended.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_TRANSPORT_H
#define TMAP_MPI_RUN_EXECUTOR_TRANSPORT_H

#include "mpi_run/executor/line.h"

struct tmap_transport {
	void *context;
	bool is_commutative; /**< the operation: which operand is which does not matter */

	/** Begin the message of a step. */
	int (*begin)(void *context, const struct tmap_steps *steps, size_t step,
		     char *const area[TMAP_AREAS], struct tmap_error *err);
	/** Messages and exchanges of a line, one after the other, each to its end; ended() does not say
	 *  those. */
	int (*run)(void *context, const struct tmap_steps *steps, const struct tmap_line_part *part,
		   size_t count, char *const area[TMAP_AREAS], struct tmap_error *err);
	/** (*ended)[0 .. *count - 1] are steps that have ended since, until the next call; it waits
	 *  for one if @p waits. */
	int (*ended)(void *context, bool waits, const size_t **ended, size_t *count,
		     struct tmap_error *err);
	/** Target becomes source. */
	int (*copy)(void *context, const struct tmap_data_piece *source,
		    const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
		    struct tmap_error *err);
	/** How many bytes copy() of these moves, one after another as they are; 0: it does otherwise. */
	int64_t (*plain)(const void *context, const struct tmap_data_piece *source,
			 const struct tmap_data_piece *target);
	/** Target becomes source op target. */
	int (*reduce)(void *context, const struct tmap_data_piece *source,
		      const struct tmap_data_piece *target, char *const area[TMAP_AREAS],
		      struct tmap_error *err);
};

#endif
