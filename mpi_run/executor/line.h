/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h - steps that come one after another, as one would write them by hand.
 *
 *     receive ──► send ──► send              a rank of a binomial broadcast
 *     send and receive ──► send and receive  one of a ring: each round is an exchange
 *     send and receive ──► reduce ──► ...    one of recursive doubling
 *
 * Each part waits for the end of all of the one before it, and so nothing can overtake it: it is begun
 * and waited for by one blocking call, and nobody keeps count of what may begin.
 */
#ifndef TMAP_MPI_RUN_EXECUTOR_LINE_H
#define TMAP_MPI_RUN_EXECUTOR_LINE_H

#include "mpi_run/executor/steps.h"

enum tmap_line_kind { TMAP_LINE_MESSAGE, TMAP_LINE_EXCHANGE, TMAP_LINE_LOCAL };

struct tmap_line_part {
	enum tmap_line_kind kind;
	size_t step, send; /**< an exchange: step receives */
	size_t messages;   /**< so many parts from this one on are messages and exchanges */
};

/** part[0 .. *count - 1], which has room for as many as there are steps; false: they are no line.
 *  O(steps + edges). */
bool tmap_line_fill(const struct tmap_steps *steps, struct tmap_line_part *part, size_t *count);

#endif
